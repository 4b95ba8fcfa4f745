"""The events of a running search, one snapshot each.

A slice of one node stands between two visits. Meanwhile nodes are left with their values, and cutoffs happen: those
events follow from the rows that the search has recorded. A snapshot of the search shows the last of them.
"""

from collections.abc import Callable, Iterator

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.backends.state import SearchState
from engine.control import Control
from engine.kernels.chance import averaged_words
from engine.kernels.worker_memory import ALL_SEEN, CUTOFF, ended, load, was_cut
from engine.result import Counters, PathNode, Snapshot, Value
from engine.trace.part import EventSnapshot, Part, shown
from engine.trace.why import pruned_moves


class Events:
    """The events of all root searches of a job. Call `begin` before each."""

    def __init__(self, control: Control, answer: Callable[[], bool]) -> None:
        """`answer` sends the result so far to the caller that asked for it, and returns whether one had asked."""
        self._control, self._answer = control, answer
        self._newest: Snapshot | None = None
        """The snapshot of the newest event, or of the start. None once the search has run without showing events."""

    def begin(self, state: SearchState) -> None:
        """Go on with the root search of this state."""
        self._state, self._moment = state, -1
        self._numbers, self._rows = np.empty(0, np.int64), 0
        """The rows that the path of the newest event shows, and the number of rows recorded then."""

    def wait(self) -> bool:
        """Wait for the next event; False, without waiting, if events are not shown one by one."""
        return self._are_recorded and self._control.grant_event()

    def snapshots(self, info: Snapshot) -> Iterator[Snapshot]:
        """The snapshots of the events up to `info`, each after a wait but the first; `info` alone if events are not
        shown one by one. Before the first node of a root search, the last event of the one before stays on display."""
        is_first = self._newest is None and not self._state.crew.state[0]["rows"]
        if is_first or not self._are_shown:
            self._newest = info if is_first else None
            yield info
        else:
            yield from self._rest(info)

    def last(self, snapshot: Callable[[], Snapshot]) -> Iterator[Snapshot]:
        """The same for the events that end a root search: none if events are not shown one by one."""
        return self._rest(snapshot()) if self._are_shown else iter(())

    def _rest(self, info: Snapshot) -> Iterator[Snapshot]:
        for number, event in enumerate(self._events(info)):
            while number and not self.wait():
                if not self._answer():
                    self._newest = None
                    return
            self._newest, self._moment = event, event.moment
            yield event

    @property
    def _are_shown(self) -> bool:
        """Whether events are shown one by one now."""
        return self._are_recorded and self._control.shows_events

    @property
    def _are_recorded(self) -> bool:
        """Whether the record tells the events: one worker writes it in their order, from the root, and it has room."""
        state = self._state
        if state.records is None or len(state.crew.state) > 1 or state.tree.nodes[0]["task"] < 0:
            return False
        return bool(state.crew.state[0]["rows"] <= state.records.shape[1])

    def _events(self, info: Snapshot) -> list[EventSnapshot]:
        """The events since the newest, up to `info`; where more than one node was visited since, only the last."""
        state, before = self._state, self._newest
        rows = int(state.crew.state[0]["rows"])
        if not rows or state.records is None:
            return []
        follows = before is not None and rows - self._rows <= 1
        tape = state.records[0]
        numbers = np.concatenate([self._numbers, self._rows + shown(tape[self._rows : rows], state.root)])
        still = numbers[shown(tape[numbers], state.root)]
        numbers = numbers if follows else still
        words, all_seen = self._completed(tape[numbers], numbers)
        part = Part(state.root, words, numbers, rows, state.unit, state.estimates)
        entered = part.entered(len(numbers) - 1)
        now = entered if self._is_open else part.last - all_seen
        self._numbers, self._rows = still, rows
        if before is None or not follows:
            return [_at(part, now, part.path_nodes(now), info, info.counters)]
        found, counters = list[EventSnapshot](), before.counters
        for moment in range(self._moment + 1, now + 1):
            path = part.path_nodes(moment)
            counters = _counted(part, moment, info.counters if moment >= entered else before.counters, counters)
            known = info if moment == now else before
            if not info.iterations:
                known = _known(path[0].best, before, info, state.horizon)
            found.append(_at(part, moment, path, known, counters))
        return found

    @property
    def _is_open(self) -> bool:
        """Whether the newest node is left in the next slice only, though its value is recorded: it is the root, or it
        is known from the table and searched a second time."""
        own = self._state.crew.state[0]
        if own["ply"] < own["base"]:
            return bool(own["task"] >= 0)
        return bool(self._state.crew.frames[0, own["ply"]]["again"])

    def _completed(self, words: NDArray[np.int64], numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], bool]:
        """The rows, and whether the open node has seen all its moves. The kernel then writes the end of its row in the
        next slice: it is added here, for a cutoff has happened already, and a chance node has its value."""
        own = self._state.crew.state[0]
        frame = self._state.crew.frames[0, max(own["ply"], own["base"])]
        all_seen = bool(own["ply"] >= own["base"] and not frame["todo"].any() and not frame["again"])
        if all_seen:
            position, values = load(self._state.root, frame), self._state.crew.values[0, own["ply"]]
            value = averaged_words(position, int(frame["best"]), values)
            words[numbers.searchsorted(frame["row"])] += ended(CUTOFF if was_cut(frame) else ALL_SEEN, value)
        return words, all_seen


def _at(part: Part, moment: int, path: tuple[PathNode, ...], info: Snapshot, counters: Counters) -> EventSnapshot:
    """A snapshot at a moment of the part, with this path and these counters, and otherwise as `info`."""
    worker = replace(info.workers[0], counters=counters, path=part.trace.moves(part.row(moment)))
    fields = {name: getattr(info, name) for name in Snapshot.__struct_fields__}
    own = {"path": path, "counters": counters, "workers": (worker,)}
    return EventSnapshot(**(fields | own), replay=part, moment=moment)


def _counted(part: Part, moment: int, visits: Counters, cuts: Counters) -> Counters:
    """The counters at a moment: those of the visited nodes, and those of the cutoffs before the moment, counted on."""
    cutoffs, pruned = cuts.cutoffs, cuts.pruned
    if part.event(moment).cut:
        cutoffs += 1
        pruned += len(pruned_moves(part.trace, part.row(moment)))
    return replace(visits, cutoffs=cutoffs, pruned=pruned)


def _known(root: Value | None, before: Snapshot, after: Snapshot, depth: int) -> Snapshot:
    """The one of two snapshots that knows the line with this value of the root, with this value, which looks `depth`
    plies ahead."""
    for info in (after, before):
        if root is not None and info.value is not None and info.value.number == root.number:
            return replace(info, value=root)
    return replace(after, value=root, best=None, pv=(), value_depth=None if root is None else depth)
