"""The control of a running search: pause, resume, step, stop and speed.

Before each slice, a backend asks its `Control` for a grant of nodes; the inner loop tests nothing. Any thread may call
any method at any time. Repeating a call has no further effect.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from engine.messages import message

if TYPE_CHECKING:
    from engine.result import Result

MIN_PACE = 1 / 60
"""Seconds between slices of a throttled search: the frame rate of a screen."""

EVENT_SPEED = 0.5 / MIN_PACE
"""Nodes per second up to which the events of a search can be seen one by one: each node is entered, and is left."""

FULL_SPEED = 1e9
"""Nodes per second that no search reaches: from this speed on, it is not throttled."""


class BrokenOff(KeyboardInterrupt):
    """A search was stopped before it had begun."""


Answer = Callable[["Result"], None]
"""Takes the result of a search so far, with the end of one that was stopped now."""


class Control:
    """The control of one search."""

    def __init__(self, nodes_per_second: float = FULL_SPEED, paused: bool = False) -> None:
        self._changed = threading.Condition()
        self._stopped = False
        self._paused = paused
        self._steps = self._events = 0
        """The nodes and the events that a paused search may still visit and show."""
        self._granted = 0
        """The nodes of a step that the last grant took; 0 once a pause or a resume has ended that step."""
        self._speed = nodes_per_second
        self._due = 0.0
        self._question: Answer | None = None
        self._listener: Callable[[str], None] | None = None
        self._is_preparing = False

    def stop(self) -> None:
        """End the search after its current slice. This cannot be undone."""
        with self._changed:
            self._stopped = True
            self._has_changed("stop")

    def stop_at_once(self) -> None:
        """Stop, and break off the preparation if there is one. For a signal handler, which runs in the thread that
        prepares. Raises BrokenOff there."""
        self.stop()
        if self._is_preparing:
            self._is_preparing = False
            raise BrokenOff

    @contextmanager
    def preparing(self) -> Iterator[None]:
        """In this context a search gets ready, which takes seconds where kernels are compiled; `stop_at_once` leaves
        it."""
        try:
            self._is_preparing = True
            yield
        except BrokenOff:
            pass
        finally:
            self._is_preparing = False

    def pause(self) -> None:
        with self._changed:
            self._paused, self._steps, self._events, self._granted = True, 0, 0, 0
            self._has_changed("pause")

    def resume(self) -> None:
        with self._changed:
            self._paused, self._steps, self._events, self._granted = False, 0, 0, 0
            self._has_changed("resume")

    def step(self, nodes: int = 1) -> None:
        """Pause after `nodes` more nodes; of MPI ranks, each visits so many more."""
        with self._changed:
            self._paused = True
            self._steps += nodes
            self._has_changed(f"step {nodes}")

    def step_event(self) -> None:
        """Pause after one more event; after one more node, where the search cannot tell its events."""
        with self._changed:
            self._paused = True
            self._events += 1
            self._has_changed("step 1")

    def set_speed(self, nodes_per_second: float) -> None:
        """Throttle the search to so many nodes per second; not from FULL_SPEED on."""
        with self._changed:
            self._speed, self._due = nodes_per_second, 0.0
            self._has_changed(f"speed {nodes_per_second:g}")

    def ask_result(self, answer: Answer) -> None:
        """Ask the search for its result so far: `answer` is called with it once, in the thread of `run`, between two
        slices of each worker. A search that waits answers too. A later question replaces one that is not answered."""
        with self._changed:
            if self._question is None:
                self._has_changed("result")
            self._question = answer

    def take_question(self) -> Answer | None:
        """What is to be called with the result so far; None if nobody has asked since the last call."""
        with self._changed:
            question, self._question = self._question, None
            return question

    def forward_to(self, listener: Callable[[str], None]) -> None:
        """Also control a search in another process: send the current state and every later change to `listener`, as
        lines for `obey` there. `listener` runs in the thread that makes the change, and must not block."""
        with self._changed:
            self._listener = listener
            listener(f"speed {self._speed:g}")
            if self._paused:
                listener("pause")
            if self._steps + self._events:
                listener(f"step {self._steps + self._events}")
            if self._stopped:
                listener("stop")
            if self._question is not None:
                listener("result")

    def obey(self, line: str, share: float = 1.0) -> None:
        """Carry out a line: stop, pause, resume, step N or speed N. This search gets the part `share` of a speed, and
        all nodes of a step. Raises ValueError, with a sentence, for any other line."""
        match line.split():
            case ["stop"]:
                self.stop()
            case ["pause"]:
                self.pause()
            case ["resume"]:
                self.resume()
            case ["step", nodes] if nodes.isdecimal():
                self.step(int(nodes))
            case ["speed", speed] if _is_speed(speed):
                self.set_speed(float(speed) * (1.0 if float(speed) >= FULL_SPEED else share))
            case _:
                raise ValueError(
                    message(
                        "{line} is not a command: the commands are stop, pause, resume, step N and speed N.",
                        line=repr(line),
                    )
                )

    @property
    def stopped(self) -> bool:
        return self._stopped

    @property
    def paused(self) -> bool:
        return self._paused

    @property
    def held_back(self) -> bool:
        """Whether the search is paused or throttled, so that every slice should be shown."""
        return self._paused or self._speed < FULL_SPEED

    @property
    def shows_events(self) -> bool:
        """Whether the search is paused, or so slow that its events can be seen one by one."""
        return self._paused or self._speed <= EVENT_SPEED

    def grant_event(self) -> bool:
        """Wait until the next event is due. False, without waiting, if events are not to be shown one by one: the
        search is too fast for it, is to visit a number of nodes, was stopped, or is asked for its result so far."""
        with self._changed:
            while not self._stopped and not self._steps and self.shows_events:
                if self._paused:
                    if self._events:
                        self._events -= 1
                        return True
                    self._wait(None)
                    self._due = 0.0
                elif self._is_due(0.5):
                    return True
                if self._question is not None:
                    break
            return False

    def grant(self, slice_nodes: int) -> int:
        """The number of nodes that may be visited now, at most `slice_nodes`. Blocks while it is 0. It is 0 after a
        stop, and where a waiting search is asked for its result so far."""
        with self._changed:
            self._granted = 0
            while not self._stopped:
                if self._paused:
                    if self._steps:
                        self._granted = min(self._steps, slice_nodes)
                        self._steps -= self._granted
                        return self._granted
                    if self._events:
                        self._events -= 1
                        self._granted = 1
                        return 1
                    self._wait(None)
                    self._due = 0.0
                elif self._speed >= FULL_SPEED:
                    return slice_nodes
                else:
                    granted = max(1, round(self._speed * MIN_PACE))
                    if self._is_due(granted):
                        return min(granted, slice_nodes)
                if self._question is not None:
                    break
            return 0

    def give_back(self, nodes: int) -> None:
        """Return granted nodes that were not visited because a root search had ended. A step continues with them; not
        after a pause or a resume."""
        with self._changed:
            self._steps += min(nodes, self._granted)

    def _is_due(self, nodes: float) -> bool:
        """Whether so many nodes are due at this speed; waits once for that time, or for a change, if they are not."""
        now = time.monotonic()
        if self._due <= now:
            self._due = max(self._due, now - MIN_PACE) + nodes / self._speed
            return True
        self._wait(self._due - now)
        return False

    def _has_changed(self, line: str) -> None:
        if self._listener is not None:
            self._listener(line)
        self._changed.notify_all()

    def _wait(self, seconds: float | None) -> None:
        """Wait for a change, at most `seconds`; not while a question is open."""
        if self._question is None:
            self._changed.wait(seconds)


def _is_speed(word: str) -> bool:
    try:
        return 0 < float(word) < float("inf")
    except ValueError:
        return False
