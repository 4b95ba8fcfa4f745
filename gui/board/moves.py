"""The moves of the game, in rounds: a click or a key goes to any point of it, and nothing is forgotten.

start  1. a1 b2  2. c3 ...        what was taken back, and can be played again, is dim
"""

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from engine.figures import thousands
from engine.game import MAX_SQUARES, Position
from engine.result import End
from gui.game_record import GameRecord
from gui.language import tr
from gui.spoilers import spoilers
from gui.theme import theme
from gui.words import algorithm, verdict

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
TOP = QModelIndex()

LINES, SQUARES = 2, 16
"""Of moves that are to be seen; one more on boards of more squares."""
STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_PageUp: -2,
    Qt.Key.Key_PageDown: 2,
    Qt.Key.Key_Home: -MAX_SQUARES,
    Qt.Key.Key_End: MAX_SQUARES,
}
"""How many plies on a key goes."""


class MovesModel(QAbstractListModel):
    """A row a moment of the line: the start, then every move."""

    def __init__(self, record: GameRecord, parent: QListView) -> None:
        super().__init__(parent)
        self._record = record
        self._line: tuple[object, ...] = ()
        self._positions: tuple[Position, ...] = ()
        self.refresh()

    def refresh(self) -> None:
        """Take up the record's line, if it is another."""
        line = (self._record.game, self._record.start, self._record.line)
        if line != self._line:
            self.beginResetModel()
            self._line, self._positions = line, self._record.positions
            self.endResetModel()

    def rowCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(self._positions)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        match role:
            case Role.DisplayRole:
                return self._text(index.row())
            case Role.ToolTipRole | Role.AccessibleTextRole:
                return self._words(index.row())
            case Role.FontRole:
                return theme().font(mono=True)
            case Role.ForegroundRole:
                return theme().colour("ink" if index.row() <= len(self._record.moves) else "dim")
        return None

    def _text(self, row: int) -> str:
        """A move, with the number of its round if it begins one."""
        if row == 0:
            return tr("start")
        notation = self._record.game.notation
        name = notation.move_name(self._record.line[row - 1])
        ply = row - 1 + notation.mover(self._record.start)
        if ply % 2 == 0:
            return f"{ply // 2 + 1}. {name}"
        return f"1. … {name}" if row == 1 else name

    def _words(self, row: int) -> str:
        """The move and whose it was, and what is known of the position after it."""
        game, position = self._record.game, self._positions[row]
        words = tr("The start")
        if row:
            player = game.notation.players[game.notation.mover(self._positions[row - 1])]
            square = game.notation.move_name(self._record.line[row - 1])
            words = tr("{player} on {square}", player=player, square=square)
        known = self._record.evaluation(position)
        if known is None or spoilers().hidden:
            return words
        found = verdict(game, position, known.value, known.scoring, known.end is not End.HORIZON)
        said = tr(
            "{moved}. By {algorithm}: {verdict}, best {move}, {nodes} node(s)",
            "",
            known.nodes,
            moved=words,
            algorithm=algorithm(known.algorithm),
            verdict=found,
            move=known.best,
            nodes=thousands(known.nodes),
        )
        return said if known.end is End.COMPLETE else tr("{said} ({end})", said=said, end=tr(known.end))


class MovesView(QListView):
    """A few lines of moves; the others can be scrolled to."""

    def __init__(self, record: GameRecord) -> None:
        super().__init__()
        self._record = record
        self._moves = MovesModel(record, self)
        self.setModel(self._moves)
        self.setItemDelegate(_MoveDelegate(self))
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
        if event.key() in STEPS and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            self._record.go_to(len(self._record.moves) + STEPS[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def _go(self, index: QModelIndex) -> None:
        if index.isValid():
            self._record.go_to(index.row())

    def _show(self) -> None:
        notation = self._record.game.notation
        self.setFixedHeight((LINES + (notation.columns * notation.rows > SQUARES)) * _line_height())
        self._moves.refresh()
        here = self._moves.index(len(self._record.moves))
        if self.currentIndex() != here:
            self.setCurrentIndex(here)
        self.scrollTo(here)
        self.viewport().update()

    def _restyle(self) -> None:
        self.doItemsLayout()
        self._show()


class _MoveDelegate(QStyledItemDelegate):
    """A move on a wash where the game is; the number of its round dim."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(QFontMetrics(index.data(Role.FontRole)).horizontalAdvance(index.data()) + _air(), _line_height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        box, state = QRectF(option.rect), QStyle.StateFlag
        here, pointed = bool(option.state & state.State_Selected), bool(option.state & state.State_MouseOver)
        if here or pointed:
            painter.setPen(theme().colour("x") if here and option.state & state.State_HasFocus else Qt.PenStyle.NoPen)
            painter.setBrush(theme().colour("selected" if here else "line"))
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 4, 4)
        painter.setFont(index.data(Role.FontRole))
        number, _, name = index.data().rpartition(" ")
        left = box.adjusted(_air() / 2, 0, 0, 0)
        if number:
            painter.setPen(theme().colour("dim"))
            painter.drawText(left, Qt.AlignmentFlag.AlignVCenter, number)
            left.setLeft(left.left() + QFontMetrics(painter.font()).horizontalAdvance(f"{number} "))
        painter.setPen(index.data(Role.ForegroundRole))
        painter.drawText(left, Qt.AlignmentFlag.AlignVCenter, name)


def _line_height() -> int:
    return theme().px(22)


def _air() -> int:
    """Beside the text of a move, left and right together."""
    return theme().px(8)
