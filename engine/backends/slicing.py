"""Runs the workers of a search in slices until it is complete or a limit is reached.

Between slices no worker runs, so all memory can be read without a lock.
"""

import time
from collections.abc import Callable, Iterator
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.backends.dealing import Dealing
from engine.backends.state import SearchState
from engine.control import MIN_PACE, Control
from engine.options.catalogue import Limit
from engine.prepare import Prepared
from engine.result import End
from engine.rules.contract import traits

SLICE_NODES, PLAIN_NODES, INTERPRETED_NODES = 100_000, 1_500_000, 2_000
"""Nodes of the first slice of a worker. Shorter slices are slower: interpreted code runs and threads meet between two
slices. Longer ones delay a stop. With PLAIN_NODES, a search without aids in a game with free placement takes 2 to 15 ms
(1 to 10 ns a node); with SLICE_NODES any other takes 1 to 28 ms (10 to 280 ns), an interpreted one with its own some
ms."""
SHORT, LONG = 4_000_000, 12_000_000
"""Processor time in ns. After a slice shorter than SHORT the next is longer; after one longer than LONG it is shorter.
A stop waits for the end of a slice. Time by the clock would shorten all slices while other programs use the cores: each
then takes the 15 ms that its threads wait for a core, whatever its nodes."""

RunSlice = Callable[[Prepared, SearchState, NDArray[np.int64]], None]
"""Runs each worker w for about `budgets[w]` nodes."""


class SnapshotDue(NamedTuple):
    """The event that a snapshot should be shown: between two slices, at most 60 times a second unless the search is
    throttled."""

    seconds: float
    """The time spent searching."""


class Slices:
    """The slices of a search, for all its root searches. `end` is the reason of its end, `seconds` its duration."""

    def __init__(self, limit: Limit, control: Control, run_slice: RunSlice) -> None:
        self.end = End.COMPLETE
        self._limit, self._control, self._run_slice = limit, control, run_slice
        self._spent = self._since = 0
        self._slice_nodes = 0
        """The nodes of a worker's next slice; 0 before the first."""
        self._shown = 0.0
        """The time of the last snapshot, of whichever root search."""

    def begin(self, now: int) -> None:
        """Start the clock at `now`, a monotonic time in ns. Without this call it starts at the first slice."""
        self._since = now

    @property
    def seconds(self) -> float:
        """The time spent searching. It does not include pauses and throttling."""
        return self._spent / 1e9

    @property
    def nanoseconds(self) -> int:
        """The search's own clock in ns, at the last `count_time`."""
        return self._spent

    def run(
        self, prepared: Prepared, state: SearchState, dealing: Dealing, wait: Callable[[], bool] = lambda: False
    ) -> Iterator[SnapshotDue]:
        """Run slices, each for the active workers of `dealing`, until the root search is over or a limit is reached.
        Yields an event when a snapshot is due. A slice visits one node where `wait` has waited for the next event: see
        `engine.backends.events`."""
        limit, workers = self._limit, len(state.crew.state)
        nodes, processor_time, epoch, called, slack = (
            state.crew.state[name] for name in ("nodes", "cpu", "epoch", "called", "slack")
        )
        self._slice_nodes = self._slice_nodes or first_slice(prepared)
        for number in count():
            active = dealing.active()
            self.count_time()
            if active is None:
                return
            # 1. Yield for a snapshot, and wait for a grant of nodes.
            now = time.monotonic()
            if self._control.held_back or now - self._shown >= MIN_PACE:
                self._shown = now
                yield SnapshotDue(self.seconds)
            by_event = wait()
            granted = 1 if by_event else self._control.grant(self._slice_nodes * len(active))
            self._resume()
            # 2. Check the limits.
            if self._control.stopped:
                self.end = End.STOPPED
                return
            if not granted:
                continue  # somebody asked for the result so far
            if limit.seconds is not None and self._spent >= limit.seconds * 1e9:
                self.end = End.SECONDS
                return
            if not active:
                continue
            if limit.nodes is not None:
                allowed = self._allowed(state, granted, active, limit.nodes)
                if allowed is None:
                    self._control.give_back(granted)
                    continue
                if allowed <= 0:
                    self.end = End.NODES
                    return
                granted = allowed
            # 3. Run the slice. The clock leaves out the preparation.
            before, used = sum(nodes.tolist()), processor_time.tolist()
            stepping = self._control.paused and not by_event
            counted = state.counters().nodes if stepping else 0
            budgets = _budgets(granted, active, number, workers)
            is_exact = by_event or self._control.held_back or limit.nodes is not None
            slack[:] = 0 if is_exact else self._slice_nodes  # without it, the end of each slice takes the slower stack
            self._resume()
            epoch[:] = self._since - self._spent
            called[:] = time.monotonic_ns()
            self._run_slice(prepared, state, budgets)
            if stepping:
                self._control.give_back(max(0, granted - (state.counters().nodes - counted)))
            # 4. Adjust the length of the next to SHORT ... LONG.
            lasted = max(after - earlier for after, earlier in zip(processor_time.tolist(), used, strict=True))
            if lasted < SHORT and sum(nodes.tolist()) - before >= self._slice_nodes * len(active):
                self._slice_nodes *= 2
            elif lasted > LONG:
                self._slice_nodes = max(1000, self._slice_nodes // 2)

    def count_time(self) -> None:
        """Add the time since the last count to the clock."""
        now = time.monotonic_ns()
        if self._since:
            self._spent += now - self._since
        self._since = now

    def _resume(self) -> None:
        """Leave out the time since the last count: the search waited."""
        self._since = time.monotonic_ns()

    def set_forward(self, clock: int) -> None:
        """Set the clock to `clock`, in ns, if that is later. The time since the last count is not added."""
        self._spent = max(self._spent, clock)
        self._since = time.monotonic_ns()

    def _allowed(self, state: SearchState, granted: int, active: list[int], nodes: int) -> int | None:
        """The part of a grant that the node limit allows; None: none now, maybe later. Taking a task may visit one node
        for each ply above it. If the limit has no room for that for all workers, only one that need not wait for others
        stays in `active`."""
        left, above = nodes - state.counters().nodes, plies_above(state)
        if left <= above * len(active):
            active[:] = [max(active, key=lambda worker: state.crew.state[worker]["task"] >= 0)]
        return min(granted, left - above * len(active))


def first_slice(prepared: Prepared) -> int:
    """The number of nodes of a worker's first slice."""
    if prepared.job.backend == "interpreted":
        return INTERPRETED_NODES
    return PLAIN_NODES if traits(prepared.position).free_placement and not prepared.has_aids else SLICE_NODES


def plies_above(state: SearchState) -> int:
    """The number of plies above the deepest task."""
    return int(state.tree.nodes[state.tree.tasks["node"]]["ply"].max())


def _budgets(granted: int, active: list[int], number: int, workers: int) -> NDArray[np.int64]:
    """The budget of each worker in a slice. A grant too small for all is given to another worker in each slice."""
    budgets = np.zeros(workers, np.int64)
    for place, worker in enumerate(active):
        budgets[worker] = (granted + (place + number) % len(active)) // len(active)
    return budgets
