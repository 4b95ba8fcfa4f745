"""Arrangements of the window for one purpose each: which drawers are open, and how wide the board is."""

from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

from gui.i18n.language import mark
from gui.layout.drawers import Drawers
from gui.style.theme import theme
from gui.widgets.actions import action

LECTURE_ZOOM = 1.5
"""Legible from the last row of a lecture room, on a projector of 1280 x 720."""


class Arrangement(NamedTuple):
    """What is open beside the board and the tree."""

    text: str
    key: str
    tip: str
    columns: tuple[tuple[str, ...], ...] = ()
    """The open drawers, in columns side by side."""
    board: float | None = None
    """The share of the window's width for the board; None for its usual width."""
    zoom: float | None = None


ARRANGEMENTS = (
    Arrangement(mark("Arrange for playing"), "Alt+1", mark("A large board beside the tree"), board=0.45),
    Arrangement(mark("Arrange for watching"), "Alt+2", mark("The board and the tree alone")),
    Arrangement(
        mark("Arrange for comparing"),
        "Alt+3",
        mark("The list of searches above the figures of this one"),
        (("runs", "figures"),),
    ),
    Arrangement(
        mark("Arrange for measuring"), "Alt+4", mark("The speedup above the workers"), (("speedup", "workers"),)
    ),
    Arrangement(
        mark("Arrange for a lecture"),
        "Alt+5",
        mark("The board and the tree alone, legible from the last row"),
        zoom=LECTURE_ZOOM,
    ),
    Arrangement(mark("Reset layout"), "", mark("Close all drawers, with the board in its place")),
)


class Arrangements(QObject):
    """The actions of the arrangements. A zoom that one of them brings goes with it."""

    def __init__(self, window: QMainWindow, drawers: Drawers) -> None:
        super().__init__(window)
        self._drawers = drawers
        self._zoom_before: float | None = None
        self._actions = [
            action(window, each.text, each.key, each.tip, partial(self.take, each)) for each in ARRANGEMENTS
        ]

    def actions(self) -> list[QAction]:
        """The actions, for a menu."""
        return self._actions

    @property
    def usual_zoom(self) -> float:
        """The zoom that the next arrangement without one of its own brings back."""
        return theme().zoom if self._zoom_before is None else self._zoom_before

    def come_from(self, zoom: float) -> None:
        """Take the present zoom for that of an arrangement, and `zoom` for the one before it."""
        self._zoom_before = None if zoom == theme().zoom else zoom

    def take(self, wanted: Arrangement) -> None:
        """Arrange the window."""
        if wanted.zoom is None:
            self.end_zoom()
        else:
            self._zoom_before = self.usual_zoom
            theme().set_zoom(wanted.zoom)
        self._drawers.show(wanted.columns, wanted.board)

    def end_zoom(self) -> None:
        """Bring back the zoom from before the arrangement that brought its own."""
        before, self._zoom_before = self._zoom_before, None
        if before is not None:
            theme().set_zoom(before)
