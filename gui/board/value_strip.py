"""The value of the position on the board as a point between the two players: the side of the one who wins is full."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from engine.play.game_file import Evaluation
from engine.result import End, Value
from engine.rules.contract import traits
from engine.text.numbers import DASH, bounded
from gui.i18n.language import retold, tr
from gui.state.game_record import GameRecord
from gui.state.spoilers import WHY_HIDDEN, spoilers
from gui.state.wording import algorithm, in_words
from gui.style.theme import NOTE, theme
from gui.widgets.board_painter import paint_mark_on_card
from gui.widgets.value_colours import value_colours

HEIGHT = 22


class ValueStrip(QWidget):
    """Shows the value that a search found for the record's position, in the point of view of the first player."""

    def __init__(self, record: GameRecord) -> None:
        super().__init__()
        self._record = record
        for event in (record.changed, record.evaluated, spoilers().changed, theme().changed):
            event.connect(self.refresh)
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(theme().px(160), theme().px(HEIGHT))

    @property
    def text(self) -> str:
        """The value as in the strip: "0", "≥ +1"; a dash where none is known, it is hidden, or nothing is decided."""
        known = self._known()
        return DASH if known is None or _is_undecided(known) else bounded(self._of_first(known))

    def refresh(self) -> None:
        """Show the newest value."""
        known, first = self._known(), retold(self._record.game.notation.players[0])
        words = tr("The value of this position is not known: press Think")
        if spoilers().hidden:
            words = tr(WHY_HIDDEN)
        elif known is not None:
            value = in_words(self._of_first(known))
            words = tr(
                "{value} for {player}, by {search}", value=value, player=first, search=algorithm(known.algorithm)
            )
            if _is_undecided(known):
                words = tr("undecided, by {search}", search=algorithm(known.algorithm))
            if known.end is not End.COMPLETE:
                words = tr("{said} ({end})", said=words, end=tr(known.end))
        self.setAccessibleName(words)
        self.setToolTip(words)
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
        known = self._known()
        at = track.left() + track.width() * (0.5 if known is None else self._share(known))
        if known is not None:
            first, second = value_colours(view)
            for colour, left, right in ((first, track.left(), at), (second, at, track.right())):
                painter.setBrush(colour)
                painter.drawRoundedRect(QRectF(left, track.top(), max(0.0, right - left), thick), thick / 2, thick / 2)
        font = look.font(NOTE, QFont.Weight.DemiBold)
        painter.setFont(font)
        wide = max(look.px(26), painter.fontMetrics().horizontalAdvance(self.text) + look.px(12))
        left = min(max(at - wide / 2, track.left()), track.right() - wide)
        knob = QRectF(left, 1, wide, self.height() - 2)
        painter.setPen(QPen(look.colour("dim" if known is None else "ink"), look.px(1)))
        painter.setBrush(look.colour("card"))
        painter.drawRoundedRect(knob.adjusted(0.5, 0.5, -0.5, -0.5), look.px(6), look.px(6))
        painter.drawText(knob, Qt.AlignmentFlag.AlignCenter, self.text)
        painter.end()

    def _known(self) -> Evaluation | None:
        return None if spoilers().hidden else self._record.evaluation(self._record.position)

    def _of_first(self, known: Evaluation) -> Value:
        return known.found if self._record.mover == 0 else -known.found

    def _share(self, known: Evaluation) -> float:
        """The first player's share of the strip, 0 to 1: a win is all of it, a margin or an estimate a part."""
        value, most = self._of_first(known), traits(self._record.position).utility
        number = value.number
        if not value.is_estimate and most <= 1:
            number = (number > 0) - (number < 0)
        return 0.5 + 0.5 * max(-1.0, min(1.0, number / max(1, most)))


def _is_undecided(known: Evaluation) -> bool:
    """Whether a value is the 0 of a search that did not see the end of the game."""
    return known.end is not End.COMPLETE and known.found.number == 0 and known.found.is_exact
