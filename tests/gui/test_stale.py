"""Late results are dropped, and unwanted work is stopped: searches, answers, move values, measurements.

Searches here end when the test says so: after the event under test.
"""

import threading
from collections.abc import Callable, Iterator
from operator import attrgetter

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from engine import backends, registry
from engine.job import RECORD_ROWS, Job
from engine.play.game_file import SavedEvaluation
from engine.play.levels import STRONGEST, Choice
from engine.play.move_values import Findings, MoveValue
from engine.result import End, Result
from gui.speedup.view import ChartPage
from gui.state import analysis as analysis_module
from gui.state import move_values as adviser_module
from gui.state import runs as runs_module
from gui.state.analysis import Analysis, Phase
from gui.state.game_record import GameRecord
from gui.state.move_values import MoveValues
from gui.state.opponent import Opponent
from gui.state.same_positions import Same
from gui.state.search_settings import Settings
from gui.window import Window
from gui.work.kernels import Kernels
from gui.work.runner import Request, Runner

GAME = registry.game("tictactoe")
START, NEXT, OVER = GAME.start, GAME.notation.parse("x../.../..."), GAME.notation.parse("xxx/oo./...")
LONG = 60_000


class Held:
    """Replaces a search: it goes on until it is stopped, or told to end."""

    def __init__(self, **_: object) -> None:
        self.requests: list[Request] = []
        self.results: dict[int, Result | None] = {}
        self.told = threading.Condition()

    def __call__(self, request: Request) -> Result | None:
        with self.told:
            self.requests.append(request)
            while request.number not in self.results and not request.control.stopped:
                self.told.wait(0.005)
        return self.results.get(request.number)

    def end(self, request: Request, result: Result | None) -> None:
        with self.told:
            self.results[request.number] = result
            self.told.notify_all()


def come_late(runner: Runner, request: Request, result: object) -> None:
    """Deliver the result of a request that is not the newest."""
    runner.end(request, result, "")
    runner._tell()


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    made = Held()
    for module in (analysis_module, adviser_module):
        monkeypatch.setattr(module, "Search", lambda **_: made)
    return made


@pytest.fixture
def unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    """No search is shown because it takes long: on a busy machine each does."""
    monkeypatch.setattr(analysis_module, "SHOWN_MILLISECONDS", LONG)


@pytest.fixture
def analysis(held: Held) -> Iterator[Analysis]:
    made = Analysis()
    yield made
    made.close()


@pytest.fixture
def move_values(held: Held) -> Iterator[MoveValues]:
    made = MoveValues(Kernels())
    yield made
    made.close()


@pytest.fixture(scope="module")
def solved() -> Result:
    return backends.solve(Job(position="x../.../...", algorithm="alphabeta", record=RECORD_ROWS))


# A thread with one request at a time


def test_a_new_request_stops_the_old_one_and_what_was_stopped_is_not_begun(qtbot: QtBot) -> None:
    held = Held()
    runner = Runner("work", held)
    runner.start("first")
    qtbot.waitUntil(lambda: len(held.requests) == 1)
    runner.start("second")
    runner.start("third")
    assert held.requests[0].control.stopped
    qtbot.waitUntil(lambda: len(held.requests) == 2)
    assert [request.asked for request in held.requests] == ["first", "third"]
    runner.close()


# Searches


def test_a_dropped_search_is_stopped(qtbot: QtBot, analysis: Analysis, held: Held) -> None:
    analysis.think(GAME, NEXT)
    qtbot.waitUntil(lambda: len(held.requests) == 1)
    analysis.drop()
    assert held.requests[0].control.stopped
    assert analysis.phase is Phase.IDLE


def told_by(analysis: Analysis) -> list[str]:
    """The names of the signals of `analysis`, as they come."""
    told: list[str] = []
    for name in ("begun", "started", "shown", "counted", "finished", "phase_changed"):
        getattr(analysis, name).connect(lambda *_, name=name: told.append(name))
    return told


@pytest.mark.usefixtures("unseen")
def test_a_short_search_is_shown_with_its_result_and_never_as_running(
    qtbot: QtBot, analysis: Analysis, held: Held, solved: Result
) -> None:
    told, was_running = told_by(analysis), list[bool]()
    for signal in (analysis.begun, analysis.started, analysis.shown, analysis.counted, analysis.finished):
        signal.connect(lambda *_: was_running.append(analysis.is_running))
    analysis.think(GAME, NEXT)
    assert (analysis.is_searching, analysis.is_running, analysis.job) == (True, False, None)
    qtbot.waitUntil(lambda: len(held.requests) == 1)
    with qtbot.waitSignal(analysis.finished):
        held.end(held.requests[0], solved)
    assert told == ["begun", "started", "shown", "counted", "finished"]
    assert not any(was_running)
    assert (analysis.is_searching, analysis.result, analysis.position) == (False, solved, NEXT)


def test_a_longer_search_is_shown_as_it_runs(qtbot: QtBot, analysis: Analysis, held: Held, solved: Result) -> None:
    told = told_by(analysis)
    with qtbot.waitSignal(analysis.started):
        analysis.think(GAME, NEXT)
    assert (analysis.is_running, analysis.position) == (True, NEXT)
    qtbot.waitUntil(lambda: len(held.requests) == 1)
    with qtbot.waitSignal(analysis.phase_changed):
        held.end(held.requests[0], solved)
    assert told == ["begun", "started", "phase_changed", "shown", "counted", "finished", "phase_changed"]


@pytest.mark.parametrize("paused", [True, False])
def test_a_search_that_is_held_back_is_shown_at_once(analysis: Analysis, held: Held, paused: bool) -> None:
    analysis.change(speed=1e9 if paused else 100.0)
    analysis.think(GAME, NEXT, paused)
    assert (analysis.is_running, analysis.position) == (True, NEXT)


def test_a_search_that_follows_one_on_display_is_shown_at_once(qtbot: QtBot, analysis: Analysis, held: Held) -> None:
    with qtbot.waitSignal(analysis.started):
        analysis.think(GAME, NEXT)
    analysis.think(GAME, START)
    assert (analysis.is_running, analysis.position, analysis.info) == (True, START, None)


@pytest.mark.parametrize("act", [Analysis.pause, Analysis.step])
def test_a_search_that_is_paused_before_it_is_shown_is_shown(
    analysis: Analysis, held: Held, act: Callable[[Analysis], None]
) -> None:
    analysis.think(GAME, NEXT)
    act(analysis)
    assert (analysis.phase, analysis.position) == (Phase.PAUSED, NEXT)


@pytest.mark.usefixtures("unseen")
def test_what_ends_unseen_without_a_result_leaves_the_display(
    qtbot: QtBot, analysis: Analysis, held: Held, solved: Result
) -> None:
    for position, result in ((NEXT, solved), (START, None)):
        analysis.think(GAME, position)
        qtbot.waitUntil(lambda position=position: len(held.requests) == 1 + (position is START))
        with qtbot.waitSignal(analysis._runner.finished):
            held.end(held.requests[-1], result)
        qtbot.waitUntil(lambda: not analysis.is_searching)
    assert (analysis.job is not None, analysis.info, analysis.result, analysis.position) == (
        True,
        solved.info,
        solved,
        NEXT,
    )


def test_a_search_that_fails_unseen_is_shown(qtbot: QtBot, analysis: Analysis, held: Held) -> None:
    failures: list[str] = []
    analysis.failed.connect(failures.append)
    analysis.think(GAME, NEXT)
    qtbot.waitUntil(lambda: len(held.requests) == 1)
    analysis._runner.failed.emit("on purpose")
    assert failures == ["on purpose"]
    assert (analysis.is_searching, analysis.result, analysis.position) == (False, None, NEXT)


@pytest.mark.usefixtures("unseen")
@pytest.mark.parametrize("has_failed", [False, True])
def test_a_search_that_is_dropped_unseen_is_never_shown_as_running(
    qtbot: QtBot, analysis: Analysis, held: Held, has_failed: bool
) -> None:
    """Neither before it has failed nor afterwards."""
    told = told_by(analysis)
    analysis.think(GAME, NEXT)
    qtbot.waitUntil(lambda: len(held.requests) == 1)
    analysis.drop()
    if has_failed:
        analysis._runner.failed.emit("on purpose")
    for act in (analysis.step, analysis.pause):
        act()
    assert (told, analysis.phase, analysis.job) == (["begun"], Phase.IDLE, None)


def test_a_search_that_is_dropped_and_then_fails_is_not_on_display(
    qtbot: QtBot, analysis: Analysis, held: Held
) -> None:
    failures: list[str] = []
    analysis.failed.connect(failures.append)
    with qtbot.waitSignal(analysis.started):
        analysis.think(GAME, NEXT)
    qtbot.waitUntil(lambda: len(held.requests) == 1)
    analysis.drop()
    analysis._runner.failed.emit("on purpose")
    assert (failures, analysis.phase, analysis.job) == ([], Phase.IDLE, None)


def test_a_step_with_an_impossible_draft_leaves_the_search_under_way(qtbot: QtBot, held: Held, window: Window) -> None:
    window.board_panel.edit()
    draft = window.board_panel.draft
    assert draft is not None
    draft.put(1, 1)
    window.analysis.think(GAME, NEXT)
    with qtbot.waitSignal(window.search.message):
        window.step_action.trigger()
    assert not window.analysis._runner.control.paused
    window.analysis.stop()


@pytest.mark.usefixtures("unseen")
def test_the_end_of_a_search_is_shown_before_the_next_that_begins_at_once(
    qtbot: QtBot, analysis: Analysis, held: Held, solved: Result
) -> None:
    told = told_by(analysis)
    analysis.think(GAME, NEXT)
    qtbot.waitUntil(lambda: len(held.requests) == 1)
    with qtbot.waitSignal(analysis.shown):
        held.end(held.requests[0], solved)
    analysis.think(GAME, START)
    assert told == ["begun", "started", "shown", "counted", "finished", "begun"]


@pytest.mark.usefixtures("unseen")
def test_only_the_search_of_another_position_is_dropped(qtbot: QtBot, analysis: Analysis, held: Held) -> None:
    for is_shown in (False, True):
        analysis.think(GAME, NEXT)
        qtbot.waitUntil(lambda is_shown=is_shown: len(held.requests) == 1 + is_shown)
        if is_shown:
            analysis._show_coming()
        assert analysis.is_running is is_shown
        analysis.drop_other(GAME, NEXT)
        assert not held.requests[-1].control.stopped
        analysis.drop_other(GAME, START)
        assert held.requests[-1].control.stopped


def test_a_search_that_was_paused_is_so_after_compiling(qtbot: QtBot, analysis: Analysis, held: Held) -> None:
    for paused, after in ((False, Phase.RUNNING), (True, Phase.PAUSED)):
        analysis.think(GAME, NEXT, paused)
        qtbot.waitUntil(lambda: held.requests[-1:] != [] and held.requests[-1] is analysis._runner._request)
        for compiling, phase in ((True, Phase.COMPILING), (False, after)):
            with qtbot.waitSignal(analysis._runner.progressed):
                held.requests[-1].publish(compiling)
            assert analysis.phase is phase


def test_a_result_that_comes_after_the_next_search_began_is_not_shown(
    qtbot: QtBot, analysis: Analysis, held: Held, solved: Result
) -> None:
    analysis.think(GAME, NEXT)
    qtbot.waitUntil(lambda: len(held.requests) == 1)
    analysis.think(GAME, START)
    come_late(analysis._runner, held.requests[0], solved)
    assert analysis.result is None
    qtbot.waitUntil(lambda: analysis.position == START)


def test_runs_have_records_of_limited_length_and_are_recalled(
    qtbot: QtBot, analysis: Analysis, held: Held, solved: Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert solved.trace is not None
    monkeypatch.setattr(runs_module, "KEPT_NODES", 11 * len(solved.trace) // 4)
    heard: list[Result] = []
    analysis.shown.connect(heard.append)
    for number in range(4):
        analysis.think(GAME, NEXT)
        qtbot.waitUntil(lambda number=number: len(held.requests) == number + 1)
        with qtbot.waitSignal(analysis.finished):
            held.end(held.requests[-1], replace(solved, info=replace(solved.info, seconds=float(number))))
    assert [run.trace is not None for run in analysis.runs] == [True, True, True, False]
    assert [run.info.seconds for run in heard] == [0, 1, 2, 3]
    second = analysis.runs[2]
    with qtbot.assertNotEmitted(analysis.finished), qtbot.waitSignals([analysis.started, analysis.shown]):
        analysis.recall(second)
    assert analysis.result is second
    assert (analysis.job, analysis.info, analysis.position) == (second.job, second.info, NEXT)
    analysis.think(GAME, START)
    analysis.recall(analysis.runs[0])
    assert analysis.result is second, "a search runs"
    qtbot.waitUntil(lambda: len(held.requests) == 5)
    analysis.drop()
    analysis.recall(analysis.runs[0])
    come_late(analysis._runner, held.requests[-1], solved)
    assert analysis.result is analysis.runs[0]
    assert len(analysis.runs) == 4


def test_the_runs_are_the_last_ones_the_newest_first(
    qtbot: QtBot, analysis: Analysis, held: Held, solved: Result
) -> None:
    last = runs_module.KEPT_RUNS + 2
    for number in range(last):
        analysis.think(GAME, NEXT)
        qtbot.waitUntil(lambda number=number: len(held.requests) == number + 1)
        with qtbot.waitSignal(analysis.finished):
            held.end(held.requests[-1], replace(solved, info=replace(solved.info, seconds=float(number))))
    shown = [run.info.seconds for run in analysis.runs]
    assert shown == [float(number) for number in range(last)][: -runs_module.KEPT_RUNS - 1 : -1]


def test_what_a_search_has_counted_is_told_before_it_fails(
    qtbot: QtBot, analysis: Analysis, held: Held, solved: Result
) -> None:
    heard: list[str] = []
    for name, signal in (("moved", analysis.moved), ("counted", analysis.counted), ("failed", analysis.failed)):
        signal.connect(lambda *_, name=name: heard.append(name))
    analysis.think(GAME, NEXT)
    qtbot.waitUntil(lambda: len(held.requests) == 1)
    held.requests[0].newest = solved.info
    analysis._runner.failed.emit("on purpose")
    assert heard == ["moved", "counted", "failed"]
    assert analysis.info is solved.info
    assert not analysis.is_running


def test_settings_are_brought_within_the_threads_that_there_are() -> None:
    kept = Settings(workers=64, threads=8).within(2)
    assert (kept.workers, kept.threads) == (2, 2)


def test_an_evaluation_that_was_finished_stays() -> None:
    record = GameRecord(GAME)
    finished = SavedEvaluation("x../.../...", "minimax", "textbook", End.COMPLETE, 0, 59_705, "b2")
    broken_off, later = replace(finished, end=End.STOPPED, best="c1"), replace(finished, nodes=2_338)
    to_a_depth = replace(finished, end=End.HORIZON)
    for found, known in (
        *((broken_off, broken_off), (to_a_depth, to_a_depth), (broken_off, to_a_depth)),
        *((finished, finished), (broken_off, finished), (later, later)),
    ):
        record.remember(found)
        assert record.evaluation(NEXT) == known


# The computer's answer


@pytest.fixture
def opponent(analysis: Analysis) -> Iterator[Opponent]:
    made = Opponent(GameRecord(GAME), analysis)
    yield made
    made.close()


def test_an_answer_to_another_position_is_not_played(opponent: Opponent) -> None:
    record = opponent._record
    record.play(0)
    opponent._answer = (GAME, START, Choice(STRONGEST, 4))
    opponent._play()
    assert record.moves == (0,)
    opponent._answer = (GAME, record.position, Choice(STRONGEST, 4))
    opponent._play()
    assert record.moves == (0, 4)


def test_a_choice_that_comes_after_the_next_was_asked_is_not_taken(
    qtbot: QtBot, opponent: Opponent, analysis: Analysis, held: Held, solved: Result
) -> None:
    choices = Held()
    opponent._runner._thread._work = choices
    opponent._record.play(0)
    for number in (1, 2):
        qtbot.waitUntil(lambda number=number: len(held.requests) == number)
        with qtbot.waitSignal(analysis.finished):
            held.end(held.requests[-1], solved)
        qtbot.waitUntil(lambda number=number: len(choices.requests) == number)
        if number == 1:
            opponent.move()
            assert not choices.requests[0].control.stopped
    assert choices.requests[0].control.stopped, "the second question has taken its place"
    come_late(opponent._runner, choices.requests[0], Choice(STRONGEST, 8))
    assert opponent._answer is None
    opponent._record.undo()
    assert choices.requests[1].control.stopped, "nobody waits for it"
    come_late(opponent._runner, choices.requests[1], Choice(STRONGEST, 8))
    assert opponent._answer is None
    assert not opponent.is_thinking


# Advice


def test_advice_on_a_position_that_is_gone_is_stopped_and_not_taken(
    qtbot: QtBot, move_values: MoveValues, held: Held
) -> None:
    known = Findings({8: MoveValue(0, (8,), True)})
    move_values.look(GAME, START)
    publish_first = move_values._looker.publish
    qtbot.waitUntil(lambda: len(held.requests) == 1)
    move_values.look(GAME, NEXT)
    assert held.requests[0].control.stopped
    qtbot.waitUntil(lambda: len(held.requests) == 2)
    publish_first(known)
    assert move_values.values_of(GAME, NEXT) == {}
    publish_second = move_values._looker.publish
    publish_second(known)
    assert list(move_values.values_of(GAME, NEXT)) == [8]
    assert move_values.values_of(GAME, START) == {}
    assert move_values.best_of(GAME, NEXT) is None, "seven moves are not yet known"
    move_values.stop()
    assert held.requests[1].control.stopped
    publish_second(Findings({}))
    assert list(move_values.values_of(GAME, NEXT)) == [8]


# Searches and measurements


def test_the_size_of_another_tree_is_not_told(
    qtbot: QtBot, move_values: MoveValues, held: Held, solved: Result
) -> None:
    move_values.measure(Job(position="x../.../..."), GAME, NEXT)
    qtbot.waitUntil(lambda: len(held.requests) == 1)
    with qtbot.waitSignal(move_values.sized):
        held.end(held.requests[0], solved)
    assert move_values.tree_size == solved.info.counters.nodes
    move_values.measure(Job(position=".../.../..."), GAME, START)
    assert move_values.tree_size is None


def test_a_search_and_a_measurement_do_not_disturb_each_other(qtbot: QtBot, window: Window) -> None:
    window.play(0)
    window.analysis.change(speed=20.0)
    window.think_action.trigger()
    qtbot.waitUntil(lambda: (info := window.analysis.info) is not None and info.counters.nodes > 0, timeout=LONG)
    with qtbot.waitSignal(window.analysis.finished, timeout=LONG) as finished:
        window.speedup.measure()
    assert finished.args[0].end is End.STOPPED
    assert window.speedup.page is ChartPage.RUNNING
    window.think_action.trigger()
    assert window.speedup.page is not ChartPage.RUNNING
    assert any("was cancelled" in label.text() for label in window.speedup.findChildren(QLabel))


def test_a_measurement_that_comes_after_the_next_one_began_is_not_shown(qtbot: QtBot, window: Window) -> None:
    window.speedup.measure()
    first = window.speedup._runner._request
    window.speedup.measure()
    come_late(window.speedup._runner, first, object())
    assert window.speedup.page is ChartPage.RUNNING
    assert window.speedup.experiment is None
    window.speedup.cancel()


LARGE = registry.game("mnk:4,4,4")
LARGE_JOB = Job(game=LARGE.spec, position=LARGE.notation.format(LARGE.start))
LEAVING: dict[str, Callable[[Window], object]] = {
    "analysis._runner": lambda window: window.analysis.forget(),
    "opponent._runner": lambda window: window.play(0),
    "review._runner": lambda window: window.play(0),
    "move_values._looker": lambda window: window.move_values.look(GAME, OVER),
    "move_values._counter": lambda window: window.move_values.measure(LARGE_JOB, LARGE, LARGE.start),
    "critical_tree._runner": lambda window: window.analysis.forget(),
    "ordering._runner": lambda window: window.ordering.stop(),
    "why.search.runner": lambda window: window.why.search.forget(),
    "tree.same._runner": lambda window: window.tree.same.choose(Same.NONE),
    "tree.picture.runner": lambda window: window.tree.picture.show_look(None),
    "tree.links._layout": lambda window: window.tree.links.show_tree(None, None),
    "tree.links._painting": lambda window: window.tree.links.show_tree(None, None),
}
"""How one leaves what a runner works on, without asking it for something else."""


def test_a_result_is_not_told_after_one_has_left(window: Window) -> None:
    told: list[str] = []
    for name, leave in LEAVING.items():
        window.record.new()
        runner = attrgetter(name)(window)
        runner.finished.connect(lambda *_, name=name: told.append(name))
        request = runner._request
        leave(window)
        come_late(runner, request, None)
    assert told == []
