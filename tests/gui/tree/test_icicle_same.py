"""The nodes with one position in the whole tree: their number, their marks, the other ways to them."""

from pytestqt.qtbot import QtBot

from engine.trace.widths import Width
from gui.state.same_positions import Same
from gui.style.theme import theme
from tests.gui.tree.conftest import Zone
from tests.gui.tree.test_icicle import drawn, middle


def test_equal_positions_are_counted_marked_and_reached_another_way(qtbot: QtBot, searched: Zone) -> None:
    tree, (picture, _, trace) = searched.tree, drawn(searched, Width.VISITED)
    unmarked = picture.grab().toImage()
    tree.choices.same[Same.SYMMETRIC].trigger()
    qtbot.waitUntil(lambda: tree.same.groups(trace) is not None, timeout=60_000)
    found = tree.same.groups(trace)
    assert found is not None
    assert f"2,338 nodes · {found.positions} different positions, {found.classes} up to symmetry" in tree.lines()[0]
    row = next(row for row in range(len(trace)) if 2 < len(found.equal(row)) < len(found.symmetric(row)) < 40)
    searched.replay.go_to_row(row)
    marks = tree.picture.marks
    assert {row, *marks.equal.tolist()} == set(found.equal(row).tolist())
    assert {row, *marks.equal.tolist(), *marks.symmetric.tolist()} == set(found.symmetric(row).tolist())
    said = tree.about.node(row)
    assert f"recorded nodes with this position: {len(found.equal(row))}; up to symmetry: " in said
    assert "also reached by\n" in said
    other = int(marks.equal[0])
    point = middle(searched, other)
    assert picture.grab().toImage().pixelColor(point).name() == theme().colour("ink").name(), "a diamond"
    searched.replay.go(trace.index.entered(row))
    assert max([-1, *tree.picture.marks.equal.tolist()]) <= row, "those that are entered later are not marked yet"
    tree.choices.same[Same.NONE].trigger()
    assert not len(tree.picture.marks.equal)
    searched.replay.go_to_end()
    assert "different positions" not in tree.lines()[0]
    assert unmarked.size() == picture.grab().toImage().size()
