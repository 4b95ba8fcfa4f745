"""The moves of the game with their variations: a click or a key goes to any position, and no move is removed.

start  1. a1 b2 (1. … b1 2. c3) 2. c3 ...        moves that do not lead to the position on the board are dim
"""

from functools import lru_cache
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QContextMenuEvent, QFontMetrics, QGuiApplication, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QFrame, QListView, QMenu, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from engine.play.variations import Line, WrittenMove
from engine.result import End
from engine.rules.contract import MAX_MOVES, Game, Position
from engine.text.numbers import thousands
from gui.board.navigation import DELETE, MAKE_MAIN, RESTORE
from gui.i18n.language import tr
from gui.state.game_record import GameRecord, after
from gui.state.spoilers import spoilers
from gui.state.wording import REASONS, algorithm, move_of, verdict
from gui.style.theme import theme

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
TOP = QModelIndex()

STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_PageUp: -2,
    Qt.Key.Key_PageDown: 2,
    Qt.Key.Key_Home: -MAX_MOVES,
    Qt.Key.Key_End: MAX_MOVES,
}
"""The number of plies that each key goes forward."""
VARIATIONS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class MovesModel(QAbstractListModel):
    """A row for the start, then one for every move, in the order of written games."""

    def __init__(self, record: GameRecord, parent: QListView) -> None:
        super().__init__(parent)
        self._record = record
        self._shown: tuple[object, ...] = ()
        self._nodes: list[WrittenMove] = []
        self._rows: dict[Line, int] = {}
        self.refresh()

    def refresh(self) -> None:
        """Load the record's moves, if they have changed."""
        shown = (self._record.game, self._record.start, self._record.variations)
        if shown != self._shown:
            self.beginResetModel()
            self._shown, self._nodes = shown, [WrittenMove(()), *self._record.variations.nodes()]
            self._rows = {node.path: row for row, node in enumerate(self._nodes)}
            self.endResetModel()

    def path(self, index: Index) -> Line:
        """The moves that lead to a row."""
        return self._nodes[index.row()].path

    def index_of(self, path: Line) -> QModelIndex:
        return self.index(self._rows[path])

    def rowCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(self._nodes)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        match role:
            case Role.DisplayRole:
                return self._text(index.row())
            case Role.ToolTipRole | Role.AccessibleTextRole:
                return self._words(self.path(index))
            case Role.ForegroundRole:
                path = self.path(index)
                return theme().colour("ink" if self._record.moves[: len(path)] == path else "dim")
        return None

    def _text(self, row: int) -> str:
        """A move, with the number of its round at the round's beginning and after a variation: "(1. … b1"."""
        if row == 0:
            return tr("start")
        node, before = self._nodes[row], self._nodes[row - 1]
        is_apart = row == 1 or node.begins or before.ends > 0
        return "(" * node.begins + _numbered(self._record, node.path, is_apart) + ")" * node.ends

    def _words(self, path: Line) -> str:
        """The move and its player, and the evaluation of the position after it."""
        game, position = self._record.game, self._record.position_after(path)
        words = tr("The start")
        if path:
            words = move_of(game, self._record.position_after(path[:-1]), path[-1])
            if not self._record.is_main(path):
                words = tr("{moved}, in a variation", moved=words)
        known = self._record.evaluation(position)
        if known is None or spoilers().hidden:
            return words
        found = verdict(game, position, known.found, known.scoring, known.end is End.COMPLETE)
        if known.best and known.found.proves_a_move:
            found = tr("{verdict}, best {move}", verdict=found, move=known.best)
        evaluation = tr(
            "{moved}. By {algorithm}: {verdict}, {nodes} node(s)",
            "",
            known.nodes,
            moved=words,
            algorithm=algorithm(known.algorithm),
            verdict=found,
            nodes=thousands(known.nodes),
        )
        return (
            evaluation
            if known.end is End.COMPLETE
            else tr("{evaluation} ({end})", evaluation=evaluation, end=tr(REASONS[known.end]))
        )


class MovesView(QListView):
    """The moves, in as many lines as fit; the others can be scrolled to."""

    def __init__(self, record: GameRecord) -> None:
        super().__init__()
        self._record = record
        self._moves = MovesModel(record, self)
        self.setModel(self._moves)
        self._delegate = _MoveDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(tr("Moves"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.selectionModel().currentChanged.connect(lambda index, _: self._go(index))
        record.changed.connect(self._show)
        theme().changed.connect(self._restyle)
        self._restyle()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, record = Qt.Key(event.key()), self._record
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
        if plain and key in STEPS:
            record.go_to(len(record.moves) + STEPS[key])
        elif plain and key in VARIATIONS:
            record.go_to_variation(VARIATIONS[key])
        elif plain and key == Qt.Key.Key_Delete:
            record.delete(record.moves)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scrollTo(self.currentIndex())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        if index.isValid():
            menu = self.menu_of(self._moves.path(index))
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(event.globalPos() if by_mouse else self.mapToGlobal(self.visualRect(index).bottomLeft()))

    def menu_of(self, path: Line) -> QMenu:
        """The menu of a move and its continuation."""
        record, menu = self._record, QMenu(self)
        for text, can, do in (
            (tr(MAKE_MAIN), not record.is_main(path), lambda: record.make_main(path)),
            (tr(DELETE), bool(path), lambda: record.delete(path)),
            (tr(RESTORE), record.can_restore, record.restore),
            (tr("Copy line"), bool(record.line), lambda: QGuiApplication.clipboard().setText(line_text(record, path))),
        ):
            made = menu.addAction(text)
            made.setEnabled(can)
            made.triggered.connect(lambda _=False, do=do: do())
        return menu

    def _go(self, index: QModelIndex) -> None:
        if index.isValid():
            self._record.go(self._moves.path(index))

    def _show(self) -> None:
        self._moves.refresh()
        here = self._moves.index_of(self._record.moves)
        if self.currentIndex() != here:
            self.setCurrentIndex(here)
        self.scrollTo(here)
        self.viewport().update()

    def _restyle(self) -> None:
        self._delegate.restyle()
        self.doItemsLayout()
        self._show()


class _MoveDelegate(QStyledItemDelegate):
    """Paints a move; the current one has a wash, the number of a round is dim."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self.restyle()

    def restyle(self) -> None:
        """Measure the font of the present theme: the view asks for the sizes of all moves at each change."""
        self._font, self._air, self._height = theme().font(mono=True), _air(), line_height()
        self._metrics = QFontMetrics(self._font)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(self._metrics.horizontalAdvance(index.data()) + self._air, self._height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        box, state = QRectF(option.rect), QStyle.StateFlag
        here, pointed = bool(option.state & state.State_Selected), bool(option.state & state.State_MouseOver)
        if here or pointed:
            painter.setPen(theme().colour("ink") if here and option.state & state.State_HasFocus else Qt.PenStyle.NoPen)
            painter.setBrush(theme().colour("selected" if here else "fill"))
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 4, 4)
        painter.setFont(self._font)
        number, _, name = index.data().rpartition(" ")
        move = name.rstrip(")")
        left = box.adjusted(self._air / 2, 0, 0, 0)
        if number:
            painter.setPen(theme().colour("dim"))
            painter.drawText(left, Qt.AlignmentFlag.AlignVCenter, number)
            left.setLeft(left.left() + self._metrics.horizontalAdvance(f"{number} "))
        painter.setPen(index.data(Role.ForegroundRole))
        painter.drawText(left, Qt.AlignmentFlag.AlignVCenter, move)
        if move != name:
            left.setLeft(left.left() + self._metrics.horizontalAdvance(move))
            painter.setPen(theme().colour("dim"))
            painter.drawText(left, Qt.AlignmentFlag.AlignVCenter, name[len(move) :])


def _numbered(record: GameRecord, path: Line, is_apart: bool) -> str:
    """The last move of a path, with the number of its round if it begins one or stands apart: "1. … b2"."""
    name, (number, begins) = record.game.notation.move_name(path[-1]), _round(record.game, record.start, path)
    if not begins and not is_apart:
        return name
    return f"{number}. {name}" if begins else f"{number}. … {name}"


@lru_cache(10_000, typed=True)  # positions of two games may be equal tuples
def _round(game: Game, start: Position, path: Line) -> tuple[int, bool]:
    """The number of the round that a path's last move belongs to, and whether the move begins it. A round is a turn of
    the first player and one of the second."""
    side = game.notation.mover(after(start, path[:-1]))
    if len(path) == 1:
        return 1, side == 0
    begins = side == 0 and game.notation.mover(after(start, path[:-2])) == 1
    number, _ = _round(game, start, path[:-1])
    return number + begins, begins


def line_text(record: GameRecord, path: Line) -> str:
    """The line through a path to its end: "1. a1 b2 2. c3", after the position that it starts from if that is not the
    usual one."""
    line, notation = record.line_through(path), record.game.notation
    start = [] if record.start == record.game.start else [notation.format(record.start)]
    return " ".join([*start, *(_numbered(record, line[: ply + 1], ply == 0) for ply in range(len(line)))])


def line_height() -> int:
    """The height of a line of moves in pixels."""
    return theme().px(22)


def _air() -> int:
    """The space beside the text of a move, left and right together, in pixels."""
    return theme().px(8)
