"""The large board of the current game: a person plays on it, and it can show the value of each square.

It shows a GameRecord and never changes it: a click or a key emits `chosen` with a move. While it has a draft, it shows
and edits that instead. Its own state is only the pointer's and the keyboard's square, the values and hints for this
position, and the animation.
"""

from collections.abc import Mapping
from math import ceil

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal
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

from engine.rules.bits import each
from engine.rules.contract import MAX_MOVES, Game, legal
from gui.board.draft import Draft
from gui.board.geometry import Layout, lay_out
from gui.board.motion import Motion
from gui.board.painter import paint
from gui.board.picture import NO_HINT, BoardPicture, Hint, Overlays, draft_picture, game_picture
from gui.board.spelling import names, spelt
from gui.board.wording import SquareValue, game_in_words, position_in_words, square_in_words
from gui.i18n.language import localized, tr
from gui.state.game_record import GameRecord
from gui.style.theme import theme
from gui.widgets.announce import announce

STEPS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
    Qt.Key.Key_Home: (-MAX_MOVES, 0),
    Qt.Key.Key_End: (MAX_MOVES, 0),
}
"""The step of the focus for each key, to the right and down; it stops at the board's edge."""
PLAY = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
CLEAR = Qt.Key.Key_Delete, Qt.Key.Key_Backspace
"""The keys that clear a square of a draft; the first letter of a player's name puts that player's mark there."""
COMMAND = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


class BoardWidget(QWidget):
    """Shows the record's position, and below it the verdict."""

    chosen = Signal(int)
    """A legal move that the person wants to play."""

    def __init__(self, record: GameRecord) -> None:
        super().__init__()
        self._record = record
        self._draft: Draft | None = None
        self._interactive = True
        self._note = ""
        self._about = record.game, record.position
        self._values: dict[int, SquareValue] = {}
        self._unknown: frozenset[int] = frozenset()
        self._hint = NO_HINT
        self.ahead: BoardPicture | None = None
        """The look-ahead that is shown in place of the game, if any."""
        self._hover: int | None = None
        self._pressed: int | None = None
        self._focus = self._middle()
        self._by_keyboard = False
        self._typed = ""
        self._motion = Motion(record, self)
        self._motion.moved.connect(self.update)
        self.setObjectName("squares")
        self.setAccessibleName(tr("Board"))
        self._describe()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        record.changed.connect(self._on_changed)
        theme().changed.connect(self._on_theme_changed)

    def set_interactive(self, interactive: bool) -> None:
        """Let a person choose moves or not; none can be chosen when the game is over or the computer is to move."""
        if interactive != self._interactive:
            self._interactive = interactive
            self._point_at(self._hover)

    def edit(self, draft: Draft | None) -> None:
        """Show a draft instead of the game, every square of it editable; None shows the game again."""
        if self._draft is not None:
            self._draft.changed.disconnect(self._on_draft_changed)
        self._draft = draft
        if draft is not None:
            draft.changed.connect(self._on_draft_changed)
        self._stay_on_board()
        self.updateGeometry()
        self._on_draft_changed()

    def look_ahead(self, picture: BoardPicture | None) -> None:
        """Show a position of a search in place of the game's; None shows the game again. A draft is shown in any
        case."""
        if picture != self.ahead:
            self.ahead = picture
            self._describe()
            if picture is not None:
                announce(self, f"{picture.verdict}: {picture.note}")
            self.update()

    def set_motion(self, motion: bool) -> None:
        """Turn the animation of new marks on or off."""
        self._motion.set_on(motion)

    def set_note(self, text: str) -> None:
        """Set the dim line below the verdict."""
        if text != self._note:
            self._note = text
            if text:
                announce(self, text)
            self.update(self._layout().text)

    def show_values(self, values: Mapping[int, SquareValue] | None, unknown: frozenset[int] = frozenset()) -> None:
        """Show the value of each move for the side to move, and the moves with no value yet; None shows no values.

        Both belong to the record's present position, and are removed when it changes.
        """
        self._turn_page()
        moves = frozenset() if values is None else frozenset(each(legal(self._record.position)))
        self._values = {move: value for move, value in (values or {}).items() if move in moves}
        self._unknown = unknown & moves
        self.update()

    def show_hint(self, move: int | None, area: frozenset[int] = frozenset(), line: tuple[int, ...] = ()) -> None:
        """Ring a move, tint an area and draw best play, until the record's position changes."""
        self._turn_page()
        self._hint = Hint(move, area, line)
        self.update()

    @property
    def is_moving(self) -> bool:
        """Whether an animation is running."""
        return self._motion.is_running

    @property
    def focus_square(self) -> int:
        """The keyboard's square."""
        return self._focus

    def is_playable(self, square: int) -> bool:
        """Whether choosing this square would play a move, or change the draft."""
        return self._draft is not None or (self.is_asked and self.move_at(square) is not None)

    @property
    def is_asked(self) -> bool:
        """Whether a person is to move."""
        record = self._record
        return self._interactive and record.has_mover and not record.computer_to_move

    def move_at(self, square: int) -> int | None:
        """The legal move of a click on a square; where the only move is a pass, that pass."""
        record = self._record
        if not record.has_mover:
            return None
        if record.must_pass:
            return next(each(legal(record.position)))
        return record.game.view.move_at(legal(record.position), square)

    def square_rect(self, square: int) -> QRectF:
        """The area of a square; empty where there is no space for a board."""
        return self._layout().rect(square)

    @property
    def squares_bottom(self) -> int:
        """The y coordinate of the squares' lower edge."""
        layout = self._layout()
        return ceil(layout.whole.bottom() + layout.margin)

    @property
    def verdict_bottom(self) -> int:
        """The y coordinate of the verdict's lower edge, or of the squares' where there is no space for it."""
        lines = self._layout().lines
        return ceil(lines[0].bottom()) if lines else self.squares_bottom

    def square_at(self, point: QPointF) -> int | None:
        """The square at a point; None outside the board."""
        return self._layout().at(point)

    def square_text(self, square: int) -> str:
        """The content or the value of a square, as in its tool tip."""
        if self._draft is not None:
            return self._draft.square_text(square)
        move = self.move_at(square)
        known = None if move is None else self._values.get(move)
        return square_in_words(self._record, square, move, known, move in self._unknown)

    def picture(self) -> BoardPicture:
        """The BoardPicture of this moment."""
        focus = self._focus if self._by_keyboard and self.hasFocus() else None
        if self._draft is not None:
            return draft_picture(self._draft, self._hover, focus)
        shown = Overlays(self._values, self._unknown, self._hint, self._note)
        return game_picture(self._record, shown, self._motion, self.is_asked, self._pointed_move(), focus)

    def _seen(self) -> BoardPicture:
        """The BoardPicture on display: the look-ahead, if there is one, else that of this moment."""
        return self.picture() if self.ahead is None or self._draft is not None else self.ahead

    def _pointed_move(self) -> int | None:
        """The move of a click at the pointer's square."""
        return self.move_at(self._hover) if self._hover is not None and self.is_playable(self._hover) else None

    def sizeHint(self) -> QSize:
        return QSize(theme().px(320), theme().px(345))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(180), theme().px(110))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint(painter, self._layout(), self._seen(), event.rect())
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
        elif self._draft is not None and self._puts(event):
            self._draft.put(self._focus, None if event.key() in CLEAR else self._initials().index(event.text().upper()))
            self._focus_on(self._focus)
        elif event.key() in STEPS:
            self._typed = ""
            self._focus_on(self._game.view.beside(self._focus, *STEPS[Qt.Key(event.key())]))
        else:
            self._typed = self._spelling(event)
            if (square := names(self._record.game, self._record.position).get(self._typed)) is not None:
                self._focus_on(square)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._by_keyboard = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        announce(self, self.square_text(self._focus))
        super().focusInEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._motion.stop()
        self._hover = self._pressed = None
        super().hideEvent(event)

    def _on_changed(self) -> None:
        self._turn_page()
        self._typed = ""
        self._stay_on_board()
        self._motion.follow(self.isVisible())
        self._point_at(self._hover)
        self._describe()
        announce(self, game_in_words(self._record))
        self.update()

    def _on_draft_changed(self) -> None:
        self._describe()
        self._point_at(self._hover)

    def _describe(self) -> None:
        picture = self._seen()
        if self._draft is not None:
            self.setAccessibleName(tr("Board: {game}, the position is being edited", game=picture.game.title))
        elif picture.is_ahead:
            self.setAccessibleName(tr("Board: look-ahead, {words}", words=picture.note))
        else:
            self.setAccessibleName(tr("Board: {game}", game=game_in_words(self._record)))
        self.setAccessibleDescription(position_in_words(picture.game, picture.cells, picture.regions, picture.verdict))

    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()

    def _turn_page(self) -> None:
        """Remove the values and hints of another position."""
        about = self._record.game, self._record.position
        if about != self._about:
            self._about = about
            self._values, self._unknown, self._hint = {}, frozenset(), NO_HINT

    def _point_at(self, square: int | None) -> None:
        """Update the pointer's square, or the moves possible there."""
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
        elif self.is_playable(square) and (move := self.move_at(square)) is not None:
            self.chosen.emit(move)

    def _show_tip(self, event: QHelpEvent) -> None:
        square = self.square_at(QPointF(event.pos()))
        if square is None:
            QToolTip.hideText()
        else:
            QToolTip.showText(event.globalPos(), self.square_text(square), self, self.square_rect(square).toRect())

    def _understands(self, event: QKeyEvent) -> bool:
        """Whether the board handles a key; the others belong to the window."""
        if event.modifiers() & COMMAND:
            return False
        if event.key() in PLAY:
            return self.is_playable(self._focus)
        if self._draft is not None:
            return event.key() in STEPS or self._puts(event)
        return event.key() in STEPS or bool(self._spelling(event))

    def _puts(self, event: QKeyEvent) -> bool:
        """Whether a key changes the square of a draft."""
        return event.key() in CLEAR or event.text().upper() in self._initials()

    def _initials(self) -> list[str]:
        return [localized(player)[:1].upper() for player in self._game.notation.players]

    def _spelling(self, event: QKeyEvent) -> str:
        """The name of a square continued by a key; empty where none continues so."""
        return spelt(self._typed, event.text(), names(self._record.game, self._record.position))

    def _stay_on_board(self) -> None:
        """Reset squares that a smaller board does not have."""
        if self._focus >= self._squares():
            self._focus = self._middle()
        if self._hover is not None and self._hover >= self._squares():
            self._hover = None

    @property
    def _game(self) -> Game:
        """The game whose squares are shown."""
        return self._record.game if self._draft is None else self._draft.game

    def _squares(self) -> int:
        return len(self._game.view.squares)

    def _middle(self) -> int:
        view = self._game.view
        return view.beside(0, (view.columns - 1) // 2, (view.rows - 1) // 2)

    def _layout(self) -> Layout:
        return lay_out(self._game.view, QSizeF(self.size()), self.devicePixelRatioF())
