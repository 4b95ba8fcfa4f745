"""The rows of the path as data: the boards of each, its player, and the point of view of its values.

    path_nodes          rows
                        0   the position searched; the window of path_nodes[0]
    path_nodes[0]  ──▶  1   its children; path_nodes[1] is one of them, and the row shows its window
    path_nodes[1]  ──▶  2   its children; ...

A row is named after the side to move in its board on the path, or as a chance node; a row that has none on the path,
after the sides to move in its boards. Its values are MAX's (the first
player's) or, in the negamax view, of the player to move in each board; `engine.result.PathNode` has those of the player
to move in the node.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from engine import registry
from engine.job import Job
from engine.options.choices import Scoring
from engine.result import Child, Leaf, Number, PathNode, State, Value
from engine.rules.contract import UNIT, Game, Position, at_chance, is_over, play, traits, winner
from engine.text.numbers import bounded, precise
from gui.i18n.language import cached, localized, mark, tr
from gui.state.root_cut import hides_cut
from gui.state.wording import decides

if TYPE_CHECKING:
    from engine.trace.record import Trace

MAX_PLAYER = 0
MAX, MIN, CHANCE = mark("MAX"), mark("MIN"), mark("CHANCE")
"""The roles of a position, as in the glossary."""

STATES = {
    State.UNVISITED: mark("unvisited"),
    State.OPEN: mark("open"),
    State.DONE: mark("done"),
    State.PRUNED: mark("pruned"),
    State.UNRECORDED: mark("not recorded"),
}


class Windows(Enum):
    """The origin of a search's windows."""

    NONE = "none"
    """Minimax has no windows."""
    PROVEN = "proven"
    """From values found by the search."""
    GUESSED = "guessed"
    """Partly from guesses: MTD(f), aspiration windows, and PVS, whose null windows assume more than is proven."""


def windows_of(job: Job) -> Windows:
    algorithm = registry.algorithm(job.algorithm)
    if not algorithm.prunes:
        return Windows.NONE
    return Windows.GUESSED if algorithm.null_windows or job.aspiration is not None else Windows.PROVEN


class SearchWindow(NamedTuple):
    """The search window at a position, in the row's point of view."""

    alpha: Number
    beta: Number
    cut: bool

    @property
    def is_null(self) -> bool:
        """Whether it is a null window: no value lies between its bounds."""
        return 0 < self.beta - self.alpha < 1.5 / UNIT

    @property
    def text(self) -> str:
        if self.is_null:
            return tr("null at {value}", value=precise(self.beta if self.alpha + self.beta > 0 else self.alpha))
        return f"α {precise(self.alpha)}  β {precise(self.beta)}"


class Cell(NamedTuple):
    """One mini board of a row."""

    move: int | None
    """The move from the row above; None at the root."""
    state: State
    value: Value | None
    view: int
    """The player whose point of view the value has."""
    favours: int | None
    """The player whom the value favours; None in a draw or without a value."""
    leaf: Leaf | None = None
    """The reason why the node has no children, where known."""
    visits: int = 1
    """The number of visits; the last one counts."""
    depth: int | None = None
    """The depth of the iteration that `value` is from, if it is not the path's iteration."""

    @property
    def text(self) -> str:
        """The text under the board."""
        if self.value is not None and self.depth is not None:
            return tr("{value}, depth {depth}", value=bounded(self.value), depth=self.depth)
        if self.state in (State.PRUNED, State.UNRECORDED):
            return tr(STATES[self.state])
        return "" if self.value is None else bounded(self.value)


@dataclass(frozen=True)
class Row:
    """One ply of the path. Cells are made on demand: a path on 8 x 8 has thousands of siblings."""

    game: Game
    ply: int
    parent: Position
    """The parent of this row's positions; in row 0 the root itself."""
    above: PathNode | None
    """The node of `parent`; None in row 0."""
    here: PathNode | None
    """The node of the board on the path; None in a row that the path has not entered."""
    moves: tuple[int, ...]
    """The moves from the root to `parent`."""
    negamax: bool
    hidden: bool = False
    """Whether values and windows are hidden."""
    windows: Windows = Windows.PROVEN
    scoring: Scoring = Scoring.TEXTBOOK
    tried: tuple[int, ...] | None = None
    """The moves that were searched before that of the board on the path, in their order; None where no record tells
    it."""

    def __len__(self) -> int:
        return 1 if self.above is None else len(self.above.children)

    @property
    def shows_pruned(self) -> bool:
        """Whether a board is shown as pruned."""
        children = () if self.above is None or self.hides_cut_above else self.above.children
        return any(child.state is State.PRUNED for child in children)

    @property
    def is_cut_short(self) -> bool:
        """Whether the record is too small for some of the row's boards."""
        return self.above is not None and State.UNRECORDED in [child.state for child in self.above.children]

    @property
    def deepest_of_others(self) -> int | None:
        """The greatest depth of the iterations that values of this row come from, other than the path's iteration."""
        found = [self.here] if self.above is None else self.above.children
        return max((value.depth for value in found if value is not None and value.depth is not None), default=None)

    @cached_property
    def mover(self) -> int:
        """The side to move in the board on the path, or in the first board if none is."""
        return self.mover_in(self.focus or 0)

    @cached_property
    def mover_above(self) -> int:
        """The side to move in `parent`."""
        return self.game.notation.mover(self.parent)

    @cached_property
    def roles(self) -> tuple[str, ...]:
        """What the board on the path is: MAX, MIN or CHANCE, or nothing where its game is over. If none is on the path,
        what any board of the row is."""
        if self.focus is not None:
            role = role_of(self.game, self.position(self.focus))
            return () if role is None else (role,)
        found = {role_of(self.game, self.position(index)) for index in range(len(self))}
        return tuple(role for role in (MAX, MIN, CHANCE) if role in found)

    @property
    def standing(self) -> str:
        """What is next in the boards of `roles`: "X to move", "X / O to move", "The coin decides" or "game over"."""
        return _standing(self.game, self.roles)

    def mover_in(self, index: int) -> int:
        """The side to move in one board. Where sides do not alternate, the boards of a row may differ."""
        if self.above is None:
            return self.mover_above
        if traits(self.parent).alternates:
            return 1 - self.mover_above
        return self.game.notation.mover(self.position(index))

    @property
    def view(self) -> int:
        """The player whose point of view the window and the value of the board on the path have."""
        return self.mover if self.negamax else MAX_PLAYER

    @cached_property
    def focus(self) -> int | None:
        """The index of the board on the path or, in the last row, of the one just visited."""
        if self.above is None:
            return 0
        moves = [child.move for child in self.above.children]
        return moves.index(self.above.move) if self.above.move in moves else None

    @property
    def earlier(self) -> tuple[int, ...]:
        """The indices of the boards that were searched before that on the path, in their order; where no record tells
        it, those of the boards left of it."""
        if self.above is None or self.focus is None:
            return ()
        if self.tried is None:
            return tuple(range(self.focus))
        places = {child.move: index for index, child in enumerate(self.above.children)}
        return tuple(dict.fromkeys(places[move] for move in self.tried if move != self.above.move))

    @cached_property
    def best(self) -> int | None:
        """The index of the first board that is known to give the value of the position above; None where there is none,
        where it is hidden, and below a chance node, to which all boards give it."""
        above = self.above
        if above is None or above.best is None or self.hidden or at_chance(self.parent):
            return None
        return next((index for index, child in enumerate(above.children) if gives(child, above)), None)

    @property
    def current(self) -> int | None:
        """The index of the board on the path; None in a row that the path has not entered."""
        return None if self.here is None else self.focus

    @property
    def window(self) -> SearchWindow | None:
        if self.here is None or self.hidden or self.windows is Windows.NONE:
            return None
        alpha, beta = self.here.alpha, self.here.beta
        if self.view != self.mover:
            alpha, beta = -beta, -alpha
        return SearchWindow(alpha, beta, self.here.cut)

    def position(self, index: int) -> Position:
        """The position of one board."""
        return self.parent if self.above is None else play(self.parent, self.above.children[index].move)

    def path(self, index: int) -> tuple[int, ...]:
        """The moves from the root to one board."""
        return self.moves if self.above is None else (*self.moves, self.above.children[index].move)

    @property
    def is_cut(self) -> bool:
        """Whether the board on the path is shown as cut."""
        return self.here is not None and self.here.cut and not hides_cut(self.ply, self.hidden)

    @property
    def hides_cut_above(self) -> bool:
        """Whether a cut of `parent` is not to be shown."""
        return self.above is not None and hides_cut(self.ply - 1, self.hidden)

    def state(self, index: int) -> State:
        """The state of one board, as it is shown."""
        if self.above is not None:
            state = self.above.children[index].state
            return State.UNVISITED if state is State.PRUNED and self.hides_cut_above else state
        return State.DONE if self.here is not None and (self.here.ended or not self.here.children) else State.OPEN

    def cell(self, index: int) -> Cell:
        entered = self.here if index == self.focus else None
        child, state = None if self.above is None else self.above.children[index], self.state(index)
        move = None if child is None else child.move
        # 1. A board with a value in its parent: that one counts when the node has been left, or has no value so far.
        if child is not None and (state is State.DONE or child.value is not None):
            if state is State.DONE or self.hidden or entered is None or entered.best is None:
                return self._cell(index, move, state, child.value, self.mover_above, child)
        # 2. Another has its value so far, if it has been entered.
        return self._cell(index, move, state, entered and entered.best, self.mover, entered)

    def _cell(
        self, index: int, move: int | None, state: State, value: Value | None, side: int, found: Child | PathNode | None
    ) -> Cell:
        """A cell with a value that is given in the point of view of `side`; `found` has what else is known of it."""
        leaf, visits = (found.leaf, found.visits) if isinstance(found, Child) else (None, 1)
        view = self.mover_in(index) if self.negamax else MAX_PLAYER
        depth = None if found is None else found.depth
        if value is None or self.hidden:
            return Cell(move, state, None, view, None, leaf, visits, depth)
        return Cell(
            move, state, value if view == side else -value, view, winner(value.number, side), leaf, visits, depth
        )


@cached
def _standing(game: Game, roles: tuple[str, ...]) -> str:
    names = zip((MAX, MIN), game.notation.players, strict=True)
    players = [localized(name) for role, name in names if role in roles]
    words = [tr("{player} to move", player=" / ".join(players))] if players else []
    words += [decides(game.chance)] if CHANCE in roles else []
    return " / ".join(words) or tr("game over")


def role_of(game: Game, position: Position) -> str | None:
    """What a position is: MAX, MIN or CHANCE; None where the game is over."""
    if is_over(position):
        return None
    return CHANCE if at_chance(position) else MAX if game.notation.mover(position) == MAX_PLAYER else MIN


def gives(child: Child, node: PathNode) -> bool:
    """Whether a move of a node is known to give its value, as far as that is known."""
    if child.value is None or node.best is None or child.depth != node.depth:
        return False
    return child.value.number == node.best.number and child.value.proves_a_move


def mover_in(game: Game, trace: "Trace", row: int) -> int:
    """The side to move in a row of a record."""
    first = game.notation.mover(trace.root)
    return first if trace.is_of_root(row) else 1 - first


def rows(
    game: Game,
    position: Position,
    path_nodes: tuple[PathNode, ...],
    negamax: bool = False,
    hidden: bool = False,
    windows: Windows = Windows.PROVEN,
    scoring: Scoring = Scoring.TEXTBOOK,
    tried: Sequence[tuple[int, ...]] = (),
) -> tuple[Row, ...]:
    """The rows of a path from `position`: one, and one more for each node that has children. `tried` is, of each node,
    `Row.tried` of the row below it."""
    how = negamax, hidden, windows, scoring
    made = [Row(game, 0, position, None, path_nodes[0] if path_nodes else None, (), *how)]
    moves: tuple[int, ...] = ()
    for ply, node in enumerate(path_nodes, start=1):
        if not node.children:
            break
        here = path_nodes[ply] if ply < len(path_nodes) else None
        made.append(Row(game, ply, position, node, here, moves, *how, *tried[ply - 1 : ply]))
        if here is None or node.move is None:
            break
        position, moves = play(position, node.move), (*moves, node.move)
    return tuple(made)


def tried_in(trace: "Trace", chain: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    """`Row.tried` below each row of a path of a record but the last."""
    return tuple(tuple(map(trace.move, trace.earlier(below))) for _, below in pairwise(chain))


def bound_setters(rows: Sequence[Row]) -> dict[int, tuple[int, int]]:
    """`bound_setter` of the rows whose board on the path is cut, by their plies, where there is one."""
    cut = [row.ply for row in rows if row.here is not None and row.here.cut and not row.hidden]
    return {ply: setter for ply in cut if (setter := bound_setter(rows, ply)) is not None}


def bound_setter(rows: Sequence[Row], ply: int) -> tuple[int, int] | None:
    """The row and the index of the earlier move whose value is the bound that the path's node at `ply` was cut by: the
    nearest, as in `engine.trace.why`. None where it was not cut, or where no move on display has that value."""
    here = rows[ply].here
    if here is None or not here.cut or rows[ply].hidden:
        return None
    for above in range(ply - 1, -1, -1):
        node, row = rows[above].here, rows[above + 1]
        if rows[above].mover == rows[ply].mover:
            continue
        if node is None or node.alpha != -here.beta:
            break
        for index in row.earlier:
            child = node.children[index]
            value = child.value
            if value is not None and value.number == node.alpha and child.depth is None and value.proves_a_move:
                return above + 1, index
    return None


def changed(before: Sequence[Row], after: Sequence[Row]) -> set[int]:
    """The rows that look different, with the lines that lead to them, for the same sizes."""
    if bound_setters(before) != bound_setters(after):
        return set(range(max(len(before), len(after))))  # a line leads from one row to another
    return {ply for ply, (old, new) in enumerate(zip_longest(before, after)) if old != new}


def fresh(before: tuple[PathNode, ...], after: tuple[PathNode, ...]) -> frozenset[tuple[int, int]]:
    """The (row, move) of every value in `after` that is not in `before`, on the same path."""
    found, done = set[tuple[int, int]](), State.DONE  # a look-up in an enumeration takes as long as all else here
    for row, (old, new) in enumerate(zip(before, after, strict=False), start=1):
        for was, is_now in zip(old.children, new.children, strict=False):
            if is_now.state is done and was.state is not done:
                found.add((row, is_now.move))
        if old.move != new.move:
            break
    return frozenset(found)
