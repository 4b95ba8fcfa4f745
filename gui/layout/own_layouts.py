"""Layouts that a person has given a name: the actions that take, save and change them."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QInputDialog, QMainWindow

from gui.i18n.language import mark, tr
from gui.layout.arrangements import Arrangements
from gui.layout.drawers import Drawers
from gui.layout.layout_file import OwnLayout, fault_of_names, read_layouts, write_layouts
from gui.layout.layouts_dialog import LayoutsDialog
from gui.layout.tree_zone import PathAndTree
from gui.widgets.actions import action, first_key
from gui.widgets.card import Card
from gui.work.settings_file import SettingsFile

ACTIONS = (
    (mark("Own layout 1"), "Alt+6"),
    (mark("Own layout 2"), "Alt+7"),
    (mark("Own layout 3"), "Alt+8"),
    (mark("Own layout 4"), "Alt+9"),
)
"""The name and the key of each action that takes a layout; in the menu it has the layout's own name."""


class OwnLayouts(QObject):
    """The actions that take, save and change the layouts in `settings`; None stores none."""

    def __init__(
        self,
        window: QMainWindow,
        arrangements: Arrangements,
        drawers: Drawers,
        cards: Mapping[str, Card],
        board: Card,
        settings: SettingsFile | None,
    ) -> None:
        super().__init__(window)
        self._window, self._drawers, self._cards, self._board = window, drawers, cards, board
        self._arrangements, self._settings = arrangements, settings
        self.layouts: list[OwnLayout] = []
        self.has_all = True
        """Whether all that are stored could be read."""
        self._take = [
            action(window, name, key, mark("A layout that you have saved"), partial(self._take_number, number))
            for number, (name, key) in enumerate(ACTIONS)
        ]
        self._save = action(
            window, mark("Save this layout as…"), "", mark("Give the present layout a name and a key"), self._ask_name
        )
        self._change = action(
            window,
            mark("Change own layouts…"),
            "",
            mark("Rename the layouts that you have saved, give them other keys, or remove them"),
            self._ask_changes,
        )
        self._read()

    def actions(self) -> list[QAction]:
        """The actions, for a menu."""
        return [*self._take, self._save, self._change]

    def save(self, name: str) -> str:
        """Store the present layout, in place of one of the same name. Returns a sentence on what was done, or on what
        is wrong with the name."""
        name = " ".join(name.split())
        self._read()
        names = [layout.name for layout in self.layouts]
        place = names.index(name) if name in names else len(names)
        fault = fault_of_names([*names[:place], name, *names[place + 1 :]])
        if fault:
            return fault
        self.store([*self.layouts[:place], self._present(name), *self.layouts[place + 1 :]])
        key = first_key(self._take[place])
        if not key:
            return tr("The layout {name} is saved: the menu View brings it back.", name=name)
        return tr("The layout {name} is saved: {key} brings it back.", name=name, key=key)

    def store(self, layouts: list[OwnLayout]) -> None:
        """Store these layouts in place of those before; the first has the first key."""
        self.layouts = layouts
        if self._settings is not None:
            write_layouts(self._settings, layouts)
        self._show()

    def take(self, layout: OwnLayout) -> None:
        """Arrange the window as it was."""
        self._arrangements.end_zoom()
        self._drawers.show(layout.columns, layout.board)
        split = self._window.findChild(PathAndTree)
        if split is not None:
            split.set_tree_share(1 - layout.path)

    def _read(self) -> None:
        """Take up the stored layouts, which another window may have changed."""
        if self._settings is not None:
            self.layouts, self.has_all = read_layouts(self._settings, self._cards)
        self._show()

    def _present(self, name: str) -> OwnLayout:
        columns: dict[int, list[str]] = {}
        shown = [(card.x(), card.y(), drawer) for drawer, card in self._cards.items() if card.isVisible()]
        for left, _, drawer in sorted(shown):
            columns.setdefault(left, []).append(drawer)
        split = self._window.findChild(PathAndTree)
        tree = 0.5 if split is None else split.tree_share
        board = self._board.width() / max(1, self._window.width())
        return OwnLayout(name, tuple(map(tuple, columns.values())), _share(board), _share(1 - tree))

    def _show(self) -> None:
        """Name the actions by their layouts, and hide those without one."""
        for number, made in enumerate(self._take):
            made.setVisible(number < len(self.layouts))
            made.setEnabled(number < len(self.layouts))
            if number < len(self.layouts):
                made.setText(self.layouts[number].name.replace("&", "&&"))
        self._change.setEnabled(bool(self.layouts))

    def _take_number(self, number: int) -> None:
        self.take(self.layouts[number])

    def _ask_name(self) -> None:
        name, is_given = QInputDialog.getText(self._window, tr("Save this layout"), tr("Name"))
        if is_given:
            self._window.statusBar().showMessage(self.save(name))

    def _ask_changes(self) -> None:
        self._read()
        keys = [first_key(made) for made in self._take]
        dialog = LayoutsDialog(self.layouts, keys, self._window)
        dialog.accepted.connect(lambda: self.store(dialog.layouts))
        dialog.open()


def _share(share: float) -> float:
    """A share that leaves something to both parts."""
    return min(0.95, max(0.05, share))
