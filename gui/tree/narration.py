"""The events of a search in words: one sentence for each moment of its record.

Values are MAX's or, in the negamax view, the mover's, as in the path; every sentence names the player.
"""

from typing import NamedTuple

from engine.job import Job
from engine.kernels.worker_memory import CUTOFF, OPEN
from engine.result import Leaf, Value
from engine.rules.contract import Game
from engine.text.numbers import precise
from engine.trace.leaves import LEAVES
from engine.trace.record import Trace
from engine.trace.replay import Event, EventKind
from engine.trace.why import Searched, pruned_moves
from gui.i18n.language import tr
from gui.state.root_cut import hides_cut
from gui.state.wording import in_words
from gui.tree.path_model import MAX_PLAYER, Windows, mover_in, windows_of

LONGEST = 8
"""The moves of a line that are named; of a longer one the last."""


class Telling(NamedTuple):
    """A recorded search, and whether its values are shown in the negamax view or hidden."""

    game: Game
    job: Job
    trace: Trace
    negamax: bool
    hidden: bool
    """Whether values are hidden."""

    def mover(self, row: int) -> int:
        """The side to move in a row."""
        return mover_in(self.game, self.trace, row)

    def player(self, player: int) -> str:
        return self.game.notation.players[player]

    def move(self, move: int) -> str:
        return self.game.notation.move_name(move)

    def line(self, moves: tuple[int, ...]) -> str:
        """The names of moves, of a long line those of the last."""
        names = " ".join(map(self.move, moves[-LONGEST:]))
        return names if len(moves) <= LONGEST else f"… {names}"

    def after(self, moves: tuple[int, ...]) -> str:
        """ "After a3 b1", or "At the root"."""
        return tr("After {moves}", moves=self.line(moves)) if moves else tr("At the root")

    def worth(self, value: Value, mover: int, viewer: int) -> str:
        """ "at least +1 for X", of a value for `mover`, as the row of `viewer` shows it."""
        seen, view = self.seen(value, mover, viewer)
        return tr("{value} for {player}", value=in_words(seen), player=self.player(view))

    def seen(self, value: Value, mover: int, viewer: int) -> tuple[Value, int]:
        """A value for `mover` as the row of `viewer` shows it, and the player whose value that is."""
        view = viewer if self.negamax else MAX_PLAYER
        return (value if view == mover else -value), view

    def reaches(self, mover: int, found: Searched) -> str:
        """ "X gets at least +1 with b2" or "O holds X to at most −1 with b2"."""
        words = {"player": self.player(mover), "other": self.player(1 - mover), "move": self.move(found.move)}
        if self.negamax or mover == MAX_PLAYER:
            return tr("{player} gets {value} with {move}", value=in_words(found.value), **words)
        return tr("{player} holds {other} to {value} with {move}", value=in_words(-found.value), **words)


def narrate(telling: Telling, event: Event) -> str:
    """An event in one sentence."""
    return _entered(telling, event) if event.kind is EventKind.ENTERED else _left(telling, event)


def _entered(telling: Telling, event: Event) -> str:
    trace, row, moves = telling.trace, event.row, telling.trace.moves(event.row)
    mover, player = telling.mover(row), telling.player
    words = {"after": telling.after(moves[:-1]), "player": player(telling.mover(trace.parent(row)))}
    if not moves:
        said = tr("The search begins at the root, {player} to move.", player=player(mover))
        if trace.at_chance(row):
            said = tr("The search begins at the root, a chance node.")
    elif trace.at_chance(trace.parent(row)):
        said = tr("{after} chance may give {move}.", move=telling.move(moves[-1]), **words)
    elif trace.is_repeat(row) and not telling.hidden:  # it was better than the best before
        said = tr("{after} {player} tries {move} a second time.", move=telling.move(moves[-1]), **words)
    else:
        said = tr("{after} {player} tries {move}.", move=telling.move(moves[-1]), **words)
    return " ".join(filter(None, [said, _window(telling, row, mover)]))


def _window(telling: Telling, row: int, mover: int) -> str:
    """The window that a row is entered with, as the path shows it; empty for minimax, or where it is hidden."""
    if telling.hidden or windows_of(telling.job) is Windows.NONE:
        return ""
    alpha, beta = telling.trace.window(row)
    if not telling.negamax and mover != MAX_PLAYER:
        alpha, beta = -beta, -alpha
    return tr("The window is {alpha} to {beta}.", alpha=precise(alpha), beta=precise(beta))


def _left(telling: Telling, event: Event) -> str:
    trace, row, moves = telling.trace, event.row, telling.trace.moves(event.row)
    mover = telling.mover(row)
    line = telling.line(moves) or tr("the root")
    if all(trace.why(above) == OPEN for above in trace.path(row)):
        said = tr("{line} has no value: the search ended before it was finished.", line=line)
    elif telling.hidden:
        said = tr("{line} comes back; its value is hidden.", line=line)
    elif event.value is None:
        said = tr("{line} comes back without a value: the search no longer needed it.", line=line)
    else:
        worth = telling.worth(event.value, mover, mover)
        said = _returned(LEAVES.get(trace.why(row)), line, worth, not moves, trace.at_chance(row))
    above = trace.parent(row)
    if event.cut and row and trace.why(above) == CUTOFF and not hides_cut(above, telling.hidden):
        count = len(pruned_moves(trace, above))
        said = " ".join([said, tr("That is a cutoff: %n move(s) pruned.", "", count)])
    return said


def _returned(leaf: Leaf | None, line: str, worth: str, is_root: bool, is_chance: bool) -> str:
    match leaf:
        case Leaf.TERMINAL:
            return tr("{line}: the game is over, {value}.", line=line, value=worth)
        case Leaf.HORIZON:
            return tr("{line} is at the horizon: {value}.", line=line, value=worth)
        case Leaf.TABLE:
            return tr("{line} is known from the table: {value}.", line=line, value=worth)
    if is_root:
        return tr("The search of the root ends: {value}.", value=worth)
    if is_chance:
        return tr("{line} comes back with the mean of its outcomes: {value}.", line=line, value=worth)
    return tr("{line} comes back: {value}.", line=line, value=worth)
