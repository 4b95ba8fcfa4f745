"""How the window ends, and what is left of it."""

from tests.planted_faults.planting import Fault

FAULTS = (
    Fault(
        "signals end the process at once",
        "gui/app.py",
        "    signals = TerminationSignals()\n",
        "    import signal as s\n    signals = TerminationSignals()\n    for n in (2, 15, 1): s.signal(n, s.SIG_DFL)\n",
        "tests/gui/test_ends.py::test_a_signal_ends_the_window_as_a_click_does",
    ),
    Fault(
        "a second signal does nothing",
        "gui/termination.py",
        "                signal.signal(number, signal.SIG_DFL)\n",
        "                pass\n",
        "tests/gui/test_ends.py::test_a_second_signal_ends_a_window_that_does_not_listen",
    ),
    Fault(
        "a thread that cannot end ends the process",
        "gui/work/runner.py",
        "            _LEFT_BEHIND.append(self._thread)\n",
        "",
        "tests/gui/test_ends.py::test_a_window_closes_though_its_search_cannot_be_stopped",
    ),
    Fault(
        "a search does not wait until numba is imported",
        "gui/work/load_numba.py",
        "    with backends.IMPORTING:\n",
        "    if backends.IMPORTING:\n",
        "tests/gui/work/test_load_numba.py",
    ),
    Fault(
        "nothing waits for what compiles",
        "gui/app.py",
        "    if left := [*left_behind(), *running_on]:\n",
        "    if left := []:\n",
        "tests/gui/test_ends.py::test_a_window_closes_though_its_search_cannot_be_stopped",
    ),
    Fault(
        "a crash leaves no word",
        "gui/help/bug_report.py",
        '        faulthandler.enable((log_folder() / CRASHES).open("a"))\n',
        "",
        "tests/gui/test_ends.py::test_a_crash_is_offered_at_the_next_start_and_stays_in_the_report",
    ),
    Fault(
        "the next start wipes a crash's word",
        "gui/help/bug_report.py",
        "    left.replace(folder / LAST_CRASH)\n",
        "    left.unlink()\n",
        "tests/gui/test_ends.py::test_a_crash_is_offered_at_the_next_start_and_stays_in_the_report",
    ),
    Fault(
        "an error that nobody expected is not caught",
        "gui/app.py",
        "    window.help.errors.catch_all()\n",
        "",
        "tests/gui/help/test_errors.py::test_the_program_shows_an_error_that_nobody_expected",
    ),
    Fault(
        "a lost display loses the last move",
        "gui/app.py",
        "    before_lost_display_ends_it(lambda: _end_without_display(window))\n",
        "",
        "tests/gui/test_ends.py::test_where_the_display_is_lost_all_is_kept_and_logged",
    ),
    Fault(
        "every tree excludes all garbage from collection",
        "gui/work/garbage.py",
        "    if loaded in _LOADED:\n",
        "    if False:\n",
        "tests/gui/work/test_garbage.py",
    ),
    Fault(
        "freed arrays are kept",
        "gui/app.py",
        "    return_freed_arrays()\n",
        "",
        "tests/gui/work/test_allocator.py",
    ),
    Fault(
        "freed memory below other blocks is kept",
        "gui/work/runner.py",
        "                give_back_freed()\n",
        "                pass\n",
        "tests/gui/work/test_allocator.py",
    ),
    Fault(
        "any thread collects garbage",
        "gui/app.py",
        "    GarbageCollector(made)\n",
        "",
        "tests/gui/work/test_garbage.py",
    ),
    Fault(
        "garbage is collected while numba is imported",
        "gui/work/garbage.py",
        "    if any(passed) and not _LOADING:\n",
        "    if any(passed):\n",
        "tests/gui/work/test_garbage.py",
    ),
)
