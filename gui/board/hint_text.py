"""The text of a hint, from the exact value of every move: an area, the move, and the reason."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.play.levels import sign
from engine.result import Value
from engine.rules.contract import Game, Position, is_decisive, play, traits
from engine.text.numbers import signed
from gui.board.changes import squares_of
from gui.board.wording import SquareValue
from gui.i18n.language import tr

QUARTERED = 4
"""The number of columns and rows from which a quarter of the board is an area of a hint."""
SHOWN = 9
"""The number of moves of best play in text and picture."""


@dataclass(frozen=True)
class Advised:
    """A position with a known value for every move."""

    game: Game
    position: Position
    values: Mapping[int, Value]
    """The value of each legal move for the side to move; faster wins are better."""
    line_of: Callable[[int], tuple[int, ...]]
    """Best play from a move on, that move first."""
    depth: int | None = None
    """The depth in plies of the search, where not every move is proven."""

    @property
    def best(self) -> int:
        """The lowest of the best moves."""
        return max(self.values, key=lambda move: (self.values[move].number, -move))

    @property
    def is_open(self) -> bool:
        """Whether there are several moves, all of the same value."""
        return len(self.values) > 1 and len(set(self.values.values())) == 1

    @property
    def is_proven(self) -> bool:
        """Whether no deeper search can find another value of the best move."""
        return self.depth is None or is_decisive(self.position, self.values[self.best].number)

    def line(self) -> tuple[int, ...]:
        """Best play from the best move on."""
        return self.line_of(self.best)


def area(advised: Advised) -> tuple[str, frozenset[int]]:
    """The smallest part of the board that holds the best move and at least one other move, in words and as squares."""
    view = advised.game.view
    best, squares = view.square_of(advised.best), range(len(view.squares))
    if best is None:
        return tr("There is no other move than a pass."), frozenset()
    row, column = view.row_of(best), view.column_of(best)
    parts = {
        tr("Look at row {row}.", row=view.row_names[row]): frozenset(it for it in squares if view.row_of(it) == row),
        tr("Look at column {column}.", column=view.column_names[column]): frozenset(
            it for it in squares if view.column_of(it) == column
        ),
    }
    if min(view.columns, view.rows) >= QUARTERED:

        def quarter(square: int) -> tuple[bool, bool]:
            return view.row_of(square) >= view.rows // 2, view.column_of(square) >= view.columns // 2

        words = {
            (False, False): tr("Look at the upper left quarter."),
            (False, True): tr("Look at the upper right quarter."),
            (True, False): tr("Look at the lower left quarter."),
            (True, True): tr("Look at the lower right quarter."),
        }[quarter(best)]
        parts[words] = frozenset(square for square in squares if quarter(square) == quarter(best))
    moves = squares_of(view, advised.values)
    choices = {words: len(part & moves) for words, part in parts.items()}
    words = min(choices, key=lambda words: (choices[words] < 2, choices[words]))
    return words, parts[words]


def why(advised: Advised) -> str:
    """Why the best move is best: "b2 is the only move that holds the draw: b1, for example, allows c3."."""
    if advised.depth is not None and not advised.is_proven:
        return _why_by_estimate(advised, advised.depth)
    known = traits(advised.position)
    if known.utility > 1 or known.chance:
        return _why_by_value(advised)
    if advised.is_open:
        return _why_all_are_equal(advised)
    if len(advised.values) == 1:
        return tr("{move} is the only legal move.", move=advised.game.notation.move_name(advised.best))
    return _why_of_several(advised)


def _why_by_estimate(advised: Advised, depth: int) -> str:
    """The text of a best move that is not proven, after a search of that many plies."""
    move, line = advised.game.notation.move_name(advised.best), _line(advised)
    found = tr(
        "{move} looks best {seen}, by an estimate of {value} for {player}",
        move=move,
        seen=tr("%n pl(y|ies) ahead", "", depth),
        value=signed(advised.values[advised.best].number),
        player=_player(advised),
    )
    if line != move:
        found = tr("{found}: {line}", found=found, line=line)
    return tr("{found}. Nothing is proven: a longer search may find another move.", found=found)


def _why_by_value(advised: Advised) -> str:
    """The text in a game with a margin or with chance: no other move is compared."""
    move = advised.game.notation.move_name(advised.best)
    end = SquareValue.of(advised.values[advised.best].number, advised.position).of_player(_player(advised))
    if traits(advised.position).chance:
        return tr("{move} is best: {end}.", move=move, end=end)
    return tr("{move} is best: {end}. The moves that follow: {line}.", move=move, end=end, line=_line(advised))


def _why_all_are_equal(advised: Advised) -> str:
    plies = _plies(advised, advised.best)
    return {
        1: tr("Every move wins in {plies}.", plies=plies),
        0: tr("Every move draws."),
        -1: tr("Every move loses in {plies}.", plies=plies),
    }[sign(advised.values[advised.best].number)]


def _why_of_several(advised: Advised) -> str:
    """The text of a best move beside others: whether they win, draw or lose too."""
    values, best = advised.values, advised.best
    move, plies, line = advised.game.notation.move_name(best), _plies(advised, best), _line(advised)
    others = [move for move in values if sign(values[move].number) < sign(values[best].number)]
    equal = [move for move in values if move != best and sign(values[move].number) == sign(values[best].number)]
    match sign(values[best].number), bool(equal):
        case 1, _ if len(advised.line()) == 1:
            return tr("{move} wins immediately.", move=move)
        case 1, False if advised.depth is not None:
            return tr("{move} wins in {plies}: {line}.", move=move, plies=plies, line=line)
        case 1, False:
            return tr("{move} is the only move that wins, in {plies}: {line}.", move=move, plies=plies, line=line)
        case 1, True:
            return tr("{move} wins soonest, in {plies}: {line}.", move=move, plies=plies, line=line)
        case 0, False:
            other = _refutation(advised, others)
            return tr("{move} is the only move that holds the draw: {other}.", move=move, other=other)
        case 0, True:
            return tr("{move} draws, as do other moves; but {other}.", move=move, other=_refutation(advised, others))
        case _:
            return tr(
                "Every move loses. {move} delays the loss longest, {plies}: {line}.", move=move, plies=plies, line=line
            )


def _player(advised: Advised) -> str:
    """The name of the side to move."""
    return advised.game.notation.players[advised.game.notation.mover(advised.position)]


def _line(advised: Advised) -> str:
    """The first moves of best play."""
    return " ".join(map(advised.game.notation.move_name, advised.line()[:SHOWN]))


def _refutation(advised: Advised, losing: list[int]) -> str:
    """The refutation of the fastest loss among these moves: "b1, for example, loses to c3"."""
    move = min(losing, key=lambda move: (advised.values[move].number, move))
    name, answer = advised.game.notation.move_name, _answer(advised, move)
    if answer is None:
        return tr("{move}, for example, loses", move=name(move))
    plies = _plies(advised, move)
    return tr("{move}, for example, loses to {answer}, in {plies}", move=name(move), answer=name(answer), plies=plies)


def _answer(advised: Advised, move: int) -> int | None:
    """The other side's first move in best play from a move on; None if it has none."""
    mover, position = advised.game.notation.mover, advised.position
    for step in advised.line_of(move):
        if mover(position) != mover(advised.position):
            return step
        position = play(position, step)
    return None


def _plies(advised: Advised, move: int) -> str:
    """The plies to the end of the game after a move that wins or loses: "1 ply", "5 plies"."""
    plies = SquareValue.of(advised.values[move].number, advised.position).plies
    return tr("%n pl(y|ies)", "", plies or 0)
