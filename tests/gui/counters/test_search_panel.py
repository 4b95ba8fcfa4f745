"""Counters are shown exactly, with their unit, and with a dash where they are unknown."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from engine import backends, registry
from engine.backends import solve, threads
from engine.control import FULL_SPEED, Control
from engine.job import RECORD_ROWS, Job
from engine.options.catalogue import Limit
from engine.options.choices import Schedule, Scoring
from engine.result import Bound, Counters, End, RankInfo, RankState, Result, Snapshot, Task, Value, WorkerInfo
from engine.text.numbers import DASH, percent, rate, share, thousands
from gui.counters.lanes import RANK_FIGURES, THREAD_FIGURES, lanes
from gui.counters.runs import COLUMNS, RunsView
from gui.counters.search_panel import SearchPanel
from gui.counters.timeline import Timeline
from gui.counters.workers import WorkersView
from gui.state.analysis import Phase
from gui.state.critical_tree import CriticalTree
from gui.state.replay import Cursor
from gui.state.wording import mode, unfinished, verdict
from gui.style.theme import theme
from tests.gui.shown import Shown

GAME = registry.game("tictactoe")
ALPHA_BETA = Job(position="x../.../...", algorithm="alphabeta")
THREADS = Job(position="x../.../...", backend="threads", workers=2)


@pytest.fixture(scope="module")
def solved() -> Result:
    return backends.solve(ALPHA_BETA)


@pytest.fixture(scope="module")
def parallel() -> Result:
    return backends.solve(THREADS)


@pytest.fixture
def figures(qtbot: QtBot, analysis: Shown) -> Iterator[SearchPanel]:
    least = CriticalTree(analysis)
    view = SearchPanel(analysis, least, Cursor(analysis, analysis))
    qtbot.addWidget(view)
    yield view
    least.close()


@pytest.fixture
def cursor(analysis: Shown) -> Cursor:
    return Cursor(analysis, analysis)


@pytest.fixture
def workers(qtbot: QtBot, analysis: Shown, cursor: Cursor) -> WorkersView:
    view = WorkersView(analysis, cursor)
    qtbot.addWidget(view)
    view.show()
    return view


@pytest.fixture
def runs(qtbot: QtBot, analysis: Shown) -> RunsView:
    view = RunsView(analysis)
    qtbot.addWidget(view)
    return view


def test_before_the_end_the_figures_are_those_of_the_moment(figures: SearchPanel, analysis: Shown) -> None:
    figures.show()
    result = solve(replace(ALPHA_BETA, backend="interpreted", record=RECORD_ROWS))
    figures.set_tree_size(59_705)
    analysis.begin(result.job)
    analysis.end(result)
    with_end = figures.figure("nodes"), figures.figure("time")
    facts: list[str] = []
    figures.fact_changed.connect(facts.append)
    figures._cursor.go(4_147)
    assert facts[-1] == "moment 4,148 of 4,676"
    shown = [figures.figure(name) for name in ("nodes", "cutoffs", "depth", "never", "best")]
    assert shown == ["2,076", "563", "8 plies", "57,629", "b2  ≥ 0 for O"]
    for name in ("rate", "pv", "time"):
        assert figures.figure(name) == DASH, "the record does not tell it"
    assert figures._rows["never"].title.text() == "Not visited so far"
    figures._cursor.go(0)
    assert [figures.figure(name) for name in ("nodes", "cutoffs", "best")] == ["1", "0", DASH]
    figures._cursor.go_to_end()
    assert (figures.figure("nodes"), figures.figure("time")) == with_end
    assert figures._rows["never"].title.text() == "Never visited"


def test_hidden_figures_and_workers_do_no_work_and_are_right_when_shown(
    figures: SearchPanel, workers: WorkersView, analysis: Shown, solved: Result
) -> None:
    workers.hide()
    facts: list[str] = []
    for view in (figures, workers):
        view.fact_changed.connect(facts.append)
    analysis.begin(ALPHA_BETA)
    analysis.end(solved)
    assert not facts
    assert figures.figure("nodes") == "2,338", "what reads a figure has it made"
    facts.clear()
    workers.show()
    figures.show()
    assert facts == ["alpha-beta · serial", "alpha-beta · serial · +1 / 0 / −1"]
    assert workers.accessibleDescription() == "worker 1: 2,338 nodes"


def test_before_the_first_search_every_figure_is_a_dash(figures: SearchPanel) -> None:
    names = ("nodes", "rate", "terminals", "cutoffs", "never", "depth", "best", "pv", "time")
    assert {figures.figure(name) for name in names} == {DASH}


def test_alpha_beta_below_x_on_a1_counts_what_the_literature_counts(
    figures: SearchPanel, analysis: Shown, solved: Result, qtbot: QtBot
) -> None:
    """Counts: 2,338 / 929 / 624 / 1,126 of the 59,705 nodes of minimax, natural order, textbook scoring."""
    figures.show()
    figures.set_tree_size(59_705)
    with qtbot.waitSignal(figures.fact_changed, check_params_cb=lambda f: f == "alpha-beta · serial · +1 / 0 / −1"):
        analysis.begin(ALPHA_BETA)
    analysis.end(solved)
    assert figures.figure("nodes") == "2,338"
    assert figures.figure("terminals") == "929"
    assert figures.figure("cutoffs") == "624"
    assert figures.note("cutoffs") == "1,126 moves pruned"
    assert figures.figure("never") == "57,367"
    assert figures.note("never") == "visited: 3.9 % of the 59,705 that minimax visits"
    assert figures.figure("best") == "b2  draw"
    assert figures.figure("pv").startswith("b2 ")


def test_a_search_larger_than_minimax_leaves_nothing_unvisited(
    figures: SearchPanel, analysis: Shown, solved: Result
) -> None:
    """As iterative deepening may."""
    figures.set_tree_size(2_000)
    analysis.begin(ALPHA_BETA)
    analysis.end(solved)
    assert figures.figure("never") == "0"
    assert figures.note("never").startswith("visited: 100 %")


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (End.COMPLETE, ""),
        (End.HORIZON, "depth 4"),
        (End.NODES, "node limit"),
        (End.SECONDS, "time limit"),
        (End.STOPPED, "stopped"),
        (End.FAILED, "failed"),
    ],
)
def test_why_a_search_ended_is_said_in_two_words(solved: Result, end: End, words: str) -> None:
    assert unfinished(replace(solved, job=replace(solved.job, limit=Limit(depth=4)), end=end)) == words


def test_deepening_that_ended_with_a_proven_win_says_its_depth() -> None:
    assert unfinished(solve(Job(position="xx./oo./...", algorithm="alphabeta", deepen=True))) == "depth 1"


def test_an_unknown_tree_size_is_a_dash(figures: SearchPanel, analysis: Shown, solved: Result) -> None:
    analysis.begin(ALPHA_BETA)
    analysis.end(solved)
    assert figures.figure("never") == DASH
    assert figures.note("never") == ""
    figures.set_tree_size(0)
    assert figures.figure("never") == DASH


def test_the_horizon_is_shown_only_with_a_depth_limit(figures: SearchPanel, analysis: Shown, solved: Result) -> None:
    figures.show()
    analysis.begin(ALPHA_BETA)
    analysis.end(solved)
    assert not figures._rows["horizon"].isVisible()
    for evaluate, worth in ((False, "undecided"), (True, "undecided, +0.12 for X")):
        shallow = Job(position="x../.../...", algorithm="alphabeta", limit=Limit(depth=2), evaluate=evaluate)
        analysis.begin(shallow)
        result = backends.solve(shallow)
        analysis.end(result)
        assert figures._rows["horizon"].isVisible()
        assert figures.figure("horizon") == str(result.info.counters.horizon)
        assert figures.figure("best").endswith(f"  {worth}")


def test_figures_opened_at_a_moment_have_the_rows_of_their_search(
    figures: SearchPanel, analysis: Shown, solved: Result
) -> None:
    """Not those of the search that they showed last."""
    figures.show()
    analysis.begin(ALPHA_BETA)
    analysis.end(solved)
    figures.hide()
    limit = Limit(depth=2)
    job = Job(position="x../.../...", algorithm="alphabeta", limit=limit, record=1_000, backend="interpreted")
    analysis.begin(job)
    analysis.end(backends.solve(job))
    figures._cursor.go(9)
    figures.show()
    assert figures._rows["horizon"].isVisible()
    assert figures.figure("horizon") == "4"


def test_a_value_says_who_wins_and_when() -> None:
    o_to_move = GAME.notation.parse("xx./o../...")
    assert verdict(GAME, o_to_move, Value(0), Scoring.TEXTBOOK) == "draw"
    assert verdict(GAME, o_to_move, Value(-1), Scoring.TEXTBOOK) == "X wins"
    assert verdict(GAME, o_to_move, Value(1), Scoring.TEXTBOOK) == "O wins"
    x_to_move = GAME.notation.parse("xx./oo./...")
    found = backends.solve(Job(position="xx./oo./...", scoring=Scoring.SOONEST)).info
    assert found.value is not None
    assert verdict(GAME, x_to_move, found.value, Scoring.SOONEST) == "X wins in 1"


@pytest.mark.parametrize("job", [replace(ALPHA_BETA, algorithm="pvs"), replace(ALPHA_BETA, deepen=True)])
def test_several_visits_of_a_node_leave_at_least_the_rest(figures: SearchPanel, analysis: Shown, job: Job) -> None:
    """PVS visits 2,338 of the nodes 3,106 times."""
    result = solve(replace(job, backend="interpreted"))
    figures.show()
    figures.set_tree_size(59_705)
    analysis.begin(result.job)
    analysis.end(result)
    assert figures.figure("never") == f"≥ {59_705 - result.info.counters.nodes:,}"
    assert "visited: at most" in figures.note("never")


def test_while_it_runs_nothing_is_called_never(figures: SearchPanel, analysis: Shown, solved: Result) -> None:
    figures.show()
    figures.set_tree_size(59_705)
    analysis.begin(ALPHA_BETA)
    analysis.tell(solved.info)
    assert figures._rows["never"].title.text() == "Not visited so far"
    assert figures._rows["best"].title.text() == "Best so far · value"
    analysis.end(solved)
    assert figures._rows["never"].title.text() == "Never visited"


def test_what_a_stopped_search_found_is_no_more_than_a_bound(
    figures: SearchPanel, runs: RunsView, analysis: Shown
) -> None:
    """O's first moves all lose: a search that stops after them knows only a lower bound."""
    stopped = backends.solve(replace(ALPHA_BETA, limit=Limit(nodes=1_000)))
    assert stopped.info.value == Value(-1, Bound.LOWER)
    analysis.begin(stopped.job)
    analysis.end(stopped)
    assert figures.figure("best") == "b1  ≥ −1 for O"
    assert "at least −1 for O, who is to move" in figures._rows["best"].toolTip()
    assert "Value: ≥ −1 for O" in runs.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert runs.model().table([0]).splitlines()[1].endswith("\t-1\tlower\t8")


def test_where_all_moves_failed_low_none_is_called_best(figures: SearchPanel, analysis: Shown) -> None:
    analysis.begin(ALPHA_BETA)
    analysis.tell(Snapshot(Counters(nodes=5), Value(0, Bound.UPPER), 1, (1, 2), (), (), 1e-6))
    assert (figures.figure("best"), figures.figure("pv")) == ("≤ 0 for O", DASH)
    assert figures.note("best") == "no best move yet"


def test_a_long_variation_is_whole_in_its_tool_tip(figures: SearchPanel, analysis: Shown) -> None:
    line = tuple(range(9)) * 8
    info = Snapshot(Counters(nodes=5), Value(0), 0, line, (), (), 1e-6)
    figures.resize(200, 300)
    figures.show()
    analysis.begin(ALPHA_BETA)
    analysis.tell(info)
    figures.grab()
    assert figures._rows["pv"].toolTip().startswith(" ".join(GAME.notation.move_name(move) for move in line))
    inner = figures.widget()
    assert inner is not None
    assert inner.width() <= figures.viewport().width()


@pytest.mark.parametrize(("width", "height"), [(0, 0), (1, 1), (220, 90), (900, 900)])
def test_any_size_can_be_painted(
    figures: SearchPanel,
    workers: WorkersView,
    runs: RunsView,
    analysis: Shown,
    parallel: Result,
    width: int,
    height: int,
) -> None:
    analysis.begin(THREADS)
    analysis.end(parallel)
    for view in (figures, workers, runs):
        view.show()
        view.setMinimumSize(0, 0)
        view.resize(width, height)
        view.grab()


def test_figures_stay_within_a_small_card(figures: SearchPanel, analysis: Shown, solved: Result) -> None:
    figures.set_tree_size(59_705)
    analysis.begin(ALPHA_BETA)
    analysis.end(solved)
    figures.resize(222, 262)
    figures.show()
    assert figures.verticalScrollBar().maximum() == 0


def test_without_workers_it_teaches(workers: WorkersView) -> None:
    assert workers._stack.currentWidget() is workers._empty


def test_a_search_that_is_being_started_is_not_a_blank_card(workers: WorkersView, analysis: Shown) -> None:
    analysis.begin(THREADS)
    assert workers._stack.currentWidget() is workers._starting
    analysis.begin(THREADS, Phase.COMPILING)
    assert workers._stack.currentWidget() is workers._compiling
    analysis.begin(THREADS, Phase.IDLE)
    assert workers._stack.currentWidget() is workers._empty


def test_each_worker_has_its_own_share_and_tasks(parallel: Result) -> None:
    made = lanes(GAME, THREADS, parallel.info, parallel.tasks)
    assert [lane.name for lane in made] == ["worker 1", "worker 2"]
    assert sum(lane.share for lane in made) == pytest.approx(1)
    assert sum(len(lane.tasks) for lane in made) == len(parallel.tasks)
    assert all(task.worker == number for number, lane in enumerate(made) for task in lane.tasks)
    assert all(list(lane.tasks) == sorted(lane.tasks, key=lambda task: task.start) for lane in made)


@pytest.mark.parametrize("speed", [FULL_SPEED, 100_000])
def test_bars_and_idle_shares_are_one_figure_though_held_back(
    workers: WorkersView, analysis: Shown, speed: float
) -> None:
    result = backends.solve(THREADS, Control(speed))
    analysis.begin(THREADS)
    analysis.end(result)
    workers.resize(900, 120)
    timeline = workers.findChild(Timeline)
    for number, lane in enumerate(lanes(GAME, THREADS, result.info, result.tasks)):
        idle = result.info.idle(number)
        assert lane.figures[THREAD_FIGURES.index("idle")] == share(idle)
        frame = timeline._layout.lane(number)
        painted = sum(timeline._task_frame(task, frame).width() for task in lane.tasks) / frame.width()
        assert painted == pytest.approx(1 - (idle or 0), abs=2 * len(lane.tasks) / frame.width())
    assert timeline._seconds == result.info.seconds


def test_what_is_a_ranks_own_stands_beside_the_first_of_its_threads(parallel: Result) -> None:
    job = replace(parallel.job, backend="mpi", workers=1, threads=2)
    rank = RankInfo("host", 7, RankState.SEARCHING, sent=3, received=1_000)
    first, second = lanes(GAME, job, replace(parallel.info, ranks=(rank,)), parallel.tasks)
    assert len(first.figures) == len(second.figures) == len(RANK_FIGURES)
    assert (first.figures[-1], second.figures[-1]) == ("1,003", "")
    assert (first.name, second.name) == ("rank 0, thread 1 · host", "rank 0, thread 2 · host")
    assert "process 7" in first.note == second.note


def test_the_tool_tip_of_a_task_says_where_it_is_in_the_record(workers: WorkersView, analysis: Shown) -> None:
    job = replace(THREADS, record=RECORD_ROWS)
    result = backends.solve(job)
    analysis.begin(job)
    analysis.end(result)
    workers.resize(900, 120)
    timeline, task = workers.findChild(Timeline), max(result.tasks, key=lambda task: task.end - task.start)
    middle = timeline._task_frame(task, timeline._layout.lane(task.worker)).center().toPoint()
    record = f"in the record from node {task.first_row + 1:,} to {task.end_row:,}"
    assert timeline._tool_tip(middle).splitlines()[-1] == record


def test_the_time_of_the_cursor_is_marked_in_all_lanes(
    workers: WorkersView, analysis: Shown, cursor: Cursor, qtbot: QtBot
) -> None:
    job = replace(THREADS, record=RECORD_ROWS)
    result = backends.solve(job)
    analysis.begin(job)
    analysis.end(result)
    workers.resize(900, 120)
    timeline, task = workers.findChild(Timeline), max(result.tasks, key=lambda task: task.end - task.start)
    assert cursor.seconds is None, "the search is over"
    in_all = [lane.figures for lane in timeline._lanes]
    for row, part in ((task.first_row, 0.0), (task.first_row + task.nodes // 2, 0.5), (task.end_row - 1, 1.0)):
        with qtbot.waitSignal(cursor.counted):
            cursor.go(cursor.replay.entered(row) if cursor.replay else 0)
        seconds = task.start + part * (task.end - task.start)
        assert cursor.seconds == pytest.approx(seconds, abs=2 * (task.end - task.start) / task.nodes)
        image = timeline.grab().toImage()
        for worker in range(THREADS.workers):
            frame = timeline._layout.lane(worker)
            x = frame.left() + frame.width() * (cursor.seconds or 0) / result.info.seconds
            inks = {image.pixelColor(round(x) + off, frame.center().y()).name() for off in (-1, 0)}
            assert theme().colour("ink").name() in inks
        for lane, done, whole in zip(timeline._lanes, cursor.work, in_all, strict=True):
            told = thousands(done.nodes), share(done.idle), rate(done.rate)
            assert lane.figures == (*told, DASH, DASH), "the record does not tell the other figures by worker"
            assert done.nodes <= int(whole[0].replace(",", ""))
        assert workers.accessibleDescription().startswith("at about ")
        of_all = percent(cursor.work[0].nodes, sum(done.nodes for done in cursor.work))
        assert timeline._tool_tip(QPoint(20, timeline._layout.row(0).center().y())).endswith(f"{of_all} of all nodes")
    cursor.go(0)
    assert cursor.seconds is None, "the root is above the tasks"
    assert {figure for lane in timeline._lanes for figure in lane.figures} == {DASH}
    cursor.go_to_end()
    assert [lane.figures for lane in timeline._lanes] == in_all


def test_an_unfinished_task_is_hollow_and_says_so(workers: WorkersView, analysis: Shown) -> None:
    stopped = replace(THREADS, limit=Limit(nodes=20_000))
    result = backends.solve(stopped)
    analysis.begin(stopped)
    analysis.end(result)
    workers.resize(900, 120)
    workers.show()
    timeline, task = workers.findChild(Timeline), next(task for task in result.tasks if not task.finished)
    middle = timeline._task_frame(task, timeline._layout.lane(task.worker)).center().toPoint()
    assert timeline._tool_tip(middle).endswith("\nnot finished")


def test_what_shows_several_workers_goes_by_what_is_chosen_now(
    workers: WorkersView, analysis: Shown, solved: Result, parallel: Result
) -> None:
    advice = workers._empty.findChild(QLabel)
    assert advice.text().startswith("Choose Threads or MPI")
    analysis.change(backend="threads", workers=2)
    assert advice.text() == "The next search has 2 workers: press Think to see who searches what."
    analysis.begin(ALPHA_BETA)
    analysis.end(solved)
    assert workers.findChild(Timeline)._advice.startswith("This search has one worker. The next one has 2:")
    analysis.change(workers=1)
    assert workers.findChild(Timeline)._advice.startswith("Choose more than one thread or rank")
    analysis.begin(THREADS)
    analysis.end(parallel)
    assert workers.findChild(Timeline)._advice == ""


def test_workers_are_told_in_words_too(workers: WorkersView, analysis: Shown, parallel: Result) -> None:
    analysis.begin(THREADS)
    analysis.end(parallel)
    assert workers.accessibleDescription().startswith("worker 1: ")


def test_a_search_on_threads_says_which_layer_numba_took(
    workers: WorkersView, analysis: Shown, parallel: Result, qtbot: QtBot
) -> None:
    analysis.begin(THREADS)
    with qtbot.waitSignal(workers.fact_changed) as told:
        analysis.end(parallel)
    assert told.args == [f"minimax · 2 threads · dynamic · split 1 · {threads.layer()} layer"]
    assert threads.layer() in ("omp", "tbb", "workqueue")


def test_many_workers_and_tasks_without_a_duration_are_painted(workers: WorkersView, analysis: Shown) -> None:
    job = Job(position="x../.../...", backend="threads", workers=24)
    crew = tuple(WorkerInfo(Counters(nodes=n), None, ()) for n in range(24))
    info = Snapshot(Counters(nodes=276), None, None, (), (), crew, 0.0)
    tasks = tuple(Task((1,), n, 0.0, 0.0, 1) for n in range(24))
    analysis.begin(job)
    analysis.tell(info)
    workers.resize(400, 120)
    workers.show()
    assert workers._scroll.verticalScrollBar().maximum() > 0
    analysis.end(Result(job, info, (), tasks, backends.solve(ALPHA_BETA).end))
    workers.grab()


def test_a_mode_names_what_can_be_toggled() -> None:
    assert mode(ALPHA_BETA) == "serial"
    assert mode(THREADS) == "2 threads · dynamic · split 1"
    one = Job(position="", backend="threads", workers=1, schedule=Schedule.CYCLIC, split=2)
    assert mode(one) == "1 thread · cyclic · split 2"


def test_runs_are_newest_first_and_copied_as_numbers(
    runs: RunsView, analysis: Shown, solved: Result, parallel: Result, qtbot: QtBot
) -> None:
    for result in (parallel, solved):
        analysis.begin(result.job)
        analysis.end(result)
    model = runs.model()
    assert model.rowCount() == 2
    row = [model.index(0, column).data() for column in range(len(COLUMNS))]
    assert row[:3] == ["alpha-beta\nserial", "Tic-tac-toe\nx../.../...", "draw\n"]
    assert row[3].startswith("2,338\n")
    assert row[4:] == ["624", "+1 / 0 / −1"]
    qtbot.keyClick(runs, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().splitlines()
    copied = [dict(zip(lines[0].split("\t"), line.split("\t"), strict=True)) for line in lines[1:]]
    assert [(run["game"], run["algorithm"], run["nodes"], run["value"], run["bound"]) for run in copied] == [
        ("tictactoe", "alphabeta", "2338", "0", "exact"),
        ("tictactoe", "minimax", "59705", "0", "exact"),
    ]
    runs.selectRow(1)
    qtbot.keyClick(runs, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().splitlines() == [lines[0], lines[2]]


def test_a_click_shows_a_run_and_a_double_click_asks_for_it(
    runs: RunsView, analysis: Shown, solved: Result, parallel: Result, qtbot: QtBot
) -> None:
    for result in (parallel, solved):
        analysis.begin(result.job)
        analysis.end(result)
    place = runs.visualRect(runs.model().index(1, 1)).center()
    with qtbot.waitSignal(analysis.shown) as shown:
        qtbot.mouseClick(runs.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert shown.args == [parallel]
    bold = [runs.model().index(row, 1).data(Qt.ItemDataRole.FontRole).weight() for row in range(2)]
    assert bold == [QFont.Weight.Normal, QFont.Weight.Medium], "the one on display"
    runs.selectRow(0)
    qtbot.keyClick(runs, Qt.Key.Key_Space)
    assert analysis.result is solved
    with qtbot.waitSignal(runs.run_requested) as asked:
        qtbot.mouseDClick(runs.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert asked.args == [parallel]


@pytest.fixture
def third(runs: RunsView, analysis: Shown, solved: Result, parallel: Result) -> Result:
    """The second of three searches in the list, between the two others; the newest is on display."""
    found = replace(solved, job=replace(solved.job, algorithm="pvs"))
    for result in (parallel, found, solved):
        analysis.begin(result.job)
        analysis.end(result)
    return found


def test_a_third_search_takes_the_place_of_the_compared_one(
    runs: RunsView, analysis: Shown, solved: Result, parallel: Result, third: Result, qtbot: QtBot
) -> None:
    compared: list[Result | None] = []
    runs.compare_requested.connect(compared.append)
    for row, key in (
        (0, Qt.KeyboardModifier.NoModifier),
        *((row, Qt.KeyboardModifier.ControlModifier) for row in (1, 2)),
    ):
        place = runs.visualRect(runs.model().index(row, 1)).center()
        qtbot.mouseClick(runs.viewport(), Qt.MouseButton.LeftButton, key, place)
    assert compared == [None, third, parallel]
    assert analysis.result is solved, "the one on display stays the first"
    assert {index.row() for index in runs.selectionModel().selectedRows()} == {0, 2}
    qtbot.mouseClick(runs.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, place)
    assert compared[-1] is None, "a search that is chosen no longer"
    runs.selectAll()
    qtbot.keyClick(runs, Qt.Key.Key_Space)
    assert compared[-1] is parallel, "the last one chosen"


def test_ctrl_and_a_click_compare_with_the_search_on_display(
    runs: RunsView, analysis: Shown, solved: Result, parallel: Result, third: Result, qtbot: QtBot
) -> None:
    places = [runs.visualRect(runs.model().index(row, 1)).center() for row in range(3)]

    def compared(row: int) -> Result | None:
        key = Qt.KeyboardModifier.ControlModifier
        with qtbot.waitSignal(runs.compare_requested) as asked:
            qtbot.mouseClick(runs.viewport(), Qt.MouseButton.LeftButton, key, places[row])
        assert analysis.result is solved, "no search takes the place of the one on display"
        return asked.args[0]

    assert not runs.selectionModel().hasSelection()
    assert compared(0) is None, "with itself"
    runs.clearSelection()
    assert compared(2) is parallel, "though none was selected"
    assert {index.row() for index in runs.selectionModel().selectedRows()} == {0, 2}
    assert compared(0) is parallel, "as before"
    runs.selectRow(2)
    assert compared(1) is third, "though another one was selected"


@pytest.mark.parametrize("width", [180, 300, 700])
def test_columns_fit_their_table(runs: RunsView, analysis: Shown, solved: Result, parallel: Result, width: int) -> None:
    for result in (parallel, solved):
        analysis.begin(result.job)
        analysis.end(result)
    runs.resize(width, 120)
    runs.show()
    shown = [number for number in range(len(COLUMNS)) if not runs.isColumnHidden(number)]
    assert sum(runs.columnWidth(number) for number in shown) <= runs.viewport().width()
    titles = {COLUMNS[number].title for number in shown}
    assert titles >= {"Search", "Nodes"}, "the algorithm and its nodes are always there"
    assert ("Position" in titles) == (width >= 300), "with the game"


def test_the_leaves_of_a_game_of_chance_are_compared_with_none(figures: SearchPanel, analysis: Shown) -> None:
    """There is no critical tree, and that the search did not finish would be untrue."""
    figures.show()
    job = Job(game="random-turn:3,3,3", position="xox/xo./o.. o", algorithm="expectiminimax", backend="interpreted")
    analysis.begin(job)
    analysis.end(solve(job))
    assert figures.figure("leaves") != DASH
    assert "needed" not in figures._rows["leaves"].note.text()
