"""Where the cards are: columns in a wide window, tabs in a narrow one."""

from collections.abc import Iterator, Mapping

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QMainWindow

from gui.parts.card import Card
from gui.parts.turns import Turns
from gui.theme import theme

NARROW, SHORT = 1200, 760
"""Below this width or height the cards on the right and at the bottom are tabs."""
LEFT_WIDTH, RIGHT_WIDTH, BOTTOM_HEIGHT, SIDE_WIDTH = 320, 330, 150, 250


class Layout:
    """Arranges the cards "board", "figures", "speedup", "options", "workers", "runs" and "iterations" of a window."""

    def __init__(self, window: QMainWindow, cards: Mapping[str, Card]) -> None:
        self._window, self._cards = window, cards
        self._tabbed: bool | None = None
        self._turns = Turns(window)
        self._soon = QTimer(window, singleShot=True)
        self._soon.timeout.connect(self.fit)
        window.setDockOptions(
            QMainWindow.DockOption.AnimatedDocks
            | QMainWindow.DockOption.AllowNestedDocks
            | QMainWindow.DockOption.AllowTabbedDocks
        )

    def place(self) -> None:
        """Put every card where it belongs."""
        self.reset()
        self._turns.finish()

    def reset(self) -> None:
        """The same before the user's eyes: in some turns of the event loop."""
        self._turns.start(self._place())

    def keep(self) -> None:
        """Take the cards as they are, restored from an earlier run, for right at this size."""
        self._tabbed = self._is_small()

    def fit_soon(self) -> None:
        """Fit them in the event loop's next turn: Qt may crash where cards are moved while it lays them out."""
        self._soon.start(0)

    def fit(self) -> None:
        """In a small window the right column is one stack of tabs, and the iterations are one beside the figures; a
        large one shows its cards below each other."""
        if self._is_small() == self._tabbed:
            return
        self._tabbed = self._is_small()
        window, px = self._window, theme().px
        board, figures, speedup, options, runs, iterations, workers = (
            self._cards[name] for name in ("board", "figures", "speedup", "options", "runs", "iterations", "workers")
        )
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, speedup)
        if self._tabbed:
            for card in (options, runs, workers):
                window.tabifyDockWidget(speedup, card)
            window.tabifyDockWidget(figures, iterations)
            figures.raise_()
            options.raise_()
            window.resizeDocks([board, speedup], [px(SIDE_WIDTH), px(SIDE_WIDTH)], Qt.Orientation.Horizontal)
            return
        window.splitDockWidget(speedup, options, Qt.Orientation.Vertical)
        window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, workers)
        window.splitDockWidget(workers, runs, Qt.Orientation.Horizontal)
        window.tabifyDockWidget(runs, iterations)
        runs.raise_()
        window.resizeDocks([board, speedup], [px(LEFT_WIDTH), px(RIGHT_WIDTH)], Qt.Orientation.Horizontal)
        window.resizeDocks([workers, runs], [3, 2], Qt.Orientation.Horizontal)
        window.resizeDocks([workers], [px(BOTTOM_HEIGHT)], Qt.Orientation.Vertical)

    def _place(self) -> Iterator[None]:
        left, right = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
        for card in self._cards.values():
            if card.isFloating():
                card.setFloating(False)
                yield
        for card in self._cards.values():
            card.show()
        for name in ("board", "figures"):
            self._window.addDockWidget(left, self._cards[name])
        self._window.setCorner(Qt.Corner.BottomLeftCorner, left)
        self._window.setCorner(Qt.Corner.BottomRightCorner, right)
        yield
        self._tabbed = None
        self.fit()

    def _is_small(self) -> bool:
        return self._window.width() < theme().px(NARROW) or self._window.height() < theme().px(SHORT)
