"""The value of the position on the board as a point between the two players: the side of the one who wins is full.

A finished game has the value of its rules. Of another position it is that of the search kept in the game's record, or
of its moves where their values are shown.
"""

from typing import NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from engine.result import End, Value
from engine.rules.contract import traits, utility
from engine.text.numbers import DASH, bounded, signed
from gui.i18n.language import localized, tr
from gui.state.game_record import GameRecord
from gui.state.spoilers import WHY_HIDDEN, spoilers
from gui.state.wording import REASONS, algorithm, in_words, state_of_play
from gui.style.theme import NOTE, theme
from gui.widgets.board_painter import paint_mark_on_card
from gui.widgets.value_colours import value_colours

HEIGHT = 22


class ValueText(NamedTuple):
    """What the strip shows."""

    words: str
    value: Value | None = None
    """From the point of view of the first player; None if it is not known, or hidden."""
    is_undecided: bool = False
    """Whether the value is the 0 of a search that did not see the end of the game."""


class ValueStrip(QWidget):
    """Shows the value of the record's position, in the point of view of the first player."""

    def __init__(self, record: GameRecord) -> None:
        super().__init__()
        self._record = record
        self._of_moves: Value | None = None
        self._shown = ValueText("")
        for event in (record.changed, record.evaluated, spoilers().changed, theme().changed):
            event.connect(self.refresh)
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(theme().px(160), theme().px(HEIGHT))

    @property
    def text(self) -> str:
        """The value as in the strip: "0", "≥ +1"; a dash where none is known, it is hidden, or nothing is decided."""
        return DASH if self._shown.is_undecided else bounded(self._shown.value)

    def show_of_moves(self, value: Value | None) -> None:
        """Set the value that follows from the values of all moves, for the side to move; None while they are not
        shown."""
        if value != self._of_moves:
            self._of_moves = value
            self.refresh()

    def refresh(self) -> None:
        """Show the newest value."""
        self._shown = self._newest()
        self.setAccessibleName(self._shown.words)
        self.setToolTip(self._shown.words)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        look, view = theme(), self._record.game.view
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        mark, middle = look.px(14), self.height() / 2
        for side, left in ((0, 0.0), (1, self.width() - mark)):
            paint_mark_on_card(painter, QRectF(left, middle - mark / 2, mark, mark), view, side)
        thick = look.px(7)
        track = QRectF(mark + look.px(8), middle - thick / 2, self.width() - 2 * mark - look.px(16), thick)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.colour("line"))
        painter.drawRoundedRect(track, thick / 2, thick / 2)
        value = self._shown.value
        at = track.left() + track.width() * (0.5 if value is None else self._share(value))
        if value is not None:
            first, second = value_colours(view)
            for colour, left, right in ((first, track.left(), at), (second, at, track.right())):
                painter.setBrush(colour)
                painter.drawRoundedRect(QRectF(left, track.top(), max(0.0, right - left), thick), thick / 2, thick / 2)
        font = look.font(NOTE, QFont.Weight.DemiBold)
        painter.setFont(font)
        wide = max(look.px(26), painter.fontMetrics().horizontalAdvance(self.text) + look.px(12))
        left = min(max(at - wide / 2, track.left()), track.right() - wide)
        knob = QRectF(left, 1, wide, self.height() - 2)
        painter.setPen(QPen(look.colour("dim" if value is None else "ink"), look.px(1)))
        painter.setBrush(look.colour("card"))
        painter.drawRoundedRect(knob.adjusted(0.5, 0.5, -0.5, -0.5), look.px(6), look.px(6))
        painter.drawText(knob, Qt.AlignmentFlag.AlignCenter, self.text)
        painter.end()

    def _newest(self) -> ValueText:
        record, first = self._record, localized(self._record.game.notation.players[0])
        if record.is_over:
            over = state_of_play(record.game, record.position)
            return ValueText(
                tr("The game is over: {outcome}", outcome=over), self._of_first(Value(utility(record.position)))
            )
        if spoilers().hidden:
            return ValueText(tr(WHY_HIDDEN))
        known = record.evaluation(record.position)
        if self._of_moves is not None and (known is None or known.end is not End.COMPLETE):
            value = self._of_first(self._of_moves)
            told = tr("{value} for {player}, by the values of its moves", value=in_words(value), player=first)
            if value.is_estimate:
                number = signed(value.number)
                told = tr("undecided so far, {value} for {player} by an estimate", value=number, player=first)
            return ValueText(told, value)
        if known is None:
            return ValueText(tr("The value of this position is not known: press Think"))
        search, value = algorithm(known.algorithm), self._of_first(known.found)
        is_undecided = known.end is not End.COMPLETE and known.found.number == 0 and known.found.is_exact
        words = tr("{value} for {player}, by {search}", value=in_words(value), player=first, search=search)
        if is_undecided:
            words = tr("undecided, by {search}", search=search)
        if known.end is not End.COMPLETE:
            words = tr("{said} ({end})", said=words, end=tr(REASONS[known.end]))
        return ValueText(words, value, is_undecided)

    def _of_first(self, value: Value) -> Value:
        return value if self._record.mover == 0 else -value

    def _share(self, value: Value) -> float:
        """The first player's share of the strip, 0 to 1: a win is all of it, a margin, an estimate or an average a
        part."""
        known, number = traits(self._record.position), value.number
        most = known.utility
        if not value.is_estimate and most <= 1 and not known.chance:
            number = (number > 0) - (number < 0)
        return 0.5 + 0.5 * max(-1.0, min(1.0, number / max(1, most)))
