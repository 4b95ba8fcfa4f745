"""Numbers on display, and limits."""

from tests.planted_faults.planting import Fault

FAULTS = (
    Fault(
        "the limit of time is doubled",
        "engine/backends/slicing.py",
        "self._spent >= limit.seconds * 1e9",
        "self._spent >= limit.seconds * 2e9",
        "tests/engine/backends/test_slicing.py",
    ),
    Fault(
        "the speed is doubled",
        "engine/control.py",
        "max(self._due, now - MIN_PACE) + granted / self._speed",
        "max(self._due, now - MIN_PACE) + granted / self._speed / 2",
        "tests/engine/backends/test_slicing.py",
    ),
    Fault(
        "waiting counts as searching",
        "engine/backends/slicing.py",
        "            self._since = time.monotonic_ns()\n            # 2.",
        "            # 2.",
        "tests/engine/backends/test_slicing.py",
    ),
    Fault(
        "a level looks 16 times as far",
        "engine/play/levels.py",
        "depth = min(own.depth or MAX_PLIES, level.depth or MAX_PLIES)",
        "depth = min(own.depth or MAX_PLIES, 16 * (level.depth or MAX_PLIES))",
        "tests/engine/play/test_levels.py::test_a_level_sees_no_further_than_it_says_and_the_persons_own_limit_holds",
    ),
    Fault(
        "what is said of a limit of nodes and of one of time is swapped",
        "gui/state/wording.py",
        'why = tr("node limit") if result.end is End.NODES else tr("time limit")',
        'why = tr("time limit") if result.end is End.NODES else tr("node limit")',
        "tests/gui/counters/test_search_panel.py",
    ),
    Fault(
        '"never visited" falls below 0',
        "gui/counters/search_panel.py",
        "        visited = min(nodes, size)\n",
        "        visited = nodes\n",
        "tests/gui/counters/test_search_panel.py",
    ),
    Fault(
        "more threads than the machine has",
        "gui/state/analysis.py",
        "workers=min(self.workers, threads), threads=min(self.threads, threads)",
        "workers=self.workers, threads=self.threads",
        "tests/gui/test_stale.py",
    ),
    Fault(
        "the runs keep their records",
        "gui/state/analysis.py",
        "self._runs.appendleft(without_trace(result))",
        "self._runs.appendleft(result)",
        "tests/gui/test_stale.py",
    ),
)
