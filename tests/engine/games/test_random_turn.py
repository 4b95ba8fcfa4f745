"""Random-turn m,n,k against a second implementation of its rules, and what is known of its values."""

import random
from fractions import Fraction
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.backends import solve
from engine.job import Job
from engine.measure.perft import perft
from engine.registry import game
from engine.rules.bits import each
from engine.rules.contract import at_chance, is_over, legal, outcomes, play, utility
from engine.search.expectiminimax import negamax
from tests.engine import naive
from tests.engine.games.test_connect6 import has_line

SIZES = ["3,3,3", "4,3,3", "2,2,2", "1,5,2", "6,5,4"]


@pytest.mark.parametrize("sizes", SIZES)
@given(seed=st.integers(0, 1_000_000))
def test_the_coin_falls_and_then_a_stone_is_placed(sizes: str, seed: int) -> None:
    """By lists of stones, of which the last may complete a line."""
    played, dice = game(f"random-turn:{sizes}"), random.Random(seed)
    columns, rows, k = map(int, sizes.split(","))
    position, stones = played.start, {0: set[tuple[int, int]](), 1: set[tuple[int, int]]()}
    free = [(row, column) for row in range(rows) for column in range(columns)]
    while free:
        assert not is_over(position)
        assert outcomes(position) == {columns * rows: Fraction(1, 2), columns * rows + 1: Fraction(1, 2)}
        side = dice.randrange(2)
        position = play(position, columns * rows + side)
        assert not at_chance(position)
        assert played.notation.mover(position) == side
        assert {*each(legal(position))} == {row * columns + column for row, column in free}
        square = free.pop(dice.randrange(len(free)))
        stones[side].add(square)
        position = play(position, square[0] * columns + square[1])
        if has_line(stones[side], k):
            assert is_over(position)
            assert utility(position) == (1 if side == 0 else -1)
            assert played.notation.winning_line(position)
            return
    assert is_over(position)
    assert utility(position) == 0


def test_each_stone_has_two_sides_to_place_it() -> None:
    assert perft(game("random-turn:5,5,4").start, 6) == [1, 2, 50, 100, 100 * 24, 200 * 24, 200 * 24 * 23]


@pytest.mark.parametrize(
    ("spec", "position", "worth"),
    [
        ("random-turn:2,2,2", "../..", Fraction(0)),
        ("random-turn:2,2,2", "../.. x", Fraction(1, 2)),  # any two stones are a line: three of four throws of two win
        ("random-turn:2,2,2", "x./.o", Fraction(0)),
        ("random-turn:3,1,1", "... o", Fraction(1)),
        ("random-turn:3,1,3", "xx.", Fraction(1, 2)),
        ("random-turn:3,1,3", "xx. o", Fraction(0)),
    ],
)
def test_values_that_are_counted_by_hand(spec: str, position: str, worth: Fraction) -> None:
    assert negamax(game(spec).notation.parse(position)) == worth
    found = solve(Job(game=spec, position=position, algorithm="expectiminimax", backend="interpreted")).info.value
    assert (found.number, found.is_estimate) == (float(worth), False)


@given(position=naive.positions("random-turn:3,3,3", start="x../oo./..x"))
def test_neither_side_is_favoured_by_the_rules(position: naive.Position) -> None:
    """With the sides exchanged every value is the negative."""
    kind = type(position)
    exchanged = {0: kind(*position[:2], 1), 1: kind(*position[:2], 0), 2: kind(position.theirs, position.mine, 2)}
    other = exchanged[position.turn]
    sign = -1 if position.turn == 2 else 1
    assert negamax(other) == sign * negamax(position)


def test_an_outcome_names_the_side_that_moves() -> None:
    played = game("random-turn:3,3,3")
    names = [played.notation.move_name(move) for move in each(legal(played.start))]
    assert names == [">X", ">O"]
    after = [played.notation.format(play(played.start, move)) for move in each(legal(played.start))]
    assert after == [".../.../... x", ".../.../... o"]
    assert [played.notation.mover(played.notation.parse(text)) for text in after] == [0, 1]
    line = reduce(play, (10, 4, 9, 0), played.start)
    assert played.notation.format(line) == "x../.o./..."


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        ("xxx/.../... o", "The game is over: give the rows alone"),
        ("xxx/ooo/...", "both players have a line"),
        ("xxx/.../xxx", "x has two lines without a square in common"),
        (".../.../... z", "ends in 'z': end it with x or o"),
        (".../...", "a board of 3 × 3"),
    ],
)
def test_a_position_that_no_game_reaches_is_refused(position: str, reason: str) -> None:
    parse = game("random-turn:3,3,3").notation.parse
    with pytest.raises(ValueError, match=reason):
        parse(position)


@pytest.mark.parametrize(
    ("sizes", "reason"),
    [("6,6,4", "6 × 6 squares is too large here: choose at most 30"), ("3,3,4", "choose 1 to 3"), ("x", "A size is")],
)
def test_a_board_that_is_not_possible_is_refused(sizes: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        game(f"random-turn:{sizes}")
