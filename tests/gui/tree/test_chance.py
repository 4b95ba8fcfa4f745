"""The tree of a game with chance nodes: their rows, sentences, code and shapes."""

import re
from functools import cache

import pytest

from engine import backends
from engine.job import Job
from engine.options.catalogue import Limit
from engine.options.choices import Form
from engine.registry import game
from engine.result import Result
from engine.rules.contract import at_chance, is_over
from engine.text.numbers import precise
from engine.trace.at_moment import AFTERWARDS
from engine.trace.replay import EventKind
from gui.style.theme import NOTE, theme
from gui.tree.path_layout import spread
from gui.tree.path_model import CHANCE, MAX, MIN, rows
from gui.tree.path_text import sentence, tool_tip
from gui.tree.path_tile import BOLD
from tests.gui.tree.conftest import Views

pytestmark = pytest.mark.usefixtures("again")

BOARDS = {"random-turn:3,3,3": "xox/xo./o..", "stakes": "1 0 2 0 0"}
"""Both are chance nodes. Those of the second are not in the same plies everywhere."""

each_board = pytest.mark.parametrize("spec", BOARDS)


@cache
def solved(spec: str, position: str = "", depth: int | None = None) -> Result:
    text = position or BOARDS[spec]
    limit = Limit(depth)
    return backends.solve(
        Job(game=spec, position=text, algorithm="expectiminimax", backend="interpreted", record=10_000, limit=limit)
    )


@each_board
def test_a_row_is_named_after_its_board_on_the_path(spec: str) -> None:
    trace, played, seen = solved(spec).trace, game(spec), set()
    assert trace is not None
    for number in range(0, len(trace), 3):
        for row in rows(played, trace.root, trace.path_nodes(number)):
            if at_chance(row.parent) and row.ply:
                assert row.best is None, "all outcomes give the value"
            if row.focus is None:
                continue
            board = row.position(row.focus)
            mover = (MAX, MIN)[played.notation.mover(board)]
            assert row.roles == (() if is_over(board) else (CHANCE,) if at_chance(board) else (mover,))
            said = sentence(row)
            assert said.startswith(f"{played.chance} decides") == at_chance(board)
            assert not at_chance(board) or "best" not in said
            seen.update(row.roles)
    assert seen == {MAX, MIN, CHANCE}


def test_a_row_of_boards_that_differ_is_named_after_all_of_them() -> None:
    """The coin has one outcome for either side."""
    trace, played = solved("random-turn:3,3,3").trace, game("random-turn:3,3,3")
    assert trace is not None
    outcomes = rows(played, trace.root, trace.path_nodes(0))[1]
    assert outcomes.focus is None
    assert {played.notation.mover(outcomes.position(index)) for index in range(len(outcomes))} == {0, 1}
    assert (outcomes.roles, outcomes.standing) == ((MAX, MIN), "X / O to move")
    assert sentence(outcomes).startswith("X / O to move, ")


@each_board
@pytest.mark.parametrize("form", Form)
def test_every_moment_says_what_chance_does(views: Views, spec: str, form: Form) -> None:
    result, seen = solved(spec), set()
    trace, notation = result.trace, game(spec).notation
    assert trace is not None
    views.analysis.change(form=form)
    views.show(result)
    views.code.refresh()
    assert "the sides alternate" not in views.code._note.text()
    assert views.cursor.replay is not None
    for moment in range(views.cursor.replay.last):
        views.cursor.go(moment)
        event, said = views.cursor.replay.event(moment), views.why.text
        board, above = trace.position(event.row), trace.position(trace.parent(event.row))
        if event.kind is EventKind.ENTERED and event.row:
            name = notation.move_name(trace.move(event.row))
            ways = {
                True: f" chance may give {name}.",
                False: f" {notation.players[notation.mover(above)]} tries {name}.",
            }
            assert said.endswith(ways[at_chance(above)]), said
            seen.add(at_chance(above))
        elif event.kind is EventKind.ENTERED:
            assert said == "The search begins at the root, a chance node."
        elif event.row and event.value is not None:
            side = notation.mover(board) if form is Form.NEGAMAX else 0
            value = event.value if side == notation.mover(board) else -event.value
            assert f"{precise(value.number)} for {notation.players[side]}" in said
            assert ("with the mean of its outcomes" in said) == at_chance(board)
    assert seen == {True, False}


def test_the_code_shows_the_values_that_have_come_back(views: Views) -> None:
    """Of the textbook's form, whose line is that of the event."""
    result = solved("random-turn:3,3,3", "xox/xo./o.. o")
    views.show(result)
    views.code.refresh()
    replay = views.cursor.replay
    assert replay is not None
    assert result.trace is not None
    lines = set()
    for moment in range(replay.last):
        views.cursor.go(moment)
        views.code.refresh()
        lines.add(views.code.line.strip())
        shown = re.search(r"^values \{(.*)\}$", views.code.frame, re.M)
        assert shown is not None
        node = views.cursor.path_nodes()[-1]
        event = views.cursor.now
        assert event is not None
        new = result.trace.move(event.row) if event.kind is EventKind.LEFT and event.row else None
        known = [child for child in node.children if child.value is not None and child.move != new]
        assert shown[1].count(":") == len(known)
        assert all(f": {precise(child.value.number)}" in shown[1] for child in known if child.value is not None)
        assert "best " not in views.code.frame
        if event.kind is EventKind.LEFT and event.row and event.value is not None:
            assert f"\nvalue  {precise(event.value.number)}\n" in views.code.frame, "of the child, before it is turned"
    assert lines == {"def negamax(position: Position) -> Fraction:", "value = negamax(child)"}


@each_board
def test_a_tool_tip_names_what_decides(spec: str) -> None:
    trace, played = solved(spec).trace, game(spec)
    assert trace is not None
    for row in rows(played, trace.root, trace.path_nodes(len(trace) - 1)):
        for place in range(len(row)):
            decides = f"{played.chance} decides" in tool_tip(row, place, running=False).splitlines()
            assert decides == at_chance(row.position(place))


def test_an_average_is_not_said_to_be_an_estimate() -> None:
    """Unless the search has looked no farther than a horizon."""
    for depth, told in ((None, "+0.250 for X"), (3, "for X")):
        trace = solved("random-turn:3,3,3", "xox/xo./o.. x", depth).trace
        assert trace is not None
        path = rows(game("random-turn:3,3,3"), trace.root, trace.path_nodes(0))
        assert told in tool_tip(path[0], 0, running=False)
        value = path[0].cell(0).value
        assert value is not None
        assert value.is_estimate == (depth is not None)


def test_an_average_has_room_beside_its_move_from_the_first_moment_on() -> None:
    trace = solved("random-turn:3,3,3").trace
    assert trace is not None
    names = theme().width(">O", NOTE, mono=True) + theme().width("≥ −0.38", NOTE + 1, BOLD)
    for moment in (0, AFTERWARDS):
        path = rows(game("random-turn:3,3,3"), trace.root, trace.path_nodes(0, moment))
        assert spread(path, 400, 34, 10).width >= names
