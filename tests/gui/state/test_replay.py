"""The cursor goes to any moment of a finished search, forwards, backwards, and by itself."""

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from engine import backends
from engine.job import Job
from engine.result import Result, State, Task
from engine.trace.part import EventSnapshot
from engine.trace.replay import EventKind
from gui.state import playback
from gui.state.replay import Cursor
from gui.tree.path_canvas import Spot
from gui.tree.path_root import caption_of, worker_in_words
from gui.window import Window
from tests.gui.shown import Shown


@pytest.fixture(scope="module")
def solved() -> Result:
    return backends.solve(Job(position="x../.../...", algorithm="alphabeta", backend="interpreted", record=10_000))


def ended(analysis: Shown, result: Result) -> Cursor:
    cursor = Cursor(analysis, analysis)
    analysis.begin(result.job)
    analysis.end(result)
    return cursor


def test_a_moment_of_the_sketch(analysis: Shown, solved: Result) -> None:
    """After O a3, X b1, O c1, X's b2 has just come up: the rest of the row is pruned."""
    cursor = ended(analysis, solved)
    assert (cursor.is_at_end, cursor.last) == (True, 2 * 2_338 - 1)
    assert cursor.trace is not None
    assert cursor.trace.moves(cursor.row or 0) == solved.info.pv
    cursor.go(4_147)
    path_nodes, now = cursor.path_nodes(), cursor.now
    assert now is not None
    assert cursor.path_nodes() is path_nodes, "computed once a moment"
    assert (now.kind, now.cut, now.value.number) == (EventKind.LEFT, True, -1)
    assert cursor.trace.moves(cursor.row or 0) == (6, 1, 2)
    assert cursor.chain == tuple(cursor.trace.path(cursor.row or 0))
    assert (path_nodes[0].alpha, path_nodes[-1].alpha, path_nodes[-1].beta) == (0, 1, 0)
    states = [[child.state for child in node.children].count(State.UNVISITED) for node in path_nodes]
    assert states == [2, 6, 5, 0]
    assert [child.state for child in path_nodes[-1].children].count(State.PRUNED) == 3
    cursor.go_to_row(cursor.trace.child_row(0, 1) or 0)
    assert (cursor.is_at_end, cursor.moment) == (False, cursor.trace.index.left_at(1) - 1)
    assert cursor.replay is not None
    assert cursor.path_nodes() == cursor.replay.path_nodes(cursor.moment)
    analysis.begin(solved.job)
    assert (cursor.trace, cursor.chain, cursor.path_nodes(), cursor.now) == (None, (), (), None)


def test_a_moment_has_the_worker_of_its_task(analysis: Shown, solved: Result) -> None:
    assert solved.trace is not None
    first, second, *_ = solved.trace.children(0)
    third = solved.trace.end(second)
    tasks = [Task((0,), 1, 0, 1, 1, True, second, third), Task((1,), 0, 0, 1, 1, True, first, second)]
    cursor = ended(analysis, replace(solved, tasks=tuple(tasks)))
    assert cursor.replay is not None
    assert cursor.task_moments.tolist() == [cursor.replay.entered(row) for row in (first, second)]
    for row, worker in ((0, ""), (first, "worker 1"), (second - 1, "worker 1"), (second, "worker 2"), (third, "")):
        cursor.go(cursor.replay.entered(row))
        assert worker_in_words(cursor) == worker
        assert caption_of(cursor, solved).endswith(f" · {worker}" if worker else " of 4,676")


def test_it_plays_to_the_end_and_back(
    analysis: Shown, solved: Result, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playback, "SHORTEST_SECONDS", 0.05)
    cursor = ended(analysis, solved)
    seen: list[int] = []
    cursor.changed.connect(lambda: seen.append(cursor.moment))
    cursor.playback.set_speed(100_000)
    with qtbot.waitSignal(cursor.playback.changed, check_params_cb=lambda: not cursor.playback.is_active):
        cursor.playback.play()  # at the end: from the start
        assert cursor.playback.is_active
    assert seen[0] == 0
    assert seen == sorted(seen)
    assert cursor.is_at_end
    with qtbot.waitSignal(cursor.playback.changed, check_params_cb=lambda: not cursor.playback.is_active):
        cursor.playback.play(-1)
    assert cursor.moment == 0


def paused(qtbot: QtBot, window: Window, nodes: int) -> Cursor:
    """The cursor in a search that has visited that many nodes and is paused."""
    analysis, cursor = window.analysis, window.replay
    analysis.think(window.record.game, window.record.position, paused=True)
    analysis.step(nodes)
    qtbot.waitUntil(lambda: has_caught_up(window) and cursor.last > 2 * nodes - 12, timeout=60_000)
    return cursor


def step(qtbot: QtBot, window: Window) -> None:
    """Take the paused search to its next event, and wait for the record so far, which comes later."""
    cursor, before = window.replay, window.replay.last
    window.analysis.step()
    qtbot.waitUntil(lambda: cursor.moments is not None and before + 1 == cursor.last <= cursor.moments.last)


def has_caught_up(window: Window) -> bool:
    """Whether the record so far of the paused search leads up to its event."""
    info = window.analysis.info
    return window.replay.is_paused and isinstance(info, EventSnapshot) and window.replay.last == info.moment


def test_a_paused_search_can_be_looked_back_at(qtbot: QtBot, window: Window) -> None:
    """Every moment is that of the record of the whole search; the last is the search itself."""
    window.drawers["workers"].show()
    window.analysis.change(algorithm="alphabeta")
    cursor, why, live = paused(qtbot, window, 300), window.why, list[tuple[object, ...]]()
    for _ in range(9):
        step(qtbot, window)
        assert (cursor.replay, cursor.moment) == (None, cursor.last)
        live.append((window.path.rows, why.text, why.note, window.tree.picture.chain))
    last, nodes = cursor.last, {}
    assert "".join(lane.now for lane in window.workers.timeline._lanes)
    qtbot.waitUntil(lambda: cursor.moments is not None and cursor.moments.last > last)  # it has run ahead of its event
    line, replay = window.transport.timeline, cursor.moments
    assert replay is not None
    ticks, ratio = line._picture(replay).toImage(), line.devicePixelRatioF()
    columns = {int(moment) * line.width() // (last + 1) for moment in replay.cutoffs if moment <= last}
    bottom = ticks.height() - 1
    assert {x for x in range(line.width()) if ticks.pixelColor(round(x * ratio), bottom).alpha()} == columns
    for back in range(8, 0, -1):
        window.replay_actions.steps["back"].trigger()
        assert not "".join(lane.now for lane in window.workers.timeline._lanes), "it was elsewhere"
        shown = window.path.rows, why.text, why.note, window.tree.picture.chain
        assert (cursor.moment, shown) == (last - 9 + back, live[back - 1])
    window.replay_actions.steps["end"].trigger()
    assert (cursor.replay, window.path.rows, why.text) == (None, live[-1][0], live[-1][1])
    for moment in range(0, last, 23):
        cursor.go(moment)
        nodes[moment] = cursor.path_nodes()
        assert window.transport.place == f"{moment + 1} of {last + 1}"
        assert window.path._fact().endswith(f"moment {moment + 1} of {last + 1} so far")
    for name in ("back over", "over", "back out", "out", "previous cutoff", "next cutoff", "start"):
        window.replay_actions.steps[name].trigger()
        assert 0 <= cursor.moment <= last
    with qtbot.waitSignal(window.analysis.finished, timeout=60_000):
        window.analysis.resume()
    assert cursor.is_at_end
    assert not cursor.is_paused
    assert cursor.replay is not None
    assert {moment: cursor.replay.path_nodes(moment) for moment in nodes} == nodes


def test_a_pruned_move_of_a_paused_search_tells_why_until_it_goes_on(qtbot: QtBot, window: Window) -> None:
    """Also at its last moment, which is the search itself."""
    window.analysis.change(algorithm="alphabeta")
    cursor, why = paused(qtbot, window, 30), window.why
    while not why.note:
        step(qtbot, window)
    assert cursor.replay is None
    told, row = (why.text, why.note), window.path.rows[-1]
    pruned = next(place for place in range(len(row)) if row.state(place) is State.PRUNED)
    window.path._picture.pressed.emit(Spot(row.ply, pruned))
    assert not why._button.isHidden(), "Search ... anyway"
    assert (why.text, why.note) == told
    assert row.above is not None
    name = window.record.game.notation.move_name(row.above.children[pruned].move)
    with qtbot.waitSignal(why.text_changed, timeout=60_000, check_params_cb=lambda text: "worth" in text):
        why._button.click()
    assert why.text.startswith(f"{name} is worth ")
    with qtbot.waitSignal(window.analysis.moved):
        window.analysis.step()
    assert why._button.isHidden()
    assert not why.text.startswith(f"{name} is worth ")


def test_a_search_that_goes_on_is_shown_again(qtbot: QtBot, window: Window) -> None:
    window.analysis.change(algorithm="alphabeta")
    cursor = paused(qtbot, window, 200)
    assert cursor.moments is not None
    cursor.go_to_row(1)
    assert cursor.replay is None, "not all of its children are known"
    ended = next(row for row in range(2, 200) if cursor.moments.left(row) < cursor.last)
    cursor.go_to_row(ended)
    assert cursor.moment == cursor.moments.left(ended) - 1
    cursor.go(10)
    cursor.playback.play()
    with qtbot.waitSignal(window.analysis.moved):
        window.analysis.step()
    assert not cursor.playback.is_active
    assert (cursor.replay, cursor.moment) == (None, cursor.last)
    cursor.go(10)
    window.analysis.change(speed=5.0)
    window.analysis.resume()
    assert (cursor.moments, cursor.replay, cursor.last, cursor.chain) == (None, None, 0, ())
    assert window.analysis.info is not None
    assert tuple(row.here for row in window.path.rows if row.here) == window.analysis.info.path
    window.analysis.stop()
    qtbot.waitUntil(lambda: not window.analysis.is_running)


def test_a_search_that_begins_ends_a_replay_that_is_playing(qtbot: QtBot, window: Window) -> None:
    """No view is asked for a moment of the search before, whose figures it has dropped already."""
    window.drawers["workers"].show()
    window.analysis.change(algorithm="alphabeta", backend="threads", workers=2)
    with qtbot.waitSignal(window.analysis.finished, timeout=60_000):
        window.think()
    cursor, moments = window.replay, list[int]()
    cursor.go(cursor.last // 2)
    assert cursor.work
    cursor.playback.play()
    cursor.counted.connect(lambda: moments.append(cursor.moment))
    window.analysis.change(speed=100.0)
    window.think()
    assert not cursor.playback.is_active
    assert set(moments) == {0}
    window.analysis.stop()
    qtbot.waitUntil(lambda: not window.analysis.is_running)


def test_the_cursor_may_move_before_the_texts_of_a_result_are_there(qtbot: QtBot, window: Window) -> None:
    window.drawers["workers"].show()
    for backend in ("serial", "threads"):
        window.analysis.change(algorithm="alphabeta", backend=backend, workers=2)
        moved = window.analysis.shown.connect(lambda _: window.replay.go(window.replay.last // 2))
        with qtbot.waitSignal(window.analysis.finished, timeout=60_000):
            window.think()
        window.analysis.shown.disconnect(moved)
    assert window.replay.work
    assert len(window.workers._lanes) == 2


def test_a_search_on_threads_cannot_be_looked_back_at(qtbot: QtBot, window: Window) -> None:
    """Its record so far does not say in which order its events were."""
    window.analysis.change(algorithm="alphabeta", backend="threads")
    with qtbot.waitSignal(window.tree.shape.changed, timeout=60_000, check_params_cb=lambda: bool(window.tree._trace)):
        window.analysis.think(window.record.game, window.record.position, paused=True)
        window.analysis.step(200)
    assert window.replay.moments is None
    assert not window.replay_actions.steps["back"].isEnabled()
    window.analysis.stop()
    qtbot.waitUntil(lambda: not window.analysis.is_running)
