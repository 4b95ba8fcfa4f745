"""The tree of a game whose sides do not alternate: each value, sentence and line of code is of the side that moves."""

import re
from functools import cache

import pytest
from msgspec.structs import replace

from engine import backends
from engine.job import Job
from engine.kernels.worker_memory import CUTOFF
from engine.options.choices import Form
from engine.play.pruned_move import search_anyway
from engine.registry import game
from engine.result import Result, State
from engine.rules.contract import play
from engine.text.numbers import signed
from engine.trace.replay import EventKind
from engine.trace.why import certificate, pruned_moves
from gui.tree.narration import Telling
from gui.tree.node_link_painter import Subject
from gui.tree.path_model import MAX_PLAYER, bound_setter, rows, windows_of
from gui.tree.path_text import tool_tip
from gui.tree.why_text import searched_anyway, swept
from tests.engine import naive
from tests.gui.tree.conftest import Views

pytestmark = pytest.mark.usefixtures("again")

BOARDS = {"connect6:3,3,3": "xo./o../...", "again": "x../.o./... o"}
"""In the second game the side to move differs among the boards of one row."""

each_board = pytest.mark.parametrize("spec", BOARDS)
each_form = pytest.mark.parametrize("negamax", [False, True])


@cache
def solved(spec: str, algorithm: str = "alphabeta") -> Result:
    return backends.solve(
        Job(game=spec, position=BOARDS[spec], algorithm=algorithm, backend="interpreted", record=10_000)
    )


def interpreted(job: Job) -> Result:
    return backends.solve(replace(job, backend="interpreted"))


@each_board
@each_form
def test_each_board_of_the_path_has_the_value_of_its_player(spec: str, negamax: bool) -> None:
    played, result, seen = game(spec), solved(spec, "minimax"), set()
    trace, mover = result.trace, game(spec).notation.mover
    assert trace is not None
    for number in range(0, len(trace), max(1, len(trace) // 100)):
        for row in rows(played, trace.root, trace.path_nodes(number), negamax):
            for place in range(len(row)):
                cell, board = row.cell(place), row.position(place)
                if cell.state is not State.DONE or cell.value is None:
                    continue
                assert cell.view == (mover(board) if negamax else MAX_PLAYER)
                worth = naive.value(board)
                assert cell.value.number == (worth if cell.view == mover(board) else -worth)
                assert f"{signed(cell.value.number)} for {played.notation.players[cell.view]}" in tool_tip(
                    row, place, running=False
                )
                seen.add((mover(board), cell.value.number, row.ply % 2))
    assert len({(mover, ply) for mover, _, ply in seen}) == 4, "the parity of the ply tells nothing"


@each_board
@each_form
def test_a_cut_and_its_bound_are_of_the_two_sides(spec: str, negamax: bool) -> None:
    played, result, told, far = game(spec), solved(spec), 0, 0
    trace, mover, players = result.trace, game(spec).notation.mover, game(spec).notation.players
    assert trace is not None
    for number in range(len(trace)):
        path_nodes = trace.path_nodes(number, trace.index.left_at(number) - 1)  # when it was left
        made = rows(played, trace.root, path_nodes, negamax, windows=windows_of(result.job))
        setter = bound_setter(made, len(path_nodes) - 1)
        if setter is not None:
            assert mover(made[setter[0]].parent) != mover(trace.position(number)), "a move of the other side"
        if trace.why(number) == CUTOFF and (holder := certificate(trace, number).holder) is not None:
            assert setter is not None, "a move of an ancestor, if not of the nearest"
            assert made[setter[0]].path(setter[1]) == trace.moves(holder.row)
            far += trace.again(number)
        for row in made[1:]:
            pruned = [place for place in range(len(row)) if row.cell(place).state is State.PRUNED]
            if not pruned or row.above is None:
                continue
            tip = tool_tip(row, pruned[0], running=False).splitlines()[-1]
            who = mover(row.parent)
            first, second = players[who], players[1 - who]
            if negamax or who == MAX_PLAYER:
                assert tip.startswith(f"Pruned: {first} gets at least {signed(row.above.alpha)} here.")
            else:
                assert tip.startswith(f"Pruned: {first} holds {second} to {signed(-row.above.alpha)} here.")
            assert row.above.alpha <= naive.value(row.parent)
            told += 1
    assert told
    assert far


@each_board
@pytest.mark.parametrize("form", Form)
def test_every_moment_is_told_of_the_side_that_moves(views: Views, spec: str, form: Form) -> None:
    result = solved(spec)
    trace, notation = result.trace, game(spec).notation
    assert trace is not None
    views.analysis.change(form=form)
    views.show(result)
    views.code.refresh()
    assert "Where a side moves again" in views.code._note.text()
    assert views.cursor.replay is not None
    for moment in range(0, views.cursor.replay.last, 7):
        views.cursor.go(moment)
        event = views.cursor.replay.event(moment)
        board, above = trace.position(event.row), trace.position(trace.parent(event.row))
        player = notation.players[notation.mover(above)]
        said = views.why.text
        if event.kind is EventKind.ENTERED and event.row:
            assert re.search(rf"(After .*|At the root) {player} tries ", said), said
        elif event.value is not None and " comes back: " in said:
            side = notation.mover(board)
            view = side if form is Form.NEGAMAX else MAX_PLAYER
            value = event.value if view == side else -event.value
            assert f"{signed(value.number)} for {notation.players[view]}" in said, said
        if form is Form.MAXMIN:
            stack = re.findall(r"(maximise|minimise)\(", views.code.frame)
            path = trace.path(views.cursor.row or 0)
            movers = [notation.mover(trace.position(row)) for row in path]
            assert stack == ["maximise" if mover == MAX_PLAYER else "minimise" for mover in movers]
        found = re.search(r"^value  (\S+)$", views.code.frame, re.M)
        if found and event.kind is EventKind.LEFT and event.value is not None:
            side = notation.mover(above) if form is Form.NEGAMAX else MAX_PLAYER
            value = event.value if side == notation.mover(board) else -event.value
            assert found[1] == signed(value.number)


@each_board
def test_the_picture_of_textbooks_has_the_sides_too(spec: str) -> None:
    trace = solved(spec).trace
    assert trace is not None
    subject = Subject(game(spec), trace, None, False, False)  # type: ignore[arg-type]
    for row in range(len(trace)):
        board = trace.position(row)
        assert subject.mover(row) == game(spec).notation.mover(board)
        value, found = subject.value(row), trace.found(row)
        if found is not None:
            assert value == (found if subject.mover(row) == MAX_PLAYER else -found)


def test_a_pruned_move_that_is_searched_anyway_is_told_for_its_player() -> None:
    """In the negamax view for the side to move after it, which is the same side after a stone on an edge."""
    result, told = solved("again"), set()
    trace, notation = result.trace, game("again").notation
    assert trace is not None
    for row in range(len(trace)):
        position = trace.position(row)
        for move in pruned_moves(trace, row) if trace.why(row) == CUTOFF else ():
            child = play(position, move)
            value = search_anyway(interpreted, result.job, trace, row, move)
            assert value is not None
            found, name = certificate(trace, row), notation.move_name(move)
            for negamax in (False, True):
                telling = Telling(game("again"), result.job, trace, negamax, hidden=False)
                side = notation.mover(child) if negamax else MAX_PLAYER
                worth = naive.value(child) if side == notation.mover(child) else -naive.value(child)
                said = searched_anyway(telling, found, move, value, trace.found(0))
                assert said.startswith(f"{name} is worth {signed(worth)} for {notation.players[side]}.")
                shown = swept(telling, found, move, value, trace.found(0))
                assert shown is not None
                assert shown.value.number == worth
                told.add((negamax, notation.mover(position) == notation.mover(child)))
    assert len(told) == 4
