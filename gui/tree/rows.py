"""The rows of the path, without a pixel: what stands in each, whose it is, and whose values it shows.

    levels          rows
                    0   the position searched, the window of levels[0]
    levels[0]  ──▶  1   its children, the window of levels[1], which is one of them
    levels[1]  ──▶  2   its children, ...

A row is named after who moves *in* its boards. Its values are MAX's (the first player's) or, in the negamax view, those
of the player who moves in it; `engine.result.Level` gives those of the player who moves in the level.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from engine.bits import each
from engine.figures import signed
from engine.game import ONGOING, UNIT, Game, Position, legal, outcome, play
from engine.result import INFINITY, Child, Leaf, Level, Result, State, Value
from gui.language import mark, tr
from gui.spoilers import WHY_HIDDEN

MAX_PLAYER = 0
STATES = {
    State.UNVISITED: mark("unvisited"),
    State.OPEN: mark("open"),
    State.DONE: mark("done"),
    State.PRUNED: mark("pruned"),
}


class Window(NamedTuple):
    """What is still open at a position, as the row's view sees it."""

    alpha: Value
    beta: Value
    cut: bool

    @property
    def is_null(self) -> bool:
        """Whether there is no room for a value between estimates: it only asks for more or less."""
        return 0 < self.beta - self.alpha < 1.5 / UNIT

    @property
    def text(self) -> str:
        ends = f"α {signed(self.alpha)}  β {signed(self.beta)}"
        if self.is_null:
            ends = tr("null at {value}", value=signed(self.beta if self.alpha + self.beta > 0 else self.alpha))
        return ends + (f"  {tr('cut')}" if self.cut else "")


class Cell(NamedTuple):
    """One mini board of a row."""

    move: int | None
    """That leads here from the row above; None at the root."""
    state: State
    value: Value | None
    """As the row's view sees it."""
    bound: str
    """ "≥" or "≤" where the value is only a bound, else nothing."""
    favours: int | None
    """The player whom the value favours; None in a draw or without a value."""
    leaf: Leaf | None = None
    """Why nothing lies below, where that is known."""
    visits: int = 1
    """How often it was searched; the last time counts."""

    @property
    def text(self) -> str:
        """What is written under the board."""
        if self.state is State.PRUNED:
            return tr("pruned")
        if self.value is None:
            return ""
        return f"{self.bound} {signed(self.value)}" if self.bound else signed(self.value)


@dataclass(frozen=True)
class Row:
    """One ply of the path. Cells are made on demand: a path on 8 x 8 has thousands of siblings."""

    game: Game
    ply: int
    mover: int
    """Who moves in the boards of this row."""
    parent: Position
    """The position whose children stand here; in row 0 the root itself."""
    above: Level | None
    """The level of `parent`; None in row 0."""
    here: Level | None
    """The level of the board that the path goes through; None in a row that it has not entered."""
    negamax: bool
    moves: tuple[int, ...]
    """From the root to `parent`."""
    hidden: bool = False
    """Whether values and windows are not to be told."""

    def __len__(self) -> int:
        return 1 if self.above is None else len(self.above.children)

    @property
    def view(self) -> int:
        """The player whose values this row shows."""
        return self.mover if self.negamax else MAX_PLAYER

    @cached_property
    def focus(self) -> int | None:
        """The index of the board that the path goes through or, in its last row, of the one just visited."""
        if self.above is None:
            return 0
        moves = [child.move for child in self.above.children]
        return moves.index(self.above.move) if self.above.move in moves else None

    @property
    def current(self) -> int | None:
        """The index of the board that the path goes through; None in a row that it has not entered."""
        return None if self.here is None else self.focus

    @property
    def window(self) -> Window | None:
        if self.here is None or self.hidden:
            return None
        alpha, beta = self.here.alpha, self.here.beta
        return Window(alpha, beta, self.here.cut) if self.view == self.mover else Window(-beta, -alpha, self.here.cut)

    def position(self, index: int) -> Position:
        """The position of one board."""
        return self.parent if self.above is None else play(self.parent, self.above.children[index].move)

    def path(self, index: int) -> tuple[int, ...]:
        """The moves from the root to one board."""
        return self.moves if self.above is None else (*self.moves, self.above.children[index].move)

    def cell(self, index: int) -> Cell:
        entered = self.here if index == self.current else None
        if self.above is None:
            return self._open_cell(None, State.DONE if entered and _settled(entered) else State.OPEN, entered)
        child = self.above.children[index]
        if child.state is State.DONE and child.value is not None:
            made = self._cell(child.move, child.state, -child.value, entered is not None and entered.cut)
            return made._replace(leaf=child.leaf, visits=child.visits)
        return self._open_cell(child.move, child.state, entered)

    def _open_cell(self, move: int | None, state: State, level: Level | None) -> Cell:
        best = None if level is None else level.best
        return self._cell(move, state, best, level is not None and (level.cut or not _settled(level)))

    def _cell(self, move: int | None, state: State, value: Value | None, is_bound: bool) -> Cell:
        """A cell of a value that is the mover's, and at least that much for the mover where it is a bound."""
        if value is None or self.hidden:
            return Cell(move, state, None, "", None)
        same = self.view == self.mover
        bound = ("≥" if same else "≤") if is_bound else ""
        favours = self.mover if value > 0 else 1 - self.mover if value < 0 else None
        return Cell(move, state, value if same else -value, bound, favours)


def rows(
    game: Game, position: Position, levels: tuple[Level, ...], negamax: bool = False, hidden: bool = False
) -> tuple[Row, ...]:
    """The rows of a path from `position`: one, and one more for each level that has children."""
    mover = game.notation.mover(position)
    made = [Row(game, 0, mover, position, None, levels[0] if levels else None, negamax, (), hidden)]
    moves: tuple[int, ...] = ()
    for ply, level in enumerate(levels, start=1):
        if not level.children:
            break
        here = levels[ply] if ply < len(levels) else None
        mover = 1 - mover
        made.append(Row(game, ply, mover, position, level, here, negamax, moves, hidden))
        if here is None or level.move is None:
            break
        position, moves = play(position, level.move), (*moves, level.move)
    return tuple(made)


def root_level(game: Game, position: Position, result: Result) -> Level:
    """The root as a search without a trace leaves it: its moves with the values of those that were finished."""
    found = {root.move: root.value for root in result.root_moves}
    moves = each(legal(position)) if outcome(position) == ONGOING else ()
    children = tuple(Child(move, State.DONE if move in found else State.UNVISITED, found.get(move)) for move in moves)
    return Level(-INFINITY, INFINITY, result.info.value, None, children)


def fresh(before: tuple[Level, ...], after: tuple[Level, ...]) -> frozenset[tuple[int, int]]:
    """The (row, move) of every value that `after` knows and `before`, on the same path, did not."""
    found = set()
    for row, (old, new) in enumerate(zip(before, after, strict=False), start=1):
        for was, is_now in zip(old.children, new.children, strict=False):
            if is_now.state is State.DONE and was.state is not State.DONE:
                found.add((row, is_now.move))
        if old.move != new.move:
            break
    return frozenset(found)


def shown(count: int, focus: int | None, capacity: int) -> range:
    """Which of `count` boards stand in a row with room for `capacity`; where some do not, a place at that end is
    theirs, for how many they are. At least one is shown.
    """
    if count <= capacity:
        return range(count)
    middle = focus or 0
    inner = max(1, capacity - 1)
    if middle < inner:
        return range(inner)
    if middle >= count - inner:
        return range(count - inner, count)
    both = max(1, capacity - 2)
    start = middle - both // 2
    return range(start, start + both)


def tool_tip(row: Row, index: int, running: bool) -> str:
    """What there is to say of one board: its moves, its value and whose view, its state."""
    cell = row.cell(index)
    names = " ".join(row.game.notation.move_name(move) for move in row.path(index))
    player = row.game.notation.players[row.mover]
    lines = [names or tr("the position searched"), tr("{player} to move", player=player), _said(row, cell, running)]
    if row.hidden and cell.state is not State.UNVISITED:
        lines.insert(2, tr(WHY_HIDDEN))
    elif cell.visits > 1:
        lines.insert(2, tr("searched {count} times, the last time for its value", count=cell.visits))
    return "\n".join(lines)


def _said(row: Row, cell: Cell, running: bool) -> str:
    """The state of a board and its value, in words."""
    value, player = signed(cell.value), row.game.notation.players[row.view]
    match cell.state:
        case State.UNVISITED:
            return tr("not visited yet") if running else tr("not visited")
        case state if row.hidden:
            return tr("{state}, value hidden", state=tr(STATES[state]))
        case State.PRUNED:
            return why_pruned(row)
        case State.OPEN if cell.value is None:
            return tr("open: no value yet")
    if cell.leaf is Leaf.TABLE:
        return why_known(row, cell)
    if cell.leaf is Leaf.HORIZON and not isinstance(cell.value, float):
        return tr("{value} for {player}, at the horizon: undecided", value=value, player=player)
    if cell.leaf is Leaf.HORIZON:
        return tr("{value} for {player}, by an estimate at the horizon", value=value, player=player)
    if not cell.bound:
        return tr("{value} for {player}", value=value, player=player)
    is_cut = cell.state is State.DONE or (row.here is not None and row.here.cut)
    if cell.bound == "≥":
        if is_cut:
            return tr("at least {value} for {player}, cut off", value=value, player=player)
        return tr("at least {value} for {player}, so far", value=value, player=player)
    if is_cut:
        return tr("at most {value} for {player}, cut off", value=value, player=player)
    return tr("at most {value} for {player}, so far", value=value, player=player)


def why_pruned(row: Row) -> str:
    """One sentence on why the row's remaining boards need no search."""
    if row.above is None:
        return ""
    mover, other = (row.game.notation.players[player] for player in (1 - row.mover, row.mover))
    alpha, beta = row.above.alpha, row.above.beta
    if row.negamax or row.mover != MAX_PLAYER:
        return tr(
            "Pruned: {mover} gets at least {alpha} here, and by an earlier move {other} holds {mover} to {beta}, so "
            "{other} never lets it come to this.",
            mover=mover,
            other=other,
            alpha=signed(alpha),
            beta=signed(beta),
        )
    return tr(
        "Pruned: {mover} holds {other} to {alpha} here, and by an earlier move {other} gets at least {beta}, so "
        "{other} never lets it come to this.",
        mover=mover,
        other=other,
        alpha=signed(-alpha),
        beta=signed(-beta),
    )


def why_known(row: Row, cell: Cell) -> str:
    """One sentence on why a position that the table knew needs no search."""
    return tr(
        "From the table: {value} for {player}, found when other moves led to this position with as many "
        "plies left, so it is not searched again.",
        value=signed(cell.value),
        player=row.game.notation.players[row.view],
    )


def sentence(row: Row) -> str:
    """A row in words: "X to move, best +1, window −∞ to 0"."""
    words = [tr("{player} to move", player=row.game.notation.players[row.mover])]
    if row.current is not None and (text := row.cell(row.current).text):
        words.append(tr("best {value}", value=text))
    if (window := row.window) is not None:
        ends = {"alpha": signed(window.alpha), "beta": signed(window.beta)}
        words.append(
            tr("null window {alpha} to {beta}", **ends) if window.is_null else tr("window {alpha} to {beta}", **ends)
        )
        words += [tr("cut")] if window.cut else []
    else:
        states = [row.cell(index).state for index in range(len(row))]
        counts = ((state, states.count(state)) for state in State)
        words.append(", ".join(f"{number} {tr(STATES[state])}" for state, number in counts if number))
    return ", ".join(words)


def _settled(level: Level) -> bool:
    """Whether nothing of a position is left to search."""
    return all(child.state in (State.DONE, State.PRUNED) for child in level.children)
