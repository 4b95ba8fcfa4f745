"""What says more than it may while No spoilers is on."""

from tests.planted_faults.planting import Fault

ROOT_CUT = "tests/gui/state/test_spoilers.py::test_a_cut_of_the_root_does_not_tell_the_best_move"
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
    Fault(
        "the tiles of the moves that a cut of the root left",
        "gui/tree/path_model.py",
        "if state is State.PRUNED and self.hides_cut_above",
        "if False",
        ROOT_CUT,
    ),
    Fault(
        "the frame of a cut root",
        "gui/tree/path_model.py",
        "self.here.cut and not hides_cut(self.ply, self.hidden)",
        "self.here.cut",
        ROOT_CUT,
    ),
    Fault(
        "the sentence on a cut of the root",
        "gui/tree/why_line.py",
        "event.cut and not hides_cut(row, telling.hidden):",
        "event.cut:",
        ROOT_CUT,
    ),
    Fault(
        "the cut of the root in the sentence on its best move",
        "gui/tree/narration.py",
        " and not hides_cut(above, telling.hidden):",
        ":",
        ROOT_CUT,
    ),
    Fault(
        "the line of the code that cuts the root",
        "gui/tree/code.py",
        " and not hides_cut(trace.parent(row), spoilers().hidden):",
        ":",
        ROOT_CUT,
    ),
    Fault(
        "the stripes that a cut of the root left",
        "gui/state/root_cut.py",
        "    if hidden:\n        gaps[",
        "    if False:\n        gaps[",
        ROOT_CUT,
    ),
    Fault(
        "the colour of a root that is cut",
        "gui/tree/icicle_colours.py",
        " & ~((raster.rows == 0) & look.hidden)",
        "",
        ROOT_CUT,
    ),
    Fault(
        "the tick of a cut of the root",
        "gui/tree/moment_slider.py",
        "if ply >= 0 and not hides_cut(ply, hidden):",
        "if ply >= 0:",
        ROOT_CUT,
    ),
)
