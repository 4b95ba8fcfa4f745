"""The slices of a rank. All ranks share the node limit, and the clock of a throttled search."""

import time
from collections.abc import Callable

import numpy as np

from engine.backends.mpi_job.shared_window import SharedWindow
from engine.backends.slicing import RunSlice, Slices, plies_above
from engine.backends.state import SearchState
from engine.control import Control
from engine.options.catalogue import Limit

POLL_SECONDS = 0.002
"""Interval between two message checks of a rank that is paused or throttled."""
REST_SECONDS = 0.0005
"""Interval between two checks of a rank that waits for others to finish."""


class RankControl(Control):
    """The control of a rank, which exchanges messages while it waits for a grant."""

    def __init__(self, exchange: Callable[[], None], answer: Callable[[], None]) -> None:
        """`answer` sends the rank's part of the result so far."""
        super().__init__()
        self._exchange, self._answer = exchange, answer
        self.was_held_back = False
        """Whether the search has ever been paused or slowed down: its clock may have stood still."""

    def obey(self, line: str, share: float = 1.0) -> None:
        """See `Control.obey`. The line `result` asks for the result so far."""
        if line == "result":
            self._answer()
        else:
            super().obey(line, share)
            self.was_held_back |= self.held_back

    def _wait(self, seconds: float | None) -> None:
        self._exchange()
        time.sleep(POLL_SECONDS if seconds is None else min(seconds, POLL_SECONDS))


class RankSlices(Slices):
    """The slices of a rank. It reserves its part of the node limit before each slice."""

    def __init__(
        self, shared: SharedWindow, ranks: int, limit: Limit, control: RankControl, run_slice: RunSlice
    ) -> None:
        super().__init__(limit, control, run_slice)
        self._shared, self._ranks, self._rank_control = shared, ranks, control
        self._reserved = self._visited = 0
        self._above = self._first = 0
        """The nodes above the tasks that this rank has visited, and those of them that it was the first to visit."""

    def rest(self) -> None:
        """Sleep for REST_SECONDS. In a throttled search, take the time of the ranks that search."""
        self.count_time()
        time.sleep(REST_SECONDS)
        if self._control.held_back:
            self.set_forward(self._shared.clock(self.nanoseconds))

    def publish_clock(self) -> None:
        """Count the time of the last slice, before a result so far is made of it. Publish that of a throttled search
        for idle ranks, before they see the results of this rank's tasks."""
        self.count_time()
        if self._control.held_back:
            self._shared.clock(self.nanoseconds)

    def _resume(self) -> None:
        """Leave out the time of waiting. Without any, the clocks of all ranks of a host agree."""
        if self._rank_control.was_held_back:
            super()._resume()

    def release(self, state: SearchState) -> int:
        """Return the reserved nodes that were not visited. Returns the number that all ranks have then reserved."""
        if self._limit.nodes is None:
            return 0
        visited = self._nodes(state)
        unused = self._reserved - (visited - self._visited)
        before, _ = self._shared.reserve(-unused, -1 if self._reserved else 0)
        self._visited, self._reserved = visited, 0
        return before - unused

    def _nodes(self, state: SearchState) -> int:
        """This rank's share of the nodes of all: those of its tasks, and those above them that it was the first to
        visit."""
        above = state.counters_above().nodes
        if above > self._above:
            self._above, nodes = above, state.tree.nodes
            self._first += self._shared.visit(((nodes["visited"] != 0) & (nodes["task"] < 0)).astype(np.int64))
        return state.counters().nodes - above + self._first

    def _allowed(self, state: SearchState, granted: int, active: list[int], nodes: int) -> int | None:
        left = nodes - self.release(state)
        above = plies_above(state) * len(active)
        wanted = min(granted + above, max(left // self._ranks, above + 1))
        before, holders = self._shared.reserve(wanted, 1)
        reserved = min(wanted, nodes - before)
        if reserved <= above:
            self._shared.reserve(-wanted, -1)
            return None if holders else 0
        self._shared.reserve(reserved - wanted)
        self._reserved = reserved
        return reserved - above
