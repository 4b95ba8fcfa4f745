"""Why a move is pruned: certificates, narration, and the code panel."""

from tests.planted_faults.planting import Fault

WHY, TEXTBOOK = "engine/trace/why.py", "engine/text/textbook.py"
OF_WHY, OF_LINE = "tests/engine/trace/test_why.py", "tests/gui/tree/test_why_line.py"
OF_EVENTS, OF_RECORD = "tests/engine/backends/test_events.py", "tests/engine/trace/test_record.py"
SWEPT = f"{OF_WHY}::test_no_value_of_a_pruned_move_changes_the_root"

FAULTS = (
    Fault(
        "the only task is taken for the root",
        "engine/backends/events.py",
        'state.tree.nodes[0]["task"] < 0:',
        "len(state.tree.tasks) > 1:",
        f"{OF_EVENTS}::test_the_only_task_is_not_taken_for_the_root_above_it",
    ),
    Fault(
        "a bound comes from another search of the same move",
        "engine/trace/why.py",
        " if known.move != trace.move(row))",
        ")",
        "tests/engine/trace/test_why.py::test_no_bound_comes_from_another_search_of_the_same_move",
    ),
    Fault(
        "a cutoff by a move that is not recorded is told with its certificate",
        "gui/tree/why_line.py",
        "gap_shown(telling.trace, row, telling.hidden) is not Gap.PRUNED:",
        "telling.trace.why(row) != CUTOFF:",
        f"{OF_LINE}::test_where_a_full_record_lacks_the_move_that_cut_the_end_is_told",
    ),
    Fault(
        "a cutoff by a move that is not recorded leaves pruned moves",
        "engine/trace/record.py",
        "if why != CUTOFF or is_shared or not any(self.proven(row, self.raw(row).beta)):",
        "if why != CUTOFF or is_shared:",
        f"{OF_WHY}::test_a_cutoff_by_a_move_that_is_not_recorded_has_no_certificate",
    ),
    Fault(
        "in a full record what another worker searched is pruned",
        "engine/trace/record.py",
        "if why != CUTOFF or is_shared or not",
        "if why != CUTOFF or not",
        f"{OF_RECORD}::test_what_another_worker_searched_meanwhile_is_not_pruned_in_a_full_record",
    ),
    Fault(
        "the ends of a null window look the same",
        "engine/text/numbers.py",
        "return signed(value, 3)",
        "return signed(value)",
        "tests/gui/tree/test_path.py::test_a_null_window_is_called_one",
    ),
    Fault(
        "the code shows a null window as an empty one",
        "gui/tree/code.py",
        "if spoilers().hidden else precise(value)",
        'if spoilers().hidden else f"{value:.2f}"',
        "tests/gui/tree/test_why_line.py::test_a_null_window_is_not_shown_as_an_empty_one",
    ),
    Fault(
        "a search that ends late answers the next question",
        "gui/tree/pruned_search.py",
        "self.runner.drop()",
        "self.runner.control.stop()",
        "tests/gui/tree/test_why_line.py::test_a_search_that_ends_late_answers_no_other_question",
    ),
    Fault(
        "the call stack of MTD(f) takes a lower bound for an upper one",
        "gui/tree/code.py",
        "if number < passed.beta else",
        "if number >= passed.beta else",
        f"{OF_LINE}::test_the_call_stack_of_mtdf_begins_with_what_its_passes_have_proven",
    ),
    Fault(
        "the swept move has another point of view than its sentence",
        "gui/tree/why_text.py",
        "telling.seen(value, telling.mover(found.row), after)",
        "telling.seen(value, telling.mover(found.row), telling.mover(found.row))",
        f"{OF_LINE}::test_the_value_of_a_pruned_move_is_swept_beside_that_of_the_root",
    ),
    Fault(
        "a bound is taken for the wrong side",
        WHY,
        "_holder(trace, below, -beta, range(below))",
        "_holder(trace, below, beta, range(below))",
        SWEPT,
    ),
    Fault(
        "a move that is known to be at most as good holds a bound",
        "engine/trace/record.py",
        "worth.proves_a_move and ",
        "",
        f"{OF_WHY}::test_bounds_of_several_workers_are_certified",
    ),
    Fault(
        "a position that another worker left open hides the root's value",
        WHY,
        "        if trace.why(above) == OPEN:\n            break\n",
        "        if trace.why(above) == OPEN:\n            return None\n",
        f"{OF_WHY}::test_bounds_of_several_workers_are_certified",
    ),
    Fault(
        "a pruned move's search counts wins from its own position",
        "engine/play/pruned_move.py",
        "trace.index.ply(row) + 1 if job.scoring",
        "0 if job.scoring",
        f"{OF_WHY}::test_a_pruned_move_is_searched_as_the_rest_was",
    ),
    Fault(
        "the code panel has the second search's line for the first",
        TEXTBOOK,
        "calls=tuple(line - 1 for line in sorted(calls))",
        "calls=tuple(line - 1 for line in sorted(calls))[-1:]",
        "tests/engine/text/test_textbook.py::test_the_lines_of_a_recursion_are_those_that_run",
    ),
    Fault(
        "the why-line gives the bound in the other side's sign",
        "gui/tree/why_text.py",
        '("β", found.beta) if at_least else ("α", -found.beta)',
        '("β", -found.beta) if at_least else ("α", found.beta)',
        f"{OF_LINE}::test_each_moment_is_told_and_its_line_of_code_is_marked",
    ),
    Fault(
        "the why-line marks every event as a cutoff",
        "gui/tree/why_line.py",
        "        if self.note:\n",
        "        if self.text:\n",
        f"{OF_LINE}::test_each_moment_is_told_and_its_line_of_code_is_marked",
    ),
    Fault(
        "a cutoff is told as a call in the code",
        "gui/tree/code.py",
        "if event.cut and function.cuts is not None",
        "if not event.cut and function.cuts is not None",
        f"{OF_LINE}::test_each_moment_is_told_and_its_line_of_code_is_marked",
    ),
    # The events of a search that is stepped
    Fault(
        "a cutoff is told only when its position is left",
        "engine/backends/events.py",
        "ended(CUTOFF if was_cut(frame) else ALL_SEEN, value)",
        "ended(ALL_SEEN, value)",
        f"{OF_EVENTS}::test_stepped_events_are_those_of_the_replay",
    ),
    Fault(
        "a step skips what happens above the visited node",
        "engine/backends/events.py",
        "range(self._moment + 1, now + 1)",
        "range(now, now + 1)",
        f"{OF_LINE}::test_a_step_tells_a_cutoff_higher_up_as_the_replay_does",
    ),
    Fault(
        "the part of the record counts only its own rows to the end of a position",
        "engine/trace/part.py",
        "2 * int(self._numbers[self.end[row]])",
        "2 * int(self._numbers[row] + self.end[row] - row)",
        f"{OF_EVENTS}::test_stepped_events_are_those_of_the_replay",
    ),
    Fault(
        "the code panel has the frame of the whole search while it is stepped",
        "gui/tree/code.py",
        "replay.row(moment), info.path, moment)",
        "replay.row(moment), info.path, None)",
        f"{OF_LINE}::test_a_step_tells_a_cutoff_higher_up_as_the_replay_does",
    ),
)
