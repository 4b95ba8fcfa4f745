"""The best line that the search of the position on the board has found, each move in its player's colour."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from engine.rules.contract import movers
from engine.text.line import GOES_ON, goes_on
from gui.i18n.language import tr
from gui.state.analysis import Analysis
from gui.state.game_record import GameRecord
from gui.state.spoilers import spoilers
from gui.style.theme import NOTE, theme


class BestLine(QLabel):
    """Hidden while no finished search of this position proves a move."""

    def __init__(self, record: GameRecord, analysis: Analysis) -> None:
        super().__init__(wordWrap=True, textFormat=Qt.TextFormat.RichText)
        self._record, self._analysis = record, analysis
        self.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.hide()  # explicitly: otherwise it would be shown with its parent
        for event in (record.changed, analysis.started, analysis.shown, spoilers().changed, theme().changed):
            event.connect(self._show)

    def _show(self) -> None:
        result, record = self._analysis.result, self._record
        is_here = self._analysis.is_of(record.game, record.position)
        line = () if result is None or not is_here or spoilers().hidden else result.info.proven_line
        notation = record.game.notation
        self.setFont(theme().font(NOTE + 1))
        names = [notation.move_name(move) for move in line]
        sides = movers(notation, record.position, line)
        colours = [theme().text_colour(record.game.view.colours[side]).name() for side in sides]
        moves = " ".join(
            f'<span style="color: {colour}">{name}</span>' for name, colour in zip(names, colours, strict=True)
        )
        more = GOES_ON if result is not None and goes_on(record.position, line, result.info.value_depth) else ""
        self.setText(tr("Best line: {moves}", moves=moves + more) if line else "")
        self.setAccessibleName(tr("Best line: {moves}", moves=" ".join(names) + more) if line else "")
        self.setVisible(bool(line))
        self.updateGeometry()
