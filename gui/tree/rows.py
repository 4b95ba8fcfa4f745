"""The rows of the path, without a pixel: what stands in each, whose it is, and whose values it shows.

    levels          rows
                    0   the position searched, the window of levels[0]
    levels[0]  ──▶  1   its children, the window of levels[1], which is one of them
    levels[1]  ──▶  2   its children, ...

A row is named after who moves *in* its boards. Its values are MAX's (the first player's) or, in the negamax view, those
of the player who moves in it; `engine.job.Level` gives those of the player who moves in the level.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from engine.bits import each
from engine.figures import signed
from engine.game import ONGOING, Game, Position, legal, outcome, play
from engine.job import INFINITY, Child, Level, Result, State
from gui.spoilers import WHY_HIDDEN

MAX_PLAYER = 0


class Window(NamedTuple):
    """What is still open at a position, as the row's view sees it."""

    alpha: int
    beta: int
    cut: bool

    @property
    def text(self) -> str:
        return f"α {signed(self.alpha)}  β {signed(self.beta)}" + ("  cut" if self.cut else "")


class Cell(NamedTuple):
    """One mini board of a row."""

    move: int | None
    """That leads here from the row above; None at the root."""
    state: State
    value: int | None
    """As the row's view sees it."""
    bound: str
    """ "≥" or "≤" where the value is only a bound, else nothing."""
    favours: int | None
    """The player whom the value favours; None in a draw or without a value."""

    @property
    def text(self) -> str:
        """What is written under the board."""
        if self.state is State.PRUNED:
            return "pruned"
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
            return self._cell(child.move, child.state, -child.value, entered is not None and entered.cut)
        return self._open_cell(child.move, child.state, entered)

    def _open_cell(self, move: int | None, state: State, level: Level | None) -> Cell:
        best = None if level is None else level.best
        return self._cell(move, state, best, level is not None and (level.cut or not _settled(level)))

    def _cell(self, move: int | None, state: State, value: int | None, is_bound: bool) -> Cell:
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
    players, cell = row.game.notation.players, row.cell(index)
    names = " ".join(row.game.notation.move_name(move) for move in row.path(index))
    lines = [names or "the position searched", f"{players[row.mover]} to move"]
    whose = f"for {players[row.view]}"
    match cell.state:
        case state if row.hidden and state is not State.UNVISITED:
            lines += [WHY_HIDDEN, f"{state}, value hidden"]
        case State.PRUNED:
            lines.append(why_pruned(row))
        case State.UNVISITED:
            lines.append("not visited yet" if running else "not visited")
        case State.OPEN if cell.value is None:
            lines.append("open: nothing has come back yet")
        case _ if cell.bound:
            least = "at least" if cell.bound == "≥" else "at most"
            kind = "cut off" if cell.state is State.DONE or (row.here and row.here.cut) else "so far"
            lines.append(f"{least} {signed(cell.value)} {whose}, {kind}")
        case _:
            lines.append(f"{signed(cell.value)} {whose}")
    return "\n".join(lines)


def why_pruned(row: Row) -> str:
    """One sentence on why the row's remaining boards need no search."""
    if row.above is None:
        return ""
    mover, other = (row.game.notation.players[player] for player in (1 - row.mover, row.mover))
    alpha, beta = row.above.alpha, row.above.beta
    if row.negamax or row.mover != MAX_PLAYER:
        return (
            f"Pruned: {mover} gets at least {signed(alpha)} here, and by an earlier move {other} holds {mover} to "
            f"{signed(beta)}, so {other} never lets it come to this."
        )
    return (
        f"Pruned: {mover} holds {other} to {signed(-alpha)} here, and by an earlier move {other} gets at least "
        f"{signed(-beta)}, so {other} never lets it come to this."
    )


def sentence(row: Row) -> str:
    """A row in words: "X to move, best +1, window −∞ to 0"."""
    words = [f"{row.game.notation.players[row.mover]} to move"]
    if row.current is not None and (text := row.cell(row.current).text):
        words.append(f"best {text}")
    if (window := row.window) is not None:
        words.append(f"window {signed(window.alpha)} to {signed(window.beta)}" + (", cut" if window.cut else ""))
    else:
        states = [row.cell(index).state for index in range(len(row))]
        counts = ((state.value, states.count(state)) for state in State)
        words.append(", ".join(f"{number} {name}" for name, number in counts if number))
    return ", ".join(words)


def _settled(level: Level) -> bool:
    """Whether nothing of a position is left to search."""
    return all(child.state in (State.DONE, State.PRUNED) for child in level.children)
