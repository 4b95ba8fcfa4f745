"""The keys of actions, and the dialog that changes them."""

import logging
from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence, QPalette
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QMainWindow,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import Shiboken

from gui.i18n.language import mark, tr
from gui.style.steps import Steps
from gui.style.theme import QUIET, theme
from gui.widgets.actions import bind, entries
from gui.widgets.roles import set_foreground
from gui.work.settings_file import SettingsFile

log = logging.getLogger(__name__)

GROUP = "keys"
"""The settings' group with a line for each action whose keys are not the default ones."""

FIXED = [
    QKeySequence(key)
    for key in ("Up", "Down", "Left", "Right", "Shift+Down", "Home", "End", "Return", "Enter", "Tab", "Shift+Tab")
]
REMOVE = [QKeySequence("Backspace"), QKeySequence("Del")]
NO_KEY = QKeySequence()
VIEWS = mark(
    "On the board: the arrow keys and Enter, or the name of a square or column. In the moves: Left and Right, Up and "
    "Down for variations, Delete for a move and what follows. On the path: the arrow keys, Shift+Down for best "
    "play, Home for the root, Enter to see its position large. On the whole tree: the same keys, + and − to zoom, Esc "
    "for all of it. On the workers' timeline: the arrow keys choose a task, Enter goes to its node, + and − zoom, 0 "
    "shows all of it. In the searches: Enter to run one again. In a speedup chart: the arrow keys read its points."
)
"""Explains the keys in FIXED, and others that work while the board has the focus."""

WIDTH, HEIGHT, KEYS_WIDTH, ROW_HEIGHT = 560, 620, 200, 30
AT_ONCE = 6
"""Fields made in one step: all of them would take 20 ms."""


class Keys:
    """The keys of all actions in a window's menus. Changes are stored in the settings; None stores nothing."""

    def __init__(self, window: QMainWindow, settings: SettingsFile | None) -> None:
        self._window, self._settings = window, settings
        self._usual: dict[QAction, list[QKeySequence]] = {}

    @property
    def file(self) -> str:
        """The path of the settings."""
        return str(self._settings.path) if self._settings is not None else tr("nowhere: nothing is saved")

    def restore(self) -> None:
        """Store the default keys, and load the person's own; keys that cannot be read or are in use are logged."""
        self._usual = {made: made.shortcuts() for _, made in self.commands()}
        for made in self._usual:
            kept = self._settings.value(f"{GROUP}/{_name(made)}") if self._settings is not None else None
            if kept is None:
                continue
            keys = QKeySequence.listFromString(str(kept))
            if kept and not all(key.toString() for key in keys or [NO_KEY]):
                log.warning("The kept keys of %s cannot be read: %r", _name(made), kept)
            else:
                bind(made, [key for key in keys if key not in FIXED])
        owners: dict[QKeySequence, QAction] = {}
        for made in self._usual:
            for key in made.shortcuts():
                if (owner := owners.setdefault(key, made)) is not made:
                    log.warning("%s is a key of %s already, and not of %s.", key.toString(), _name(owner), _name(made))
                    bind(made, [other for other in made.shortcuts() if other != key])

    def commands(self) -> list[tuple[str, QAction]]:
        """All actions that can have keys, with their paths in the menus."""
        return entries(self._window)

    def owner(self, key: QKeySequence) -> QAction | None:
        """The action of a key; None where it has none."""
        return next((made for _, made in self.commands() if key in made.shortcuts()), None)

    def menu(self, key: QKeySequence) -> str:
        """The name of the menu that a key opens; empty where it opens none."""
        texts = (made.text() for made in self._window.menuBar().actions())
        return next((text.replace("&", "") for text in texts if QKeySequence.mnemonic(text) == key), "")

    def give(self, made: QAction, key: QKeySequence) -> None:
        """Give a key, or none, to an action in place of its first one. An action that had this key loses it."""
        rest = [] if key.isEmpty() else [other for other in made.shortcuts()[1:] if other != key]
        before = None if key.isEmpty() else self.owner(key)
        if before is not None and before is not made:
            self._bind(before, [other for other in before.shortcuts() if other != key])
        self._bind(made, [] if key.isEmpty() else [key, *rest])

    def reset(self) -> None:
        """Restore the default keys."""
        for made, usual in self._usual.items():
            self._bind(made, usual)

    def show(self) -> "KeysDialog":
        """Open the dialog or raise it."""
        dialog = next(filter(QDialog.isVisible, self._window.findChildren(KeysDialog)), None)
        dialog = dialog or KeysDialog(self, self._window)
        dialog.show()
        dialog.activateWindow()
        return dialog

    def _bind(self, made: QAction, keys: list[QKeySequence]) -> None:
        bind(made, keys)
        if self._settings is not None:
            is_usual = keys == self._usual.get(made, keys)
            self._settings.set({f"{GROUP}/{_name(made)}": None if is_usual else QKeySequence.listToString(keys)})


class KeysDialog(QDialog):
    """All actions with their keys; a change takes effect at once."""

    def __init__(self, keys: Keys, window: QMainWindow) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Keys"))
        self._keys = keys
        self._wanted: tuple[QAction, QKeySequence] | None = None
        self._edits: dict[QAction, QKeySequenceEdit] = {}
        self._commands = keys.commands()
        self._table = self._build_table()
        self.notice = QLabel(wordWrap=True)
        self.take = QPushButton(tr("Take it"))
        self.take.clicked.connect(self._on_take)
        line = QHBoxLayout()
        line.addWidget(self.notice, 1)
        line.addWidget(self.take)
        views = QLabel(tr(VIEWS), wordWrap=True)
        views.setForegroundRole(QUIET)
        buttons = QDialogButtonBox()
        close = buttons.addButton(tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        self.usual = buttons.addButton(tr("Usual keys"), QDialogButtonBox.ButtonRole.ResetRole)
        self.usual.clicked.connect(self._on_usual)
        buttons.rejected.connect(self.close)
        for push in buttons.findChildren(QPushButton):
            push.setAutoDefault(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 14, 14, 12)
        column.setSpacing(10)
        column.addWidget(self._table)
        column.addLayout(line)
        column.addWidget(views)
        column.addWidget(buttons)
        self.resize(theme().px(WIDTH), min(theme().px(HEIGHT), window.height() - 40))
        close.setFocus()  # not the first field, which would record the next key
        self._building = Steps(self)
        self._building.start(self._build_edits())
        theme().changed.connect(self._restyle)
        self._restyle()
        self._refresh()

    @property
    def edits(self) -> dict[QAction, QKeySequenceEdit]:
        """The key field of every action."""
        self._building.finish()
        return self._edits

    def _build_table(self) -> QTableWidget:
        table = QTableWidget(len(self._commands), 2)
        table.setHorizontalHeaderLabels([tr("Command"), tr("Key")])
        table.setShowGrid(False)
        table.setSelectionMode(QTableWidget.SelectionMode.NoSelection)
        table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        table.verticalHeader().hide()
        table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        for row, (name, made) in enumerate(self._commands):
            item = QTableWidgetItem(name)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled)
            item.setToolTip(made.statusTip())
            table.setItem(row, 0, item)
        return table

    def _restyle(self) -> None:
        self._table.verticalHeader().setDefaultSectionSize(theme().px(ROW_HEIGHT))
        self._table.setColumnWidth(1, theme().px(KEYS_WIDTH))

    def _build_edits(self) -> Iterator[None]:
        """Make the fields, some rows a step, in Tab order."""
        before: QWidget | None = None
        for row, (name, made) in enumerate(self._commands):
            edit = QKeySequenceEdit()
            edit.setMaximumSequenceLength(1)
            edit.setAccessibleName(tr("Key of {command}", command=name))
            edit.editingFinished.connect(lambda made=made: self._on_chosen(made))
            self._table.setCellWidget(row, 1, edit)
            if before is not None:
                self.setTabOrder(before, edit)
            self._edits[made] = before = edit
            self._show_keys(made)
            if row % AT_ONCE == AT_ONCE - 1:
                yield

    def _on_chosen(self, made: QAction) -> None:
        """Apply a free key; if another action has it, name that action and change nothing."""
        if not Shiboken.isValid(self):
            return  # the window is being deleted, with a field that was waiting for the key's release
        self._wanted = None
        pressed = self._edits[made].keySequence()
        key = NO_KEY if pressed in REMOVE else pressed
        owner = None if key.isEmpty() else self._keys.owner(key)
        shown = key.toString(QKeySequence.SequenceFormat.NativeText)
        sentence = ""
        if key in FIXED:
            sentence = tr("{key} is used by the board, the path and the fields: choose another key.", key=shown)
        elif menu := self._keys.menu(key):
            sentence = tr("{key} opens the menu “{menu}”: choose another key.", key=shown, menu=menu)
        elif owner is not None and owner is not made:
            sentence = tr(
                "{key} is the key of “{command}”: choose another key, or take this one.",
                key=shown,
                command=tr(_name(owner)),
            )
            self._wanted = made, key
        elif owner is None:
            self._keys.give(made, key)
        self._refresh(sentence)

    def _on_take(self) -> None:
        if self._wanted is not None:
            self._keys.give(*self._wanted)
        self._wanted = None
        self._refresh()

    def _on_usual(self) -> None:
        self._wanted = None
        self._keys.reset()
        self._refresh()

    def _refresh(self, sentence: str = "") -> None:
        self.notice.setText(
            sentence or tr("Click a key and press another one, which takes effect at once. Backspace removes it.")
        )
        set_foreground(self.notice, QPalette.ColorRole.WindowText if sentence else QUIET)
        self.take.setVisible(self._wanted is not None)
        for made in self._edits:
            self._show_keys(made)

    def _show_keys(self, made: QAction) -> None:
        edit = self._edits[made]
        others = [key.toString(QKeySequence.SequenceFormat.NativeText) for key in made.shortcuts()[1:]]
        edit.setToolTip(tr("Also {keys}", keys=", ".join(others)) if others else "")
        if edit.keySequence() != made.shortcut():
            edit.setKeySequence(made.shortcut())


def _name(made: QAction) -> str:
    """The name of an action in the settings, independent of its present text."""
    return made.objectName() or made.text()
