"""The contract of every game, and published facts about these games."""

from contextlib import suppress
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.games.connect_four import BAD, GOOD
from engine.jit import lowering as lowering
from engine.jit.kernel import kernel
from engine.job import JobError
from engine.kernels.worker_memory import FRAME_TYPE, kind_of, load, moves_in, put_moves, store, words_of
from engine.registry import examples, game, games
from engine.rules.bits import count, each, first, rest
from engine.rules.contract import (
    RULES,
    UNIT,
    Notation,
    Position,
    at_chance,
    evaluate,
    is_over,
    key,
    legal,
    move_promise,
    play,
    plies_bound,
    to_move,
    traits,
    transformed,
    utility,
    weight_of,
    won,
)
from tests.engine import naive

SIZES = ["3,3,3", "7,6,4", "8,8,5", "16,4,4", "4,16,4", "1,5,2", "64,1,3", "1,64,64", "3,3,1", "1,1,1"]
SPECS = list(dict.fromkeys([*examples(), *(f"mnk:{size}" for size in SIZES), "connect-four:8,8"]))
COMPILED = [*(f"mnk:{size}" for size in ("4,4,4", "8,8,5", "4,16,4")), "connect-four:8,8"]
"""Wins by a table, by shifts, in one direction only, and with a last square that is the sign of a word; each costs half
a second of compilation."""
WORD = (1 << 64) - 1


@kernel
def compiled_rules(root: Position, before: Any, after: Any, answers: Any, move: int) -> None:
    position = load(root, before)
    moves = legal(position)
    put_moves(answers[:2], moves)
    answers[4] = is_over(position)
    answers[5] = plies_bound(position)
    answers[6] = count(moves)
    answers[7] = key(position)
    answers[8] = evaluate(position, answers[10])
    if answers[4] != 0:
        answers[9] = utility(position)
    if move >= 0:
        answers[9] = move_promise(position, move)
        answers[10] = first(moves)
        put_moves(answers[2:4], rest(moves))
        store(play(position, move), after)


def test_every_game_has_an_example() -> None:
    assert {spec.partition(":")[0] for spec in examples()} == set(games())


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=12)
@given(data=st.data())
def test_a_game_keeps_the_contract(spec: str, data: st.DataObject) -> None:
    played, notation, view = game(spec), game(spec).notation, game(spec).view
    declared, squares = traits(played.start), view.columns * view.rows
    positions = data.draw(naive.playouts(spec))
    assert positions[0] == played.start
    assert notation.mover(played.start) == 0
    assert len(view.squares) == squares
    for ply, position in enumerate(positions):
        if declared.free_placement:
            check_free_placement(notation, position)
        moves = list(each(legal(position))) if not is_over(position) else []
        assert bool(moves) != bool(is_over(position))
        assert bool(is_over(position)) == (ply == len(positions) - 1) or not is_over(position)
        assert len(moves) <= declared.widest
        assert all(move < declared.moves for move in moves)
        assert 0 <= plies_bound(position) <= declared.plies - ply
        assert all(0 <= move_promise(position, move) <= 255 for move in moves)
        assert all(view.move_at(legal(position), view.square_of(move)) == move for move in moves if move < squares)
        if is_over(position):
            assert abs(utility(position)) <= declared.utility
        else:
            for which in range(len(played.evaluations)):
                assert abs(evaluate(position, which)) < UNIT * declared.utility
        assert notation.parse(notation.format(position)) == position
        if declared.alternates:
            assert notation.mover(position) == ply % 2
        else:
            assert notation.mover(position) == to_move(position)
            assert not declared.free_placement
        assert declared.chance == bool(played.chance)
        assert not declared.chance or not declared.alternates
        weights = [weight_of(position, move) for move in moves]
        assert all(share > 0 for share in weights) if at_chance(position) else not any(weights)
        cells, line = notation.cells(position), notation.winning_line(position)
        assert len(cells) == squares
        assert not line or is_over(position)
        assert set(line) <= set(range(squares))
    for before, after in pairwise(positions):
        move = next(move for move in each(legal(before)) if play(before, move) == after)
        assert plies_bound(after) < plies_bound(before)
        if at_chance(before):
            assert notation.cells(after) == notation.cells(before)
            assert weight_of(before, move) > 0
        elif move < squares:
            assert notation.cells(before)[move] is None
            assert notation.cells(after)[move] == notation.mover(before)
        else:
            assert declared.passes
            assert notation.cells(after) == notation.cells(before)


def check_free_placement(notation: Notation, position: Position) -> None:
    """Check that the trait is as kernels take it."""
    empty = {square for square, cell in enumerate(notation.cells(position)) if cell is None}
    assert is_over(position) or {*each(legal(position))} == empty
    assert plies_bound(position) == len(empty)
    assert bool(is_over(position)) == bool(won(position) or not empty)
    assert utility(position) == (-1 if won(position) else 0)


@pytest.mark.parametrize("spec", examples())
@given(data=st.data())
def test_a_symmetry_turns_moves_and_positions_alike(spec: str, data: st.DataObject) -> None:
    symmetries = game(spec).symmetries
    assert symmetries[0] == tuple(range(len(symmetries[0])))
    position = data.draw(naive.positions(spec))
    number = data.draw(st.sampled_from(range(len(symmetries))))
    other, moved = transformed(position, number), symmetries[number]
    assert transformed(position, 0) == position
    assert is_over(other) == is_over(position)
    if is_over(position):
        assert utility(other) == utility(position)
        return
    assert {*each(legal(other))} == {moved[move] for move in each(legal(position))}
    move = data.draw(st.sampled_from(list(each(legal(position)))))
    assert play(other, moved[move]) == transformed(play(position, move), number)
    for which in range(len(game(spec).evaluations)):
        assert evaluate(other, which) == evaluate(position, which)


@pytest.mark.parametrize("spec", list(dict.fromkeys(examples() + COMPILED)))
@settings(max_examples=8)
@given(data=st.data())
def test_the_compiled_rules_are_those_of_python(spec: str, data: st.DataObject) -> None:
    played = game(spec)
    which = data.draw(st.sampled_from(range(len(played.evaluations))))
    for position in data.draw(naive.playouts(spec)):
        moves = list(each(legal(position))) if not is_over(position) else []
        move = data.draw(st.sampled_from(moves)) if moves else -1
        (before, after), answers = np.zeros(2, FRAME_TYPE), np.zeros(11, np.int64)
        store(position, before)
        answers[10] = which
        compiled_rules(kind_of(position), before, after, answers, move)
        assert moves_in(position, answers[:2]) == legal(position)
        assert answers[4:8].tolist() == [
            is_over(position),
            plies_bound(position),
            count(legal(position)),
            words_of((key(position),))[0],
        ]
        if not moves:
            assert answers[9] == utility(position)
            continue
        assert answers[8:11].tolist() == [
            evaluate(position, which),
            move_promise(position, move),
            first(legal(position)),
        ]
        assert moves_in(position, answers[2:4]) == rest(legal(position))
        assert load(position, after) == play(position, move)


def test_the_last_square_of_8_x_8_is_a_square_like_any_other() -> None:
    """Bit 63 is the sign of a kernel's word."""
    played = game("mnk:8,8,5")
    diagonal = sum(1 << (row * 9) for row in range(3, 8))
    others = sum(1 << square for square in range(1, 5))
    position = played.notation.from_stones(diagonal, others)  # type: ignore[attr-defined]
    assert played.notation.winning_line(position) == (27, 36, 45, 54, 63)
    (before, after), answers = np.zeros(2, FRAME_TYPE), np.zeros(11, np.int64)
    store(position, before)
    compiled_rules(played.start, before, after, answers, -1)
    assert (answers[4], answers[9]) == (True, -1)
    assert load(played.start, before) == position


@pytest.mark.parametrize("size", ["3,3,3", "4,3,3", "5,4,4", "7,6,4", "6,7,5", "16,4,4", "4,16,4", "64,1,3", "1,64,5"])
def test_every_line_wins_and_nothing_else_does(size: str) -> None:
    """A row that wraps round the board's edge is no line, and neither is a line with a stone missing."""
    played = game(f"mnk:{size}")
    kind, notation = type(played.start), played.notation
    columns, k = notation.columns, int(size.rpartition(",")[2])
    lines = set(notation.lines)  # type: ignore[attr-defined]
    for line in lines:
        assert won(kind(0, line))
        assert not any(won(kind(0, line & ~(1 << square))) for square in each(line))
    for step in (1, columns - 1, columns, columns + 1):
        for square in range(columns * notation.rows - (k - 1) * step):
            stones = sum(1 << (square + i * step) for i in range(k)) if step else 1
            assert won(kind(0, stones)) == any(stones & line == line for line in lines)


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        ("xx./.../...", "2 x and 0 o"),
        ("o../.../...", "0 x and 1 o"),
        ("xxx/ooo/...", "both players have a line"),
        ("xxx/oo./o..", "x has a line, so the other"),
        ("ooo/xx./x.x", "o has a line, so the other"),
        ("x.x/...", "a board of 3 × 3"),
        ("x.x/..../...", "a board of 3 × 3"),
        ("", "a board of 3 × 3"),
        ("x.x/.z./...", "contains 'z'"),
        ("x../.../... x", "ends in 'x': by its stones o is to move"),
        ("x../.../... white", "ends in 'white': by its stones o is to move"),
    ],
)
def test_an_impossible_position_is_refused_with_one_sentence(position: str, reason: str) -> None:
    for spec in ("tictactoe", "mnk:3,3,3"):
        with pytest.raises(ValueError, match=reason) as refused:
            game(spec).notation.parse(position)
        assert str(refused.value).endswith(".")
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize("spec", ["connect-four:3,3,3", "connect-four:2,4,3", "mnk:4,2,3", "random-turn:3,2,2"])
def test_only_what_a_game_leads_to_is_a_position(spec: str) -> None:
    """Discs fall by turns, and the last completes the line. Where the coin decides, it has not been thrown."""
    played, read = game(spec), set[Position]()
    columns, rows = played.view.columns, played.view.rows
    for cells in product(".xo", repeat=columns * rows):
        text = "".join(cells)
        with suppress(ValueError):
            read.add(played.notation.parse("/".join(text[at : at + columns] for at in range(0, len(text), columns))))
    found = naive.reachable(played.start)
    assert read == {position for position in found if not played.chance or is_over(position) or at_chance(position)}


@pytest.mark.parametrize("spec", ["connect-four:7,6", "connect-four:8,8"])
@given(data=st.data())
def test_a_threat_completes_a_line_and_counts_by_the_parity_of_its_row(spec: str, data: st.DataObject) -> None:
    position, notation, view = data.draw(naive.positions(spec)), game(spec).notation, game(spec).view
    assume(not is_over(position))
    lines = [set(each(line)) for line in notation.lines]
    mine, theirs = set(each(position.mine)), set(each(position.theirs))
    value, is_first = 0, len(mine) == len(theirs)
    for sign, discs, others in ((1, mine, theirs), (-1, theirs, mine)):
        for square in {square for line in lines for square in line - discs if len(line - discs) == 1} - others:
            is_odd = (view.rows - square // view.columns) % 2 == 1
            value += sign * (GOOD if is_odd == is_first else BAD)
    assert evaluate(position, 0) == max(1 - UNIT, min(UNIT - 1, value))


@pytest.mark.parametrize("spec", ["tictactoe", "mnk:3,3,3", "connect6:3,3,3", "connect-four:3,3,3"])
def test_who_is_to_move_may_follow_the_rows_that_tell_it(spec: str) -> None:
    notation = game(spec).notation
    for rows, mover in ((".../.../...", "x"), (".../.../x..", "o")):
        assert notation.parse(f"{rows} {mover}") == notation.parse(rows)


def test_two_lines_without_a_common_square_are_refused() -> None:
    """The first of them ended the game; two lines that one stone completed are a win like any other."""
    with pytest.raises(ValueError, match="two lines without a square in common"):
        game("mnk:5,4,3").notation.parse("xxx../oo.oo/xxx../o....")
    crossing = game("tictactoe").notation
    assert crossing.winning_line(crossing.parse("xxx/xoo/xoo")) == (0, 1, 2, 3, 6)


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("chess", "choose tictactoe, mnk:4,4,4"),
        ("mnk", "A size is COLUMNS,ROWS,K"),
        ("mnk:3,3", "How many in a row win on 3 × 3"),
        ("mnk:3,x,3", "A size is COLUMNS,ROWS,K"),
        ("mnk:4.5,4,4", "A size is COLUMNS,ROWS,K"),
        ("-4,4,4", "A size is COLUMNS,ROWS,K"),
        ("mnk:-3,3,3", "A size is COLUMNS,ROWS,K"),
        ("mnk:9,8,3", "1 to 64 squares"),
        ("mnk:0,3,3", "1 to 64 squares"),
        ("mnk:3,3,4", "choose 1 to 3"),
        ("mnk:3,3,0", "choose 1 to 3"),
        ("tictactoe:4", "always 3 × 3"),
    ],
)
def test_a_game_that_is_none_is_refused_with_one_sentence(spec: str, reason: str) -> None:
    with pytest.raises(JobError, match=reason):
        game(spec)


def test_the_tree_of_3_x_3_has_the_known_number_of_paths() -> None:
    """The counts of issue 3; they sum to the 549,946 nodes of minimax."""
    assert naive.perft(game("tictactoe").start) == [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]


@pytest.mark.parametrize("spec", ["tictactoe", "mnk:3,3,3"])
def test_3_x_3_has_the_known_number_of_positions(spec: str) -> None:
    """5,478: the count of issue 3."""
    found = naive.reachable(game(spec).start)
    assert len(found) == len(set(found)) == 5478


def test_3_3_3_is_tictactoe(reachable: list[Position]) -> None:
    kind = type(game("mnk:3,3,3").start)
    for position in reachable:
        twin = kind(*position)
        assert (legal(twin), won(twin), utility(twin), plies_bound(twin)) == (
            legal(position),
            won(position),
            utility(position),
            plies_bound(position),
        )


@pytest.mark.parametrize("spec", ["tictactoe", "mnk:4,4,4", "mnk:5,5,4"])
def test_kernels_from_two_processes_can_tell_the_rules_of_a_game_apart(spec: str) -> None:
    """By name: numba's own numbers are each process's. Of two of one name, a third process may call the wrong one."""
    names = [f"{rule.__module__}.{rule.__qualname__}" for rule in (it.dispatch(type(game(spec).start)) for it in RULES)]
    assert len(set(names)) == len(names)


def test_squares_are_named_by_column_and_row_from_the_top() -> None:
    assert game("tictactoe").notation.move_name(0) == "a1"
    assert game("tictactoe").notation.move_name(5) == "c2"
    assert game("mnk:64,1,3").notation.move_name(27) == "ab1"


def test_connect_four_may_have_more_columns_than_letters() -> None:
    notation = game("connect-four:30,2").notation
    assert [*map(notation.move_name, notation.transcript("z1 aa1ab1") or ())] == ["z1", "aa1", "ab1"]
    with pytest.raises(ValueError, match="a letter from a to z"):
        notation.parse("!!")
    usual = game("connect-four:7,6").notation
    assert [*map(usual.move_name, usual.transcript("dd4") or ())] == ["d1", "d2", "d3"], "three columns"
    with pytest.raises(ValueError, match="a letter from a to g"):
        usual.parse("!!")


def test_what_is_no_position_of_a_game_is_refused() -> None:
    with pytest.raises(TypeError, match="int is no position"):
        legal(3)


def test_sets_of_moves_are_walked_in_ascending_order() -> None:
    assert list(each(0b1001_0110 | 1 << 63)) == [1, 2, 4, 7, 63]
