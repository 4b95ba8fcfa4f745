"""The window with MPI: real ranks, launched by mpiexec, and the messages where MPI is missing."""

import os
import signal
from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from engine.backends.mpi_job import launch
from engine.backends.mpi_job.launch import LaunchChoice
from engine.backends.mpi_job.rank_rows import ROWS_A_SECOND
from engine.measure.speedup import PRESET, Mode
from engine.registry import game
from engine.result import End, RankState, Result
from gui.counters.lanes import RANK_FIGURES, lanes
from gui.speedup.plan_page import Plan
from gui.state.mpi import LaunchDialog
from gui.state.search_settings import Settings
from gui.window import Window
from tests.mpi.follow import names_a_rank

LONG = 60_000
"""Milliseconds: with a cold cache a search is compiled first."""
MINIMAX_OF_EMPTY = 549_946
"""The known count of minimax on the empty 3 x 3 board."""

pytestmark = pytest.mark.mpi


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[Window]:
    """A window that has found MPI."""
    before = launch.choice()
    made = Window()
    qtbot.addWidget(made)
    made.resize(1440, 900)
    made.show()
    made.record.set_computer(frozenset())
    with qtbot.waitSignal(made.mpi.changed, timeout=LONG):
        made.mpi.look(before)
    yield made
    made.close()
    launch.choose(before)


def test_a_search_on_ranks_is_shown_while_it_runs_and_when_it_has_ended(qtbot: QtBot, window: Window) -> None:
    """Its tree grows in the part of each rank, becomes that of the result, and can be walked."""
    states, parts = set[RankState](), list[list[int]]()

    def note_states() -> None:
        states.update(rank.state for rank in window.analysis.info.ranks if window.analysis.info)

    def note_parts() -> None:
        result = window.tree.shape.result
        if result is not None and window.analysis.is_running:
            parts.append([sum(task.nodes for task in result.tasks if task.worker == rank) for rank in range(2)])

    window.analysis.counted.connect(note_states)
    window.tree.shape.changed.connect(note_parts)
    window.drawers["workers"].show()
    window.modes.backends["mpi"].trigger()
    window.modes.rank_count.setValue(2)
    window.analysis.change(algorithm="minimax", split=2, speed=5_000)
    window.think_action.trigger()
    qtbot.waitUntil(lambda: len(parts) > 5 and all(map(int.__lt__, parts[0], parts[-1])), timeout=LONG)
    assert window.tree._fact().endswith(" nodes so far")
    with qtbot.waitSignal(window.analysis.finished, timeout=LONG) as finished:
        window.analysis.change(speed=1e9)
    assert finished.args is not None
    result: Result = finished.args[0]
    assert (result.end, result.info.counters.nodes) == (End.COMPLETE, MINIMAX_OF_EMPTY)
    assert RankState.SEARCHING in states
    assert window.workers.accessibleDescription().startswith("rank 0 · ")
    made = lanes(window.record.game, result.job, result.info, result.tasks)
    assert [lane.name.partition(" ·")[0] for lane in made] == ["rank 0", "rank 1"]
    assert sum(len(lane.tasks) for lane in made) == len(result.tasks) == 9 * 8
    assert all(lane.figures[RANK_FIGURES.index("idle")].endswith(" %") for lane in made)
    trace = result.trace
    assert trace is not None
    assert len(trace) == MINIMAX_OF_EMPTY
    assert window.tree._trace is trace
    window.replay.go_to_row(trace.child_row(0, 4) or 0)


def test_the_tree_of_ranks_that_send_less_than_they_visit_grows(qtbot: QtBot, window: Window) -> None:
    """At five nodes for each row that they may send. It is not full where it has not all nodes. Closing the window ends
    the ranks."""
    chosen, lengths = game("mnk:4,4,4"), set[int]()

    def note() -> None:
        trace = window.tree.shape.trace
        if trace is not None and trace.truncated and window.analysis.is_running:
            lengths.add(len(trace))

    window.tree.shape.changed.connect(note)
    window.record.new(chosen)
    window.analysis.change(backend="mpi", algorithm="minimax", ranks=1, speed=5 * ROWS_A_SECOND)
    window.analysis.think(chosen, chosen.start)
    qtbot.waitUntil(lambda: len(lengths) > 2, timeout=LONG)
    window.close()
    # Ranks left running fail the test: see conftest.


@names_a_rank
def test_a_killed_rank_is_named_and_what_was_finished_stays(qtbot: QtBot, window: Window) -> None:
    chosen = game(PRESET.game)
    window.record.new(chosen, chosen.notation.parse(PRESET.position))
    window.analysis.change(backend="mpi", ranks=2, speed=1e5)
    window.think_action.trigger()
    qtbot.waitUntil(lambda: bool(window.analysis.info and window.analysis.info.counters.nodes), timeout=LONG)
    assert window.analysis.info is not None
    victim = window.analysis.info.ranks[1].pid
    with qtbot.waitSignal(window.analysis.failed, timeout=LONG) as failed:
        os.kill(victim, signal.SIGKILL)
    assert failed.args is not None
    assert failed.args[0].startswith(f"Rank 1 (process {victim} on ")
    assert window.analysis.result is not None
    assert window.analysis.result.end is End.FAILED
    assert window.analysis.result.info.counters.nodes > 0
    qtbot.waitUntil(lambda: _close_dialogs(window) > 0, timeout=LONG)


def test_mpi_runs_join_the_speedup_chart(qtbot: QtBot, window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gui.speedup.view.usual_algorithms", lambda *_: ("alphabeta",))
    window.play(0)
    window.speedup.set_ranks([1])
    with qtbot.waitSignal(window.speedup.measured, timeout=2 * LONG) as measured:
        window.speedup.measure(1)
    assert measured.args is not None
    assert Mode("alphabeta", "mpi", 1) in [timing.mode for timing in measured.args[0].timings]


def test_on_one_core_a_rank_is_measured_once(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file with the same mode twice is refused."""
    monkeypatch.setattr("gui.window.cores", lambda: 1)
    one_core = Window()
    qtbot.addWidget(one_core)
    with qtbot.waitSignal(one_core.mpi.changed, timeout=LONG):
        one_core.mpi.look(launch.choice())
    begun = list[Plan]()
    monkeypatch.setattr(one_core.speedup, "_measure", begun.append)
    one_core.speedup.measure()
    (measured,) = begun
    assert Mode("minimax", "mpi", 1) in measured.modes
    assert len(set(measured.modes)) == len(measured.modes)


def test_without_mpi_the_choice_is_off_and_says_why(
    qtbot: QtBot, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.modes.backends["mpi"].trigger()
    dialog = launch_dialog(qtbot, window, "no-such-launcher -n {ranks}")
    with qtbot.waitSignal(window.mpi.changed, timeout=LONG):
        dialog.accept()
    assert launch.choice() == LaunchChoice("no-such-launcher -n {ranks}")
    assert not window.modes.backends["mpi"].isEnabled()
    assert "no-such-launcher" in window.modes.backends["mpi"].toolTip()
    assert window.analysis.settings.backend == "serial"


def test_check_tries_a_launch_and_changes_nothing_and_cancel_neither(qtbot: QtBot, window: Window) -> None:
    window.modes.backends["mpi"].trigger()
    before = launch.choice()
    changes: list[None] = []
    window.mpi.changed.connect(lambda: changes.append(None))
    dialog = launch_dialog(qtbot, window, "no-such-launcher -n {ranks}")
    with qtbot.waitSignal(window.mpi.tried, timeout=LONG):
        dialog.check()
    assert "no-such-launcher" in dialog.answer.text()
    assert dialog.command.height() >= dialog.command.sizeHint().height()
    dialog.hosts.setText("node1")
    assert dialog.answer.text() == "Not checked yet.", "the answer was on other fields"
    dialog.hosts.setText("")
    dialog.command.setText("")
    with qtbot.waitSignal(window.mpi.tried, timeout=LONG):
        dialog.check()
        dialog.hosts.setText("node1")
    assert dialog.answer.text() == "Not checked yet."
    dialog.hosts.setText("")
    with qtbot.waitSignal(window.mpi.tried, timeout=LONG):
        dialog.check()
    assert dialog.answer.text() == f"Found {window.mpi.words}."
    dialog.command.setText("no-such-launcher -n {ranks}")
    with qtbot.waitSignal(window.mpi.tried, timeout=LONG):
        dialog.check()
    dialog.reject()
    assert changes == []
    assert launch.choice() == before
    assert window.modes.backends["mpi"].isEnabled()
    assert window.analysis.settings.backend == "mpi"


def test_what_is_said_of_a_launch_fits_wherever_it_is_read(qtbot: QtBot, window: Window) -> None:
    dialog = launch_dialog(qtbot, window, "no-such-launcher -n {ranks}")
    with qtbot.waitSignal(window.mpi.tried, timeout=LONG):
        dialog.check()
    assert dialog.answer.text() == "The launch command names 'no-such-launcher', which was not found."
    dialog.reject()


def test_the_notice_that_mpi_was_lost_goes_when_it_is_back(qtbot: QtBot, window: Window) -> None:
    window.modes.backends["mpi"].trigger()
    window.notice.tell("The previous game could not be saved.")
    with qtbot.waitSignal(window.mpi.changed, timeout=LONG):
        window.mpi.look(LaunchChoice("no-such-launcher -n {ranks}"))
    assert "no-such-launcher" in window.notice.text
    with qtbot.waitSignal(window.mpi.changed, timeout=LONG):
        window.mpi.look(LaunchChoice())
    assert window.mpi.words
    assert window.notice.text == "The previous game could not be saved.", "what else was said stays"


def launch_dialog(qtbot: QtBot, window: Window, command: str) -> LaunchDialog:
    """The open launch dialog, with this command typed."""
    dialog = LaunchDialog(window.mpi, window)
    with qtbot.waitExposed(dialog):
        dialog.open()
    dialog.command.setText(command)
    return dialog


def test_settings_ask_for_as_many_ranks_and_threads_as_a_job_had() -> None:
    chosen = game("tictactoe")
    settings = Settings(backend="mpi", ranks=3, threads=2, workers=1)
    job = settings.job(chosen, chosen.start)
    assert (job.backend, job.workers, job.threads) == ("mpi", 3, 2)
    assert Settings().like(job) == Settings(backend="mpi", ranks=3, threads=2)
    assert settings.like(replace(job, backend="interpreted")).backend == "serial", "no mode of the window"


def _close_dialogs(window: Window) -> int:
    dialogs = [dialog for dialog in window.findChildren(QDialog) if dialog.isVisible()]
    for dialog in dialogs:
        dialog.close()
    return len(dialogs)
