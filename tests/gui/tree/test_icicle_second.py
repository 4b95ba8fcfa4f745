"""Two compared searches: one picture under the other, with one cursor, chosen in the list of searches."""

from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from engine.options.catalogue import Limit
from engine.options.choices import Schedule
from gui.tree.icicle import WholeTree
from gui.tree.icicle_colours import Colouring, _of_searches
from gui.window import Window
from gui.work.picture_file import save_picture
from tests.gui.tree.conftest import Zone

LONG = 60_000


def compared(zone: Zone, qtbot: QtBot, **settings: object) -> WholeTree:
    """The whole tree with a search with these settings, and with the search before it below."""
    tree = zone.tree
    zone.analysis.change(**settings)
    with qtbot.waitSignal(zone.analysis.finished, timeout=LONG):
        zone.think()
    tree.compare(zone.analysis.runs[1])
    qtbot.waitUntil(lambda: tree.shape.compared is not None, timeout=LONG)
    return tree


def test_two_searches_are_compared_node_by_node(searched_window: Window, qtbot: QtBot, tmp_path: Path) -> None:
    window, tree = searched_window, searched_window.tree
    window.analysis.change(algorithm="minimax")
    window.think_action.trigger()
    qtbot.waitUntil(lambda: window.runs.model().rowCount() == 2, timeout=LONG)
    window.runs.selectAll()
    qtbot.keyClick(window.runs, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: tree.shape.compared is not None, timeout=LONG)
    minimax, alphabeta = window.replay.trace, tree.second.trace
    assert minimax is not None
    assert alphabeta is not None
    assert window.analysis.result is window.analysis.runs[0]
    assert tree.lines()[:3] == [
        "57,367 nodes more above than below in all",
        "minimax · serial · 59,705 nodes in all · 57,367 visited here only",
        "alpha-beta · serial · 2,338 nodes in all · 0 visited here only",
    ]
    assert tree.choices.colouring is Colouring.SEARCH
    assert abs(tree.picture.height() - tree.second.picture.height()) <= 1, "an odd pixel"
    assert tree.legend.shown()[:3] == ["visited by both searches", "by one of them only", "pruned"]

    window.replay.go(70_000)
    below = tree.second.picture
    for picture in (tree.picture, below):
        qtbot.waitUntil(lambda picture=picture: not picture.is_behind)
        picture.grab()
    above, under = tree.picture._picture, below._picture
    assert above is not None
    assert under is not None
    both, one, _ = (colour.rgb() for colour in _of_searches())
    is_shared = {row for row, other in enumerate(tree.shape.compared.found.matches[0].tolist()) if other >= 0}
    visited = (above.raster.rows >= 0) & (above.raster.rows <= tree.picture.moment.last)
    for colour, wanted in ((both, True), (one, False)):
        rows = above.raster.rows[visited & (above.ended.colours == colour)]
        assert len(rows)
        assert {row in is_shared for row in rows.tolist()} == {wanted}
    assert one not in under.ended.colours
    here, there = window.replay.chain, below.chain
    assert [minimax.moves(row) for row in here[: len(there)]] == [alphabeta.moves(row) for row in there]
    assert len(there) < len(here), "alpha-beta has cut there"
    assert below.moment is not None
    assert below.moment.is_cut

    ply, column = np.argwhere(under.raster.rows[1:] >= 0)[40] + (1, 0)
    row = int(under.raster.rows[ply, column])
    point = QPoint(int(column / below.devicePixelRatioF()), int(under.tops[ply]) + 1)
    qtbot.mouseClick(below, Qt.MouseButton.LeftButton, pos=point)
    assert minimax.moves(window.replay.row or 0) == alphabeta.moves(row)
    below.zoom_to_row(row)
    assert tree.picture.span == below.span
    other = tree.shape.compared.other
    assert "of 2,338 recorded nodes" not in tree.about.node(row, other), "its nodes are not all visited at this moment"
    drawing = tree.drawing()
    assert drawing is not None
    assert all(f"\n{title}\n" in f"\n{drawing.story}" for title in tree.lines()[1:3])
    first, second = drawing.story.split(tree.lines()[2])
    assert "nodes so far" in first, "the moment's, not the end's"
    assert "nodes so far" in second
    save_picture(tmp_path / "both.svg", drawing)
    film = tree.film()
    assert film is not None
    assert [shown.title for shown in film.content.trees] == tree.lines()[1:3]
    assert {shown.look.colouring for shown in film.content.trees} == {Colouring.SEARCH}
    window.replay.go_to_end()
    assert below.moment is None
    assert "of 2,338 recorded nodes" in tree.about.node(row, other)

    window.runs.selectRow(1)
    qtbot.keyClick(window.runs, Qt.Key.Key_Space)
    assert tree.shape.compared is None
    assert tree.second.isHidden()
    assert tree.choices.colouring is Colouring.VALUE
    assert window.replay.trace is alphabeta
    window.play(4)
    with qtbot.waitSignal(window.analysis.finished, timeout=LONG):
        window.think_action.trigger()
    with qtbot.waitSignal(tree.refused) as refused:
        tree.compare(window.analysis.runs[1])
    assert refused.args == [window.board_panel.notice.text]
    assert refused.args == ["Searches of one position are compared: choose two of the same position."]
    window.runs.selectRow(0)
    qtbot.keyClick(window.runs, Qt.Key.Key_Space)
    assert not window.board_panel.notice.text, "it was of what was chosen before"
    window.analysis.think(window.record.game, window.record.position, paused=True)
    with qtbot.waitSignal(tree.refused) as refused:
        window.runs.compare_requested.emit(window.analysis.runs[0])
    assert refused.args == ["Two searches can be compared when this one has ended."]


def test_the_legend_tells_what_is_in_either_tree(searched: Zone, qtbot: QtBot) -> None:
    """Minimax above has neither bounds nor estimates, and no leaf from the table."""
    compared(searched, qtbot, limit=Limit(depth=4), table=1.0)
    tree = compared(searched, qtbot, algorithm="minimax", limit=Limit(), table=0.0)

    def words(colouring: Colouring) -> list[str]:
        tree.choices.colours[colouring].trigger()
        film = tree.film()
        assert film is not None
        return [entry.words for entry in film.content.entries]

    assert words(Colouring.VALUE) == [
        *("good for X", "good for O", "pruned", "known from the table", "not visited yet"),
        *("0", "a bound", "an estimate", "line below: game over", "dotted: horizon", "double: table"),
    ]
    compared(searched, qtbot, backend="threads", workers=2, schedule=Schedule.CYCLIC)  # each worker has tasks
    tree = compared(searched, qtbot, backend="serial")
    assert words(Colouring.WORKER)[:3] == ["worker 1", "worker 2", "above the tasks"]


def test_the_nodes_of_earlier_iterations_are_counted(searched: Zone, qtbot: QtBot) -> None:
    """MTD(f)'s last iteration has 1,373 nodes fewer than alpha-beta, and both of its iterations 122."""
    tree = compared(searched, qtbot, algorithm="mtdf")
    difference, above, below = tree.lines()[:3]
    assert difference == "122 nodes fewer above than below, earlier iterations included"
    assert "MTD(f) · serial · last of 2 iterations · 965 nodes · 2,216 with earlier iterations · " in above
    assert below.startswith("alpha-beta · serial · 2,338 nodes in all · ")
    searched.replay.go_to_iteration(-1)
    assert tree.shape.compared is None, "it is laid out anew"
    qtbot.waitUntil(lambda: tree.shape.compared is not None, timeout=LONG)
    difference, above, below = tree.lines()[:3]
    assert difference == "1,087 nodes fewer above than below in all"
    assert "MTD(f) · serial · iteration 1, depth 8 · 1,251 nodes in all · " in above
    assert below.startswith("alpha-beta · serial · 2,338 nodes in all · ")
    tree.compare(None)
    searched.replay.go_to_iteration(1)
    qtbot.waitUntil(lambda: not tree.shape.is_computing, timeout=LONG)
    assert tree.shape.compared is None


def test_a_title_says_how_deep_a_search_looked(searched: Zone, qtbot: QtBot) -> None:
    tree = compared(searched, qtbot, limit=Limit(depth=4))
    assert tree.lines()[1].startswith("alpha-beta · depth 4 · serial · ")
    assert tree.lines()[2].startswith("alpha-beta · serial · ")


def test_a_compared_search_that_did_not_finish_says_so(searched: Zone, qtbot: QtBot) -> None:
    tree = compared(searched, qtbot, limit=Limit(nodes=500))
    assert tree.lines()[1].startswith("alpha-beta · serial · node limit · 500 nodes in all · ")
    assert tree.lines()[2].startswith("alpha-beta · serial · 2,338 nodes in all · ")


def test_what_full_records_do_not_hold_is_called_unknown(searched_window: Window, qtbot: QtBot) -> None:
    """Both searches went on after their records were full: what the other visited then is unknown."""
    window, tree = searched_window, searched_window.tree
    for count, algorithm in enumerate(("alphabeta", "pvs"), start=2):
        window.analysis.change(algorithm=algorithm, record=1_000)
        window.think_action.trigger()
        qtbot.waitUntil(lambda count=count: window.runs.model().rowCount() == count, timeout=LONG)
    window.runs.setCurrentIndex(window.runs.model().index(0, 0))
    qtbot.keyClick(window.runs, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(window.runs, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: tree.shape.compared is not None, timeout=LONG)
    visited = [result.info.counters.nodes for result in window.analysis.runs[:2]]
    assert tree.lines()[0] == f"{visited[0] - visited[1]} nodes more above than below in all"
    for line, count in zip(tree.lines()[1:3], visited, strict=True):
        assert f"the first 1,000 of {count:,} nodes · 0 visited here only" in line
    assert "not in the other's record" in tree.lines()[2]
    assert "by one; of the other not recorded" in tree.legend.shown()


def test_why_moves_are_pruned_is_told_of_the_search_below_too(searched_window: Window, qtbot: QtBot) -> None:
    window, tree, why = searched_window, searched_window.tree, searched_window.why
    window.analysis.change(algorithm="minimax")
    window.think_action.trigger()
    qtbot.waitUntil(lambda: window.runs.model().rowCount() == 2, timeout=LONG)
    window.runs.selectAll()
    qtbot.keyClick(window.runs, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: tree.shape.compared is not None and not tree.second.picture.is_behind, timeout=LONG)
    below, trace = tree.second.picture, tree.second.trace
    assert trace is not None
    below.grab()
    made = below._picture
    assert made is not None
    ply, column = np.argwhere(made.raster.owners >= 0)[0]
    owner = int(made.raster.owners[ply, column])
    assert tree.about.gap(owner, tree.shape.compared.other).endswith("Press to see why.")
    gap = QPoint(int(column / below.devicePixelRatioF()) + 1, int(made.tops[ply]) + 2)
    window.replay.go(3)
    qtbot.mouseClick(below, Qt.MouseButton.LeftButton, pos=gap)
    line = " ".join(map(window.record.game.notation.move_name, trace.moves(owner)))
    assert tree.picture.chain[-1] == window.replay.row
    assert why.text.startswith(f"alpha-beta, below · After {line} ")
    assert why.note.startswith("alpha-beta, below · Pruned: ")
    assert "pruned after" in tree.about.gap(owner, tree.shape.compared.other), "at the moment that the press leads to"
    with qtbot.waitSignal(why.text_changed, timeout=LONG, check_params_cb=lambda text: "worth" in text):
        why._button.click()
    assert why.text.startswith("alpha-beta, below · ")
    window.runs.selectRow(1)
    qtbot.keyClick(window.runs, Qt.Key.Key_Space)
    assert "below" not in why.text, "that search is not below any more"
