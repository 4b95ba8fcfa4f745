"""The zone of the tree: the controls of the search, the path, the whole tree under it, and what moves through both.

algorithms  modes  Think                the position searched, whose values
path
whole tree
moments, steps, speed
why
"""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSplitter, QVBoxLayout, QWidget

from gui.i18n.language import tr
from gui.state.analysis import Analysis
from gui.style.theme import NOTE, QUIET, theme
from gui.tree.icicle import WholeTree
from gui.tree.path import PathView
from gui.tree.path_layout import least_height, names_width
from gui.widgets.card import CardBody, CardTitle, Panel
from gui.widgets.flow import Flow

FACT_WIDTH = 258
"""The width beside the controls in pixels at 100 % that is kept for the fact and its buttons, whether they are shown or
not: the tree does not move when they come."""
TREE_HEIGHT = 160
"""The usual height of the whole tree in pixels at 100 %; the path has the rest."""
ROWS = 2
"""A row of the path says little without the one above it."""
LEAST_PICTURE = 32
"""The height of the tree's picture in pixels at 100 % for which the path gives up the second row."""


class TreeZone(QWidget, Panel):
    """A card around the tree, whose title is the row of controls."""

    def __init__(self, controls: Iterable[QWidget], parts: Iterable[QWidget]) -> None:
        """`parts` show the search and fade with it; they stand below each other, and splitters take the height that the
        others leave."""
        super().__init__()
        self.header = QFrame()
        self.header.setObjectName("cardTitle")
        header = Flow(self.header, theme().px(12), theme().px(6))
        header.setContentsMargins(14, 10, 14, 8)
        for control in controls:
            header.addWidget(control)
        self.title = CardTitle("", margins=(0, 0, 0, 0), least=FACT_WIDTH)
        self.title.setObjectName("fact")
        header.addWidget(self.title)
        view = QWidget()
        inside = QVBoxLayout(view)
        inside.setContentsMargins(0, 0, 0, 0)
        for part in parts:
            inside.addWidget(part, 1 if isinstance(part, QSplitter) else 0)
        self.body = CardBody()
        self.body.put(view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.body, 1)


class LabelledTree(QWidget):
    """The whole tree, which begins where the boards of the path begin, and left of it its name and its fact. Hidden
    before the first search, and while it is folded."""

    def __init__(self, analysis: Analysis, path: PathView, tree: WholeTree, moments: QLabel) -> None:
        """`moments` is the name of the timeline, which begins there too."""
        super().__init__()
        self._analysis, self._tree, self._moments = analysis, tree, moments
        self._is_folded = False
        self._name, self._fact = QLabel(tr("Whole tree")), QLabel(wordWrap=True)
        self._fact.setForegroundRole(QUIET)
        self._fact.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._fact.setContentsMargins(0, 0, 8, 0)
        self._left = QWidget()
        column = QVBoxLayout(self._left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self._name)
        column.addWidget(self._fact, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, theme().px(6), 0, 0)
        row.setSpacing(0)
        row.addWidget(self._left)
        row.addWidget(tree, 1)
        tree.fact_changed.connect(self._fact.setText)
        analysis.started.connect(self._show)
        theme().changed.connect(self._show)
        self._show()

    @property
    def fact(self) -> str:
        return self._fact.text()

    @property
    def more(self) -> int:
        """The height in pixels at 100 % that the tree's picture needs beyond its usual one."""
        return self._tree.more

    @property
    def is_compared(self) -> bool:
        """Whether it shows two trees."""
        return self._tree.shape.compared is not None

    def fold(self, is_folded: bool) -> None:
        """Hide the tree, or show it again."""
        if is_folded != self._is_folded:
            self._is_folded = is_folded
            self._show()

    def _show(self) -> None:
        self.setVisible(self._analysis.job is not None and not self._is_folded)
        for left in (self._left, self._moments):
            left.setFixedWidth(names_width(self._analysis.game))
        for name in (self._name, self._moments):
            name.setFont(theme().font(NOTE + 1, QFont.Weight.DemiBold))
        self._fact.setFont(theme().font(NOTE))


class PathAndTree(QSplitter):
    """The path above the whole tree, with a handle between them. In a low window the tree gives the path the height of
    ROWS rows, or of one where so many do not fit, and takes it back in a higher one. Where its picture has no room
    below one row, it is folded; two compared trees have all the room instead, and the path is folded."""

    def __init__(self, path: QWidget, tree: LabelledTree) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.setChildrenCollapsible(False)
        self._above = above = QWidget()  # a splitter would take the path's focus ring as a part of its own
        inside = QVBoxLayout(above)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(path)
        for part in (above, tree):
            self.addWidget(part)
        self.setStretchFactor(0, 1)
        self._tree = tree
        self._tree_height: float = TREE_HEIGHT
        self.splitterMoved.connect(self._take)

    @property
    def tree_height(self) -> float:
        """The height in pixels at 100 % that the whole tree has where there is room for it, and no other picture than
        its usual one."""
        return self._tree_height

    def set_tree_height(self, height: float) -> None:
        self._tree_height = max(1.0, height)
        self._share()

    @property
    def tree_share(self) -> float:
        """The whole tree's share of the height of both."""
        return self._pixels() / max(1, self.height())

    def set_tree_share(self, share: float) -> None:
        self._set_pixels(round(share * self.height()))
        self._share()

    def minimumSizeHint(self) -> QSize:
        """The tree needs no height: it is folded."""
        return QSize(super().minimumSizeHint().width(), self._above.minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest:
            self._share()
        return done

    def _pixels(self) -> int:
        """The height of the tree in pixels where there is room for it."""
        return theme().px(self._tree_height + self._tree.more)

    def _set_pixels(self, pixels: int) -> None:
        self._tree_height = max(1.0, theme().at_100(pixels) - self._tree.more)

    def _take(self) -> None:
        """Remember the height that the person has given the tree."""
        self._set_pixels(self.sizes()[1])

    def _share(self) -> None:
        least, picture = self._tree.minimumSizeHint().height(), theme().px(LEAST_PICTURE)
        has_both = self.height() >= self.minimumSizeHint().height() + self.handleWidth() + least + picture
        has_trees = not has_both and self._tree.is_compared and self.height() >= least
        self._above.setHidden(has_trees)
        self._tree.fold(not (has_both or has_trees))
        path, tree = self.sizes()
        if not (path and tree):
            return  # one of them is hidden
        rows = ROWS if path + tree - least_height(ROWS) >= least + picture else 1
        high = min(self._pixels(), max(least, path + tree - least_height(rows)))
        if high != tree:
            self.setSizes([path + tree - high, high])
