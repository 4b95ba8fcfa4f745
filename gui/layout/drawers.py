"""The places of the cards around the tree: the board on the left, the drawers in a stack on the right.

A drawer that opens takes the place of the one that is open in its stack. A person can drag it out, beside or below
another one or into a window of its own, and then it stays. In a window that is too narrow for both, an open drawer
takes the place of the board, until it is closed.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMainWindow, QStyle, QTabBar, QWidget

from gui.layout.window_size import WindowSize
from gui.style.apply_style_sheet import Styler
from gui.style.steps import Steps
from gui.style.theme import theme
from gui.widgets.card import Card

NARROW, SHORT = 1200, 760
"""The width or height below which the window is small."""
BOARD_WIDTH, SMALL_BOARD_WIDTH, DRAWER_WIDTH = 372, 262, 330


class Drawers(QObject):
    """Opens and closes the drawers of a window, which `styler` styles."""

    def __init__(self, window: QMainWindow, board: Card, drawers: Mapping[str, Card], styler: Styler) -> None:
        super().__init__(window)
        self._window, self._board, self._drawers, self._styler = window, board, dict(drawers), styler
        self._is_small: bool | None = None
        self._is_displaced = False
        """Whether the board is hidden because an open drawer needs its place."""
        self._focused: QWidget | None = None
        """The part of the board that had the keyboard then."""
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
        board.toggleViewAction().triggered.connect(self._on_board_triggered)

    def place(self) -> None:
        """Put every card in its place in a window that is not visible yet; all drawers are closed."""
        self.show(())
        self._resetting.finish()

    def keep(self) -> None:
        """Accept the cards' places, restored from an earlier run."""
        self._is_small = self._is_small_now()
        self._is_displaced = self._board.isHidden() and self._lacks_room()

    def show(self, columns: Iterable[Iterable[str]], board: float | None = None) -> None:
        """Put every card in its place, in some steps of the event loop; only the drawers of these names are open, in
        columns side by side. `board` is the board's share of the window's width; None is its usual width."""
        cards = [[self._drawers[name] for name in column] for column in columns]
        self._resetting.start(self._place(cards, board))

    def _place(self, columns: Collection[list[Card]], board: float | None) -> Iterator[None]:
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
        self._displace([column[0] for column in columns])
        for column in columns:
            for place, card in enumerate(column):
                self._window.addDockWidget(area, card, Qt.Orientation.Vertical if place else Qt.Orientation.Horizontal)
                card.show()
        yield
        while self._styler.is_applying:  # the least widths are those of the zoom before
            yield
        self._is_small = None
        self._fit()
        if board is not None:
            self._widen(self._board, round(board * self._window.width()))
        for column in columns:
            self._widen(column[0], theme().px(DRAWER_WIDTH))

    def _fit(self) -> None:
        """Give the board its place, and its usual width in a window that has become small or large."""
        self._displace()
        if self._is_small_now() != self._is_small:
            self._is_small = self._is_small_now()
            self._widen_board()

    def _displace(self, opening: Sequence[Card] = ()) -> None:
        """Hide the board where it has no room beside the open drawers and those about to open, one a column, and show
        it again where it has."""
        lacks_room = self._lacks_room(opening)
        if lacks_room and not self._board.isHidden():
            focused = self._window.focusWidget()
            self._focused = focused if focused is not None and self._board.isAncestorOf(focused) else None
            self._is_displaced = True
            self._board.hide()
        elif self._is_displaced and not lacks_room:
            self._is_displaced = False
            self._board.show()
            self._widen_board()
            if self._focused is not None:
                self._focused.setFocus()

    def _lacks_room(self, opening: Sequence[Card] = ()) -> bool:
        """Whether drawers are open in the window, or about to be, and it is too narrow for them and the board."""
        is_open, separator = bool(self._docked()), QStyle.PixelMetric.PM_DockWidgetSeparatorExtent
        if self._board.isFloating() or not (is_open or opening):
            return False
        coming = [card for card in (self._board, *(() if is_open else opening)) if card.isHidden()]
        apart = self._window.style().pixelMetric(separator)
        least = self._window.minimumSizeHint().width() + sum(card.minimumSizeHint().width() + apart for card in coming)
        return least > self._size.now.width()

    def _docked(self) -> list[Card]:
        """The open drawers without a window of their own."""
        return [card for card in self._drawers.values() if not card.isHidden() and not card.isFloating()]

    def _widen_board(self) -> None:
        self._widen(self._board, theme().px(SMALL_BOARD_WIDTH if self._is_small else BOARD_WIDTH))

    def _widen(self, card: Card, width: int) -> None:
        self._window.resizeDocks([card], [width], Qt.Orientation.Horizontal)

    def _is_small_now(self) -> bool:
        size = self._size.now
        return size.width() < theme().px(NARROW) or size.height() < theme().px(SHORT)

    def _on_toggled(self, card: Card, is_open: bool) -> None:
        if is_open and not card.isFloating():
            self._displace([card])
        self._opening.start(self._make_room(card) if is_open else self._return_room())

    def _on_board_triggered(self, is_open: bool) -> None:
        """Show or hide the board as the person wants it; in a narrow window it takes the place of the drawers."""
        self._is_displaced = False
        if is_open and self._lacks_room():
            for card in self._docked():
                card.hide()

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

    def _return_room(self) -> Iterator[None]:
        """Show the board again, in the event loop's next step: the drawer is still to be hidden."""
        self._displace()
        yield
