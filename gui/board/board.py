"""The board: the game being played, large; where a person plays, and sees what each square is worth.

It shows a GameRecord and never changes it: a click or a key says which move was `chosen`. Given a draft, it shows and
edits that instead. All that it keeps itself is where the pointer and the keyboard are, what it was told to show with
this position, and what is still being drawn.
"""

from collections.abc import Mapping
from math import ceil
from typing import NamedTuple

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import (
    QEnterEvent,
    QFocusEvent,
    QHelpEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from engine.bits import each
from engine.game import MAX_SQUARES, legal
from gui.board.draft import Draft
from gui.board.layout import Layout, lay_out
from gui.board.picture import Picture, paint
from gui.board.verdict import SquareValue, game_in_words, position_in_words, square_in_words, verdict
from gui.game_record import GameRecord
from gui.language import tr
from gui.parts.spoken import announce
from gui.theme import theme

MOTION_MILLISECONDS = 150

STEPS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
    Qt.Key.Key_Home: (-MAX_SQUARES, 0),
    Qt.Key.Key_End: (MAX_SQUARES, 0),
}
"""How far a key moves the focus, to the right and down; the board's edge stops it."""
PLAY = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
PUT = {Qt.Key.Key_X: 0, Qt.Key.Key_O: 1, Qt.Key.Key_Delete: None, Qt.Key.Key_Backspace: None}
"""What a key puts on a square of a draft: a player's stone, or none."""
COMMAND = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


class Hint(NamedTuple):
    """What is shown of a hint."""

    move: int | None = None
    area: frozenset[int] = frozenset()
    line: tuple[int, ...] = ()


NO_HINT = Hint()


class BoardView(QWidget):
    """Shows the record's position, and below it the verdict."""

    chosen = Signal(int)
    """A legal move that the person wants to play."""

    def __init__(self, record: GameRecord, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._record = record
        self._draft: Draft | None = None
        self._interactive = True
        self._motion = True
        self._note = ""
        self._about = record.game, record.position
        self._values: dict[int, SquareValue] = {}
        self._unknown: frozenset[int] = frozenset()
        self._hint = NO_HINT
        self._hover: int | None = None
        self._pressed: int | None = None
        self._focus = self._middle()
        self._by_keyboard = False
        self._typed = ""
        self._drawn = record.moves
        self._fresh: tuple[int, ...] = ()
        self._animation = QVariantAnimation(self)
        self._animation.setStartValue(0.0)
        self._animation.valueChanged.connect(self.update)
        self.setAccessibleName(tr("Board"))
        self._describe()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        record.changed.connect(self._on_changed)
        theme().changed.connect(self._on_theme_changed)

    def set_interactive(self, interactive: bool) -> None:
        """Whether a person may choose a move; never when the game is over or the computer is to move."""
        if interactive != self._interactive:
            self._interactive = interactive
            self._point_at(self._hover)

    def edit(self, draft: Draft | None) -> None:
        """Show a draft, whose every square can be changed, in place of the game; None shows the game again."""
        if self._draft is not None:
            self._draft.changed.disconnect(self._on_draft_changed)
        self._draft = draft
        if draft is not None:
            draft.changed.connect(self._on_draft_changed)
        self.updateGeometry()
        self._on_draft_changed()

    def set_motion(self, motion: bool) -> None:
        """Whether new marks are seen being drawn."""
        self._motion = motion
        if not motion:
            self._animation.stop()
            self.update()

    def set_note(self, text: str) -> None:
        """The dim line below the verdict."""
        if text != self._note:
            self._note = text
            if text:
                announce(self, text)
            self.update(self._layout().text)

    def show_values(self, values: Mapping[int, SquareValue] | None, unknown: frozenset[int] = frozenset()) -> None:
        """What each move is worth to the side to move, and of which that is not known yet; None shows nothing.

        Both belong to the position that the record has now, and go when it goes.
        """
        self._turn_page()
        moves = frozenset() if values is None else frozenset(each(legal(self._record.position)))
        self._values = {move: value for move, value in (values or {}).items() if move in moves}
        self._unknown = unknown & moves
        self.update()

    def show_hint(self, move: int | None, area: frozenset[int] = frozenset(), line: tuple[int, ...] = ()) -> None:
        """Ring a move, tint where to look, and draw what would follow, as long as the record keeps its position."""
        self._turn_page()
        self._hint = Hint(move, area, line)
        self.update()

    @property
    def is_moving(self) -> bool:
        """Whether a mark or a winning line is being drawn."""
        return self._animation.state() == QVariantAnimation.State.Running

    @property
    def focus_square(self) -> int:
        """Where the keyboard is."""
        return self._focus

    def is_playable(self, square: int) -> bool:
        """Whether choosing this square means a move now, or a change of the draft."""
        record = self._record
        if self._draft is not None:
            return True
        asked = self._interactive and not record.is_over and not record.computer_to_move
        return asked and bool(legal(record.position) & (1 << square))

    def square_rect(self, square: int) -> QRectF:
        """Where a square is; empty where there is no room for a board."""
        return self._layout().rect(square)

    @property
    def squares_bottom(self) -> int:
        """Where the squares end, and what is below them begins."""
        layout = self._layout()
        return ceil(layout.top + layout.rows * layout.side)

    def square_at(self, point: QPointF) -> int | None:
        """The square under a point."""
        return self._layout().at(point)

    def square_text(self, square: int) -> str:
        """What a square holds or is worth, as its tool tip says it."""
        if self._draft is not None:
            return self._draft.square_text(square)
        return square_in_words(self._record, square, self._values.get(square), square in self._unknown)

    def picture(self) -> Picture:
        """What is to be seen now."""
        record, notation, draft = self._record, self._record.game.notation, self._draft
        focus = self._focus if self._by_keyboard and self.hasFocus() else None
        if draft is not None:
            preview = self._hover if self._hover is not None and draft.would_put(self._hover) else None
            return Picture(record.game, draft.cells, draft.brush or 0, draft.verdict, preview=preview, focus=focus)
        hovered = self._hover is not None and self.is_playable(self._hover)
        return Picture(
            game=record.game,
            cells=notation.cells(record.position),
            mover=record.mover,
            verdict=verdict(record.game, record.position),
            note=self._note,
            winner=record.winner,
            winning=notation.winning_line(record.position),
            last_move=record.last_move,
            values=self._values,
            unknown=self._unknown,
            hint=self._hint.move,
            area=self._hint.area,
            line=self._hint.line,
            preview=self._hover if hovered else None,
            focus=focus,
            fresh=self._fresh,
            drawn=self._progress(0),
            struck=self._progress(1),
        )

    def sizeHint(self) -> QSize:
        return QSize(theme().px(320), theme().px(345))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(180), theme().px(110))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint(painter, self._layout(), self.picture(), event.rect())
        painter.end()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._show_tip(event)
            return True
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and self._understands(event):
            event.accept()
            return True
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(self.square_at(event.position()))

    def enterEvent(self, event: QEnterEvent) -> None:
        self._point_at(self.square_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._by_keyboard = False
            self._pressed = self.square_at(event.position())
            self._point_at(self._pressed)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            square, pressed = self.square_at(event.position()), self._pressed
            self._pressed = None
            if square is not None and square == pressed:
                self._focus = square
                self._choose(square)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._understands(event):
            super().keyPressEvent(event)
        elif event.key() in PLAY:
            self._choose(self._focus)
        elif self._draft is not None and event.key() in PUT:
            self._draft.put(self._focus, PUT[Qt.Key(event.key())])
            self._focus_on(self._focus)
        elif event.key() in STEPS:
            self._typed = ""
            self._focus_on(self._beside(self._focus, *STEPS[Qt.Key(event.key())]))
        else:
            self._typed = self._spelling(event.text())
            if self._typed in self._names():
                self._focus_on(self._names().index(self._typed))

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._by_keyboard = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        announce(self, self.square_text(self._focus))
        super().focusInEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._animation.stop()
        self._hover = self._pressed = None
        super().hideEvent(event)

    def _on_changed(self) -> None:
        self._turn_page()
        self._typed = ""
        if self._focus >= self._squares():
            self._focus = self._middle()
        if self._hover is not None and self._hover >= self._squares():
            self._hover = None
        self._animate()
        self._point_at(self._hover)
        self._describe()
        announce(self, game_in_words(self._record))
        self.update()

    def _on_draft_changed(self) -> None:
        self._describe()
        self._point_at(self._hover)

    def _describe(self) -> None:
        picture = self.picture()
        if self._draft is not None:
            self.setAccessibleName(tr("Board: {game}, the position is being edited", game=picture.game.title))
        else:
            self.setAccessibleName(tr("Board: {game}", game=game_in_words(self._record)))
        self.setAccessibleDescription(position_in_words(picture.game, picture.cells, picture.verdict))

    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()

    def _turn_page(self) -> None:
        """Forget what was said of another position."""
        about = self._record.game, self._record.position
        if about != self._about:
            self._about = about
            self._values, self._unknown, self._hint = {}, frozenset(), NO_HINT

    def _animate(self) -> None:
        """Set in motion the marks that have come since the last change."""
        moves, drawn = self._record.moves, self._drawn
        self._drawn = moves
        self._fresh = moves[len(drawn) :] if moves[: len(drawn)] == drawn else ()
        self._animation.stop()
        if self._fresh and self._motion and self.isVisible():
            phases = 1 if self._record.winner is None else 2
            self._animation.setEndValue(float(phases))
            self._animation.setDuration(phases * MOTION_MILLISECONDS)
            self._animation.start()

    def _progress(self, phase: int) -> float:
        """How far the new marks (phase 0) or the winning line (phase 1) are drawn, 0 to 1, slowing down."""
        left = 1 - min(1.0, max(0.0, self._animation.currentValue() - phase)) if self.is_moving else 0.0
        return 1 - left * left

    def _point_at(self, square: int | None) -> None:
        """The pointer is over a square, or what may be done there has changed."""
        hand = square is not None and self.is_playable(square)
        self.setCursor(Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor)
        self._hover = square
        self.update()

    def _focus_on(self, square: int) -> None:
        self._focus, self._by_keyboard = square, True
        announce(self, self.square_text(square))
        self.update()

    def _choose(self, square: int) -> None:
        if self._draft is not None:
            self._draft.brush_over(square)
        elif self.is_playable(square):
            self.chosen.emit(square)

    def _show_tip(self, event: QHelpEvent) -> None:
        square = self.square_at(QPointF(event.pos()))
        if square is None:
            QToolTip.hideText()
        else:
            QToolTip.showText(event.globalPos(), self.square_text(square), self, self.square_rect(square).toRect())

    def _understands(self, event: QKeyEvent) -> bool:
        """Whether a key means something here; the others belong to the window."""
        if event.modifiers() & COMMAND:
            return False
        if event.key() in PLAY:
            return self.is_playable(self._focus)
        if self._draft is not None:
            return event.key() in STEPS or event.key() in PUT
        return event.key() in STEPS or bool(self._spelling(event.text()))

    def _spelling(self, text: str) -> str:
        """How the name of a square goes on with `text`, or begins with it; empty where none does."""
        starts = (self._typed + text.lower(), text.lower()) if text else ()
        return next((start for start in starts if any(name.startswith(start) for name in self._names())), "")

    def _names(self) -> list[str]:
        return [self._record.game.notation.move_name(square) for square in range(self._squares())]

    def _squares(self) -> int:
        notation = self._record.game.notation
        return notation.columns * notation.rows

    def _middle(self) -> int:
        notation = self._record.game.notation
        return self._beside(0, (notation.columns - 1) // 2, (notation.rows - 1) // 2)

    def _beside(self, square: int, right: int, down: int) -> int:
        """The square so far away, or as far as the board goes."""
        notation = self._record.game.notation
        row, column = divmod(square, notation.columns)
        row, column = min(notation.rows - 1, max(0, row + down)), min(notation.columns - 1, max(0, column + right))
        return row * notation.columns + column

    def _layout(self) -> Layout:
        notation = self._record.game.notation
        return lay_out(notation.columns, notation.rows, QSizeF(self.size()), self.devicePixelRatioF())
