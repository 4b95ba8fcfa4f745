"""The path shows the side to move, backed-up values and pruned moves; and it can be navigated."""

import dataclasses
import re
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from PySide6.QtCore import QBuffer, QEvent, QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from engine import backends, registry
from engine.control import FULL_SPEED, Control
from engine.job import Job
from engine.kernels.worker_memory import ALL_SEEN, AT_HORIZON, BY_TABLE, CUTOFF, ended, entered
from engine.options.catalogue import Limit
from engine.options.choices import Order, Parallel, Scoring
from engine.result import INFINITY, Bound, Child, Leaf, PathNode, Result, Snapshot, State, Value
from engine.rules.bits import each
from engine.rules.contract import UNIT, is_over, legal, play, plies_to_end
from engine.text.numbers import bounded, signed
from engine.trace.record import Trace
from engine.trace.replay import Replay
from engine.trace.why import certificate
from gui.access.text_view import text
from gui.state.analysis import Phase
from gui.state.game_record import GameRecord
from gui.state.relevance import Relevance
from gui.state.replay import Cursor
from gui.state.spoilers import spoilers
from gui.style.theme import NOTE, theme
from gui.tree.path import PathView
from gui.tree.path_canvas import PathPicture
from gui.tree.path_layout import fitted, spread, visible
from gui.tree.path_model import SearchWindow, Windows, bound_setter, fresh, rows, tried_in, windows_of
from gui.tree.path_painter import _name, _write_window
from gui.tree.path_places import place_of, shown
from gui.tree.path_root import deepest, root_node, with_result
from gui.tree.path_text import sentence, tool_tip
from gui.tree.path_tile import BOLD, Caption, _paint_caption, bold, dense
from tests.engine import naive
from tests.gui.shown import Shown
from tests.gui.tree.conftest import Zone

GAME = registry.game("tictactoe")
SIX_LEFT = "xo./.../.x."
FIRST_CLOSES_A_BOARD = "..ooxx.o./.oox.xo.x/oox.o.xxx/x.xx.oxoo/oxooxxoo./xx..o.xxx/x..ooxx.o/xoxox.o.o/ooox.x..o"
X_A1 = GAME.notation.parse("x../.../...")
WON, EVEN, LOST = Value(1), Value(0), Value(-1)
OPEN, DONE, PRUNED, UNVISITED = State.OPEN, State.DONE, State.PRUNED, State.UNVISITED

SKETCH = (
    PathNode(
        -1,
        INFINITY,
        Value(-1, Bound.LOWER),
        4,
        tuple(Child(m, DONE if m < 4 else OPEN if m == 4 else UNVISITED, LOST if m < 4 else None) for m in range(1, 9)),
    ),
    PathNode(-INFINITY, 1, None, 1, tuple(Child(m, OPEN if m == 1 else UNVISITED) for m in (1, 2, 3, 5, 6, 7, 8))),
    PathNode(
        0,
        INFINITY,
        Value(0, Bound.LOWER),
        3,
        (Child(2, DONE, EVEN), Child(3, OPEN), *(Child(m, UNVISITED) for m in (5, 6, 7, 8))),
    ),
    PathNode(
        1,
        0,
        Value(1, Bound.LOWER),
        2,
        (Child(2, DONE, WON), *(Child(m, PRUNED) for m in (5, 6, 7, 8))),
        cut=True,
        ended=True,
    ),
)
"""The sketch's moment: X on a1, O to move; X has just won at once with c1, so the rest of that row is pruned."""


@pytest.fixture
def view(qtbot: QtBot, analysis: Shown) -> PathView:
    made = PathView(analysis, Cursor(analysis, analysis))
    qtbot.addWidget(made)
    made.resize(680, 400)
    made.show()
    return made


@pytest.fixture(scope="module")
def solved() -> Result:
    return backends.solve(Job(position="x../.../...", algorithm="alphabeta", record=10_000))


def second_click(point: QPoint) -> QMouseEvent:
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    return QMouseEvent(QEvent.Type.MouseButtonDblClick, QPointF(point), QPointF(point), left, left, none)


def texts(view: PathView) -> list[list[str]]:
    return [[row.cell(i).text for i in range(len(row))] for row in view._rows]


def test_max_min_view_shows_the_first_players_values_throughout() -> None:
    made = rows(GAME, X_A1, SKETCH)
    cells = [[row.cell(i).text for i in range(len(row))] for row in made]
    assert cells[0] == ["≤ +1"]
    assert cells[1][:5] == ["+1", "+1", "+1", "", ""]
    assert cells[2][0] == "≤ 0"
    assert cells[3][:2] == ["0", "≥ +1"]
    assert cells[4] == ["+1", "pruned", "pruned", "pruned", "pruned"]
    assert [row.window.text for row in made if row.window] == [
        "α −∞  β +1",
        "α −∞  β +1",
        "α −∞  β 0",
        "α +1  β 0",
    ]


def test_negamax_view_shows_the_movers_values_and_windows() -> None:
    made = rows(GAME, X_A1, SKETCH, negamax=True)
    assert made[0].cell(0).text == "≥ −1"
    assert made[1].cell(0).text == "+1", "X moves in row 1, and wins"
    assert made[4].cell(0).text == "−1", "O is to move in row 4, and has lost"
    assert next(row.window.text for row in made if row.window) == "α −1  β +∞"


@pytest.mark.parametrize("negamax", [False, True])
def test_colour_tells_whom_a_value_favours_in_both_views(negamax: bool) -> None:
    made = rows(GAME, X_A1, SKETCH, negamax)
    assert made[1].cell(0).favours == 0
    assert made[3].cell(0).favours is None


def test_a_row_a_level_and_one_more_at_most() -> None:
    assert [len(row) for row in rows(GAME, X_A1, SKETCH)] == [1, 8, 7, 6, 5]
    assert len(rows(GAME, X_A1, ())) == 1
    over = PathNode(-INFINITY, INFINITY, LOST, None, ())
    assert len(rows(GAME, GAME.notation.parse("xxx/oo./..."), (over,))) == 1


def test_a_finished_game_at_the_root_has_a_value_and_no_bound() -> None:
    over = PathNode(-INFINITY, INFINITY, LOST, None, ())
    assert rows(GAME, GAME.notation.parse("xxx/oo./..."), (over,))[0].cell(0).text == "+1"


def test_siblings_around_the_focus_are_shown_and_the_rest_counted() -> None:
    def boards(*row: int, **asked: int) -> list[int]:
        return [places[0] for places in shown(*row, **asked) if len(places) == 1]

    assert boards(9, 4, 9) == [*range(9)]
    assert boards(64, 0, 10) == [*range(9)]
    assert boards(64, 63, 10) == [*range(55, 64)]
    assert boards(64, 30, 10) == [*range(26, 34)]
    for focus, asked, capacity in product(range(0, 64, 3), (None, *range(0, 64, 5)), range(1, 12)):
        places = shown(64, focus, capacity, asked)
        assert [index for indices in places for index in indices] == [*range(64)]
        assert len(places) <= max(3, capacity)
        assert place_of(places, focus if asked is None else asked) is not None
        assert capacity < 5 or place_of(places, focus) is not None, "the path stays"


def test_fresh_values_are_those_that_came_up_on_the_same_path() -> None:
    after = (
        *SKETCH[:2],
        PathNode(0, INFINITY, WON, 3, (Child(2, DONE, EVEN), Child(3, DONE, WON), *SKETCH[2].children[2:])),
    )
    assert fresh(SKETCH, after) == {(3, 3)}
    assert fresh(SKETCH, SKETCH) == frozenset()


def test_the_tool_tip_says_why_a_move_was_pruned() -> None:
    made = rows(GAME, X_A1, SKETCH)
    tip = tool_tip(made[4], 1, running=True)
    assert tip.startswith("b2 b1 a2 c2")
    assert "X gets at least +1 here" in tip
    assert "O holds X to 0" in tip
    assert "+1 for X" in tool_tip(made[1], 0, running=True)
    assert "not visited yet" in tool_tip(made[1], 6, running=True)


def test_with_nothing_to_show_it_offers_to_think(view: PathView, qtbot: QtBot) -> None:
    button = view._empty.findChild(QPushButton)
    with qtbot.waitSignal(view.think_requested):
        button.click()
    assert view._stack.currentWidget() is view._empty
    view.set_over(True)
    assert button.isHidden()
    assert view._empty.findChild(QLabel).text().startswith("The game is over: start a new one")
    view.set_over(False)
    assert not button.isHidden()


def test_a_path_is_told_in_words_too(view: PathView, qtbot: QtBot) -> None:
    view.show_path_nodes(GAME, X_A1, SKETCH, "node 7")
    qtbot.waitUntil(lambda: bool(view.accessibleDescription()))
    words = view.accessibleDescription()
    assert "O to move, best ≤ +1, window −∞ to +1" in words
    assert "window +1 to 0, cut" in words
    assert "4 pruned" in words


def test_a_position_at_the_end_of_the_game_has_nobody_to_move() -> None:
    """X on a1 and b1, O on c3 and b2: c1 wins."""
    position = GAME.notation.parse("xx./.o./..o")
    result = backends.solve(Job(position="xx./.o./..o", algorithm="alphabeta", record=10_000))
    assert result.trace is not None
    row = result.trace.child_row(0, 2)
    assert row is not None
    made = rows(GAME, position, result.trace.path_nodes(row))
    assert tool_tip(made[1], made[1].current or 0, running=False) == "c1\nX wins\n+1 for X"
    assert sentence(made[1]) == "X wins, value +1"
    assert sentence(made[0]).startswith("X to move, best +1")


def test_a_running_search_is_followed_and_its_fact_says_whose_values(
    view: PathView, analysis: Shown, qtbot: QtBot
) -> None:
    job = Job(position="x../.../...", algorithm="alphabeta")
    analysis.change(algorithm="alphabeta")
    analysis.begin(job)
    assert len(view._rows) == 1
    control = Control(paused=True)
    control.step(200)
    search = backends.run(job, control)
    info = next(message for message in search if isinstance(message, Snapshot) and message.counters.nodes >= 200)
    with qtbot.waitSignal(view.fact_changed, check_params_cb=lambda fact: fact == "values are X's · node 200"):
        analysis.tell(info)
    assert len(view._rows) == len(info.path) + 1
    control.stop()
    assert isinstance(list(search)[-1], Result)


def test_the_fact_names_a_search_that_is_not_the_next_one(view: PathView, analysis: Shown, solved: Result) -> None:
    facts: list[str] = []
    view.fact_changed.connect(facts.append)
    analysis.change(algorithm="alphabeta")
    analysis.begin(solved.job)
    analysis.end(solved)
    whose = facts[-1]
    assert whose.startswith("values are X's · node ")
    analysis.change(algorithm="minimax")
    assert facts[-1] == f"alpha-beta, serial · {whose}"
    analysis.change(algorithm="alphabeta", backend="threads")
    assert facts[-1] == f"alpha-beta, serial · {whose}"
    analysis.change(backend="serial")
    assert facts[-1] == whose


def test_a_finished_search_is_walked_by_keys(view: PathView, analysis: Shown, solved: Result, qtbot: QtBot) -> None:
    analysis.begin(solved.job)
    analysis.end(solved)
    trace = solved.trace
    assert trace is not None
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert view._cursor.row == 0
    qtbot.keyClick(view, Qt.Key.Key_Up)
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view._cursor.row == 0
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view._cursor.row == 1
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view._cursor.row == trace.child_row(0, 2)
    qtbot.keyClick(view, Qt.Key.Key_Left)
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert view._cursor.row == 1
    while trace.children(view._cursor.row or 0):
        qtbot.keyClick(view, Qt.Key.Key_Down)
    deepest = view._cursor.row
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view._cursor.row == deepest
    qtbot.keyClick(view, Qt.Key.Key_Up)
    assert deepest is not None
    assert view._cursor.row == trace.parent(deepest) > 1
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert view._cursor.row == 0
    qtbot.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert view._cursor.row == trace.child_row(0, 4), "b2, the only draw"


def test_the_path_opens_along_the_principal_variation(searched: Zone, qtbot: QtBot) -> None:
    path, cursor, analysis = searched.path, searched.replay, searched.analysis
    result = analysis.result
    assert result is not None
    assert result.trace is not None
    end = cursor.row
    assert end is not None
    assert result.trace.moves(end) == result.info.pv
    assert len(path.rows) == len(result.info.pv) + 1 == 9
    assert path._scroll.verticalScrollBar().value() == 0, "the moves of the root come first"
    qtbot.keyClick(path, Qt.Key.Key_Up)
    above = cursor.row
    spoilers().hide(True)
    assert cursor.row == above, "where the user went, nothing moves"
    spoilers().hide(False)
    cursor.go_to_row(end)
    spoilers().hide(True)
    assert cursor.row == 0, "the line would tell the best moves"
    with qtbot.waitSignal(analysis.finished):
        searched.think()
    assert cursor.row == 0
    spoilers().hide(False)
    assert cursor.row == 0


def test_the_root_after_alpha_beta_shows_each_moves_value(view: PathView, analysis: Shown, solved: Result) -> None:
    analysis.begin(solved.job)
    analysis.end(solved)
    assert texts(view)[0] == ["0"]
    assert texts(view)[1] == ["+1", "≥ +1", "≥ +1", "0", "≥ 0", "≥ +1", "≥ 0", "≥ 0"]


def test_minimax_has_no_windows_and_shows_none(view: PathView, analysis: Shown) -> None:
    result = backends.solve(Job(position=SIX_LEFT, record=10_000))
    analysis.begin(result.job)
    control = Control(paused=True)
    control.step(20)
    search = backends.run(result.job, control)
    analysis.tell(next(message for message in search if isinstance(message, Snapshot) and message.path))
    assert told_windows(view) == []
    control.stop()
    assert isinstance(list(search)[-1], Result)
    analysis.end(result)
    view._cursor.go_to_row(result.info.counters.nodes // 2)
    assert len(view.rows) > 3
    assert told_windows(view) == []
    assert "Window" not in text(GameRecord(GAME), analysis, Relevance(), view.rows)


def told_windows(view: PathView) -> list[str]:
    """All texts about windows: in the rows, for a screen reader, and in tool tips beside the boards."""
    stripes = (view._picture.row_rect(row.ply) for row in view.rows)
    beside = [view._picture._words_at(stripe.center() + QPoint(stripe.width() // 2 - 9, 0)) for stripe in stripes]
    words = [part for part in view.accessibleDescription().split(", ") if "window" in part]
    return [*(row.window.text for row in view.rows if row.window), *words, *filter(None, beside)]


def test_a_record_of_the_last_of_several_searches_says_so(view: PathView, analysis: Shown, qtbot: QtBot) -> None:
    """MTD(f)'s last search finds no more than a bound; with those before, the value is exact."""
    result = backends.solve(Job(position="x../.../...", algorithm="mtdf", record=10_000))
    trace, count = result.trace, len(result.info.iterations)
    assert trace is not None
    assert len(trace) < result.info.counters.nodes
    assert not result.info.iterations[-1].value.is_exact
    analysis.change(algorithm="mtdf")
    analysis.begin(result.job)
    fact = f"values are X's · last of {count} iterations · node 1 of {len(trace):,}"
    analysis.end(result)
    with qtbot.waitSignal(view.fact_changed, check_params_cb=lambda said: said == fact):
        view._cursor.go_to_row(0)
    assert texts(view)[0] == ["0"]
    row = view.rows[1]
    assert row.best is not None, "the search that proved it is not the last"
    assert (row.path(row.best)[-1], texts(view)[1][row.best]) == (result.info.best, "0")


@pytest.mark.parametrize("negamax", [False, True])
@pytest.mark.parametrize("spec", ["tictactoe", "ultimate"])
def test_a_board_says_in_how_many_plies_from_there_it_is_won(spec: str, negamax: bool) -> None:
    """Even where a ply reduces the greatest number of remaining plies by more than one."""
    position = {"tictactoe": "xx./oo./...", "ultimate": FIRST_CLOSES_A_BOARD}[spec]
    job = Job(game=spec, position=position, scoring=Scoring.SOONEST, record=50_000, backend="interpreted")
    game, trace = registry.game(spec), backends.solve(job).trace
    assert trace is not None
    players, told = game.notation.players, 0
    for number in range(0, len(trace), max(1, len(trace) // 50)):
        for row in rows(game, trace.root, trace.path_nodes(number), negamax, scoring=job.scoring):
            for place in range(len(row)):
                cell, board = row.cell(place), row.position(place)
                if cell.state is not DONE or cell.value is None or cell.favours is None:
                    continue
                value, over = abs(int(naive.value(board, soonest=True))), is_over(board)
                words = "has won" if over else f"wins in {plies_to_end(value)}"
                said = tool_tip(row, place, running=False).splitlines()[-1]
                assert said == f"{signed(cell.value.number)} for {players[row.view]}: {players[cell.favours]} {words}"
                told += not over
    assert told


@pytest.mark.parametrize("algorithm", ["alphabeta", "pvs", "mtdf"])
@pytest.mark.parametrize("scoring", Scoring)
def test_why_a_move_was_pruned_names_no_more_than_is_proven(algorithm: str, scoring: Scoring) -> None:
    """For PVS the null window's end was shown as a bound: one more than an earlier move had proven."""
    job = Job(position=SIX_LEFT, algorithm=algorithm, scoring=scoring, record=10_000)
    trace, root = backends.solve(job).trace, GAME.notation.parse(SIX_LEFT)
    assert trace is not None
    told = 0
    for number in range(len(trace)):
        made = rows(GAME, root, trace.path_nodes(number), windows=windows_of(job))
        for row in made[1:]:
            places = [place for place in range(len(row)) if row.cell(place).state is PRUNED]
            if not places or row.above is None:
                continue
            told += 1
            tip, ply = tool_tip(row, places[0], running=False).splitlines()[-1], row.ply - 1
            assert row.above.alpha <= naive.value(row.parent, scoring is Scoring.SOONEST, ply=ply), tip
            if not tip.startswith("Pruned: the value here"):
                above = [made[higher].here for higher in range(ply - 1, -1, -2)]
                earlier = {child.value.number for node in above if node for child in node.children if child.value}
                assert -row.above.beta in earlier, "the bound of an earlier move"
    assert told


def test_a_guessed_window_is_called_no_bound_of_an_earlier_move() -> None:
    views = [rows(GAME, X_A1, SKETCH, negamax, windows=Windows.GUESSED)[4] for negamax in (False, True)]
    words = "Pruned: the value here is at least +1 for X. The search only asks whether it "
    assert {tool_tip(row, 1, running=True).splitlines()[-1] for row in views} == {f"{words}is at least 0."}
    asked = [
        windows_of(Job(position="x../.../...", algorithm=algorithm, deepen=True, aspiration=aspiration))
        for algorithm, aspiration in (
            ("minimax", None),
            ("alphabeta", None),
            ("alphabeta", 0.1),
            ("mtdf", None),
            ("pvs", None),
        )
    ]
    assert asked == [Windows.NONE, Windows.PROVEN, *[Windows.GUESSED] * 3]


@pytest.mark.parametrize("room", [1, 2, 50, 929, 2_000])
def test_a_search_longer_than_its_record_still_knows_its_root(
    view: PathView, analysis: Shown, solved: Result, room: int
) -> None:
    cut_short = backends.solve(replace(solved.job, record=room))
    analysis.begin(solved.job)
    analysis.end(solved)
    view._cursor.go_to_row(0)
    whole = texts(view)
    analysis.begin(cut_short.job)
    analysis.end(cut_short)
    view._cursor.go_to_row(0)
    assert texts(view) == whole
    view._cursor.go_to_row(room - 1)
    assert all(texts(view)[1])
    assert f"node {room:,} of 2,338, {room:,} recorded" in view._caption
    view.grab()


def test_what_was_searched_and_not_recorded_is_called_so(view: PathView, analysis: Shown, solved: Result) -> None:
    cut_short = backends.solve(replace(solved.job, record=929))
    analysis.begin(cut_short.job)
    analysis.end(cut_short)
    view._cursor.go_to_row(928)
    said = {tool_tip(row, place, running=False).splitlines()[-1] for row in view.rows[2:] for place in range(len(row))}
    assert "searched, but not recorded because the record was full" in said
    assert "not recorded because the record was full: searched or pruned" in said
    assert "not visited" not in said
    last = view.rows[-1]
    assert {last.cell(place).text for place in range(len(last))} == {"not recorded"}
    assert "not recorded" in sentence(last)
    full = [dataclasses.replace(row, above=None) if row.is_cut_short else row for row in view.rows]
    assert spread(view.rows, 600, 40, 10).width == spread(full, 600, 40, 10).width, "its words widen no tile"
    assert "not recorded" in text(GameRecord(GAME), analysis, Relevance(), view.rows)


@settings(deadline=None, derandomize=True)
@given(job=naive.interrupted(), is_recorded=st.booleans())
def test_what_the_path_shows_of_the_root_is_so_of_the_depth_that_it_names(job: Job, is_recorded: bool) -> None:
    result = backends.solve(job)
    position, soonest = GAME.notation.parse(job.position), job.scoring is Scoring.SOONEST
    trace = result.trace if is_recorded and result.trace is not None and len(result.trace) else None
    if trace is None:
        shown_depth, node = deepest(result), root_node(position, result)
    else:
        shown_depth, node = trace.depth, with_result(trace.path_nodes(0)[0], result, trace.depth)
    root, *below = rows(GAME, position, (node,), negamax=True)
    cells = [
        (root.cell(0), None),
        *((row.cell(place), row.path(place)[-1]) for row in below for place in range(len(row))),
    ]
    for cell, move in cells:
        if cell.value is None:
            continue
        depth = shown_depth if cell.depth is None else cell.depth
        assert depth is not None
        assert cell.depth is None or f"depth {depth}" in cell.text
        if move is None:
            true = naive.value(position, soonest, depth)
        else:
            true = -naive.move_values(position, soonest, depth)[move]
        assert naive.holds(cell.value, true), (cell, true)
    known = {found.move for found in result.root_moves}
    assert known <= {cell.move for cell, _ in cells if cell.value is not None or cell.state is PRUNED}
    assert result.info.value is None or cells[0][0].value is not None


@pytest.mark.parametrize("record", [0, 9, 100_000])
def test_a_deepened_search_cut_off_shows_the_iteration_before(view: PathView, analysis: Shown, record: int) -> None:
    """Seen after the computer's answer on a large board: all root moves were "not recorded"."""
    job = Job(position="x../.../...", algorithm="alphabeta", deepen=True, record=record)
    result = backends.solve(replace(job, limit=Limit(nodes=4_000)))
    last = result.info.iterations[-1].depth
    analysis.begin(result.job)
    analysis.end(result)
    if result.trace is not None:
        row, line = view._cursor.row or 0, result.info.pv
        depth = len(result.trace.moves(row))
        assert result.trace.moves(row) == line[:depth]
        assert (depth < len(line)) is (record == 9), "the record lacks the rest"
        assert depth == len(line) or result.trace.child_row(row, line[depth]) is None
        view._cursor.go_to_row(0)
    assert all(texts(view)[1]), "a value for every root move"
    assert not {"not recorded", ""} & {*texts(view)[0], *texts(view)[1]}
    shallower = [place for place, found in enumerate(result.root_moves) if found.depth == last]
    assert shallower
    for place in shallower:
        if record:
            assert texts(view)[1][place].endswith(f", depth {last}")
            tip = tool_tip(view.rows[1], place, running=False)
            assert f"an iteration of depth {last} found" in tip
            assert tip.splitlines()[-1] in text(GameRecord(view.rows[0].game), analysis, Relevance(), view.rows)
    if record:
        assert f"iteration {last + 1}, depth {last + 1}, unfinished" in view._caption
    view.grab()


@pytest.mark.parametrize(
    "options",
    [
        {"algorithm": "minimax"},
        {"algorithm": "pvs"},
        {"algorithm": "mtdf"},
        {"algorithm": "alphabeta", "deepen": True, "aspiration": 0.02},
        {"algorithm": "alphabeta", "table": 0.1},
        {"algorithm": "alphabeta", "backend": "threads", "workers": 2, "split": 2},
        {"algorithm": "pvs", "backend": "threads", "workers": 2, "parallel": Parallel.YBW, "split": 2},
        {
            "algorithm": "alphabeta",
            "backend": "threads",
            "workers": 2,
            "parallel": Parallel.LAZY,
            "table": 0.1,
            "deepen": True,
        },
    ],
    ids=str,
)
@pytest.mark.parametrize("room", [1, 40])
def test_any_search_longer_than_its_record_still_knows_its_root(
    view: PathView, analysis: Shown, options: dict[str, Any], room: int
) -> None:
    result = backends.solve(Job(position="x../.../...", record=room, **options))
    analysis.begin(result.job)
    analysis.end(result)
    assert texts(view)[0] == ["0"]
    assert all(texts(view)[1])
    assert "not recorded" not in texts(view)[1]


def test_what_is_left_of_a_stopped_search_is_neither_open_nor_exact(view: PathView, analysis: Shown) -> None:
    stopped = backends.solve(
        Job(position="x../.../...", algorithm="alphabeta", record=10_000, limit=Limit(nodes=1_000))
    )
    analysis.begin(stopped.job)
    analysis.end(stopped)
    trace = stopped.trace
    assert trace is not None
    view._cursor.go_to_row(len(trace) - 1)
    assert texts(view)[0] == ["≤ +1"]
    said = [tool_tip(row, row.focus or 0, running=False).splitlines()[-1] for row in view.rows[:-1]]
    assert "begun, but not finished" in said


@pytest.mark.parametrize("negamax", [False, True])
def test_a_bound_turns_with_the_view(negamax: bool) -> None:
    """X is sure of 0 at least where O moves: at most 0 for O."""
    node = PathNode(
        -INFINITY,
        INFINITY,
        EVEN,
        None,
        (Child(4, DONE, EVEN), Child(5, DONE, Value(0, Bound.UPPER))),
        ended=True,
    )
    row = rows(GAME, X_A1, (node,), negamax)[1]
    assert [row.cell(place).text for place in range(2)] == ["0", "≥ 0"], "X moves in this row"
    tip = tool_tip(row, 1, running=False)
    assert tip.endswith("at least 0 for X: a bound, not the exact value")
    below = PathNode(-INFINITY, INFINITY, EVEN, 1, (Child(1, DONE, Value(0, Bound.UPPER)),), ended=True)
    row = rows(GAME, X_A1, (replace(node, move=4), below), negamax)[2]
    assert row.cell(0).text == ("≥ 0" if negamax else "≤ 0"), "O moves in this row"


def test_a_click_goes_to_a_visited_board_and_a_double_click_asks(
    view: PathView, analysis: Shown, solved: Result, qtbot: QtBot
) -> None:
    analysis.begin(solved.job)
    analysis.end(solved)
    assert solved.trace is not None
    QApplication.processEvents()
    spot = _point_of(view, row=1, place=3)
    qtbot.mouseClick(view._picture, Qt.MouseButton.LeftButton, pos=spot)
    assert view._cursor.row == solved.trace.child_row(0, 4)
    with qtbot.waitSignal(view.position_requested) as asked:
        qtbot.mouseDClick(view._picture, Qt.MouseButton.LeftButton, pos=_point_of(view, row=1, place=3))
    assert asked.args == [play(X_A1, 4)]


def test_a_double_click_asks_for_the_board_of_its_first_click(view: PathView, qtbot: QtBot) -> None:
    """Though the search has gone on to a shorter path before the second one."""
    view.show_path_nodes(GAME, X_A1, SKETCH, "")
    QApplication.processEvents()
    last = len(view.rows) - 1
    pressed, point = view.rows[last].position(0), view._picture.measures.tile(last, 0).center()
    qtbot.mouseClick(view._picture, Qt.MouseButton.LeftButton, pos=point)
    view.show_path_nodes(GAME, X_A1, SKETCH[:1], "")
    with qtbot.waitSignal(view.position_requested) as asked:
        QApplication.sendEvent(view._picture, second_click(point))
    assert asked.args == [pressed]


def test_a_trace_of_one_node_is_shown(view: PathView, analysis: Shown, qtbot: QtBot) -> None:
    result = backends.solve(Job(position="xxx/oo./...", record=10))
    analysis.begin(result.job)
    analysis.end(result)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home):
        qtbot.keyClick(view, key)
    assert view._cursor.row == 0
    assert texts(view) == [["+1"]]


def test_a_search_without_a_trace_leaves_its_root(view: PathView, analysis: Shown) -> None:
    result = backends.solve(Job(position="xo./.../...", scoring=Scoring.SOONEST))
    analysis.begin(result.job)
    analysis.end(result)
    assert view._cursor.row is None
    assert len(texts(view)[1]) == 7
    assert all(texts(view)[1])


def test_a_dropped_search_leaves_its_path(view: PathView, analysis: Shown, solved: Result) -> None:
    analysis.begin(solved.job)
    control = Control(paused=True)
    control.step(20)
    search = backends.run(solved.job, control)
    analysis.tell(next(message for message in search if isinstance(message, Snapshot) and message.path))
    before = texts(view)
    assert len(before) > 2
    analysis.drop()
    assert texts(view) == before
    control.stop()
    assert isinstance(list(search)[-1], Result)


@pytest.mark.parametrize(("width", "height"), [(0, 0), (1, 1), (90, 40), (250, 120), (1600, 1200)])
def test_any_size_can_be_painted(view: PathView, width: int, height: int) -> None:
    view.show_path_nodes(GAME, X_A1, SKETCH, "")
    view.setMinimumSize(0, 0)
    view.resize(width, height)
    view._picture.resize(width, height)
    view.grab()
    view._picture.grab()


def test_sixty_four_siblings_fit_in_any_width(view: PathView) -> None:
    game = registry.game("mnk:8,8,5")
    node = PathNode(-INFINITY, INFINITY, EVEN, 63, tuple(Child(m, OPEN if m == 63 else DONE, EVEN) for m in range(64)))
    view.show_path_nodes(game, game.start, (node, PathNode(-INFINITY, 0, None, None, ())), "")
    for width in (240, 680, 1400):
        view.resize(width, 300)
        view.grab()
        spots = {view._picture.spot_at(QPoint(x, _middle(view, 1))) for x in range(width)} - {None}
        assert 63 in {spot.place for spot in spots if spot is not None}


def test_where_not_all_siblings_fit_and_none_is_entered_the_best_is_shown(view: PathView) -> None:
    game = registry.game("mnk:8,8,5")
    node = PathNode(
        -INFINITY, INFINITY, EVEN, None, tuple(Child(m, DONE, EVEN if m == 40 else LOST) for m in range(64))
    )
    for hidden in (False, True):
        spoilers().hide(hidden)
        view.show_path_nodes(game, game.start, (node,), "")
        view.resize(400, 300)
        view.grab()
        spots = {view._picture.spot_at(QPoint(x, _middle(view, 1))) for x in range(400)} - {None}
        assert (40 in {spot.place for spot in spots if spot is not None}) is not hidden, "or its place would tell"


def test_values_fade_in_only_while_the_search_is_held_back(view: PathView, analysis: Shown) -> None:
    result = (
        *SKETCH[:2],
        PathNode(1, INFINITY, WON, 3, (Child(2, DONE, EVEN), Child(3, DONE, WON), *SKETCH[2].children[2:])),
    )
    for phase, motion, speed, fades in (
        (Phase.RUNNING, True, FULL_SPEED, False),
        (Phase.RUNNING, True, 100.0, False),
        (Phase.RUNNING, True, 10.0, True),
        (Phase.PAUSED, False, FULL_SPEED, False),
        (Phase.PAUSED, True, FULL_SPEED, True),
    ):
        analysis.change(speed=speed)
        analysis.begin(Job(position="x../.../..."), phase)
        view.set_motion(motion)
        view.show_path_nodes(GAME, X_A1, SKETCH, "")
        view._fade.stop()
        view.show_path_nodes(GAME, X_A1, result, "")
        assert (view._fade.state() == view._fade.State.Running) is fades
    view.hide()
    assert view._fade.state() == view._fade.State.Stopped


def test_a_line_leads_from_a_cut_to_the_move_that_set_its_bound(solved: Result) -> None:
    made = rows(GAME, X_A1, SKETCH)
    assert [bound_setter(made, ply) for ply in range(len(made))] == [None, None, None, (3, 0), None]
    assert solved.trace is not None
    far = 0
    for number in range(len(solved.trace)):
        path_nodes = solved.trace.path_nodes(number)
        made = rows(GAME, X_A1, path_nodes)
        setter = bound_setter(made, len(path_nodes) - 1)
        if setter is not None:
            row, index = setter
            above = made[row].above
            assert above is not None
            assert above.children[index].value.number == above.alpha == -path_nodes[-1].beta
            assert (len(path_nodes) - 1 - row) % 2 == 0, "a move of the other side"
            far += row < len(path_nodes) - 1
    assert far, "some bounds come from further up than a sibling"


@pytest.mark.parametrize("order", [Order.NATURAL, Order.DOMAIN, Order.RANDOM])
@pytest.mark.parametrize("algorithm", ["alphabeta", "pvs"])
def test_the_line_begins_at_the_move_that_was_searched_first(algorithm: str, order: Order) -> None:
    """In whatever order the moves are searched: it is the holder of the certificate."""
    chosen = () if order is Order.NATURAL else (order,)
    job = Job(position="xo./.x./...", algorithm=algorithm, order=chosen, record=10_000, backend="interpreted")
    trace, told = backends.solve(job).trace, 0
    assert trace is not None
    replay = Replay(trace)
    for row in filter(lambda row: trace.why(row) == CUTOFF, range(len(trace))):
        at_cut, holder = replay.path_nodes(replay.left(row) - 1), certificate(trace, row).holder
        for path_nodes in (at_cut, trace.path_nodes(row)):
            made = rows(GAME, trace.root, path_nodes, windows=windows_of(job), tried=tried_in(trace, trace.path(row)))
            setter = bound_setter(made, len(path_nodes) - 1)
            if holder is not None and (path_nodes is at_cut or setter is not None):
                assert setter is not None, "afterwards the move may have been surpassed"
                assert made[setter[0]].path(setter[1]) == trace.moves(holder.row)
                told += 1
    assert told > 20


def test_the_path_knows_in_which_order_moves_were_searched(view: PathView, analysis: Shown) -> None:
    order = (Order.RANDOM,)
    job = Job(position="xo./.x./...", algorithm="alphabeta", order=order, record=10_000, backend="interpreted")
    result = backends.solve(job)
    analysis.begin(result.job)
    analysis.end(result)
    assert result.trace is not None
    [*_, last] = result.trace.children(0)
    view._cursor.go(result.trace.index.entered(last))
    view._show_again()  # as in other colours
    assert view.rows[1].tried == tuple(map(result.trace.move, result.trace.children(0)))[:-1]


def test_more_siblings_are_shown_until_all_were_seen(view: PathView, qtbot: QtBot) -> None:
    game = registry.game("mnk:8,8,5")
    node = PathNode(-INFINITY, INFINITY, EVEN, 40, tuple(Child(m, OPEN if m == 40 else DONE, EVEN) for m in range(64)))
    view.show_path_nodes(game, game.start, (node, PathNode(-INFINITY, 0, None, None, ())), "")
    view.grab()
    picture, seen = view._picture, set()
    for side in (-1, 1):
        for _ in range(64):
            points = [QPoint(x, _middle(view, 1)) for x in range(0, picture.width(), 3)]
            seen |= {spot.place for point in points if (spot := picture.spot_at(point)) is not None}
            counts = [point for point in points if picture._left_out_at(point) is not None]
            beyond = [point for point in counts if (point.x() - picture.width() / 2) * side > 0]
            if not beyond:
                break
            qtbot.mouseClick(picture, Qt.MouseButton.LeftButton, pos=beyond[0])
    assert seen == set(range(64))


def test_only_a_left_press_on_a_count_shows_the_boards_left_out(view: PathView, qtbot: QtBot) -> None:
    game = registry.game("mnk:8,8,5")
    node = PathNode(-INFINITY, INFINITY, EVEN, 40, tuple(Child(m, OPEN if m == 40 else DONE, EVEN) for m in range(64)))
    view.show_path_nodes(game, game.start, (node, PathNode(-INFINITY, 0, None, None, ())), "")
    view.grab()
    picture = view._picture
    points = [QPoint(x, _middle(view, 1)) for x in range(0, picture.width(), 3)]
    count = next(point for point in points if picture._left_out_at(point) is not None)
    boards = [picture.spot_at(point) for point in points]
    for button, changes in ((Qt.MouseButton.RightButton, False), (Qt.MouseButton.LeftButton, True)):
        qtbot.mouseClick(picture, button, pos=count)
        assert ([picture.spot_at(point) for point in points] != boards) == changes


def test_boards_are_large_again_after_a_long_principal_variation(
    view: PathView, analysis: Shown, solved: Result
) -> None:
    view.resize(900, 720)
    analysis.begin(solved.job)
    analysis.end(solved)
    QApplication.processEvents()
    assert len(view.rows) > 6
    before = view._picture.row_rect(0).height()
    view._cursor.go_to_row(1)
    assert view._picture.row_rect(0).height() > 1.2 * before


def test_tiles_have_room_for_their_moves_where_the_row_has(view: PathView, analysis: Shown) -> None:
    game = registry.game("othello:6")
    position = game.notation.format(game.start)
    job = Job(game=game.spec, position=position, limit=Limit(depth=3), backend="interpreted", record=10_000)
    analysis.begin(job)
    analysis.end(backends.solve(job))
    widths: list[int] = []
    for width in (1_200, 400):
        view.resize(width, 300)
        QApplication.processEvents()
        widths.append(view._picture.measures.width)
    written = QFontMetrics(theme().font(NOTE, mono=True)).horizontalAdvance("c2")
    written += QFontMetrics(bold(NOTE + 1)).horizontalAdvance("≤ −0.12")
    assert widths[0] > written > widths[1] - theme().px(10)


def _middle(view: PathView, row: int) -> int:
    stripe = view._picture.row_rect(row)
    return stripe.top() + stripe.height() // 3


def _point_of(view: PathView, row: int, place: int) -> QPoint:
    y = _middle(view, row)
    points = (QPoint(x, y) for x in range(view._picture.width()))
    return next(p for p in points if (spot := view._picture.spot_at(p)) and (spot.row, spot.place) == (row, place))


def recorded(*made: tuple[int, int, int, int, int, int]) -> Trace:
    """The record of a search of "xox/oxx/o..", where O can go to b3 (7) or c3 (8), in the kernels' units. A row is a
    move, the plies left, the window, why it ended, and the value."""
    words = [entered(*row[:4]) + ended(*row[4:]) for row in made]
    return Trace(GAME.notation.parse("xox/oxx/o.."), np.array(words), len(made), UNIT)


def test_a_child_that_was_searched_twice_has_the_value_of_the_last_time() -> None:
    trace = recorded(
        (-1, 1, -INFINITY, INFINITY, ALL_SEEN, 37),
        (7, 0, -INFINITY, INFINITY, AT_HORIZON, 30),
        (8, 0, 29, 30, ALL_SEEN, -31),  # in a null window: better than −30
        (8, 0, -INFINITY, 30, AT_HORIZON, -37),
    )
    node = trace.path_nodes(0)[0]
    again = node.children[1]
    assert (again.value.number, again.visits, trace.child_row(0, 8)) == (37 / UNIT, 2, 3)
    row = rows(GAME, trace.root, (node,), negamax=True)[1]
    assert row.cell(1).text == "−0.12"
    assert "searched 2 times" in tool_tip(row, 1, running=False)
    assert tool_tip(row, 1, running=False).endswith("−0.123 for X, by an estimate at the horizon")


def test_what_the_table_knew_is_marked_and_explained() -> None:
    trace = recorded(
        (-1, 1, -INFINITY, INFINITY, ALL_SEEN, 0),
        (7, 0, -INFINITY, INFINITY, BY_TABLE, UNIT),
        (8, 0, -INFINITY, UNIT, BY_TABLE, 0),
    )
    row = rows(GAME, trace.root, trace.path_nodes(0))[1]
    assert [row.cell(index).leaf for index in range(2)] == [Leaf.TABLE, Leaf.TABLE]
    assert tool_tip(row, 0, running=False).splitlines()[-1].startswith("From the table: +1 for X")


def test_a_null_window_is_called_one() -> None:
    row = rows(GAME, X_A1, (PathNode(36 / UNIT, 37 / UNIT, None, None, (Child(1, UNVISITED),)),), negamax=True)[0]
    assert row.window is not None
    assert row.window.is_null
    assert row.window.text == "null at +0.123"
    assert "null window +0.120 to +0.123" in sentence(row), "two decimals would make it an empty one"
    assert not SearchWindow(0, 1, False).is_null, "between whole values nothing is narrower"


def test_a_window_of_estimates_is_not_drawn_as_an_empty_one() -> None:
    """Two decimals would have +0.08 on either side of it."""
    window, written, generator = SearchWindow(23 / UNIT, 25 / UNIT, False), QBuffer(), QSvgGenerator()
    assert window.text == "α +0.077  β +0.083"
    generator.setOutputDevice(written)
    painter = QPainter(generator)
    made = rows(GAME, X_A1, (PathNode(23 / UNIT, 25 / UNIT, None, None, (Child(1, UNVISITED),)),))
    measures = fitted(made, QSize(900, 300), 2)
    assert measures.numbers
    _write_window(painter, window, measures, measures.tile(0, 0))
    painter.end()
    assert re.findall(r">([^<>\n]+)</text>", written.data().toStdString()) == ["+0.077", "+0.083"]


def test_nobody_is_to_move_in_a_row_of_finished_games() -> None:
    """Whether its board is on the path, or none of its boards is."""
    start = GAME.notation.parse("xo./oxx/xoo")
    (move,) = each(legal(start))
    parent = PathNode(-INFINITY, INFINITY, None, move, (Child(move, State.DONE, Value(1)),))
    leaf = PathNode(-INFINITY, INFINITY, None, None, (), ended=True)
    for path in ((parent, leaf), (replace(parent, move=None),)):
        last = rows(GAME, start, path)[1]
        assert is_over(last.position(0))
        assert (last.roles, last.standing) == ((), "game over")
        assert [line for line, _ in _name(last.standing, 1, False, last.roles, None, True)] == ["ply 1", "game over"]
        assert "to move" not in sentence(last)


def test_a_path_without_rows_fits_into_a_card_lower_than_a_row(qtbot: QtBot) -> None:
    picture = PathPicture()
    qtbot.addWidget(picture)
    picture.set_room(QSize(240, 30))
    picture.set_rows((), keep_size=False)
    assert picture.minimumHeight() <= 30


def test_a_row_has_as_many_boards_as_there_is_room_for(qtbot: QtBot) -> None:
    """In any width the last one is whole, and one more, or the number of those left out, would not be."""
    made, are_all, are_left_out = rows(GAME, X_A1, SKETCH), 0, 0
    for width in range(300, 1100, 7):
        measures = fitted(made, QSize(width, 300), len(made))
        seen = visible(made[1], measures, width)
        last = measures.tile(1, len(seen) - 1)
        assert last.right() < width or len(seen) <= 3
        if len(seen) == 8:
            are_all += 1
        else:
            are_left_out += 1
            assert last.right() + measures.step >= width - (measures.step if measures.numbers else theme().px(8))
    assert are_all > 10
    assert are_left_out > 10


@pytest.mark.parametrize("width", [30, 48, 120])
def test_where_a_tile_is_narrow_one_in_the_legend_names_its_move(width: int) -> None:
    """Its ground and the legend say the rest; of another the value is shown. A narrow tile has both without air."""
    for value, is_in_legend, alone in (("pruned", True, "c2"), ("≥ +1", False, "≥ +1")):
        written, generator = QBuffer(), QSvgGenerator()
        generator.setOutputDevice(written)
        painter = QPainter(generator)
        _paint_caption(painter, Caption("c2", value, 0xFF000000, is_in_legend, is_in_legend), QRect(0, 0, width, 20))
        painter.end()
        found = re.findall(r">([^<>\n]+)</text>", written.data().toStdString())
        narrow = [alone] if is_in_legend else ["c2", "≥+1"]
        assert found == {30: [alone], 48: narrow, 120: ["c2", value]}[width]


@pytest.mark.parametrize("spec", ["tictactoe", "connect6", "ultimate"])
def test_a_tile_with_a_bound_has_room_for_its_move(spec: str) -> None:
    """However narrow the window is, and whether values are estimates or not."""
    played = registry.game(spec)
    for value in (Value(-1, Bound.LOWER), Value(-0.12, Bound.UPPER, is_estimate=True)):
        children = tuple(Child(move, State.DONE, value) for move in each(legal(played.start)))
        made = rows(played, played.start, (PathNode(-INFINITY, INFINITY, None, None, children),))
        measures = fitted(made, QSize(400, 300), 2)
        name = played.notation.move_name(made[1].cell(0).move or 0)
        written = theme().width(name, NOTE, mono=True) + theme().width(dense(bounded(value)), NOTE + 1, BOLD)
        assert written < measures.width - 2 * theme().px(3)
