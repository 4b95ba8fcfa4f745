"""The places of the cards around the tree: the board on the left, the drawers in a stack on the right.

A drawer that opens takes the place of the one that is open in its stack. A person can drag it out, beside or below
another one or into a window of its own, and then it stays.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMainWindow, QTabBar

from gui.layout.window_size import WindowSize
from gui.style.steps import Steps
from gui.style.theme import theme
from gui.widgets.card import Card

NARROW, SHORT = 1200, 760
"""The width or height below which the window is small."""
BOARD_WIDTH, SMALL_BOARD_WIDTH, DRAWER_WIDTH = 372, 262, 330


class Drawers(QObject):
    """Opens and closes the drawers of a window."""

    def __init__(self, window: QMainWindow, board: Card, drawers: Mapping[str, Card]) -> None:
        super().__init__(window)
        self._window, self._board, self._drawers = window, board, dict(drawers)
        self._is_small: bool | None = None
        self._size = WindowSize(window)
        self._size.changed.connect(self._fit)
        self._resetting, self._opening = Steps(window), Steps(window)
        window.setDockOptions(QMainWindow.DockOption.AllowNestedDocks | QMainWindow.DockOption.AllowTabbedDocks)
        for corner, side in (
            (Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea),
            (Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea),
        ):
            window.setCorner(corner, side)
        for card in self._drawers.values():
            card.toggleViewAction().toggled.connect(partial(self._on_toggled, card))

    def place(self) -> None:
        """Put every card in its place; all drawers are closed."""
        self.reset()
        self._resetting.finish()

    def reset(self) -> None:
        """The same in a visible window: in some steps of the event loop."""
        self._resetting.start(self._place())

    def keep(self) -> None:
        """Accept the cards' places, restored from an earlier run."""
        self._is_small = self._is_small_now()

    def show(self, columns: Iterable[Iterable[str]], board: float | None = None) -> None:
        """Open the drawers of these names, in columns side by side, and close the others. `board` is the board's share
        of the window's width; None is its usual width."""
        cards = [[self._drawers[name] for name in column] for column in columns]
        self._resetting.start(self._place(cards, board))

    def _place(self, columns: Iterable[list[Card]] = (), board: float | None = None) -> Iterator[None]:
        cards, area = [*self._drawers.values()], Qt.DockWidgetArea.RightDockWidgetArea
        for card in (self._board, *cards):
            if card.isFloating():
                card.setFloating(False)
                yield
        for card in cards:
            card.hide()
        self._window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, self._board)
        self._board.show()
        for card in cards:
            self._window.addDockWidget(area, card)
            if card is not cards[0]:
                self._window.tabifyDockWidget(cards[0], card)
        yield
        for column in columns:
            for place, card in enumerate(column):
                self._window.addDockWidget(area, card, Qt.Orientation.Vertical if place else Qt.Orientation.Horizontal)
                card.show()
        yield
        self._is_small = None
        self._fit()
        if board is not None:
            self._widen(self._board, round(board * self._window.width()))
        for column in columns:
            self._widen(column[0], theme().px(DRAWER_WIDTH))

    def _fit(self) -> None:
        """Give the board its usual width in a window that has become small or large."""
        if self._is_small_now() != self._is_small:
            self._is_small = self._is_small_now()
            self._widen(self._board, theme().px(SMALL_BOARD_WIDTH if self._is_small else BOARD_WIDTH))

    def _widen(self, card: Card, width: int) -> None:
        self._window.resizeDocks([card], [width], Qt.Orientation.Horizontal)

    def _is_small_now(self) -> bool:
        size = self._size.now
        return size.width() < theme().px(NARROW) or size.height() < theme().px(SHORT)

    def _on_toggled(self, card: Card, is_open: bool) -> None:
        if is_open:
            self._opening.start(self._make_room(card))

    def _make_room(self, card: Card) -> Iterator[None]:
        """Close the other drawers of an open drawer's stack, in the event loop's next step: Qt still lays it out."""
        for other in self._window.tabifiedDockWidgets(card):
            other.hide()
        for bar in self._window.children():
            if isinstance(bar, QTabBar):
                bar.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Qt's bar of a stack, which is empty with one drawer
        if not card.isFloating():
            self._widen(card, theme().px(DRAWER_WIDTH))
        yield
