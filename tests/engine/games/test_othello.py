"""Othello: published results, and a second implementation of its rules."""

from functools import cache
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games import othello
from engine.job import JobError
from engine.measure.perft import perft
from engine.registry import game
from engine.rules.bits import count, each, first
from engine.rules.board_view import Surface
from engine.rules.contract import (
    UNIT,
    Position,
    evaluate,
    is_over,
    key,
    legal,
    move_promise,
    play,
    plies_bound,
    traits,
    transformed,
    utility,
)
from tests.engine import naive

SPECS = ["othello:4", "othello:6", "othello:8", "othello:8,discs"]
EIGHT = game("othello:8")
PASS = {spec: game(spec).notation.columns ** 2 for spec in SPECS}

PERFT = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288]
"""Source: A. Bik, Perft for Reversi, www.aartbik.com/strategy.php; also oeis.org/A124004."""

PERFECT_6X6 = "c2 b4 c5 d2 e4 e3 d1 c1 b1 d5 d6 f4 b3 b2 f3 f2 e2 b6 a4 c6 a6 a2 b5 a5 e6 e5 a3 a1 f5 f6 e1 f1"
"""A game that both sides play best, which white wins by 20 to 16, with the columns and rows of 6 x 6.
Source: J. Feinstein, Perfect play in 6x6 Othello, people.maths.nottingham.ac.uk (1993)."""

a_few_games = settings(max_examples=10)
"""Each has up to sixty positions."""

STEPS = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]
Board = dict[tuple[int, int], int | None]


def flips(board: Board, square: tuple[int, int], player: int) -> set[tuple[int, int]]:
    """The discs that a player's disc on a square flips, found square by square."""
    found: set[tuple[int, int]] = set()
    for down, right in STEPS:
        line, (row, column) = set(), square
        while board.get((row := row + down, column := column + right)) == 1 - player:
            line.add((row, column))
        if board.get((row, column)) == player:
            found |= line
    return found if board[square] is None else set()


def board_of(spec: str, position: Position) -> Board:
    notation = game(spec).notation
    return {divmod(square, notation.columns): cell for square, cell in enumerate(notation.cells(position))}


@pytest.mark.parametrize("spec", SPECS)
@a_few_games
@given(data=st.data())
def test_moves_and_flips_are_those_that_a_finger_finds(spec: str, data: st.DataObject) -> None:
    for before, after in pairwise(data.draw(naive.playouts(spec))):
        player, board = game(spec).notation.mover(before), board_of(spec, before)
        expected = {square: flips(board, square, player) for square in board}
        moves = {divmod(move, game(spec).notation.columns) for move in each(legal(before)) if move != PASS[spec]}
        assert moves == {square for square, found in expected.items() if found}
        assert bool(moves) != bool(legal(before) >> PASS[spec] & 1)
        moved = board_of(spec, after)
        changed = {square for square in board if board[square] != moved[square]}
        placed = {square for square in changed if board[square] is None}
        assert changed == {*placed, *(square for one in placed for square in expected[one])}
        assert {moved[square] for square in changed} <= {player}
        assert game(spec).notation.mover(after) == 1 - player


@pytest.mark.parametrize("spec", SPECS)
@a_few_games
@given(data=st.data())
def test_plies_run_out_and_passes_never_follow_each_other(spec: str, data: st.DataObject) -> None:
    positions = data.draw(naive.playouts(spec))
    declared = traits(positions[0])
    assert plies_bound(positions[0]) == declared.plies
    assert declared.passes
    for before, after in pairwise(positions):
        assert plies_bound(after) < plies_bound(before)
        assert count(legal(before)) <= min(declared.widest, plies_bound(before))
    for one, _, three in zip(positions, positions[1:], positions[2:], strict=False):
        assert count(three.mine | three.theirs) > count(one.mine | one.theirs)
    if is_over(positions[-1]):
        assert plies_bound(positions[-1]) == 0


@pytest.mark.parametrize("spec", SPECS)
@a_few_games
@given(data=st.data())
def test_a_symmetry_commutes_with_every_rule(spec: str, data: st.DataObject) -> None:
    position, symmetry = data.draw(naive.positions(spec)), data.draw(st.integers(0, 7))
    played = game(spec)
    goes, image = played.symmetries[symmetry], transformed(position, symmetry)
    assert len(played.symmetries) == 8
    assert transformed(position, 0) == position
    assert {goes[move] for move in each(legal(position))} == set(each(legal(image)))
    assert (is_over(position), utility(position)) == (is_over(image), utility(image))
    for which in range(len(played.evaluations)):
        assert evaluate(position, which) == evaluate(image, which)
    if not is_over(position):
        move = data.draw(st.sampled_from(list(each(legal(position)))))
        assert transformed(play(position, move), symmetry) == play(image, goes[move])
        assert move_promise(position, move) == move_promise(image, goes[move])


@pytest.mark.parametrize("spec", SPECS)
@a_few_games
@given(data=st.data())
def test_what_is_written_is_read_back(spec: str, data: st.DataObject) -> None:
    positions, notation = data.draw(naive.playouts(spec)), game(spec).notation
    for position in positions[-3:]:
        assert notation.parse(notation.format(position)) == position
        assert notation.parse(f" {notation.format(position).upper()}  ") == position
    moves = [
        next(move for move in each(legal(before)) if play(before, move) == after)
        for before, after in pairwise(positions)
    ]
    if moves:
        names = [notation.move_name(move) for move in moves]
        assert notation.parse("".join(names)) == positions[-1]
        assert notation.parse(" ".join(names).replace("pass", "--").upper()) == positions[-1]
        if moves[-1] != PASS[spec]:
            assert notation.parse("".join(names).replace("pass", "")) == positions[-1]


@pytest.mark.parametrize("spec", SPECS)
@a_few_games
@given(data=st.data())
def test_estimates_are_within_the_range_and_opposite_for_the_sides(spec: str, data: st.DataObject) -> None:
    position = data.draw(naive.positions(spec))
    other = type(position)(position.theirs, position.mine, 1 - position.white)
    for which in range(len(game(spec).evaluations)):
        assert abs(evaluate(position, which)) < UNIT * traits(position).utility
        assert evaluate(position, which) == -evaluate(other, which)


@pytest.mark.parametrize("spec", SPECS)
@a_few_games
@given(data=st.data())
def test_positions_of_a_game_have_keys_of_their_own(spec: str, data: st.DataObject) -> None:
    positions = data.draw(naive.playouts(spec))
    others = [position._replace(white=1 - position.white) for position in positions]
    assert len({key(position) for position in [*positions, *others]}) == 2 * len(positions)


def test_the_tree_of_8_x_8_has_the_published_number_of_paths() -> None:
    assert perft(EIGHT.start, 9) == PERFT


def test_the_tree_of_4_x_4_has_as_many_paths_compiled_as_interpreted() -> None:
    """To the end, with its passes, after one of the first moves, which are symmetric."""
    after = first_move(game("othello:4").start)
    counted = naive.perft(after)
    assert perft(after, plies_bound(after)) == counted + [0] * (plies_bound(after) + 1 - len(counted))


def first_move(start: Position) -> Position:
    return play(start, first(legal(start)))


def test_white_wins_4_x_4_by_eight() -> None:
    """3 to 11 is the published result (en.wikipedia.org/wiki/Computer_Othello), by a plain count of discs. With the two
    empty squares, which the winner has here, it is 3 to 13. White is to move after one of the first moves, which are
    symmetric."""

    @cache
    def values(position: Position) -> tuple[int, int]:
        """The values by a plain count of discs, and by the rules."""
        if is_over(position):
            return count(position.mine) - count(position.theirs), utility(position)
        plain, whole = zip(*(values(play(position, move)) for move in each(legal(position))), strict=True)
        return -min(plain), -min(whole)

    assert values(first_move(game("othello:4,discs").start)) == (8, 10)


def test_a_perfect_game_on_6_x_6_ends_20_to_16() -> None:
    for spec, result in (("othello:6", -1), ("othello:6,discs", -4)):
        notation = game(spec).notation
        end = notation.parse(PERFECT_6X6)
        black, white = notation.stones(end)  # type: ignore[attr-defined]
        assert is_over(end)
        assert (count(black), count(white)) == (16, 20)
        assert utility(end) == (result if notation.mover(end) == 0 else -result)


def test_the_winner_has_the_empty_squares() -> None:
    """As in tournaments: Rules of the World Othello Championship, www.worldothello.org."""
    notation = game("othello:4,discs").notation
    wiped = notation.parse("..../.xx./.xxx/.... o")
    assert is_over(wiped)
    assert utility(wiped) == -16
    assert utility(notation.parse("..../.xx./.xxx/.... x")) == 16
    assert utility(game("othello:4").notation.parse("..../.xx./.xxx/.... x")) == 1
    even = notation.parse("xxxx/xxxx/oooo/oooo x")
    assert is_over(even)
    assert utility(even) == 0


def test_a_side_that_cannot_move_passes() -> None:
    notation = EIGHT.notation
    position = notation.parse("......../......../......../...xo.../...xx.../......../......../........ o")
    assert list(each(legal(position))) == [26, 42, 44]
    position = notation.parse("xo....../......../......../...xx.../...xx.../......../......../........ o")
    assert list(each(legal(position))) == [64]
    assert EIGHT.view.square_of(64) is None
    assert notation.move_name(64) == "pass"
    passed = play(position, 64)
    assert (passed.mine, passed.theirs, notation.mover(passed)) == (position.theirs, position.mine, 0)
    assert list(each(legal(passed))) == [2]


def test_who_is_to_move_is_found_where_it_is_not_said() -> None:
    notation = EIGHT.notation
    assert notation.parse("......../......../......../...ox.../...xo.../......../......../........") == EIGHT.start
    after = notation.parse("f5")
    assert notation.parse(notation.format(after)[:-2]) == after
    assert notation.mover(after) == 1
    stuck = "xo....../......../......../...xx.../...xx.../......../......../.......x"
    assert notation.mover(notation.parse(stuck)) == 0


def test_corners_are_tried_first_and_the_squares_beside_them_last() -> None:
    promise = {EIGHT.notation.move_name(move): move_promise(EIGHT.start, move) for move in range(65)}
    assert all(0 <= number <= 255 for number in promise.values())
    assert promise["a1"] == promise["h8"] == max(promise.values())
    assert promise["b2"] == promise["g7"] == min(promise.values()) < promise["a2"] < promise["b3"] < promise["c3"]


def test_evaluations_see_what_they_are_named_for() -> None:
    named = {evaluation.name: which for which, evaluation in enumerate(EIGHT.evaluations)}
    assert set(named) == {"stability", "mobility", "squares", "discs"}
    parse = EIGHT.notation.parse
    few = parse("......../......../..oooo../..oxxo../..oxxo../..oooo../......../........ x")
    assert evaluate(few, named["discs"]) < 0 < evaluate(few, named["mobility"])
    corner = parse("x......./......../......../...ox.../...xo.../......../......../........ x")
    assert evaluate(corner, named["squares"]) > 0
    edge = parse("xxx...../xx....../x......./...ox.../...xo.../......../......../........ x")
    bare = parse("......../......../......../...ox.../...xo.../......../......../........ x")
    squares = evaluate(edge, named["squares"]) // 3
    assert evaluate(edge, named["stability"]) == (
        squares + othello.STABLE * 6 + othello.MOBILITY * evaluate(edge, named["mobility"]) // 12
    )
    assert [evaluate(bare, which) for which in named.values()] == [0] * 4


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a board of 8 × 8"),
        ("x.x/...", "a board of 8 × 8"),
        ("z......./......../......../...ox.../...xo.../......../......../........ x", "contains 'z'"),
        ("......../......../......../...ox.../...xo.../......../......../........ z", "'z' cannot be to move"),
        ("......../......../......../...ox.../....o.../......../......../........ x", "the four squares in the middle"),
        ("f5f5", "Move 2, f5, is not legal for White"),
        ("f5 pass", "Move 2, pass, is not legal for White"),
        ("a1", "Move 1, a1, is not legal for Black"),
    ],
)
def test_what_is_no_position_is_refused_with_one_sentence(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as refused:
        EIGHT.notation.parse(text)
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


def test_a_square_off_a_small_board_and_a_move_after_the_end_are_refused() -> None:
    with pytest.raises(ValueError, match="a board of 4 × 4"):
        game("othello:4").notation.parse("f5")
    with pytest.raises(ValueError, match=r"Move 33, a1, comes after the end of the game\."):
        game("othello:6").notation.parse(f"{PERFECT_6X6} a1")


@pytest.mark.parametrize(
    ("spec", "canonical"),
    [
        ("othello", "othello:8"),
        ("Reversi", "othello:8"),
        ("othello 6x6", "othello:6"),
        ("othello:8,8", "othello:8"),
        ("othello:4,discs", "othello:4,discs"),
        ("othello:discs", "othello:8,discs"),
    ],
)
def test_it_goes_by_its_names(spec: str, canonical: str) -> None:
    assert game(spec).spec == canonical
    assert game(spec).view.surface is Surface.FELT


@pytest.mark.parametrize("spec", ["othello:5", "othello:10", "othello:4,6", "othello:8,8,8", "othello:x"])
def test_other_sizes_are_refused_with_one_sentence(spec: str) -> None:
    with pytest.raises(JobError, match="Othello is played on 4 × 4, 6 × 6 or 8 × 8"):
        game(spec)


def test_types_are_attributes_of_the_module() -> None:
    """So another process finds them."""
    for spec in SPECS:
        kind = type(game(spec).start)
        assert getattr(othello, kind.__name__) is kind
    with pytest.raises(AttributeError, match="Othello_5"):
        _ = othello.Othello_5
