"""Two figures to compare a finished search with: the leaves of the critical tree, and the nodes of the same search on
one thread.

The leaves are counted on a thread of their own, in Python: some seconds for the largest trees.
"""

import itertools
import time
from collections.abc import Callable

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from engine import registry
from engine.control import Control
from engine.job import Job, on_same_tree
from engine.measure.critical_tree import critical_leaves, regular_leaves
from engine.options.catalogue import Limit
from engine.prepare import prepare
from engine.result import FINISHED, Number, Result, Snapshot
from engine.rules.contract import traits
from gui.state.analysis import Analysis
from gui.state.option_rules import USUAL
from gui.work.runner import Request, Runner

REST_MILLISECONDS = 300
"""The delay after a search before the count starts: another search may follow at once."""
KEPT_COUNTS = 20
"""The number of trees whose leaves are remembered."""
BREATHS, BREATH_SECONDS = 100, 0.001
"""The number of positions between pauses, and the length of a pause: the count is pure Python and would block the
window's thread."""


class CriticalTree(QObject):
    """Knuth and Moore's minimum of leaves for the current search. Call `close` before it is deleted."""

    found = Signal()
    """The count has ended."""

    def __init__(self, analysis: Analysis, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._leaves: int | None = None
        self._known: dict[Job, int | None] = {}
        self._too_large = False
        self._asked: Job | None = None
        self._value: Number = 0
        self._rest = QTimer(self, singleShot=True, interval=REST_MILLISECONDS)
        self._rest.timeout.connect(self._count)
        self._runner = Runner("count of leaves", _count, self)
        self._runner.finished.connect(self._on_finished)
        self._runner.failed.connect(self._on_failed)
        analysis.started.connect(self._drop)
        analysis.shown.connect(self._on_searched)

    @property
    def leaves(self) -> int | None:
        """The leaves of the critical tree; None while they are not known, or where the tree is too large."""
        return self._leaves

    @property
    def is_too_large(self) -> bool:
        """Whether the tree has too many positions for its leaves to be counted."""
        return self._too_large

    @property
    def is_counting(self) -> bool:
        return self._asked is not None

    def close(self) -> None:
        self._rest.stop()
        self._runner.close()

    def _drop(self) -> None:
        self._leaves = self._asked = None
        self._too_large = False
        self._rest.stop()
        self._runner.drop()

    def _on_searched(self, result: Result) -> None:
        value = result.info.value
        game = registry.game(result.job.game)
        if value is None or not value.is_exact or leaves_of(result.info) is None:
            return
        if unfinished(result) or traits(game.start).chance:
            return
        tree = _tree(result)
        if tree in self._known:
            self._show(self._known[tree])
        else:
            self._asked, self._value = tree, value.number
            self._rest.start()

    def _count(self) -> None:
        self._runner.start((self._asked, self._value))

    def _on_finished(self, leaves: int | None) -> None:
        assert self._asked is not None
        self._known[self._asked] = leaves
        if len(self._known) > KEPT_COUNTS:
            del self._known[next(iter(self._known))]
        self._asked = None
        self._show(leaves)
        self.found.emit()

    def _on_failed(self) -> None:
        self._asked = None
        self.found.emit()

    def _show(self, leaves: int | None) -> None:
        self._leaves, self._too_large = leaves, leaves is None


def leaves_of(info: Snapshot) -> int | None:
    """The number of leaves that a search visited for its value: those of its last iterations, where there are several;
    None before the first."""
    last = [iteration for iteration in info.iterations if iteration.depth == info.iterations[-1].depth]
    counted = [iteration.counters for iteration in last] or [info.counters]
    return sum(counters.terminals + counters.horizon for counters in counted) or None


def unfinished(result: Result) -> bool:
    """Whether a search was stopped before it had the value."""
    return result.end not in FINISHED


def overhead(result: Result, runs: tuple[Result, ...]) -> tuple[int, int] | None:
    """The nodes of a parallel search and of the same search on one thread; None if the serial one is not among the
    runs, and of a search as it was after an earlier iteration."""
    if result.job.backend not in registry.PARALLEL or unfinished(result) or result.iteration is not None:
        return None
    wanted = _serial(result.job)
    for run in runs:
        if run.job.backend not in registry.PARALLEL and not unfinished(run) and _serial(run.job) == wanted:
            return result.info.counters.nodes, run.info.counters.nodes
    return None


def _serial(job: Job) -> Job:
    """The same search on one thread, without schedule and split, which have no effect there."""
    shared = {name: getattr(USUAL, name) for name in ("workers", "threads", "schedule", "split", "parallel", "form")}
    return replace(job, backend="serial", record=0, **shared)


def _tree(result: Result) -> Job:
    """A job with only the settings that the minimum depends on: the tree of the last iteration, where there are
    several, else the whole one."""
    job, iterations = result.job, result.info.iterations
    limit = Limit(iterations[-1].depth if iterations else job.limit.depth)
    return on_same_tree(job, limit=limit, deepen=job.deepen)


def breathing(control: Control) -> Callable[[], bool]:
    """Whether `control` is stopped, for a count in pure Python: it pauses at times, so that the window can work."""
    asked = itertools.count(1)

    def stopped() -> bool:
        if next(asked) % BREATHS == 0:
            time.sleep(BREATH_SECONDS)
        return control.stopped

    return stopped


def _count(request: Request) -> int | None:
    job, value = request.asked
    prepared, stopped = prepare(job), breathing(request.control)
    return regular_leaves(prepared) or critical_leaves(prepared, round(value * prepared.unit), stopped=stopped)
