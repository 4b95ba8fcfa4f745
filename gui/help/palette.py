"""The command palette: find an action or a setting by a few letters, and trigger it.

SYNONYMS has other words that people use for the menus' actions.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMainWindow,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
)

from gui.i18n.language import mark, tr
from gui.style.theme import theme
from gui.widgets.actions import entries

SYNONYMS = {
    "New": mark("start again, restart, begin, reset"),
    "Choose game…": mark("another game, board, size, rules, variant"),
    "Undo": mark("take back, step back"),
    "Redo": mark("play again, repeat"),
    "Hint": mark("help, best move, advice"),
    "Values": mark("evaluate, evaluation, best moves"),
    "No spoilers": mark("hide, answers, solution"),
    "Think": mark("start, run, go, search, solve, analyse"),
    "Pause": mark("halt, wait, resume, continue"),
    "Step": mark("single, next event, next node"),
    "Stop": mark("cancel, abort, end"),
    "Slower": mark("speed, slow"),
    "Faster": mark("speed, fast"),
    "Threads": mark("parallel, cores, OpenMP"),
    "MPI": mark("parallel, cluster, ranks, processes"),
    "Serial": mark("one thread, sequential"),
    "Larger": mark("zoom in, bigger, font size, scale"),
    "Smaller": mark("zoom out, font size, scale"),
    "Usual size": mark("zoom 100 %, font size, scale"),
    "Zoom": mark("font size, scale, larger, smaller"),
    "Full screen": mark("maximise, projector, fullscreen"),
    "Theme": mark("colours, dark mode, night, contrast"),
    "Reset layout": mark("cards, panels, docks, arrange"),
    "Reduce motion": mark("animation, fade"),
    "Settings…": mark("preferences, configuration, options"),
    "Keys": mark("shortcuts, keyboard, hotkeys"),
    "Edit position": mark("set up, board editor, custom position"),
    "Open…": mark("load, read"),
    "Save as…": mark("write, store"),
    "Export board…": mark("image, picture, PNG, SVG, PDF"),
    "Save the path…": mark("export, image, PNG, SVG, PDF"),
    "Save the whole tree…": mark("export, image, PNG, SVG, PDF"),
    "Save the replay…": mark("export, film, animation, video, GIF"),
    "Save the timeline…": mark("export, image, PNG, SVG, PDF, Gantt"),
    "Save the record…": mark("export, data, NumPy, Graphviz"),
    "Help": mark("manual, documentation"),
    "Glossary": mark("words, terms, definitions, dictionary"),
    "Copy report": mark("bug, issue, error"),
    "Game": mark("size, rules, board, variant"),
    "Level": mark("difficulty, strength, skill, opponent"),
    "Computer plays": mark("side, opponent, first, second, human"),
    "Scores": mark("scoring, win, loss, payoff"),
    "Values seen by": mark("negamax, minimax, point of view"),
    "Depth limit": mark("plies, look ahead"),
    "Time limit": mark("seconds, clock"),
    "Node limit": mark("positions, budget"),
    "Language": mark("English, translation"),
    "Expert": mark(
        "killers, history, seed, fail-soft, fail-hard, transposition, symmetries, aspiration, iterative deepening, "
        "schedule, split, evaluation"
    ),
}
"""Other words that people search for, by the name of the action."""

WIDTH, HEIGHT, TOP, ROW = 520, 380, 64, 24
MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
"""Keys that the list handles while the text field has the focus."""


Command = tuple[str, QAction]
"""A command's path in the menus or on a card, and its action."""
Commands = Callable[[QObject], list[Command]]
"""Makes commands that live as long as the given owner."""


def show_palette(window: QMainWindow, choices: Commands) -> "CommandPalette":
    """Open the palette over the window's upper half, with the menus' actions and these. It closes by itself."""
    palette = CommandPalette(window, choices)
    width = min(theme().px(WIDTH), window.width() - 40)
    palette.resize(width, min(theme().px(HEIGHT), window.height() - 80))
    corner = window.rect().center()
    palette.move(window.mapToGlobal(corner) - palette.rect().center())
    palette.move(palette.x(), window.mapToGlobal(window.rect().topLeft()).y() + theme().px(TOP))
    palette.show()
    palette.line.setFocus()
    return palette


def matching(typed: str, commands: Sequence[Command]) -> list[Command]:
    """The commands that have all typed words in their names, their tips or their SYNONYMS.

    First come those whose own name begins with the typed text, then those with all words in their names, then those
    with all words in their names or synonyms.
    """
    start, found = _plain(typed), []
    for name, made in commands:
        plain, also = _plain(name), _plain(tr(SYNONYMS.get(made.objectName(), "")))
        tips = _plain(f"{made.statusTip()} {made.data() or ''}")
        texts = plain, f"{plain} {also}", f"{plain} {also} {tips}"
        has_all = [all(word in text for word in start.split()) for text in texts]
        if has_all[2]:
            found.append((0 if plain.rpartition("› ")[2].startswith(start) else 1 + has_all.index(True), (name, made)))
    return [command for _, command in sorted(found, key=lambda pair: pair[0])]


@lru_cache(maxsize=2048)
def _plain(text: str) -> str:
    """A text as typed on a keyboard: "4 × 4" is 4x4. From a cache: each typed letter asks for all names again."""
    return re.sub(r"(?<=\d)\s*[×x]\s*(?=\d)", "x", text.strip().lower())


class CommandPalette(QFrame):
    """A text field and the list of matching commands."""

    def __init__(self, window: QMainWindow, choices: Commands) -> None:
        super().__init__(window, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("palette")
        self.setAccessibleName(tr("Commands"))
        self._commands = [*entries(window), *choices(self)]
        self.line = QLineEdit(placeholderText=tr("What do you want to do?"))
        self.line.setAccessibleName(tr("What do you want to do?"))
        self.line.installEventFilter(self)
        self.line.textChanged.connect(self._find)
        self.list = QTreeWidget(columnCount=2)
        self.list.setRootIsDecorated(False)
        self.list.setHeaderHidden(True)
        self.list.setUniformRowHeights(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.list.setAccessibleName(tr("Commands found"))
        self.list.itemClicked.connect(self._do)
        self._nothing = QLabel(tr("No command has all of these words."))
        self._nothing.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 10, 10)
        column.setSpacing(6)
        for widget in (self.line, self._nothing, self.list):
            column.addWidget(widget)
        self._find("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The text field has the focus; keys that move in the list or choose from it are passed on."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in MOVES:
                self.list.keyPressEvent(event)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                if (item := self.list.currentItem()) is not None:
                    self._do(item)
                return True
        return super().eventFilter(watched, event)

    def _find(self, typed: str) -> None:
        self.list.clear()
        size, dim, disabled = QSize(0, theme().px(ROW)), theme().colour("dim"), theme().colour("dim", 0.7)
        for name, made in matching(typed, self._commands):
            checked = "   ✓" if made.isCheckable() and made.isChecked() else ""
            keys = made.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            item = QTreeWidgetItem(self.list, [name + checked, keys])
            item.setData(0, Qt.ItemDataRole.UserRole, made)
            item.setSizeHint(0, size)
            item.setData(0, Qt.ItemDataRole.ToolTipRole, made.statusTip())
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setForeground(1, dim)
            if not made.isEnabled():
                item.setFlags(Qt.ItemFlag.NoItemFlags)
                item.setForeground(0, disabled)
            elif self.list.currentItem() is None:
                self.list.setCurrentItem(item)
        self._nothing.setVisible(not self.list.topLevelItemCount())

    def _do(self, item: QTreeWidgetItem) -> None:
        made: QAction = item.data(0, Qt.ItemDataRole.UserRole)
        if made.isEnabled():
            self.close()
            made.trigger()
