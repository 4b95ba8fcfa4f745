"""Where a search is, in the picture of its record: one that runs, and the second of two compared ones."""

from typing import TYPE_CHECKING, NamedTuple

from engine.result import Snapshot
from engine.trace.compare import Comparison
from engine.trace.part import EventSnapshot
from engine.trace.replay import Event, Replay
from gui.tree.icicle_painter import Moment

if TYPE_CHECKING:
    from engine.trace.record import Trace


class Here(NamedTuple):
    """The path and the moment of a picture."""

    chain: tuple[int, ...]
    """The rows of the path, the root first; none where several workers search, or the record has no room for it."""
    moment: Moment | None = None
    """None after the last moment of the record so far."""


def here(info: Snapshot, so_far: Snapshot, trace: "Trace") -> Here:
    """Where a search is by its newest snapshot, in the record that it had at the snapshot `so_far`; at the end of that
    if it has gone on since."""
    if len(info.workers) > 1 or trace.truncated:
        return Here(())
    replay, is_same = Replay(trace), len(info.iterations) == len(so_far.iterations)
    if not isinstance(info, EventSnapshot) or info.moment > replay.last or not is_same:
        return Here(tuple(trace.path(len(trace) - 1)))
    chain = tuple(trace.path(replay.row(info.moment)))
    return Here(chain, Moment(replay.newest(info.moment), chain, info.replay.event(info.moment).cut))


def at(replay: Replay, moment: int) -> Here:
    """Where a search is at a moment before its last, on the path of its newest event."""
    chain = tuple(replay.trace.path(replay.row(moment)))
    return Here(chain, Moment(replay.newest(moment), chain, replay.event(moment).cut))


def second_here(found: Comparison, replay: Replay, row: int, event: Event | None) -> Here:
    """Where the second of two compared searches is in its `replay`, at a row of the first and, unless that has ended,
    its event."""
    if event is None:
        return Here(tuple(replay.trace.path(found.counterpart(row))))
    return at(replay, found.moment(event, replay))
