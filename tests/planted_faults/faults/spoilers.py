"""What says more than it may while No spoilers is on."""

from tests.planted_faults.planting import Fault

FAULTS = (
    Fault(
        "the whole tree has the players' colours",
        "gui/tree/icicle_colours.py",
        "if hidden:\n        return [mixed",
        "if False:\n        return [mixed",
        "tests/gui/tree/test_icicle.py::test_no_spoilers_hides_values_in_colours_and_words",
    ),
    Fault(
        "the path opens along best play",
        "gui/state/replay.py",
        "return 0 if spoilers().hidden else self._opened",
        "return self._opened",
        "tests/gui/tree/test_path.py::test_the_path_opens_along_the_principal_variation",
    ),
    Fault(
        "Shift+Down leads along best play",
        "gui/tree/path.py",
        "if best and not spoilers().hidden:",
        "if best:",
        "tests/gui/state/test_spoilers.py",
    ),
    Fault(
        "the runs' tool tip",
        "gui/counters/runs.py",
        "if run.info.value is not None and not spoilers().hidden:",
        "if run.info.value is not None:",
        "tests/gui/state/test_spoilers.py",
    ),
    Fault(
        "the runs, once they are on display",
        "gui/counters/runs.py",
        "        spoilers().changed.connect(self._on_spoilers)\n",
        "",
        "tests/gui/state/test_spoilers.py",
    ),
    Fault(
        "what is copied of the runs",
        "gui/counters/runs.py",
        "info = spoilers().found(run.info) or run.info",
        "info = run.info",
        "tests/gui/state/test_spoilers.py",
    ),
    Fault(
        "the iterations",
        "gui/counters/iterations.py",
        "    hidden = spoilers().hidden\n    line = line_in_words",
        "    hidden = False\n    line = line_in_words",
        "tests/gui/state/test_spoilers.py",
    ),
    Fault(
        "what is copied of the iterations",
        "gui/counters/iterations.py",
        'found = ("",) * 4 if spoilers().hidden else',
        "found =",
        "tests/gui/state/test_spoilers.py",
    ),
)
