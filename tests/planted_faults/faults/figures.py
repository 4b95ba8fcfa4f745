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
        "depth = level.depth if level.depth is not None and level.depth < _plies(asked) else None",
        "depth = 16 * level.depth if level.depth is not None and level.depth < _plies(asked) else None",
        "tests/engine/play/test_levels.py::test_a_level_looks_no_deeper_than_it_says_and_as_is_asked",
    ),
    Fault(
        "a limit for analysis is one of the computer's too",
        "engine/play/levels.py",
        "job = replace(asked, limit=Limit(depth), ",
        "job = replace(asked, limit=replace(asked.limit, depth=depth), ",
        "tests/engine/play/test_levels.py::test_what_is_set_for_analysis_does_not_weaken_a_level",
    ),
    Fault(
        "what is said of a limit of nodes and of one of time is swapped",
        "gui/state/wording.py",
        'why = tr("node limit") if result.end is End.NODES else tr("time limit")',
        'why = tr("time limit") if result.end is End.NODES else tr("node limit")',
        "tests/gui/counters/test_search_panel.py",
    ),
    Fault(
        "at an earlier moment the figures are those of the end",
        "gui/counters/search_panel.py",
        "if self._cursor.is_at_end or self._cursor.replay is None:",
        "if self._cursor is not None:",
        "tests/gui/counters/test_search_panel.py::test_before_the_end_the_figures_are_those_of_the_moment",
    ),
    Fault(
        "the deepest cutoff of a place has its tick",
        "engine/trace/replay.py",
        "in reversed(list(enumerate(few))):",
        "in enumerate(few):",
        "tests/gui/tree/test_transport.py::test_the_timeline_scrubs_and_has_a_tick_at_each_cutoff",
    ),
    Fault(
        "the replay makes room for the speed of the next search",
        "gui/tree/transport.py",
        "if self._cursor.replay is not None else [self._live",
        "if self._cursor.replay is None else [self._live",
        "tests/gui/tree/test_transport.py::test_the_timeline_scrubs_and_has_a_tick_at_each_cutoff",
    ),
    Fault(
        "the figures at the foot are those of the end",
        "gui/layout/strip.py",
        "is_earlier = replay is not None and not self._cursor.is_at_end",
        "is_earlier = False",
        "tests/gui/layout/test_strip.py::test_the_figures_follow_the_cursor_and_say_of_when_they_are",
    ),
    Fault(
        "a hidden transport plays on",
        "gui/tree/transport.py",
        "        self._cursor.pause()\n        super().hideEvent(event)",
        "        super().hideEvent(event)",
        "tests/gui/tree/test_transport.py::test_a_speed_lasts_and_playing_ends_when_hidden",
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
        "the runs keep their records, however long",
        "gui/state/analysis.py",
        "            if nodes > room:\n",
        "            if nodes > 2 * room:\n",
        "tests/gui/test_stale.py",
    ),
)
