"""The part of the View menu that sets the window's colours, size and animation."""

from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

from gui.i18n.language import mark
from gui.style.theme import ZOOM_STEP, theme
from gui.widgets.actions import action, choice

THEMES = {
    "system": (mark("System"), mark("Light or dark, with or without high contrast, as set in the system")),
    "light": (mark("Light"), mark("Light colours")),
    "dark": (mark("Dark"), mark("Dark colours")),
    "safe light": (
        mark("Light, colour-blind safe"),
        mark("Light colours that differ in lightness too, for any colour vision"),
    ),
    "safe dark": (
        mark("Dark, colour-blind safe"),
        mark("Dark colours that differ in lightness too, for any colour vision"),
    ),
    "contrast light": (mark("Light, high contrast"), mark("Black on white, with strong lines")),
    "contrast dark": (mark("Dark, high contrast"), mark("White on black, with strong lines")),
}
"""The text and the tip of each of the theme's CHOICES."""


class ViewMenu(QObject):
    """The actions of the theme and of the full screen; they show the present state, whatever changed it."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        new = partial(action, window)
        self.themes = choice(
            window, [(name, title, "", tip) for name, (title, tip) in THEMES.items()], lambda name: theme().choose(name)
        )
        self.motion = new(
            mark("Reduce motion"),
            "",
            mark("Show marks and values at once, without animation"),
            lambda on: theme().set_motion(not on),
            checkable=True,
        )
        self.larger = new(
            mark("Larger"), ["Ctrl++", "Ctrl+="], mark("Make everything larger"), lambda: theme().zoom_by(ZOOM_STEP)
        )
        self.smaller = new(
            mark("Smaller"), "Ctrl+-", mark("Make everything smaller"), lambda: theme().zoom_by(1 / ZOOM_STEP)
        )
        self.usual = new(mark("Usual size"), "Ctrl+0", mark("Back to the usual size"), lambda: theme().set_zoom(1.0))
        self.full_screen = new(
            mark("Full screen"),
            "F11",
            mark("Fill the screen"),
            self._fill_screen,
            checkable=True,
        )
        window.installEventFilter(self)
        theme().changed.connect(self._show)
        self._show()

    def actions(self) -> tuple[tuple[QAction, ...], ...]:
        """The actions in groups, for a menu."""
        return (
            (*self.themes.values(), self.motion),
            (self.larger, self.smaller, self.usual, self.full_screen),
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowStateChange:
            self.full_screen.setChecked(self._window.isFullScreen())
        return False

    def _fill_screen(self, on: bool) -> None:
        """Show the window in full screen or not. A maximised window stays so behind the full screen."""
        state, full = self._window.windowState(), Qt.WindowState.WindowFullScreen
        self._window.setWindowState(state | full if on else state & ~full)

    def _show(self) -> None:
        self.themes[theme().choice].setChecked(True)
        self.motion.setChecked(not theme().motion)
