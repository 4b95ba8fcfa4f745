"""The button under the whole tree that chooses the meanings of its colours and widths, and its marks."""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton

from engine.rules.contract import traits
from engine.trace.widths import Width
from gui.i18n.language import mark, tr
from gui.state.same_positions import Same, SamePositions
from gui.state.tree_shape import TreeShape
from gui.style.theme import NOTE, theme
from gui.tree import icicle_same
from gui.tree.icicle_colours import NAMES, Colouring
from gui.widgets.actions import add_heading

WIDTHS = {
    Width.MINIMAX: mark("nodes of the full tree"),
    Width.VISITED: mark("nodes visited"),
    Width.TIME: mark("time of the tasks"),
    Width.EQUAL: mark("equal for all moves"),
}


PICTURES = {False: mark("a row a ply, as wide as its nodes"), True: mark("nodes and edges, of small trees")}
"""The pictures of a tree, by whether they have edges."""

T = TypeVar("T", Colouring, Width, Same, bool)


class Choices(QToolButton):
    """Shows the two meanings; its menu changes them and the marks."""

    colouring_changed = Signal()
    picture_changed = Signal()

    def __init__(self, shape: TreeShape, same: SamePositions) -> None:
        super().__init__()
        self._shape = shape
        self._colouring = Colouring.VALUE
        """The meaning of a node's colour that is chosen."""
        self.setObjectName("treeLook")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip(tr("The meaning of colours and widths in the whole tree, and the marks of equal positions"))
        self.has_links = False
        """Whether a small tree is drawn with nodes and edges."""
        menu = QMenu(self)
        add_heading(menu, tr("Picture"))
        self.pictures = self._group(menu, {one: tr(PICTURES[one]) for one in PICTURES}, self._draw_as)
        add_heading(menu, tr("Colour"))
        self.colours = self._group(menu, {one: tr(NAMES[one]) for one in Colouring}, self._colour_by)
        add_heading(menu, tr("Width"))
        self.widths = self._group(menu, {one: tr(WIDTHS[one]) for one in Width}, self._shape_by)
        add_heading(menu, tr("Nodes with the same position"))
        self.same = self._group(menu, {one: tr(icicle_same.NAMES[one]) for one in Same}, same.choose)
        self.setMenu(menu)
        self._usual = self._colouring
        self.set_comparing(False)
        for event in (theme().changed, shape.changed):
            event.connect(self._show)
        self._show()

    @property
    def colouring(self) -> Colouring:
        """The meaning of a node's colour, as it was chosen; else its value: a tree with chance nodes has no types."""
        chosen, trace = self._colouring, self._shape.trace
        is_unfit = chosen is Colouring.TYPE and trace is not None and traits(trace.root).chance
        return Colouring.VALUE if is_unfit else chosen

    def set_comparing(self, comparing: bool) -> None:
        """Colour nodes by the searches that visited them while two are compared, and as before afterwards."""
        for one in (self.pictures[True], self.widths[Width.TIME]):
            one.setEnabled(not comparing)
        by_search = self.colours[Colouring.SEARCH]
        if comparing != by_search.isEnabled():
            by_search.setEnabled(comparing)
            if comparing:
                self._usual = self._colouring
            if comparing or self._colouring is Colouring.SEARCH:
                self.colours[Colouring.SEARCH if comparing else self._usual].trigger()

    def add_commands(self, *commands: QAction) -> None:
        """Add commands to the menu."""
        self.menu().addSeparator()
        self.menu().addActions(commands)

    def _group(self, menu: QMenu, names: dict[T, str], choose: Callable[[T], None]) -> dict[T, QAction]:
        """Add an action for each name; the first is chosen."""
        group = QActionGroup(menu)
        made: dict[T, QAction] = {}
        for key, name in names.items():
            action = made[key] = QAction(name, group, checkable=True, checked=not made)
            action.triggered.connect(lambda _=False, key=key: choose(key))
            menu.addAction(action)
        return made

    def _draw_as(self, has_links: bool) -> None:
        self.has_links = has_links
        self._show()
        self.picture_changed.emit()

    def _colour_by(self, colouring: Colouring) -> None:
        self._colouring = colouring
        self._show()
        self.colouring_changed.emit()

    def _shape_by(self, width: Width) -> None:
        self._shape.choose(width)
        self._show()

    def _show(self) -> None:
        self.setFont(theme().font(NOTE))
        colour, width = tr(NAMES[self.colouring]), tr(WIDTHS[self._shape.width])
        usual = tr("colour: {colour} · width: {width}", colour=colour, width=width)
        self.setText(tr("nodes and edges") if self.has_links else usual)
        self.setAccessibleName(self.text())
