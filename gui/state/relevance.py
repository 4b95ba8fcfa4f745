"""The one rule for whether what is on display belongs to the position on the board, and to which position if not.

The result of a search stays on display when the game continues:

    of the position on the board                 as it is
    of the position before the computer's move   as it is, and named: it is the search that the move came from
    of any other position                        faded, and named

When a position comes back, by undo or a pasted text, its result is shown as before.
"""

from itertools import accumulate
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from engine.play.variations import Line
from engine.rules.contract import Game, Position, at_chance, play
from gui.i18n.language import localized, tr
from gui.state.analysis import Analysis
from gui.state.game_record import GameRecord


class Relevance(NamedTuple):
    """The relation of a result's position to the position on the board."""

    words: str = ""
    """Names the position: "an earlier position, before O b2"; empty where it is the one on the board."""
    short: str = ""
    """A shorter text for little space: "earlier position"."""
    is_stale: bool = False
    """Whether views show the result faded."""
    path: Line | None = None
    """The moves that lead to the position in the game on the board; None where it is not in that game."""


def relevance(record: GameRecord, game: Game, position: Position) -> Relevance:
    """The relation of a position of some game to the position on the board."""
    if game != record.game:
        return Relevance(tr("another game, {game}", game=localized(game.title)), tr("another game"), True)
    here, path, notation = record.moves, _path(record, position), game.notation
    if path is None:
        return Relevance(tr("another position"), tr("another position"), True)
    if path == here:
        return Relevance(path=path)
    is_earlier = path == here[: len(path)]
    after = here[: len(path) + 1] if is_earlier else path
    before = record.position_after(after[:-1])
    mover, move = notation.mover(before), {"player": game.mover_name(before), "move": notation.move_name(after[-1])}
    if is_earlier and after == here and mover in record.computer and not at_chance(before):
        return Relevance(
            tr("the position before {player} {move}", **move), tr("before {player} {move}", **move), path=path
        )
    if is_earlier:
        return Relevance(tr("an earlier position, before {player} {move}", **move), tr("earlier position"), True, path)
    if path == record.line[: len(path)]:
        return Relevance(tr("a later position, after {player} {move}", **move), tr("later position"), True, path)
    return Relevance(tr("a variation, after {player} {move}", **move), tr("variation"), True, path)


def _path(record: GameRecord, position: Position) -> Line | None:
    """The moves that lead to a position, on the current line if it is there, else on another; None if it is on none."""
    for line in (record.line, *record.variations.lines):
        positions = accumulate(line, play, initial=record.start)
        for count, reached in enumerate(positions):
            if reached == position:
                return line[:count]
    return None


class SearchRelevance(QObject):
    """The relevance of the search on display."""

    changed = Signal()

    def __init__(self, record: GameRecord, analysis: Analysis, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._record, self._analysis = record, analysis
        self._now = Relevance()
        record.changed.connect(self._refresh)
        analysis.started.connect(self._refresh)

    @property
    def now(self) -> Relevance:
        """The relevance of the newest search; without one, nothing is stale."""
        return self._now

    def _refresh(self) -> None:
        game, now = self._analysis.game, Relevance()
        if self._analysis.job is not None and game is not None:
            now = relevance(self._record, game, self._analysis.position)
        if now != self._now:
            self._now = now
            self.changed.emit()
