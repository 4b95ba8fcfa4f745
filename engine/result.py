"""The results of a search: frozen records, the same for every backend.

Values are for the side to move in their position, unless a field says otherwise. The garbage collector does not track
the records of a snapshot (`gc=False`): they have no cycles, and a search makes thousands per second, each of which
would bring a full collection nearer.
"""

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from engine.job import Job
from engine.transfer import Transfer

if TYPE_CHECKING:
    from engine.trace.record import Trace

INFINITY = 32_000
"""The bound of an open window: larger than any score, and small enough for the 16 bits of a record."""

Number = int | float
"""In wins: +1 a win, 0 a draw, -1 a loss. In the scoring SOONEST a win is more: see `engine.rules.contract.WIN`."""


def in_wins(value: int, unit: int) -> Number:
    """The number in wins of a kernel's value, in which a win is `unit`; an open bound remains unchanged."""
    if abs(value) >= INFINITY:
        return value
    return value // unit if value % unit == 0 else value / unit


def branching(nodes: int, depth: int) -> float:
    """The width b with 1 + b + b^2 + ... + b^depth = nodes; 0 if there is no node except the root."""
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
    """The exact counters of one worker or of all together."""

    nodes: int = 0
    """Positions visited, the root included."""
    terminals: int = 0
    """Nodes in which the game is over."""
    horizon: int = 0
    """Nodes at the depth limit in which the game is not over."""
    cutoffs: int = 0
    """Nodes with a cutoff that left at least one legal move unsearched."""
    pruned: int = 0
    """The moves left unsearched by cutoffs."""
    depth: int = 0
    """The deepest ply visited; the root is ply 0."""
    probes: int = 0
    """Positions looked up in the transposition table."""
    hits: int = 0
    """Probes that found an entry."""
    table_cutoffs: int = 0
    """Hits whose value made a search unnecessary."""

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
        """The counters since `before`; `depth` remains that of the whole search."""
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
    """The search state of a move."""

    UNVISITED = "unvisited"
    OPEN = "open"
    DONE = "done"
    PRUNED = "pruned"
    UNRECORDED = "not recorded"
    """Unknown, for the record is full: searched, pruned or not visited."""


class Leaf(StrEnum):
    """The reason why a node has no children."""

    TERMINAL = "terminal"
    HORIZON = "horizon"
    TABLE = "table"
    """Its value was in the table."""


class Bound(StrEnum):
    """The relation of a value to the true one, that of minimax at the same depth."""

    EXACT = "exact"
    LOWER = "lower"
    UPPER = "upper"

    def __neg__(self) -> "Bound":
        """The bound for the other side, whose value is the negative."""
        return OPPOSITE[self]


OPPOSITE = {Bound.EXACT: Bound.EXACT, Bound.LOWER: Bound.UPPER, Bound.UPPER: Bound.LOWER}
"""The bound for the other side."""


def bound_of(value: Number, alpha: Number, beta: Number, leaf: Leaf | None = None, ended: bool = True) -> Bound | None:
    """The Bound of a value that was searched in the window (alpha, beta); None if it proves nothing.

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


class Value(Struct, frozen=True, gc=False):
    """What is known of a position's value: a number, its relation to the true value, and where it comes from.

    The field that holds a value names its point of view, a side. The negative is the same knowledge for the other side.
    """

    number: Number
    bound: Bound = Bound.EXACT
    is_estimate: bool = False
    """Whether it comes from a position at the horizon, not from the rules. A whole number that is not marked may come
    from there, too; an average over chance in a search with a horizon counts as an estimate."""

    def __neg__(self) -> "Value":
        return Value(-self.number, -self.bound, self.is_estimate)

    @property
    def is_exact(self) -> bool:
        """Whether it is the true value at its depth, not a bound."""
        return self.bound is Bound.EXACT

    @property
    def proves_a_move(self) -> bool:
        """Whether the move that gives it is worth at least as much; of an upper bound, no move is known to be."""
        return self.bound is not Bound.UPPER


def known_value(
    number: int, alpha: int, beta: int, unit: int, leaf: Leaf | None = None, ended: bool = True, estimates: bool = True
) -> Value | None:
    """What a kernel's value says, in which a win is `unit`; None: nothing. For the other arguments see `bound_of`.

    In a search with `estimates` a fraction of a win is one; in others it is an average over chance.
    """
    bound, wins = bound_of(number, alpha, beta, leaf, ended), in_wins(number, unit)
    is_estimate = leaf is Leaf.HORIZON or (estimates and isinstance(wins, float))
    return None if bound is None else Value(wins, bound, is_estimate)


class Child(Struct, frozen=True, gc=False):
    """One legal move of a node on the current path."""

    move: int
    state: State
    value: Value | None = None
    """What the move is worth to the side that makes it: once DONE, or where another iteration knows it, see `depth`;
    None where that says nothing."""
    leaf: Leaf | None = None
    """The kind of leaf; None for an interior node, or if unknown."""
    visits: int = 1
    """The number of searches of this move, in a record; the other fields are those of the last."""
    depth: int | None = None
    """Where `value` is from another iteration than the path: how many plies that one looked ahead from the root."""


class PathNode(Struct, frozen=True, gc=False):
    """One node of the current path, root first. Its window and values are for its side to move."""

    alpha: Number
    """Raised by `best` as children return; a leaf has none."""
    beta: Number
    best: Value | None
    """The best value so far, in the end the position's; None while it says nothing."""
    move: int | None
    """The move to the next node of the path; in the last node, the move visited last."""
    children: tuple[Child, ...]
    """All legal moves, ascending; none where the game is over or the horizon reached."""
    cut: bool = False
    """Whether the position was left early: alpha reached beta."""
    ended: bool = False
    """Whether its search has ended."""
    depth: int | None = None
    """Of `best`, as `Child.depth` of a value."""


class WorkerInfo(Struct, frozen=True, gc=False):
    """One worker in a snapshot: a thread, local or of an MPI rank."""

    counters: Counters
    task: int | None
    """The number of its task; None if it has none."""
    path: tuple[int, ...]
    """The moves from the root to its current node."""
    busy: float = 0.0
    """Seconds of the search in which it had a task."""
    ran: float = 0.0
    """Seconds of its slices: from the moment at which it was to run to the end of its part."""
    cpu: float = 0.0
    """Seconds of processor time that it used in them. The rest of `ran` it waited for a core."""

    @property
    def kept_waiting(self) -> float:
        """Seconds in which it was to run and had no core."""
        return max(0.0, self.ran - self.cpu)


class RankState(StrEnum):
    """The state of an MPI rank."""

    STARTING = "starting"
    """It loads the engine, or compiles."""
    SEARCHING = "searching"
    WAITING = "waiting"
    """It waits for other ranks."""
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
    """Operations on the shared window of rank 0."""


class Iteration(Struct, frozen=True, gc=False):
    """One finished search of the root among several. Its counters do not include the others."""

    depth: int
    """Plies."""
    alpha: Number
    beta: Number
    """The window it was searched in."""
    value: Value
    """Of the side to move, as the window."""
    pv: tuple[int, ...]
    counters: Counters
    seconds: float

    @property
    def proven_line(self) -> tuple[int, ...]:
        """The principal variation; empty where the value is only an upper bound, which proves no move."""
        return self.pv if self.value.proves_a_move else ()

    def __neg__(self) -> "Iteration":
        """The same, with the window and the value of the other side."""
        return replace(self, alpha=-self.beta, beta=-self.alpha, value=-self.value)

    @property
    def branching(self) -> float:
        """The effective branching factor: the width of a tree of this depth with as many nodes, all of one width.

        Source: S. Russell and P. Norvig, Artificial Intelligence: A Modern Approach, section on heuristic functions.
        """
        return branching(self.counters.nodes, self.depth)


class Snapshot(Struct, frozen=True, gc=False):
    """A snapshot of a running search."""

    counters: Counters
    value: Value | None
    """Of the root so far, for its side to move, looking `value_depth` plies ahead; None while nothing is known."""
    best: int | None
    """The move that gives it; the first of `pv`."""
    pv: tuple[int, ...]
    """The principal variation: best play for both from the root, as far as it is known. Where `value` is only an upper
    bound, it is that of an earlier search or a guess: see `proven_line`."""
    path: tuple[PathNode, ...]
    """From the root to where the first busy worker is; empty before the start and after the end."""
    workers: tuple[WorkerInfo, ...]
    seconds: float
    """Time spent searching, without waiting and preparation: compiling, the workers' memory, and the first tasks'
    table."""
    tasks_done: int = 0
    tasks: int = 1
    ranks: tuple[RankInfo, ...] = ()
    """The ranks of an MPI job."""
    iterations: tuple[Iteration, ...] = ()
    """The finished iterations, if the root is searched several times."""
    table_fill: float | None = None
    """The share of the table's entries in use, 0 to 1: of a result exact, else an estimate. None without a table, and
    of MPI ranks, which keep their own."""
    value_depth: int | None = None
    """How many plies the iteration looked ahead that `value` is from; None while nothing is known."""

    @property
    def proven_line(self) -> tuple[int, ...]:
        """The principal variation, for views; empty where the value is only an upper bound, which proves no move."""
        return self.pv if self.value is not None and self.value.proves_a_move else ()

    def seconds_of(self, worker: int) -> float:
        """`seconds` by the clock of a worker: an MPI rank has its own, and tells of it now and then."""
        return self.ranks[worker * len(self.ranks) // len(self.workers)].seconds if self.ranks else self.seconds

    def idle(self, worker: int) -> float | None:
        """The share of the search's time, 0 to 1, in which a worker had no task; None if no time has passed."""
        seconds = self.seconds_of(worker)
        return max(0.0, 1 - self.workers[worker].busy / seconds) if seconds > 0 else None


class RootMove(Struct, frozen=True, gc=False):
    """A root move that was searched to its end."""

    move: int
    value: Value
    """For the side that makes the move."""
    depth: int
    """How many plies the iteration looked ahead, from the root, that `value` is from."""


class Task(Struct, frozen=True, gc=False):
    """A subtree that one worker searched."""

    moves: tuple[int, ...]
    """The moves from the root to the subtree."""
    worker: int
    start: float
    """Seconds since the start of the search, as `end`, without pauses and throttling."""
    end: float
    """The time at which it was finished or abandoned."""
    nodes: int
    finished: bool = True
    first_row: int = 0
    """The first of its rows in the record, which are contiguous. If two workers searched the same subtree, only one has
    rows."""
    end_row: int = 0
    """The row after its last; equal to `first_row` if it has none."""


class End(StrEnum):
    """Why a search ended."""

    COMPLETE = "complete"
    HORIZON = "horizon"
    """Complete to the depth limit, with horizon leaves."""
    NODES = "nodes"
    SECONDS = "seconds"
    STOPPED = "stopped"
    FAILED = "failed"
    """An MPI job that broke off; `Result.failure` says why."""


FINISHED = End.COMPLETE, End.HORIZON
"""The ends of searches that were neither stopped nor limited."""


class Result(Struct, frozen=True):
    """The result of a search. If it did not finish, `info` has its best finished root move."""

    job: Job
    info: Snapshot
    root_moves: tuple[RootMove, ...]
    """Ascending, each with what the deepest iteration knows that has finished it; those never finished are missing."""
    tasks: tuple[Task, ...]
    end: End
    trace: "Trace | None" = None
    """The record; where the root is searched several times, that of the last iteration."""
    failure: str = ""
    """The reason in one sentence, if `end` is FAILED."""
    earlier: "tuple[Result | None, ...]" = ()
    """After each iteration before the last, unfinished or not: the result of the search so far, with the record of that
    iteration; None where the record has no room for it. Empty without a record."""
    iteration: int | None = None
    """Of an `earlier` result: the number of its iteration, from 1."""
    transfers: tuple[Transfer, ...] = ()
    """Between MPI ranks, in the order in which they were sent; none of a search that was paused or slowed down, whose
    clock stands still, nor of one that broke off or still runs."""
    clock_error: float = 0.0
    """The largest possible error of the transfers' times, in seconds: 0 where all ranks have run on one host."""

    @property
    def recorded_iteration(self) -> int | None:
        """The number of the iteration that the record is from, from 1; None if none of several has ended."""
        return self.iteration or len(self.earlier) + 1 if self.info.iterations else None

    @property
    def complete(self) -> bool:
        """Whether the value is that of the whole game tree."""
        return self.end is End.COMPLETE
