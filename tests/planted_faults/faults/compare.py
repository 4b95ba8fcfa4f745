"""Two searches side by side: their records aligned, their pictures, and the list that they are chosen in."""

from tests.planted_faults.planting import Fault

COMPARE, OF_COMPARE = "engine/trace/compare.py", "tests/engine/trace/test_compare.py"
OF_SECOND = "tests/gui/tree/test_icicle_second.py"

FAULTS = (
    Fault(
        "a saved picture of two searches has the end of the second",
        "gui/tree/icicle.py",
        "Here(self.second.picture.chain, self.second.picture.moment)",
        "Here(())",
        f"{OF_SECOND}::test_two_searches_are_compared_node_by_node",
    ),
    Fault(
        "two compared records show the siblings by their moves, not in the order of the first search",
        COMPARE,
        "np.lexsort((begins, unique // WHY))",
        "np.lexsort((unique, unique // WHY))",
        OF_COMPARE,
    ),
    Fault(
        "of several searches of a move a compared record shows the first",
        COMPARE,
        "np.append(inside[1:] != inside[:-1], True)",
        "np.append(True, inside[1:] != inside[:-1])",
        OF_COMPARE,
    ),
    Fault(
        "the second of two compared records is a moment ahead where it has cut",
        COMPARE,
        "moment = replay.left(row) - 1",
        "moment = replay.left(row)",
        OF_COMPARE,
    ),
    Fault(
        "a search that is dropped takes the place of the one that is shown again",
        "gui/state/analysis.py",
        "        self._runner.drop()\n        self._coming = None\n",
        "        self._coming = None\n",
        "tests/gui/test_stale.py",
    ),
    Fault(
        "a third search ends the comparison",
        "gui/counters/runs.py",
        "if len(rows) > 1 else None",
        "if len(rows) == 2 else None",
        "tests/gui/counters/test_search_panel.py::test_a_third_search_takes_the_place_of_the_compared_one",
    ),
    Fault(
        "a click on an earlier search shows the newest",
        "gui/counters/runs.py",
        "self._analysis.recall(self._runs.run(rows[0]))",
        "self._analysis.recall(self._runs.run(0))",
        "tests/gui/counters/test_search_panel.py::test_a_click_shows_a_run_and_a_double_click_asks_for_it",
    ),
    Fault(
        "the second of two compared trees stands still while the first plays",
        "gui/tree/icicle_live.py",
        "    if event is None:\n",
        "    if True:\n",
        OF_SECOND,
    ),
    Fault(
        "a node that only one search visited has the colour of the others",
        "gui/tree/icicle_colours.py",
        "return seen[raster.rows]",
        "return 0 * seen[raster.rows]",
        OF_SECOND,
    ),
    Fault(
        "what a full record does not hold was not visited",
        COMPARE,
        "if other.truncated:",
        "if False:",
        OF_COMPARE,
    ),
    Fault(
        "a node that is below an ended one is unknown",
        COMPARE,
        "may = trace.gaps(rows) == Gap.UNRECORDED",
        "may = np.ones(len(trace), np.bool_)",
        OF_COMPARE,
    ),
    Fault(
        "what PVS may search again is known",
        COMPARE,
        "if self._again[side]:",
        "if False:",
        OF_COMPARE,
    ),
    Fault(
        "searches of two positions are compared",
        "gui/state/tree_shape.py",
        "(shown.job.game, shown.job.position) != (other.job.game, other.job.position)",
        "False",
        OF_SECOND,
    ),
)
