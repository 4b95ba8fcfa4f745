"""Each iteration is a row once it ends; figures of a table, a horizon and several workers are exact."""

import csv
import io
import threading
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from engine import backends, registry
from engine.job import Job
from engine.measure.critical_tree import MAX_POSITIONS, critical_leaves
from engine.options.catalogue import Limit
from engine.options.choices import Form, Order
from engine.prepare import prepare
from engine.result import Bound, Counters, End, Iteration, Result, Snapshot, Value
from engine.text.numbers import DASH, percent, share, thousands
from gui.counters.iterations import COLUMNS, IterationsView, shown
from gui.counters.runs import RunsView
from gui.counters.search_panel import SearchPanel
from gui.state import critical_tree
from gui.state.critical_tree import CriticalTree, leaves_of, overhead
from gui.state.replay import Cursor
from gui.state.wording import verdict
from gui.style.theme import theme
from gui.window import Window
from tests.gui.shown import Shown

GAME = registry.game("tictactoe")
DEEPENING = Job(
    position="x../.../...",
    algorithm="alphabeta",
    deepen=True,
    table=1.0,
    order=(Order.TABLE, Order.KILLERS),
    limit=Limit(depth=5),
    record=1,
)
THREADS = Job(position="x../.../...", algorithm="alphabeta", backend="threads", workers=2)


@pytest.fixture(scope="module")
def deepened() -> Result:
    return backends.solve(DEEPENING)


@pytest.fixture
def view(qtbot: QtBot, analysis: Shown) -> IterationsView:
    made = IterationsView(analysis)
    qtbot.addWidget(made)
    return made


@pytest.fixture
def least(analysis: Shown) -> Iterator[CriticalTree]:
    made = CriticalTree(analysis)
    yield made
    made.close()


@pytest.fixture
def figures(qtbot: QtBot, analysis: Shown, least: CriticalTree) -> SearchPanel:
    made = SearchPanel(analysis, least, Cursor(analysis, analysis))
    qtbot.addWidget(made)
    return made


def show(analysis: Shown, result: Result) -> None:
    analysis.begin(result.job)
    analysis.end(result)


def test_an_empty_table_offers_to_deepen(view: IterationsView, analysis: Shown) -> None:
    assert view._stack.currentWidget() is view._empty
    view._empty.pressed.emit()
    assert analysis.settings.deepen
    assert view._stack.currentWidget() is view._waiting


def test_each_iteration_is_a_row_as_it_ends(view: IterationsView, analysis: Shown, deepened: Result) -> None:
    found = deepened.info.iterations
    assert [iteration.depth for iteration in found] == [1, 2, 3, 4, 5]
    analysis.begin(DEEPENING)
    model = view.table.model()
    for ended in range(1, len(found) + 1):
        analysis.tell(replace(deepened.info, iterations=found[:ended]))
        assert model.rowCount() == ended
        row = [model.index(ended - 1, column).data() for column in range(len(COLUMNS))]
        assert row[0] == str(found[ended - 1].depth)
        assert row[3] == thousands(found[ended - 1].counters.nodes)
    analysis.end(deepened)
    assert model.rowCount() == 5
    show(analysis, replace(deepened, info=replace(deepened.info, iterations=found[:2])))
    assert model.rowCount() == 2


def test_a_value_outside_its_window_is_a_bound() -> None:
    iteration = Iteration(3, -0.5, 0.5, Value(1, Bound.LOWER), (4,), Counters(nodes=9), 0.1)
    low, inside = (replace(iteration, value=value) for value in (Value(-1, Bound.UPPER), Value(0.25)))
    texts = [shown(GAME, GAME.start, each)[2] for each in (iteration, low, inside)]
    assert texts == ["at least +1", "at most −1", "+0.250"]
    assert shown(GAME, GAME.start, iteration)[-1] == "b2 …", "the search has looked three plies ahead"
    assert shown(GAME, GAME.start, replace(iteration, depth=1))[-1] == "b2"
    assert shown(GAME, GAME.start, low)[-1] == DASH, "no move is known to be the best"


def test_values_are_seen_as_in_the_tree_and_the_title_names_by_whom(
    view: IterationsView, analysis: Shown, deepened: Result
) -> None:
    """O is to move: in MAX and MIN all values are X's, in the negamax view O's."""
    bounded = replace(deepened.info.iterations[0], alpha=-0.5, beta=0.25, value=Value(1, Bound.LOWER))
    result = replace(deepened, info=replace(deepened.info, iterations=(bounded,)))
    model = view.table.model()
    for form, said in (
        (Form.MAXMIN, ("Value for X", "at most −1", "−0.250 … +0.500")),
        (Form.NEGAMAX, ("Value for O", "at least +1", "−0.500 … +0.250")),
    ):
        analysis.change(form=form)
        show(analysis, result)
        title = model.headerData(2, Qt.Orientation.Horizontal)
        assert (title, model.index(0, 2).data(), model.index(0, 1).data()) == said
        assert model.index(0, 6).data() != DASH, "that value proves a move, whoever looks"
    analysis.change(form=Form.MAXMIN)
    assert model.index(0, 2).data() == "at most −1", "at once"


def test_minimax_has_no_windows_to_show(view: IterationsView, analysis: Shown, deepened: Result) -> None:
    model = view.table.model()
    for algorithm, window in (("minimax", DASH), ("alphabeta", "−∞ … +∞")):
        show(analysis, replace(deepened, job=Job(position="x../.../...", algorithm=algorithm, deepen=True)))
        assert model.index(0, 1).data() == window


def test_iterations_are_copied_as_csv(view: IterationsView, analysis: Shown, deepened: Result) -> None:
    show(analysis, deepened)
    view.table.copy()
    rows = list(csv.DictReader(io.StringIO(QGuiApplication.clipboard().text())))
    assert [int(row["nodes"]) for row in rows] == [each.counters.nodes for each in deepened.info.iterations]
    assert [float(row["value"]) for row in rows] == [each.value.number for each in deepened.info.iterations]
    assert {row["alpha"] for row in rows} == {""}, "an open window has no end"


@pytest.mark.parametrize("width", [0, 180, 300, 900])
def test_columns_fit_their_table(view: IterationsView, analysis: Shown, deepened: Result, width: int) -> None:
    show(analysis, deepened)
    view.setMinimumSize(0, 0)
    view.resize(width, 120)
    view.show()
    table = view.table
    kept = [column for column in range(len(COLUMNS)) if not table.isColumnHidden(column)]
    assert {0, 2} <= set(kept), "depth and value are always there"
    if width >= 180:
        assert sum(table.columnWidth(column) for column in kept) <= table.viewport().width()


def test_a_table_is_counted_exactly(figures: SearchPanel, analysis: Shown, deepened: Result) -> None:
    show(analysis, deepened)
    counters = deepened.info.counters
    assert 0 < counters.table_cutoffs <= counters.hits <= counters.probes
    assert figures.figure("table") == thousands(counters.hits)
    found, probes = percent(counters.hits, counters.probes), thousands(counters.probes)
    assert figures.note("table") == f"{found} of {probes} probes, cutoffs: {thousands(counters.table_cutoffs)}"
    assert deepened.info.table_fill is not None
    assert figures.figure("fill") == share(deepened.info.table_fill)


def test_the_fill_of_a_running_searchs_table_is_an_estimate(
    figures: SearchPanel, analysis: Shown, deepened: Result
) -> None:
    analysis.begin(deepened.job)
    analysis.tell(replace(deepened.info, table_fill=0.0))
    assert figures.figure("fill") == "about 0 %"
    analysis.end(deepened)
    assert not figures.figure("fill").startswith("about")


def test_leaves_are_told_beside_the_least_that_any_search_needs(
    qtbot: QtBot, figures: SearchPanel, analysis: Shown, least: CriticalTree
) -> None:
    """929 leaves below X on a1 in natural order: see test_counters."""
    result = backends.solve(Job(position="x../.../...", algorithm="alphabeta"))
    with qtbot.waitSignal(least.found, timeout=10_000):
        show(analysis, result)
    needed = critical_leaves(prepare(result.job), 0)
    assert figures.figure("leaves") == "929"
    assert figures.note("leaves") == f"at least {needed} needed"
    analysis.begin(result.job)
    assert figures.note("leaves") == ""


def test_of_a_large_tree_the_formula_tells_the_least_where_it_holds(
    qtbot: QtBot, figures: SearchPanel, analysis: Shown, least: CriticalTree
) -> None:
    """Nobody can win 4 x 4 in six plies: 16 x 14 x 12 and 15 x 13 x 11 leaves, less the one in common."""
    position = registry.game("mnk:4,4,4").notation.format(registry.game("mnk:4,4,4").start)
    result = backends.solve(Job(game="mnk:4,4,4", position=position, algorithm="alphabeta", limit=Limit(depth=6)))
    with qtbot.waitSignal(least.found, timeout=10_000):
        show(analysis, result)
    assert figures.note("leaves") == f"at least {thousands(16 * 14 * 12 + 15 * 13 * 11 - 1)} needed"


def test_of_an_earlier_iteration_the_tree_to_its_depth_tells_the_least(
    qtbot: QtBot, figures: SearchPanel, analysis: Shown, least: CriticalTree
) -> None:
    """In two plies of 4 x 4 alpha-beta visits 16 + 15 - 1 leaves at best: more cannot be needed."""
    game, limit = registry.game("mnk:4,4,4"), Limit(depth=4)
    empty = game.notation.format(game.start)
    job = Job(game=game.spec, position=empty, algorithm="alphabeta", deepen=True, limit=limit, record=9_999)
    earlier = backends.solve(job).earlier[1]
    assert earlier is not None
    with qtbot.waitSignal(least.found, timeout=10_000):
        show(analysis, earlier)
    assert figures.note("leaves") == "to depth 2: 30, at least 30 needed"


def test_where_the_least_cannot_be_told_the_card_says_why(
    qtbot: QtBot, figures: SearchPanel, analysis: Shown, least: CriticalTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(critical_tree, "critical_leaves", partial(critical_leaves, most=10))
    result = backends.solve(Job(position="x../.../...", algorithm="alphabeta"))
    for _ in range(2):  # computed, then from the cache
        show(analysis, result)
        qtbot.waitUntil(lambda: not least.is_counting)
        assert figures.note("leaves") == "needed: too many positions to count"
    assert f"{MAX_POSITIONS:,}" in figures._rows["leaves"].toolTip()
    show(analysis, replace(result, end=End.STOPPED))
    assert figures.note("leaves") == "needed: unknown, because the search did not finish"


def test_a_count_is_remembered_until_others_follow(
    qtbot: QtBot, analysis: Shown, least: CriticalTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(critical_tree, "KEPT_COUNTS", 2)
    one, two, three = (backends.solve(Job(position=f"{row}/.../...")) for row in ("x.o", "xo.", ".xo"))
    for result, is_known in ((one, False), (two, False), (one, True), (three, False), (one, False)):
        show(analysis, result)
        assert least.is_counting is not is_known
        qtbot.waitUntil(lambda: not least.is_counting)


def test_a_count_that_ends_after_the_next_search_is_not_taken_for_its_own(
    qtbot: QtBot, figures: SearchPanel, analysis: Shown, least: CriticalTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The count of one search ends while that of the next is still waiting."""
    begun, released = threading.Event(), threading.Event()

    def held(*asked: Any, **options: Any) -> int | None:
        begun.set()
        assert released.wait(10)
        return critical_leaves(*asked, **options)

    monkeypatch.setattr(critical_tree, "critical_leaves", held)
    show(analysis, backends.solve(Job(position="x../.../...", algorithm="alphabeta")))
    qtbot.waitUntil(begun.is_set)
    result = backends.solve(Job(position="x../.o./...", algorithm="alphabeta"))
    with qtbot.waitSignal(least.found, timeout=10_000):
        show(analysis, result)
        released.set()
    value = result.info.value
    assert value is not None
    assert least.leaves == critical_leaves(prepare(result.job), round(value.number))


def test_a_count_that_fails_has_ended(
    qtbot: QtBot, figures: SearchPanel, analysis: Shown, least: CriticalTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(critical_tree, "critical_leaves", None)
    with qtbot.waitSignal(least.found):
        show(analysis, backends.solve(Job(position="x../.../...", algorithm="alphabeta")))
        assert figures.note("leaves") == "counting how many are needed…"
    assert (least.is_counting, least.leaves, figures.note("leaves")) == (False, None, "")


def test_of_several_iterations_the_last_ones_leaves_count(deepened: Result) -> None:
    last = deepened.info.iterations[-1].counters
    assert leaves_of(deepened.info) == last.terminals + last.horizon
    assert leaves_of(Snapshot(Counters(), None, None, (), (), (), 0.0)) is None


def test_the_leaves_of_a_deepened_search_are_terminals_and_horizon(
    figures: SearchPanel, analysis: Shown, deepened: Result
) -> None:
    show(analysis, replace(deepened, end=End.STOPPED))
    last, counters = deepened.info.iterations[-1], deepened.info.counters
    assert figures.figure("leaves") == thousands(counters.terminals + counters.horizon)
    deepest = f"to depth {last.depth}: {thousands(last.counters.terminals + last.counters.horizon)}"
    assert figures.note("leaves") == f"{deepest}, needed: unknown, because the search did not finish"


def test_the_overhead_is_known_once_one_thread_has_done_the_same(figures: SearchPanel, analysis: Shown) -> None:
    parallel = backends.solve(THREADS)
    serial = backends.solve(replace(THREADS, backend="serial", workers=1))
    show(analysis, parallel)
    assert figures.figure("overhead") == DASH
    show(analysis, serial)
    show(analysis, parallel)
    assert overhead(parallel, (serial,)) == (parallel.info.counters.nodes, serial.info.counters.nodes)
    assert figures.note("overhead") == f"{thousands(serial.info.counters.nodes)} nodes on one thread"
    other = replace(serial, job=replace(serial.job, limit=Limit(depth=3)))
    assert overhead(parallel, (other,)) is None


def test_an_earlier_iteration_is_not_compared_with_the_whole_serial_search(
    figures: SearchPanel, analysis: Shown
) -> None:
    deepening = replace(THREADS, deepen=True, record=9_999)
    parallel, serial = backends.solve(deepening), backends.solve(replace(deepening, backend="serial", workers=1))
    earlier = parallel.earlier[0]
    assert earlier is not None
    for result in (serial, parallel):
        show(analysis, result)
    assert figures.figure("overhead") != DASH
    analysis.show_other(earlier)
    assert (figures.figure("overhead"), figures.note("overhead")) == (DASH, "")


def test_the_overhead_has_its_sign(figures: SearchPanel, analysis: Shown) -> None:
    serial = backends.solve(replace(THREADS, backend="serial", workers=1))
    show(analysis, serial)
    info, nodes = serial.info, serial.info.counters.nodes
    for visited, said in ((nodes + nodes // 10, "+10 %"), (nodes - nodes // 10, "−10 %"), (nodes, "0 %")):
        more = replace(info, counters=replace(info.counters, nodes=visited))
        show(analysis, replace(serial, job=THREADS, info=more))
        assert figures.figure("overhead") == said


def test_the_newest_iteration_is_in_sight(
    qtbot: QtBot, view: IterationsView, analysis: Shown, deepened: Result
) -> None:
    """Where there is room for two."""
    view.resize(400, 60)
    view.show()
    table = view.table
    for count in range(1, len(deepened.info.iterations) + 1):
        show(analysis, replace(deepened, info=replace(deepened.info, iterations=deepened.info.iterations[:count])))
        last = table.visualRect(table.model().index(count - 1, 0))
        assert table.viewport().rect().contains(last.center())
    assert table.verticalScrollBar().maximum() > 0


def test_an_estimate_is_no_win() -> None:
    o_to_move = GAME.notation.parse("x../.../...")
    textbook = DEEPENING.scoring
    assert verdict(GAME, o_to_move, Value(-0.1225, is_estimate=True), textbook) == "undecided, +0.12 for X"
    assert verdict(GAME, o_to_move, Value(0.9975, is_estimate=True), textbook) == "undecided, +0.998 for O"
    assert verdict(GAME, o_to_move, Value(0), textbook, proven=False) == "undecided"
    assert verdict(GAME, o_to_move, Value(-1), textbook) == "X wins"


def test_a_run_tells_its_options(qtbot: QtBot, analysis: Shown, deepened: Result) -> None:
    runs = RunsView(analysis)
    qtbot.addWidget(runs)
    show(analysis, deepened)
    assert runs.model().index(0, 0).data() == "alpha-beta · table move · killers · deepening · table 1 MiB\nserial"
    runs.copy()
    header, row = csv.reader(io.StringIO(QGuiApplication.clipboard().text()), delimiter="\t")
    assert dict(zip(header, row, strict=True))["options"] == "table move, killers, deepening, table 1 MiB"


def test_a_click_shows_the_search_as_it_was_after_an_iteration(qtbot: QtBot, window: Window) -> None:
    """Its tree, its figures and its value; the table has all iterations still."""
    window.record.new(start=GAME.notation.parse("x../.../..."))
    window.record.set_computer(frozenset())
    window.analysis.change(algorithm="alphabeta", deepen=True, limit=Limit(depth=5))
    with qtbot.waitSignal(window.analysis.finished, timeout=60_000):
        window.think_action.trigger()
    whole, table = window.analysis.result, window.iterations.table
    assert whole is not None
    done = whole.info.iterations
    actions = window.replay_actions.steps
    assert not actions["next iteration"].isEnabled()
    facts: list[str] = []
    window.path.fact_changed.connect(facts.append)
    table.clicked.emit(table.model().index(2, 0))
    trace = window.replay.trace
    assert trace is not None
    assert (trace.depth, len(trace)) == (3, done[2].counters.nodes)
    assert window.figures.figure("nodes") == thousands(sum(each.counters.nodes for each in done[:3]))
    assert table.model().rowCount() == 5
    dark = [table.model().data(table.model().index(row, 0), Qt.ItemDataRole.ForegroundRole) for row in range(5)]
    assert dark.index(theme().colour("ink")) == 2
    assert " · iteration 3, depth 3 · " in facts[-1]
    actions["previous iteration"].trigger()
    assert window.replay.trace is not None
    assert window.replay.trace.depth == 2
    for _ in range(3):
        actions["next iteration"].trigger()
    assert window.analysis.result is whole
