"""Every colour and font size of the window, and whether it is animated, in one place; widgets repaint on `changed`."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetrics, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from gui.style.colours import (
    CONTRAST_DARK,
    CONTRAST_LIGHT,
    DARK,
    LIGHT,
    PALETTES,
    Colours,
    contrast,
    mixed,
    standing_out,
)

NOTE, TEXT, FIGURE, VERDICT = 11, 13, 17, 26
"""Font sizes in pixels at 100 %."""

QUIET = QPalette.ColorRole.PlaceholderText
"""The foreground role of secondary text: it is painted `dim`."""

FRAME_DARKER = 140
"""Per cent by which Fusion draws the frames of fields darker than the palette's window, even on black."""

MIN_ZOOM, MAX_ZOOM, ZOOM_STEP = 0.7, 2.5, 1.1


FIGURES = {ord(figure): "0" for figure in "123456789"}

SYSTEM = "system"
"""The choice that follows the system's light or dark and its high contrast."""
CHOICES = (SYSTEM, *PALETTES)


_painted: ContextVar["Theme | None"] = ContextVar("painted", default=None)
"""The theme of the picture that a thread paints, if it is not the window's."""


@contextmanager
def painted_in(name: str) -> Iterator[None]:
    """Within it, on this thread, the theme has these colours and 100 %: for pictures that do not look like the window.
    `name` is one of PALETTES."""
    token = _painted.set(theme().at_100_in(PALETTES[name]))
    try:
        yield
    finally:
        _painted.reset(token)


class _Changes(QObject):
    changed = Signal()


class Theme:
    """The present colours and sizes. There is one theme: `theme()`.

    It has a QObject and is none: PySide takes three times as long to read an attribute of one, and a picture asks for
    hundreds of lengths and colours.
    """

    def __init__(self) -> None:
        self._changes = _Changes()
        self.changed = self._changes.changed
        self._choice = SYSTEM
        self.colours = self._chosen()
        self._zoom = 1.0
        self._motion = True
        self._families = _load_fonts()
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._system_changed)
        if hasattr(hints, "accessibility"):  # since Qt 6.10
            hints.accessibility().contrastPreferenceChanged.connect(self._system_changed)
        point_size = QApplication.font().pointSizeF()
        self._system_scale = min(2.0, max(0.9, point_size / 10.0)) if point_size > 0 else 1.0
        self._scale = self._system_scale

    @property
    def choice(self) -> str:
        """The user's choice: one of CHOICES."""
        return self._choice

    def at_100_in(self, colours: Colours) -> "Theme":
        """The same fonts at 100 % in other colours."""
        other = copy(self)
        other.colours, other._scale = colours, 1.0
        return other

    @property
    def zoom(self) -> float:
        return self._zoom

    @property
    def motion(self) -> bool:
        """Whether marks and values are animated. Qt 6.11 does not know the system's setting."""
        return self._motion

    def choose(self, choice: str) -> None:
        """Apply one of CHOICES. Raises ValueError for anything else."""
        if choice not in CHOICES:
            raise ValueError(f"There is no theme {choice!r}: choose one of {', '.join(CHOICES)}.")
        before = self._choice, self.colours
        self._choice = choice
        self.colours = self._chosen()
        if (self._choice, self.colours) != before:
            self.apply()

    def set_zoom(self, zoom: float) -> None:
        """Set the scale of all text and pictures, limited to MIN_ZOOM and MAX_ZOOM."""
        zoom = min(MAX_ZOOM, max(MIN_ZOOM, zoom))
        if zoom != self._zoom:
            self._zoom, self._scale = zoom, zoom * self._system_scale
            self.apply()

    def zoom_by(self, factor: float) -> None:
        """Multiply the zoom by a factor."""
        self.set_zoom(self._zoom * factor)

    def set_motion(self, motion: bool) -> None:
        if motion != self._motion:
            self._motion = motion
            self.changed.emit()

    def px(self, size: float) -> int:
        """A length or font size of `size` pixels at 100 %, in pixels at the present zoom."""
        return max(1, round(size * self._scale))

    def at_100(self, pixels: int) -> float:
        """The inverse of `px`."""
        return pixels / self._scale

    def font(self, size: float = TEXT, weight: QFont.Weight = QFont.Weight.Normal, mono: bool = False) -> QFont:
        """A bundled font; all figures have one width, so that running numbers do not jump."""
        return QFont(_font(self._families[1 if mono else 0], self.px(size), weight, not mono))

    def width(
        self, text: str, size: float = TEXT, weight: QFont.Weight = QFont.Weight.Normal, mono: bool = False
    ) -> int:
        """The width of a text in a bundled font, in pixels; from a cache, for pictures write the same texts, or the
        same but for their figures, which have one width."""
        return width_in(_font(self._families[1 if mono else 0], self.px(size), weight, not mono), text)

    def colour(self, name: str, alpha: float = 1.0) -> QColor:
        """The colour of a field of `Colours`, with this opacity, 0 to 1."""
        colour = QColor(getattr(self.colours, name))
        opacity = max(alpha, self.colours.least) if name == "dim" else alpha
        if opacity < 1:
            colour.setAlphaF(opacity)
        return colour

    def text_colour(self, name: str, wash: float = 0.0, share: float = 0.0) -> QColor:
        """A colour for text, on a wash of the same colour with that opacity: with at least that share of ink, and more
        where it would not be readable on a card or on the window's ground."""
        return QColor(_text_colour(self.colours, name, wash, share))

    def on(self, name: str) -> QColor:
        """Black or white, whichever is more readable on a colour."""
        ground = self.colour(name)
        return max(map(self.colour, ("black", "white")), key=lambda ink: contrast(ink, ground))

    def worker(self, index: int) -> QColor:
        """The colour of a worker; colours repeat after eight."""
        return QColor(self.colours.workers[index % len(self.colours.workers)])

    def apply(self) -> None:
        """Apply the colours and fonts to Qt and emit `changed`."""
        application = QApplication.instance()
        if not isinstance(application, QApplication):
            raise RuntimeError("The theme needs a QApplication.")
        # Each of these makes Qt update every widget, so only changed values are set.
        font, palette = self.font(), self._palette()
        if application.font() != font:
            application.setFont(font)
        if application.palette() != palette:
            application.setPalette(palette)
            window, fields = QPalette.ColorRole.Window, ("QAbstractSpinBox", "QComboBox", "QLineEdit")
            for kind in (*(fields if self.colours.least else ()), "QCheckBox"):
                frame = "dim" if kind == "QCheckBox" else "line"
                palette.setColor(window, self.colour(frame).lighter(FRAME_DARKER))
                palette.setColor(QPalette.ColorGroup.Disabled, window, self.colour("line").lighter(FRAME_DARKER))
                application.setPalette(palette, kind)  # pyright: ignore[reportArgumentType] it takes no bytes
        self.changed.emit()

    def _system_changed(self) -> None:
        if self._choice == SYSTEM:
            self.choose(SYSTEM)

    def _chosen(self) -> Colours:
        if self._choice != SYSTEM:
            return PALETTES[self._choice]
        hints = QGuiApplication.styleHints()
        is_dark = hints.colorScheme() == Qt.ColorScheme.Dark
        if hasattr(hints, "accessibility"):
            if hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast:
                return CONTRAST_DARK if is_dark else CONTRAST_LIGHT
        return DARK if is_dark else LIGHT

    def _palette(self) -> QPalette:
        colours, palette = self.colours, QPalette()
        role = QPalette.ColorRole
        for which, colour in (
            (role.Window, colours.ground),
            (role.Base, colours.card),
            (role.AlternateBase, colours.ground),
            (role.Button, colours.card),
            (role.ToolTipBase, colours.card),
            (role.WindowText, colours.ink),
            (role.Text, colours.ink),
            (role.ButtonText, colours.ink),
            (role.ToolTipText, colours.ink),
            (QUIET, colours.dim),
            (role.Highlight, colours.ink),
            (role.HighlightedText, colours.card),
            (role.Mid, colours.line),
            (role.Midlight, colours.line),
            (role.Dark, colours.dim),
            (role.Link, colours.ink),
            (role.Accent, colours.ink),
        ):
            palette.setColor(which, QColor(colour))
        for which in (role.WindowText, role.Text, role.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, which, self.colour("dim", 0.55))
        return palette

    def style_sheet(self) -> str:
        """The style sheet for everything in a window; see `gui.style.apply_style_sheet`."""
        c, px = self.colours, self.px
        return f"""
            QMainWindow::separator {{ background: transparent; width: 8px; height: 8px; }}
            QDialog {{ background: {c.ground}; }}
            QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
            QToolTip {{ background: {c.card}; color: {c.ink}; border: 1px solid {c.line}; padding: {px(4)}px; }}
            #cardTitle {{ background: {c.card}; border: 1px solid {c.line}; border-bottom: none;
                border-top-left-radius: 8px; border-top-right-radius: 8px; }}
            #cardBody {{ background: {c.card}; border: 1px solid {c.line}; border-top: none;
                border-bottom-left-radius: 8px; border-bottom-right-radius: 8px; }}
            #cardTitle[faded="true"], #cardBody[faded="true"], #cardInside[faded="true"] {{
                background: {c.ground}; }}
            #cardBody QTableView, #cardBody QHeaderView, #cardBody QHeaderView::section {{ background: transparent; }}
            QPushButton, QToolButton {{
                background: {c.card}; color: {c.ink}; border: 1px solid {c.line}; border-radius: 6px;
                padding: {px(5)}px {px(10)}px; min-height: {px(18)}px; }}
            QPushButton:hover, QToolButton:hover {{ border-color: {c.dim}; }}
            QPushButton:focus, QToolButton:focus {{ border: {c.ring + 1}px solid {c.ink}; outline: none;
                padding: {px(5) - c.ring}px {px(10) - c.ring}px; }}
            QPushButton:pressed, QToolButton:pressed {{ background: {c.fill}; }}
            QPushButton:checked, QToolButton:checked {{
                background: {c.ground}; color: {c.ink}; border-color: {c.ink}; }}
            QPushButton:disabled, QToolButton:disabled {{ color: {c.dim}; background: {c.ground}; }}
            #group {{ border: 1px solid {c.line}; border-radius: 8px; background: {c.ground}; }}
            #group QToolButton {{ border-color: transparent; background: transparent;
                padding: {px(5)}px {px(7)}px; }}
            #group QToolButton:hover {{ border-color: {c.line}; }}
            #group QToolButton:checked {{ background: {c.card}; color: {c.ink}; border-color: {c.ink}; }}
            #group QToolButton:focus {{ border-color: {c.ink};
                padding: {px(5) - c.ring}px {px(7) - c.ring}px; }}
            #strong {{ background: {c.ink}; color: {c.card}; border-color: {c.ink}; font-weight: 600; }}
            #strong:focus {{ border: {c.ring + 3}px double {c.card};
                padding: {px(5) - c.ring - 2}px {px(10) - c.ring - 2}px; }}
            #strong:disabled {{ background: {c.fill}; color: {c.dim}; border-color: {c.line}; }}
            #chip {{ padding: 0; }}
            #chip:checked, #edgeTab:checked {{ background: {c.card}; color: {c.ink}; border-color: {c.ink}; }}
            #edgeTab {{ color: {c.dim}; background: {c.ground}; padding: {px(4)}px {px(12)}px; }}
            #player {{ padding: 0; }}
            #player[toMove="true"] {{ border: {c.ring + 1}px solid {c.ink}; }}
            #player[toMove="true"]:focus {{ border: {c.ring + 3}px double {c.ink}; }}
            #player::menu-indicator {{ image: none; }}
            QStatusBar::item {{ border: none; }}
            QAbstractSpinBox {{ min-height: {px(19)}px; }}
            QToolBar {{ background: {c.ground}; border: none; padding: 0; margin: 0; }}
            QMenuBar {{ background: {c.ground}; }}
            QMenuBar::item {{ padding: {px(4)}px {px(9)}px; border-radius: 4px; background: transparent; }}
            QMenuBar::item:selected {{ background: {c.selected}; color: {c.ink}; }}
            QMenu {{ background: {c.card}; border: 1px solid {c.line}; padding: {px(4)}px; }}
            QMenu::item {{ padding: {px(5)}px {px(24)}px {px(5)}px {px(22)}px; border-radius: 4px; }}
            QMenu::item:selected {{ background: {c.selected}; color: {c.ink}; }}
            QMenu::item:disabled {{ color: {c.dim}; }}
            QMenu::separator {{ height: 1px; background: {c.line}; margin: {px(4)}px; }}
            QHeaderView {{ background: {c.card}; border: none; }}
            QHeaderView::section {{ background: {c.card}; color: {c.dim}; border: none;
                border-bottom: 1px solid {c.line}; padding: {px(3)}px; font-size: {px(NOTE)}px; }}
            QTableView {{ background: {c.card}; border: none; gridline-color: {c.line};
                selection-background-color: {c.selected}; selection-color: {c.ink}; }}
            #card {{ background: {c.card}; border: 1px solid {c.line}; border-radius: 8px; }}
            #wordsCard {{ background: {c.card}; border: 1px solid {c.dim}; border-radius: 8px; }}
            #tip {{ color: {c.dim}; font-size: {px(NOTE + 1)}px; }}
            #warning {{ font-weight: 600; }}
            #notice {{ background: {c.selected}; border: 1px solid {c.ink}; border-radius: 6px; }}
            #notice QToolButton {{ background: transparent; border-color: transparent; padding: 0 {px(5)}px; }}
            #treeLook {{ border-color: transparent; padding: 0 {px(14)}px 0 {px(2)}px; min-height: 0; }}
            #treeLook:focus {{ border-color: {c.ink}; }}
            QFileDialog QToolButton {{ padding: {px(2)}px; min-height: 0; }}
            #palette {{ background: {c.card}; border: 1px solid {c.dim}; }}
            #palette QLineEdit {{ background: {c.card}; color: {c.ink}; border: none;
                border-bottom: 1px solid {c.line}; padding: {px(6)}px; }}
            #palette QTreeWidget {{ background: {c.card}; border: none; outline: none; }}
            #palette QTreeWidget::item {{ padding: 0 {px(6)}px; border: none; }}
            #palette QTreeWidget::item:selected {{ background: {c.selected}; color: {c.ink}; }}
            #palette QLabel {{ color: {c.dim}; padding: {px(6)}px; font-size: {px(NOTE + 1)}px; }}
            #layouts {{ outline: none; }}
            #chapters {{ background: transparent; border: none; outline: none; }}
            #chapters::item {{ padding: {px(5)}px {px(8)}px; border-radius: 6px; }}
            #chapters::item:selected {{ background: {c.selected}; color: {c.ink}; }}
            QScrollArea, QScrollArea > #qt_scrollarea_viewport, QScrollArea > #qt_scrollarea_viewport > QWidget {{
                background: transparent; border: none; }}
            QScrollBar:vertical {{ background: transparent; width: {px(10)}px; margin: 0; }}
            QScrollBar:horizontal {{ background: transparent; height: {px(10)}px; margin: 0; }}
            QScrollBar::handle {{ background: {c.line}; border-radius: {px(4)}px; min-height: 24px; min-width: 24px; }}
            QScrollBar::handle:hover {{ background: {c.dim}; }}
            QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {{
                background: transparent; border: none; width: 0; height: 0; }}
            QSlider::groove:horizontal {{ height: {px(4)}px; border-radius: {px(2)}px; background: {c.line}; }}
            QSlider::sub-page:horizontal {{ height: {px(4)}px; border-radius: {px(2)}px; background: {c.ink}; }}
            QSlider::handle:horizontal {{ width: {px(14)}px; height: {px(14)}px; margin: -{px(5)}px 0;
                border-radius: {px(7)}px; background: {c.ink}; }}
            QProgressBar {{ background: {c.line}; border: none; border-radius: {px(3)}px; max-height: {px(6)}px; }}
            QProgressBar::chunk {{ background: {c.ink}; border-radius: {px(3)}px; }}
            QTabBar::tab {{ background: transparent; color: {c.dim}; padding: {px(5)}px {px(10)}px; border: none; }}
            QTabBar::tab:selected {{ color: {c.ink}; border-bottom: 2px solid {c.ink}; }}
            QStatusBar {{ background: {c.ground}; color: {c.dim}; }}
        """


_THEME: list[Theme] = []


def theme() -> Theme:
    """The program's one theme or, within `painted_in`, that of the picture. Needs a QApplication."""
    if not _THEME:
        _THEME.append(Theme())
    return _painted.get() or _THEME[0]


@lru_cache(maxsize=256)
def _text_colour(colours: Colours, name: str, wash: float, share: float) -> QColor:
    own, ink = QColor(getattr(colours, name)), QColor(colours.ink)
    grounds = [mixed(QColor(ground), own, wash) for ground in (colours.card, colours.ground)]
    return standing_out(own, ink, grounds, colours.readable, share)


def width_in(font: QFont, text: str) -> int:
    """`Theme.width` in a font that the theme has made."""
    return _width(text.translate(FIGURES), font)


@lru_cache(maxsize=4096)
def _width(text: str, font: QFont) -> int:
    return QFontMetrics(font).horizontalAdvance(text)


@cache
def _font(family: str, pixels: int, weight: QFont.Weight, tabular: bool) -> QFont:
    """A font to be copied, from a cache: copies share what Qt found out about a font, which it would look up for each
    new one."""
    font = QFont(family)
    font.setPixelSize(pixels)
    font.setWeight(weight)
    if tabular:
        font.setFeature(QFont.Tag.fromString("tnum"), 1)
    return font


def _load_fonts() -> tuple[str, str]:
    """The families of the bundled text and monospaced fonts."""
    families = {"Inter": "", "JetBrainsMono": ""}
    folder = Path(str(files("resources") / "fonts"))
    for font in sorted(folder.glob("*.ttf")):
        number = QFontDatabase.addApplicationFont(str(font))
        names = QFontDatabase.applicationFontFamilies(number)
        for prefix in families:
            if font.name.startswith(prefix) and names and not families[prefix]:
                families[prefix] = names[0]
    fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
    return families["Inter"] or QApplication.font().family(), families["JetBrainsMono"] or fixed
