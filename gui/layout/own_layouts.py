"""Layouts that a person has given a name: the open drawers, the board's width, and the heights of path and tree."""

import logging
from collections.abc import Mapping
from functools import partial
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QInputDialog, QMainWindow, QSplitter

from gui.i18n.language import mark, tr
from gui.layout.drawers import Drawers
from gui.layout.tree_zone import PATH_AND_TREE
from gui.widgets.actions import action
from gui.widgets.card import Card
from gui.work.settings_file import SettingsFile

log = logging.getLogger(__name__)

KEY = "layouts"
"""Of the settings' file."""
KEYS = "Alt+6", "Alt+7", "Alt+8", "Alt+9"
NAMES = mark("Own layout 1"), mark("Own layout 2"), mark("Own layout 3"), mark("Own layout 4")
"""One for each layout that can be stored. Its action has the layout's own name in the menu."""
LONGEST = 40
"""Characters of a name."""

Share = Annotated[float, Meta(gt=0, lt=1)]


class OwnLayout(Struct, frozen=True):
    """A layout with its name."""

    name: Annotated[str, Meta(min_length=1, max_length=LONGEST)]
    columns: tuple[tuple[str, ...], ...]
    """The open drawers from left to right, each column from the top; one in a window of its own is a column."""
    board: Share
    """The board's share of the window's width."""
    path: Share
    """The path's share of the height that it has together with the whole tree."""


class OwnLayouts(QObject):
    """The actions that take, save and remove the layouts in `settings`; None stores none."""

    def __init__(
        self,
        window: QMainWindow,
        drawers: Drawers,
        cards: Mapping[str, Card],
        board: Card,
        settings: SettingsFile | None,
    ) -> None:
        super().__init__(window)
        self._window, self._drawers, self._cards, self._board = window, drawers, cards, board
        self._settings = settings
        self.layouts = _stored(settings, cards)
        self._take = [
            action(window, name, key, mark("A layout that you have saved"), partial(self._take_number, number))
            for number, (name, key) in enumerate(zip(NAMES, KEYS, strict=True))
        ]
        self._save = action(
            window, mark("Save this layout as…"), "", mark("Give the present layout a name and a key"), self._ask_name
        )
        self._remove = action(
            window, mark("Remove a layout…"), "", mark("Remove a layout that you have saved"), self._ask_which
        )
        self._show()

    def actions(self) -> list[QAction]:
        """The actions, for a menu."""
        return [*self._take, self._save, self._remove]

    def save(self, name: str) -> str:
        """Store the present layout, in place of one of the same name. Returns a sentence on what was done, or on what
        is wrong with the name."""
        name = " ".join(name.split())
        if not 0 < len(name) <= LONGEST:
            return tr("A layout's name has 1 to {most} characters: choose another.", most=LONGEST)
        others = [layout for layout in self.layouts if layout.name != name]
        if len(others) == len(KEYS):
            return tr("There are {count} layouts already: remove one first.", count=len(KEYS))
        made = self._present(name)
        if len(others) < len(self.layouts):
            self._keep([made if layout.name == name else layout for layout in self.layouts])
        else:
            self._keep([*self.layouts, made])
        place = next(number for number, layout in enumerate(self.layouts) if layout.name == name)
        return tr("The layout {name} is saved: {key} brings it back.", name=name, key=KEYS[place])

    def remove(self, name: str) -> None:
        """Remove the layout of that name."""
        self._keep([layout for layout in self.layouts if layout.name != name])

    def take(self, layout: OwnLayout) -> None:
        """Arrange the window as it was."""
        self._drawers.show(layout.columns, layout.board)
        splitter = self._splitter()
        if splitter is not None:
            height = sum(splitter.sizes())
            splitter.setSizes([round(height * layout.path), round(height * (1 - layout.path))])

    def _present(self, name: str) -> OwnLayout:
        columns: dict[int, list[str]] = {}
        shown = [(card.x(), card.y(), drawer) for drawer, card in self._cards.items() if card.isVisible()]
        for left, _, drawer in sorted(shown):
            columns.setdefault(left, []).append(drawer)
        splitter = self._splitter()
        path, tree = (1, 1) if splitter is None else splitter.sizes()
        board = _share(self._board.width(), self._window.width())
        return OwnLayout(name, tuple(map(tuple, columns.values())), board, _share(path, path + tree))

    def _splitter(self) -> QSplitter | None:
        return self._window.findChild(QSplitter, PATH_AND_TREE)

    def _keep(self, layouts: list[OwnLayout]) -> None:
        self.layouts = layouts
        if self._settings is not None:
            self._settings.set({KEY: msgspec.json.encode(layouts).decode()})
        self._show()

    def _show(self) -> None:
        """Name the actions by their layouts, and hide those without one."""
        for number, made in enumerate(self._take):
            made.setVisible(number < len(self.layouts))
            made.setEnabled(number < len(self.layouts))
            if number < len(self.layouts):
                made.setText(self.layouts[number].name.replace("&", "&&"))
        self._remove.setEnabled(bool(self.layouts))

    def _take_number(self, number: int) -> None:
        self.take(self.layouts[number])

    def _ask_name(self) -> None:
        name, is_given = QInputDialog.getText(self._window, tr("Save this layout"), tr("Name"))
        if is_given:
            self._window.statusBar().showMessage(self.save(name))

    def _ask_which(self) -> None:
        names = [layout.name for layout in self.layouts]
        name, is_given = QInputDialog.getItem(self._window, tr("Remove a layout"), tr("Layout"), names, 0, False)
        if is_given:
            self.remove(name)


def _share(part: int, whole: int) -> float:
    """A share that leaves something to both parts."""
    return min(0.95, max(0.05, part / max(1, whole)))


def _stored(settings: SettingsFile | None, cards: Mapping[str, Card]) -> list[OwnLayout]:
    """The layouts in the settings; those that cannot be read are left out, and logged."""
    found: list[OwnLayout] = []
    if settings is None or not settings.contains(KEY):
        return found
    try:
        entries = msgspec.json.decode(str(settings.value(KEY)), type=list[msgspec.Raw])
    except (ValueError, RecursionError) as error:
        log.warning("The stored layouts cannot be read: %s", error)
        return found
    for entry in entries:
        try:
            layout = msgspec.json.decode(entry, type=OwnLayout)
        except (ValueError, RecursionError) as error:
            log.warning("A stored layout cannot be read: %s", error)
            continue
        is_new = layout.name not in {other.name for other in found}
        if is_new and len(found) < len(KEYS) and all(name in cards for column in layout.columns for name in column):
            found.append(layout)
        else:
            log.warning("The stored layout %r cannot be used.", layout.name)
    return found
