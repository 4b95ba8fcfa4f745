"""Every colour and every font size of the window, and whether it moves, in one place; widgets repaint on `changed`.

Light and dark take Okabe and Ito's set: blue and orange lie on the axis of hue that a reader without red or green cones
keeps (https://jfly.uni-koeln.de/color/). X and O are nearly as light as each other in it, though, and a reader without
hue at all, or with a bad projector, sees two greys: the safe palettes set them apart by lightness as well, and the
workers too. A sign, shape or word always stands beside a colour.
"""

from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

NOTE, TEXT, FIGURE, VERDICT = 11, 13, 17, 26
"""Font sizes in pixels at 100 %."""

QUIET = QPalette.ColorRole.PlaceholderText
"""The foreground role of words that stand back: they are painted `dim`."""

FRAME_DARKER = 140
"""Per cent: so much darker than the palette's window does Fusion draw the frames of fields, even on black."""

MIN_ZOOM, MAX_ZOOM, ZOOM_STEP = 0.7, 2.5, 1.1


@dataclass(frozen=True)
class Colours:
    """A palette."""

    name: str
    ground: str
    card: str
    line: str
    ink: str
    dim: str
    x: str
    """The first player, and what is selected."""
    o: str
    """The second player."""
    draw: str
    pruned: str
    """The ground of what was never visited."""
    selected: str
    """A wash of `x` behind what is selected."""
    workers: tuple[str, ...]
    ring: int = 1
    """How many pixels wide the frame is round what has the keyboard."""
    least: float = 0.0
    """How solid a line drawn in `dim` is at least."""

    @property
    def players(self) -> tuple[str, str]:
        return self.x, self.o


LIGHT = Colours(
    name="light",
    ground="#F4F4F1",
    card="#FFFFFF",
    line="#E2E1DC",
    ink="#1D1F22",
    dim="#65686D",
    x="#0072B2",
    o="#B84B00",
    draw="#6A6D72",
    pruned="#3A3A3E",
    selected="#E8F1F8",
    workers=("#B05A8A", "#007F5F", "#8A7A00", "#2B8BC4", "#B57C00", "#0072B2", "#D55E00", "#6E7176"),
)
DARK = Colours(
    name="dark",
    ground="#17181B",
    card="#1F2125",
    line="#2E3136",
    ink="#E8E8E6",
    dim="#9A9CA0",
    x="#56B4E9",
    o="#E69F00",
    draw="#A4A7AC",
    pruned="#0E0F11",
    selected="#233341",
    workers=("#CC79A7", "#1FB58A", "#F0E442", "#56B4E9", "#E69F00", "#3D9AD1", "#E8782A", "#A4A7AC"),
)
SAFE_LIGHT = replace(
    LIGHT,
    name="safe light",
    dim="#5C5F64",
    x="#00264F",
    o="#B85000",
    draw="#5A5D62",
    pruned="#85888D",
    selected="#E4EDF5",
    workers=("#08326A", "#D4810D", "#48A19D", "#7A1F4B", "#6B6B1E", "#9A6BD6", "#4A2A10", "#446B86"),
)
SAFE_DARK = replace(
    DARK,
    name="safe dark",
    dim="#9FA1A5",
    x="#CDE7FF",
    o="#CF7B20",
    draw="#95989D",
    selected="#2B3A48",
    workers=("#CFE2FF", "#DE9025", "#07B1BF", "#A0567F", "#E8E07A", "#6F7FE0", "#AC522B", "#A19B8F"),
)
CONTRAST_LIGHT = Colours(
    name="contrast light",
    ground="#FFFFFF",
    card="#FFFFFF",
    line="#6E6E6E",
    ink="#000000",
    dim="#333333",
    x="#003C8A",
    o="#8A3000",
    draw="#454545",
    pruned="#8F8F8F",
    selected="#DCEBFF",
    workers=("#003C8A", "#B45911", "#008191", "#7A1F5B", "#4E4E00", "#7A4BD0", "#2A1A08", "#6A6A6A"),
    ring=2,
    least=0.7,
)
CONTRAST_DARK = Colours(
    name="contrast dark",
    ground="#000000",
    card="#000000",
    line="#9A9A9A",
    ink="#FFFFFF",
    dim="#D6D6D6",
    x="#8CD0FF",
    o="#FFA733",
    draw="#C8C8C8",
    pruned="#3A3A3A",
    selected="#00335C",
    workers=("#84CAFD", "#FFA733", "#78F3B6", "#E595CA", "#F5EC6A", "#B19AFF", "#DF7E56", "#D8D8D8"),
    ring=2,
    least=0.7,
)
PALETTES = {one.name: one for one in (LIGHT, DARK, SAFE_LIGHT, SAFE_DARK, CONTRAST_LIGHT, CONTRAST_DARK)}
SYSTEM = "system"
"""The choice of light or dark, and of high contrast, as the system has it."""
CHOICES = (SYSTEM, *PALETTES)


class Theme(QObject):
    """Which colours and sizes are in force. There is one: `theme()`."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._choice = SYSTEM
        self._colours = self._chosen()
        self._zoom = 1.0
        self._motion = True
        self._families = _load_fonts()
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._system_changed)
        if hasattr(hints, "accessibility"):  # since Qt 6.10
            hints.accessibility().contrastPreferenceChanged.connect(self._system_changed)
        point_size = QApplication.font().pointSizeF()
        self._system_scale = min(2.0, max(0.9, point_size / 10.0)) if point_size > 0 else 1.0

    @property
    def choice(self) -> str:
        """What the user chose: one of CHOICES."""
        return self._choice

    @property
    def colours(self) -> Colours:
        return self._colours

    @property
    def zoom(self) -> float:
        return self._zoom

    @property
    def motion(self) -> bool:
        """Whether marks are seen being drawn and values fade in. Qt 6.11 does not know what the system asks for."""
        return self._motion

    def choose(self, choice: str) -> None:
        """Take one of CHOICES. Raises ValueError for anything else."""
        if choice not in CHOICES:
            raise ValueError(f"There is no theme {choice!r}: choose one of {', '.join(CHOICES)}.")
        before = self._choice, self._colours
        self._choice = choice
        self._colours = self._chosen()
        if (self._choice, self._colours) != before:
            self.apply()

    def set_zoom(self, zoom: float) -> None:
        """Scale all text and pictures; kept between MIN_ZOOM and MAX_ZOOM."""
        self._zoom = min(MAX_ZOOM, max(MIN_ZOOM, zoom))
        self.apply()

    def zoom_by(self, factor: float) -> None:
        """Scale what the zoom is by a factor."""
        self.set_zoom(self._zoom * factor)

    def set_motion(self, motion: bool) -> None:
        if motion != self._motion:
            self._motion = motion
            self.changed.emit()

    def px(self, size: float) -> int:
        """A length or font size that is `size` pixels at 100 %, at the zoom in force."""
        return max(1, round(size * self._zoom * self._system_scale))

    def font(self, size: float = TEXT, weight: QFont.Weight = QFont.Weight.Normal, mono: bool = False) -> QFont:
        """A bundled font; figures all have one width, so that running numbers do not jump."""
        return QFont(_font(self._families[1 if mono else 0], self.px(size), weight, not mono))

    def colour(self, name: str, alpha: float = 1.0) -> QColor:
        """One of the fields of `Colours`, between transparent (0) and solid (1)."""
        colour = QColor(getattr(self.colours, name))
        colour.setAlphaF(max(alpha, self.colours.least) if name == "dim" else alpha)
        return colour

    def worker(self, index: int) -> QColor:
        """The hue of a worker; they repeat after eight."""
        return QColor(self.colours.workers[index % len(self.colours.workers)])

    def apply(self) -> None:
        """Hand the colours and fonts to Qt and tell every view."""
        application = QApplication.instance()
        if not isinstance(application, QApplication):
            raise RuntimeError("The theme needs a QApplication.")
        # Each of these has Qt look at every widget again, so only what is another is handed over.
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
            (role.Highlight, colours.x),
            (role.HighlightedText, colours.card),
            (role.Mid, colours.line),
            (role.Midlight, colours.line),
            (role.Dark, colours.dim),
            (role.Link, colours.x),
            (role.Accent, colours.x),
        ):
            palette.setColor(which, QColor(colour))
        for which in (role.WindowText, role.Text, role.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, which, self.colour("dim", 0.55))
        return palette

    def style_sheet(self) -> str:
        """For all that is in a window, see `gui.dressing`."""
        c, px = self.colours, self.px
        return f"""
            QDialog {{ background: {c.ground}; }}
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
            QPushButton:focus, QToolButton:focus {{ border: {c.ring}px solid {c.x}; outline: none;
                padding: {px(5) - c.ring + 1}px {px(10) - c.ring + 1}px; }}
            QPushButton:pressed, QToolButton:pressed {{ background: {c.line}; }}
            QPushButton:checked, QToolButton:checked {{
                background: {c.selected}; color: {c.x}; border-color: {c.x}; }}
            QPushButton:checked:focus, QToolButton:checked:focus {{ border-width: {c.ring + 1}px;
                padding: {px(5) - c.ring}px {px(10) - c.ring}px; }}
            QPushButton:disabled, QToolButton:disabled {{ color: {c.dim}; background: {c.ground}; }}
            QAbstractSpinBox {{ min-height: {px(19)}px; }}
            QToolBar {{ background: {c.ground}; border: none; padding: 0; margin: 0; }}
            QMenuBar {{ background: {c.ground}; }}
            QMenuBar::item {{ padding: {px(4)}px {px(9)}px; border-radius: 4px; background: transparent; }}
            QMenuBar::item:selected {{ background: {c.selected}; color: {c.x}; }}
            QMenu {{ background: {c.card}; border: 1px solid {c.line}; padding: {px(4)}px; }}
            QMenu::item {{ padding: {px(5)}px {px(24)}px {px(5)}px {px(22)}px; border-radius: 4px; }}
            QMenu::item:selected {{ background: {c.selected}; color: {c.x}; }}
            QMenu::item:disabled {{ color: {c.dim}; }}
            QMenu::separator {{ height: 1px; background: {c.line}; margin: {px(4)}px; }}
            QHeaderView {{ background: {c.card}; border: none; }}
            QHeaderView::section {{ background: {c.card}; color: {c.dim}; border: none;
                border-bottom: 1px solid {c.line}; padding: {px(3)}px; font-size: {px(NOTE)}px; }}
            QTableView {{ background: {c.card}; border: none; gridline-color: {c.line};
                selection-background-color: {c.selected}; selection-color: {c.ink}; }}
            #card {{ background: {c.card}; border: 1px solid {c.line}; border-radius: 8px; }}
            #tip {{ color: {c.dim}; font-size: {px(NOTE + 1)}px; }}
            #warning {{ color: {c.o}; }}
            #notice {{ background: {c.selected}; border: 1px solid {c.x}; border-radius: 6px; }}
            #notice QToolButton {{ background: transparent; border-color: transparent; padding: 0 {px(5)}px; }}
            QFileDialog QToolButton {{ padding: {px(2)}px; min-height: 0; }}
            #palette {{ background: {c.card}; border: 1px solid {c.dim}; }}
            #palette QLineEdit {{ background: {c.card}; color: {c.ink}; border: none;
                border-bottom: 1px solid {c.line}; padding: {px(6)}px; }}
            #palette QTreeWidget {{ background: {c.card}; border: none; outline: none; }}
            #palette QTreeWidget::item {{ padding: 0 {px(6)}px; border: none; }}
            #palette QTreeWidget::item:selected {{ background: {c.selected}; color: {c.x}; }}
            #palette QLabel {{ color: {c.dim}; padding: {px(6)}px; font-size: {px(NOTE + 1)}px; }}
            #chapters {{ background: transparent; border: none; outline: none; }}
            #chapters::item {{ padding: {px(5)}px {px(8)}px; border-radius: 6px; }}
            #chapters::item:selected {{ background: {c.selected}; color: {c.x}; }}
            QScrollArea, QScrollArea > #qt_scrollarea_viewport, QScrollArea > #qt_scrollarea_viewport > QWidget {{
                background: transparent; border: none; }}
            QScrollBar:vertical {{ background: transparent; width: {px(10)}px; margin: 0; }}
            QScrollBar:horizontal {{ background: transparent; height: {px(10)}px; margin: 0; }}
            QScrollBar::handle {{ background: {c.line}; border-radius: {px(4)}px; min-height: 24px; min-width: 24px; }}
            QScrollBar::handle:hover {{ background: {c.dim}; }}
            QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {{
                background: transparent; border: none; width: 0; height: 0; }}
            QSlider::groove:horizontal {{ height: {px(4)}px; border-radius: {px(2)}px; background: {c.line}; }}
            QSlider::sub-page:horizontal {{ height: {px(4)}px; border-radius: {px(2)}px; background: {c.x}; }}
            QSlider::handle:horizontal {{ width: {px(14)}px; height: {px(14)}px; margin: -{px(5)}px 0;
                border-radius: {px(7)}px; background: {c.x}; }}
            QProgressBar {{ background: {c.line}; border: none; border-radius: {px(3)}px; max-height: {px(6)}px; }}
            QProgressBar::chunk {{ background: {c.x}; border-radius: {px(3)}px; }}
            QTabBar::tab {{ background: transparent; color: {c.dim}; padding: {px(5)}px {px(10)}px; border: none; }}
            QTabBar::tab:selected {{ color: {c.x}; border-bottom: 2px solid {c.x}; }}
            QStatusBar {{ background: {c.ground}; color: {c.dim}; }}
        """


_THEME: list[Theme] = []


def theme() -> Theme:
    """The theme in force. Needs a QApplication."""
    if not _THEME:
        _THEME.append(Theme())
    return _THEME[0]


@cache
def _font(family: str, pixels: int, weight: QFont.Weight, tabular: bool) -> QFont:
    """To be copied: copies share what Qt found out about a font, which it would look up again for each new one."""
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
