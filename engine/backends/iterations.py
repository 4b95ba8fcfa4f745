"""The iterations of a search over the root, and their combined results."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec.structs import replace

from engine.backends.allocate import memory, sizes
from engine.backends.snapshot import root_moves, snapshot
from engine.backends.state import SearchState, new_state
from engine.backends.tapes import tasks, trace
from engine.kernels import iteration
from engine.kernels.iteration import RootSearch
from engine.kernels.transposition import SearchAids, fill
from engine.prepare import Prepared
from engine.result import Bound, Counters, End, Iteration, Result, RootMove, Snapshot, Task, Value, in_wins
from engine.rules.contract import is_decisive

MAX_EARLIER = 100
"""The number of earlier iterations whose results are stored."""


def plan(prepared: Prepared, is_settled: Callable[[], bool]) -> iteration.Driver:
    """The generator of the iterations of a job. `is_settled`: see `engine.kernels.iteration.deepening`."""
    job, search = prepared.job, prepared.search
    close_in: iteration.Closing = iteration.openly
    if prepared.algorithm.guesses:
        close_in = iteration.null_windows if search.hard is None else iteration.bisection
    elif job.aspiration is not None:
        close_in = iteration.aspiration(max(1, round(job.aspiration * prepared.unit)))
    return iteration.deepening(search.horizon, close_in, is_settled) if job.deepen else close_in(search.horizon, None)


def merged(known: Mapping[int, RootMove], later: Iterable[RootMove]) -> dict[int, RootMove]:
    """The best knowledge of each root move after an iteration has found `later`. A result of another depth replaces
    the old one. Of two bounds of one depth on the same side the tighter remains. Equal bounds on opposite sides make
    the value exact; unequal ones leave the later.
    """
    found = dict(known)
    for new in later:
        old = found.get(new.move)
        if old is None or old.depth != new.depth:
            found[new.move] = new
        elif _meet(old.value, new.value):
            found[new.move] = replace(new, value=replace(new.value, bound=Bound.EXACT))
        elif not old.value.is_exact and not (old.value.bound is new.value.bound and _is_tighter(old.value, new.value)):
            found[new.move] = new
    return found


def _meet(one: Value, other: Value) -> bool:
    """Whether two bounds on opposite sides are equal."""
    return (one.number, one.bound) == (other.number, -other.bound)


def _is_tighter(one: Value, other: Value) -> bool:
    """Whether `one` is the tighter of two bounds on the same side."""
    return one.number > other.number if one.bound is Bound.LOWER else one.number < other.number


class Iterations:
    """One search as a sequence of iterations: searches of the root."""

    def __init__(self, prepared: Prepared, workers: int, aids: SearchAids | None, plies: int) -> None:
        """Tasks are `plies` plies below the root."""
        self._whole, self._memory, self._aids = prepared, memory(prepared, workers), aids
        self._plies, self._wanted = plies, plan(prepared, self._is_settled)
        self._iterations: list[Iteration] = []
        self._tasks: list[Task] = []
        self._found: Snapshot | None = None
        self._closed: Snapshot | None = None
        """That of the current iteration alone, if it is complete."""
        self._root_moves: dict[int, RootMove] = {}
        self._earlier: deque[Result] = deque(maxlen=MAX_EARLIER)
        self._since = 0.0
        self._above = self._before = Counters()
        self._begin(next(self._wanted))

    def states(self) -> Iterator[SearchState]:
        """The state of each iteration, ready to be searched. The caller must call `close` when it has ended."""
        while True:
            yield self.state
            value = self.state.value
            if value is None:
                return
            try:
                self._begin(self._wanted.send(value))
            except StopIteration:
                return

    def close(self, end: End, seconds: float) -> None:
        """Record the end of an iteration, `seconds` after the first iteration began."""
        state = self.state
        state.abandon(seconds)
        if end is not End.COMPLETE:
            return
        info, root = snapshot(state, seconds), state.tree.nodes[0]
        alpha, beta = int(root["alpha"]), int(root["beta"])
        if not self._whole.is_single and info.value is not None:
            self._iterations.append(
                Iteration(
                    depth=self.prepared.search.horizon,
                    alpha=in_wins(alpha, state.unit),
                    beta=in_wins(beta, state.unit),
                    value=info.value,
                    pv=info.pv,
                    counters=info.counters - self._before,
                    seconds=seconds - self._since,
                )
            )
        self._root_moves = merged(self._root_moves, root_moves(state))
        value = state.value
        if self._found is None or (value is not None and value > alpha) or self._improves(info, self._found):
            self._found = info
        if self._iterations:
            self._found = replace(self._found, value=self._value(), value_depth=info.value_depth)
        self._since, self._closed = seconds, info

    def snapshot(self, seconds: float) -> Snapshot:
        """A snapshot of the search. The value and line are those of the current iteration if they are better, else
        those of earlier ones."""
        info = self._closed or snapshot(self.state, seconds)
        known = self._found
        if known is not None and not self._improves(info, known):
            info = replace(
                info,
                value=known.value,
                best=known.best,
                pv=known.pv,
                value_depth=known.value_depth,
            )
        return replace(info, iterations=tuple(self._iterations)) if self._iterations else info

    def _improves(self, info: Snapshot, known: Snapshot) -> bool:
        """Whether the current iteration has found another best move, and has searched the known best move as well."""
        if info.best is None or info.best == known.best:
            return False
        values = {found.move: found.value for found in root_moves(self.state)}
        return known.best in values and info.best in values and values[info.best].proves_a_move

    def _value(self) -> Value:
        """The last iteration's value. It is also exact if another iteration of this depth has the same as the opposite
        bound."""
        last = self._iterations[-1]
        met = any(done.depth == last.depth and _meet(done.value, last.value) for done in self._iterations)
        return replace(last.value, bound=Bound.EXACT) if met else last.value

    def root_moves(self) -> tuple[RootMove, ...]:
        """The root moves known from all iterations, including the current one, in ascending order."""
        known = self._root_moves if self._closed else merged(self._root_moves, root_moves(self.state))
        return tuple(known[move] for move in sorted(known))

    def tasks(self) -> tuple[Task, ...]:
        """The tasks of all iterations. Only those of the last iteration have rows of the record."""
        return (*self._tasks, *tasks(self.state))

    def result(self, info: Snapshot, end: End) -> Result:
        """The result of the search so far, of which `info` is the snapshot."""
        dropped = (self._earlier[0].iteration or 1) - 1 if self._earlier else 0
        earlier = (*[None] * dropped, *self._earlier)
        record = trace(self.state)
        if self._aids is not None and self._aids.mask >= 0:
            info = replace(info, table_fill=fill(self._aids.table))
        return Result(self._whole.job, info, self.root_moves(), self.tasks(), end, record, earlier=earlier)

    def so_far(self, seconds: float) -> Result:
        """What `result` would be if the search was stopped now. It can go on."""
        running, self.state = self.state, self.state.copied()
        try:
            self.state.abandon(seconds)
            return self.result(self.snapshot(seconds), End.STOPPED)
        finally:
            self.state = running

    def _is_settled(self) -> bool:
        """Whether a deeper iteration would find the same value: none of the iterations at the last one's depth visited
        a horizon leaf, or a win or a loss is proven."""
        last = self._iterations[-1]
        if is_decisive(self._whole.position, last.value.number) and self._value().is_exact:
            return True
        return not any(done.counters.horizon for done in self._iterations if done.depth == last.depth)

    def _store_result(self) -> None:
        """Add the result of the iteration that has ended to the earlier ones. The oldest are dropped where all records
        together are longer than one may be."""
        if self.state.tapes is None:
            return
        end = End.HORIZON if self._iterations[-1].counters.horizon else End.COMPLETE
        result = replace(self.result(self.snapshot(self._since), end), earlier=(), iteration=len(self._iterations))
        self._earlier.append(result)
        while sum(len(each.trace or ()) for each in self._earlier) > self._whole.job.record:
            self._earlier.popleft()

    def _begin(self, asked: RootSearch) -> None:
        whole, crew, aids = self._whole, self._memory.crew, self._aids
        self.prepared = whole
        if self._iterations:
            self._store_result()
            self._closed = None
            self._before, self._above = self.state.counters(), self.state.counters_above()
            self._tasks += tasks(self.state._replace(tapes=None))  # the next iteration overwrites the tapes
        if asked.depth < whole.search.horizon:
            self.prepared = whole.to(asked.depth)
        if not whole.is_single:
            crew.sizes[: asked.depth + 1] = sizes(whole, self.prepared.search)
            crew.state["ply"] = crew.state["task"] = -1
            crew.state["rows"] = 0
        if aids is not None:
            best = None if self._found is None else self._found.best
            aids = aids._replace(depth=self.prepared.search.horizon, root_move=-1 if best is None else best)
        window = asked.alpha, asked.beta
        self.state = new_state(self.prepared, self._plies, self._memory, aids, window, self._above)
