"""The places of the cards: columns in a wide window, tabs in a narrow one; and the window's size after it was
maximised."""

from collections.abc import Iterator, Mapping

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent, QWindowStateChangeEvent
from PySide6.QtWidgets import QLayout, QMainWindow, QTabBar

from gui.style.steps import Steps
from gui.style.theme import theme
from gui.widgets.card import Card

NARROW, SHORT = 1200, 760
"""The width or height below which the cards on the right and at the bottom are tabs."""
FILLING = Qt.WindowState.WindowMaximized | Qt.WindowState.WindowFullScreen
LEFT_WIDTH, RIGHT_WIDTH, BOTTOM_HEIGHT, SIDE_WIDTH = 320, 330, 150, 250
TREE_HEIGHT = 165
LEFT_SHARES, RIGHT_SHARES, SMALL_SHARES = (8, 7), (2, 5), (6, 5)
"""The shares of a column's height for its upper and its lower card; last those of the left column in a small window."""


class Layout(QObject):
    """Arranges a window's cards "board", "figures", "speedup", "options", "tree", "workers", "runs", "iterations"."""

    def __init__(self, window: QMainWindow, cards: Mapping[str, Card]) -> None:
        super().__init__(window)
        self._window, self._cards = window, cards
        self._tabbed: bool | None = None
        self._wanted: QSize | None = None
        self._coming_back = self._filled = False
        self._turns = Steps(window)
        self._soon = QTimer(window, singleShot=True)
        self._soon.timeout.connect(self.fit)
        self._naming = QTimer(window, singleShot=True)
        self._naming.timeout.connect(self._name_tab_bars)
        window.setDockOptions(
            QMainWindow.DockOption.AnimatedDocks
            | QMainWindow.DockOption.AllowNestedDocks
            | QMainWindow.DockOption.AllowTabbedDocks
        )
        window.installEventFilter(self)
        theme().changed.connect(self._fit_soon)

    def place(self) -> None:
        """Put every card in its place."""
        self.reset()
        self._turns.finish()

    def reset(self) -> None:
        """The same in a visible window: in some steps of the event loop."""
        self._turns.start(self._place())

    def keep(self) -> None:
        """Accept the cards' places, restored from an earlier run, at this size."""
        self._tabbed = self._is_small()
        self._constrain()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QWindowStateChangeEvent):
            self._note_state(event.oldState())
            self._fit_soon()
        elif isinstance(event, QResizeEvent):
            self._note_size(event.oldSize(), event.size())
            self._fit_soon()
        elif event.type() == QEvent.Type.LayoutRequest:
            self._naming.start(0)
            if self._wanted is not None:
                self._fit_soon()
        return False

    def fit(self) -> None:
        """Arrange the cards again if the window has become small or large."""
        self._come_back()
        if self._is_small() == self._tabbed:
            return
        self._tabbed = self._is_small()
        self._arrange()
        self._constrain()

    def _arrange(self) -> None:
        """Arrange the cards: in a small window the right column is one stack of tabs, and the iterations are a tab
        beside the figures; a large one shows its cards below each other."""
        window, px = self._window, theme().px
        board, figures, speedup, options, tree, runs, iterations, workers = (
            self._cards[name]
            for name in ("board", "figures", "speedup", "options", "tree", "runs", "iterations", "workers")
        )
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, speedup)
        if self._tabbed:
            for card in (options, tree, runs, workers):
                window.tabifyDockWidget(speedup, card)
            window.tabifyDockWidget(figures, iterations)
            figures.raise_()
            options.raise_()
            self._share_width()
            self._share([board, figures], SMALL_SHARES)
            return
        window.splitDockWidget(speedup, options, Qt.Orientation.Vertical)
        window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, tree)
        window.splitDockWidget(tree, workers, Qt.Orientation.Vertical)
        window.splitDockWidget(workers, runs, Qt.Orientation.Horizontal)
        window.tabifyDockWidget(runs, iterations)
        runs.raise_()
        self._share_width()
        window.resizeDocks([workers, runs], [3, 2], Qt.Orientation.Horizontal)
        window.resizeDocks([tree, workers], [px(TREE_HEIGHT), px(BOTTOM_HEIGHT)], Qt.Orientation.Vertical)
        self._share([board, figures], LEFT_SHARES)
        self._share([speedup, options], RIGHT_SHARES)

    def _name_tab_bars(self) -> None:
        """Name the tab bars by their tabs: Qt makes them without a name, and new ones where cards are moved.

        The window would keep all bars that `findChildren` has returned, those that Qt has deleted as well."""
        for bar in self._window.children():
            if isinstance(bar, QTabBar):
                bar.setAccessibleName(", ".join(map(bar.tabText, range(bar.count()))))

    def _fit_soon(self) -> None:
        """Fit in the event loop's next step: Qt may crash where cards are moved while it lays them out."""
        self._soon.start(0)

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

    def _share_width(self) -> None:
        sides = [self._cards["board"], self._cards["speedup"]]
        widths = [SIDE_WIDTH, SIDE_WIDTH] if self._tabbed else [LEFT_WIDTH, RIGHT_WIDTH]
        self._window.resizeDocks(sides, [*map(theme().px, widths)], Qt.Orientation.Horizontal)

    def _share(self, column: list[Card], shares: tuple[int, int]) -> None:
        heights = [share * self._window.height() for share in shares]
        self._window.resizeDocks(column, heights, Qt.Orientation.Vertical)

    def _constrain(self) -> None:
        """Let a large window become narrower than its columns, which then become tabs; its least size would otherwise
        keep it from a small size."""
        layout, constraint = self._window.layout(), QLayout.SizeConstraint
        if layout is not None:
            layout.setSizeConstraint(constraint.SetDefaultConstraint if self._tabbed else constraint.SetNoConstraint)
        if not self._tabbed:
            self._window.setMinimumSize(0, 0)

    def _note_state(self, before: Qt.WindowState) -> None:
        """Store the size of a window that is about to fill the screen: it gets it back, whatever the zoom is by
        then."""
        if self._fills_screen() and not before & FILLING:
            usual = self._window.normalGeometry().size()
            if self._wanted is None and usual.isValid():
                self._wanted = usual
            self._filled = True

    def _note_size(self, old: QSize, new: QSize) -> None:
        """Store the person's size of a window that a larger zoom makes grow to its least size."""
        least = self._window.minimumSize()
        at_least = new.width() in (old.width(), least.width()) and new.height() in (old.height(), least.height())
        if self._fills_screen() or self._coming_back:
            return
        if self._filled:
            self._filled = False
            return
        if not at_least:
            self._wanted = None
        elif self._wanted is None and old.isValid() and new.expandedTo(old) == new:
            self._wanted = old

    def _come_back(self) -> None:
        """Restore the size that a person gave the window, as far as its least size allows."""
        if self._wanted is None or self._fills_screen():
            return
        self._coming_back = True
        self._window.resize(self._wanted.expandedTo(self._window.minimumSize()))
        self._coming_back = False
        if self._window.size() == self._wanted:
            self._wanted = None
            self._share_width()

    def _fills_screen(self) -> bool:
        return bool(self._window.windowState() & FILLING)

    def _is_small(self) -> bool:
        size = self._window.size() if self._wanted is None or self._fills_screen() else self._wanted
        return size.width() < theme().px(NARROW) or size.height() < theme().px(SHORT)
