"""What comes back from a search: plain frozen records, the same for every backend.

Values are those of the side to move in the position that the value belongs to, unless a field says otherwise.
The records of a moment are not tracked by the garbage collector (`gc=False`): they hold no cycles, and a search makes
thousands a second, each of which would bring a full collection nearer.
"""

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from engine.job import Job

if TYPE_CHECKING:
    from engine.trace.record import Trace

INFINITY = 32_000
"""The bound of an open window: larger than any score, and it fits the 16 bits that a record keeps of it."""

Value = int | float
"""In wins: +1 a win, 0 a draw, -1 a loss; what lies between is an estimate. Where sooner is better, a win counts more:
see `engine.rules.contract.WIN`."""


def in_wins(value: int, unit: int) -> Value:
    """A kernel's value, in which a win counts `unit`, as people read it; an open bound stays what it is."""
    if abs(value) >= INFINITY:
        return value
    return value // unit if value % unit == 0 else value / unit


def branching(nodes: int, depth: int) -> float:
    """The width b with 1 + b + b^2 + ... + b^depth = nodes; 0 where there is no node but the root."""
    low, high = 0.0, float(max(nodes, 1))
    for _ in range(60):
        middle = (low + high) / 2
        total = 0.0
        for _ in range(depth + 1):
            total = total * middle + 1
            if total > nodes:
                break
        low, high = (low, middle) if total > nodes else (middle, high)
    return low


class Counters(Struct, frozen=True, gc=False):
    """What was counted, exactly, by one worker or by all together."""

    nodes: int = 0
    """Positions visited, the root included."""
    terminals: int = 0
    """Of these, positions in which the game is over."""
    horizon: int = 0
    """Of these, positions at the depth limit in which it is not."""
    cutoffs: int = 0
    """Positions left early, with at least one legal move unsearched."""
    pruned: int = 0
    """The moves left unsearched there."""
    depth: int = 0
    """The deepest ply visited; the root is ply 0."""
    probes: int = 0
    """Positions looked up in the table."""
    hits: int = 0
    """Of these, positions that it had something on."""
    table_cutoffs: int = 0
    """Of these, positions that needed no search, because the value in it was enough."""

    def __add__(self, other: "Counters") -> "Counters":
        return Counters(
            self.nodes + other.nodes,
            self.terminals + other.terminals,
            self.horizon + other.horizon,
            self.cutoffs + other.cutoffs,
            self.pruned + other.pruned,
            max(self.depth, other.depth),
            self.probes + other.probes,
            self.hits + other.hits,
            self.table_cutoffs + other.table_cutoffs,
        )

    def __sub__(self, before: "Counters") -> "Counters":
        """What was counted since; `depth` is still that of all."""
        return Counters(
            self.nodes - before.nodes,
            self.terminals - before.terminals,
            self.horizon - before.horizon,
            self.cutoffs - before.cutoffs,
            self.pruned - before.pruned,
            self.depth,
            self.probes - before.probes,
            self.hits - before.hits,
            self.table_cutoffs - before.table_cutoffs,
        )


class State(StrEnum):
    """Where the search stands with a move."""

    UNVISITED = "unvisited"
    OPEN = "open"
    DONE = "done"
    PRUNED = "pruned"
    UNRECORDED = "not recorded"
    """The record had no room for it: it was searched; or it was not, where its position was cut off or never ended."""


class Leaf(StrEnum):
    """Why nothing lies below a position."""

    TERMINAL = "terminal"
    HORIZON = "horizon"
    TABLE = "table"
    """Its value was in the table."""


class Bound(StrEnum):
    """What a value says of the true one: that of minimax, looking as many plies ahead."""

    EXACT = "exact"
    LOWER = "lower"
    UPPER = "upper"

    def __neg__(self) -> "Bound":
        """The same for the other side, whose value is the negative."""
        return {Bound.LOWER: Bound.UPPER, Bound.UPPER: Bound.LOWER}.get(self, self)


def bound_of(value: Value, alpha: Value, beta: Value, leaf: Leaf | None = None, ended: bool = True) -> Bound | None:
    """What the value of a position says that was searched in the window (alpha, beta); None: nothing.

    All are of the same side. A value inside the window is exact, one outside is a bound, for no more was asked; a leaf
    has its value whatever the window. Until the search of the position has `ended`, the best of its moves so far is a
    lower bound, and only if it is above alpha: what has failed low may be less. Where the window is that of several
    workers, the narrowest that one of them used, it may be empty; what lies between its ends then says nothing.
    """
    if leaf in (Leaf.TERMINAL, Leaf.HORIZON):
        return Bound.EXACT
    if not ended:
        return Bound.LOWER if value > alpha else None
    if value <= alpha:
        return Bound.UPPER if value < beta else None
    return Bound.LOWER if value >= beta else Bound.EXACT


class Child(Struct, frozen=True, gc=False):
    """One legal move of a position on the current path."""

    move: int
    state: State
    value: Value | None = None
    """What the move is worth to the side that makes it: once DONE, or where another iteration knows it, see `depth`;
    None where that says nothing."""
    leaf: Leaf | None = None
    """Why nothing lies below; None where something does, or where that is not known."""
    visits: int = 1
    """How often it was searched, in a record: the last time counts."""
    bound: Bound = Bound.EXACT
    """What `value` says."""
    depth: int | None = None
    """Where `value` is from another iteration than the path: how many plies that one looked ahead from the root."""


class PathNode(Struct, frozen=True, gc=False):
    """One position of the current path, root first. Its window and values are those of the side to move in it."""

    alpha: Value
    """Raised by `best` as children return."""
    beta: Value
    best: Value | None
    """The best value so far, in the end the position's; None before the first child has returned."""
    move: int | None
    """The child that the path goes through; in the last level, the one just visited."""
    children: tuple[Child, ...]
    """All legal moves, ascending; none where the game is over or the horizon reached."""
    cut: bool = False
    """Whether the position was left early: alpha reached beta."""
    bound: Bound | None = Bound.EXACT
    """What `best` says of the position's value; None: nothing yet."""
    ended: bool = False
    """Whether nothing of it is left to search."""
    depth: int | None = None
    """Of `best`, as `Child.depth` of a value."""


class WorkerInfo(Struct, frozen=True, gc=False):
    counters: Counters
    task: int | None
    """Which task it is at; None when it has none."""
    path: tuple[int, ...]
    """The moves from the root to where it is."""
    busy: float = 0.0
    """Seconds of the search in which it had a task."""


class RankState(StrEnum):
    """What an MPI rank is doing."""

    STARTING = "starting"
    """It loads the engine, or compiles."""
    SEARCHING = "searching"
    WAITING = "waiting"
    """It has nothing to do until others are done."""
    PAUSED = "paused"
    ENDED = "ended"
    LOST = "lost"
    """It failed, or nothing was heard of it."""


class RankInfo(Struct, frozen=True, gc=False):
    """One MPI rank; its workers are those from rank x threads on."""

    host: str
    pid: int
    state: RankState = RankState.STARTING
    seconds: float = 0.0
    """Since the search began, by the rank's clock, which stands still while the search is held back; in the end the
    same for all ranks."""
    sent: int = 0
    """Messages to rank 0, or of rank 0 to others."""
    received: int = 0
    one_sided: int = 0
    """Operations on the memory that rank 0 lends to all."""


class Iteration(Struct, frozen=True, gc=False):
    """One search of the root among several, ended. Its counters are its own."""

    depth: int
    """Plies."""
    alpha: Value
    beta: Value
    """The window it was searched in."""
    value: Value
    """Of the side to move, as the window; see `bound`."""
    pv: tuple[int, ...]
    counters: Counters
    seconds: float

    @property
    def bound(self) -> Bound:
        """What its value says."""
        return bound_of(self.value, self.alpha, self.beta) or Bound.EXACT

    @property
    def is_exact(self) -> bool:
        return self.bound is Bound.EXACT

    @property
    def branching(self) -> float:
        """The effective branching factor: the width of a tree of this depth with as many nodes, all of one width.

        Source: S. Russell and P. Norvig, Artificial Intelligence: A Modern Approach, section on heuristic functions.
        """
        return branching(self.counters.nodes, self.depth)


class Info(Struct, frozen=True, gc=False):
    """A moment of a running search."""

    counters: Counters
    value: Value | None
    """Of the root, so far; None while nothing is known of it."""
    best: int | None
    """The move that gives it."""
    pv: tuple[int, ...]
    """The principal variation: best play for both from the root, as far as it is known."""
    path: tuple[PathNode, ...]
    """From the root to where the first busy worker is; empty before the start and after the end."""
    workers: tuple[WorkerInfo, ...]
    seconds: float
    """Spent searching. Waiting does not count, nor what comes before: compiling, the memory of the workers, and the
    table of the first tasks."""
    tasks_done: int = 0
    tasks: int = 1
    ranks: tuple[RankInfo, ...] = ()
    """Of an MPI job."""
    iterations: tuple[Iteration, ...] = ()
    """Those that have ended, where the root is searched several times."""
    table_fill: float | None = None
    """The share of the table's entries in use; None where there is no table."""
    bound: Bound = Bound.EXACT
    """What `value` says of the root's, looking `value_depth` plies ahead."""
    value_depth: int | None = None
    """How many plies the iteration looked ahead that `value` is from; None while nothing is known."""

    def seconds_of(self, worker: int) -> float:
        """`seconds` by the clock of a worker: an MPI rank has its own, and tells of it now and then."""
        return self.ranks[worker * len(self.ranks) // len(self.workers)].seconds if self.ranks else self.seconds

    def idle(self, worker: int) -> float | None:
        """The share of the search's time, 0 to 1, in which a worker had no task; None where no time has passed."""
        seconds = self.seconds_of(worker)
        return max(0.0, 1 - self.workers[worker].busy / seconds) if seconds > 0 else None


class RootMove(Struct, frozen=True, gc=False):
    """A root move that was searched to its end."""

    move: int
    value: Value
    bound: Bound
    depth: int
    """How many plies the iteration looked ahead, from the root, that `value` is from."""


class Task(Struct, frozen=True, gc=False):
    """A subtree that one worker searched."""

    moves: tuple[int, ...]
    """From the root to the subtree."""
    worker: int
    start: float
    """Seconds since the search began, as `end`; the time that the search was held back does not count."""
    end: float
    """Where it is not finished: when it was left."""
    nodes: int
    finished: bool = True
    first_row: int = 0
    """Of those of the record that are its own, which lie together, up to `end_row`; of two workers that searched the
    same subtree, only one has rows."""
    end_row: int = 0
    """The first row that is not its own; `first_row` where it has none."""


class End(StrEnum):
    """Why a search ended."""

    COMPLETE = "complete"
    HORIZON = "horizon"
    """Finished, but the depth limit left positions undecided."""
    NODES = "nodes"
    SECONDS = "seconds"
    STOPPED = "stopped"
    FAILED = "failed"
    """An MPI job that broke off; `Result.failure` says why."""


class Result(Struct, frozen=True):
    """What a search found. Where it did not finish, `info` names its best finished root move."""

    job: Job
    info: Info
    root_moves: tuple[RootMove, ...]
    """Ascending, each with what the deepest iteration knows that has finished it; those never finished are missing."""
    tasks: tuple[Task, ...]
    end: End
    trace: "Trace | None" = None
    failure: str = ""
    """One sentence, where `end` is FAILED."""

    @property
    def complete(self) -> bool:
        """Whether the value is that of the whole game tree."""
        return self.end is End.COMPLETE
