"""Connect6 against a second implementation of its rules, and what its two stones a turn mean for a search."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.backends import solve
from engine.job import Job
from engine.measure.critical_tree import critical_leaves, regular_leaves
from engine.measure.perft import perft
from engine.options.catalogue import Limit
from engine.options.choices import Scoring
from engine.play.levels import sign
from engine.play.move_values import look
from engine.play.review import Mistake, Review, review, sentences
from engine.prepare import prepare
from engine.registry import game
from engine.result import Result
from engine.rules.bits import each
from engine.rules.contract import is_over, legal, movers, play, utility
from tests.engine import naive

SMALL = game("connect6:3,3,3")
SIZES = ["3,3,3", "4,4,4", "6,6,5", "8,8", "1,7,2"]
STEPS = (0, 1), (1, 0), (1, 1), (1, -1)


def interpreted(job: Job) -> Result:
    return solve(replace(job, backend="interpreted"))


def has_line(stones: set[tuple[int, int]], k: int) -> bool:
    return any(
        all((row + step * down, column + step * right) in stones for step in range(k))
        for row, column in stones
        for down, right in STEPS
    )


@pytest.mark.parametrize("sizes", SIZES)
@given(seed=st.integers(0, 1_000_000))
def test_it_is_one_stone_and_then_two_a_turn(sizes: str, seed: int) -> None:
    """By lists of stones, of which the last may complete a line."""
    played, dice = game(f"connect6:{sizes}"), random.Random(seed)
    columns, rows, k = (*map(int, sizes.split(",")), 6)[:3]
    position, stones, turns = played.start, {0: set[tuple[int, int]](), 1: set[tuple[int, int]]()}, [0, 1, 1]
    free = [(row, column) for row in range(rows) for column in range(columns)]
    while free:
        assert not is_over(position)
        assert {*each(legal(position))} == {row * columns + column for row, column in free}
        mover = turns.pop(0)
        turns += [0, 0, 1, 1] if not turns else []
        assert played.notation.mover(position) == mover
        square = free.pop(dice.randrange(len(free)))
        stones[mover].add(square)
        position = play(position, square[0] * columns + square[1])
        assert played.notation.mover(position) == (turns[0] if turns else 0)
        if has_line(stones[mover], k):
            assert is_over(position)
            assert utility(position) == (1 if played.notation.mover(position) == mover else -1)
            return
    assert is_over(position)
    assert utility(position) == 0


def test_until_a_line_is_possible_all_orders_of_stones_are_paths() -> None:
    assert perft(game("connect6:8,8").start, 3) == [1, 64, 64 * 63, 64 * 63 * 62]


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        ("xx./.../...", "2 x and 0 o; x begins with one stone, then each side places two"),
        ("xxo/.../...", "2 x and 1 o"),
        ("xxx/ooo/...", "both players have a line"),
        ("ooo/xxx/...", "both players have a line"),
        ("xxx/oo./o..", "x has a line, so the other"),
        ("xxx/oo./...", ""),
        ("ooo/x.x/...", "2 x and 3 o"),
    ],
)
def test_an_impossible_position_is_refused(position: str, reason: str) -> None:
    if not reason:
        assert is_over(SMALL.notation.parse(position))
        return
    with pytest.raises(ValueError, match=reason) as refused:
        SMALL.notation.parse(position)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize(
    ("plies", "leaves"), [(1, 16), (2, 15 + 16 - 1), (3, 15 * 14 + 16 - 1), (4, 15 * 14 + 16 * 13 - 1)]
)
def test_alpha_beta_visits_the_minimum_where_all_moves_are_equal(plies: int, leaves: int) -> None:
    """A strategy of x answers both stones of o: where nothing is won, the plies of x, o, o, x are 16, 15, 14 and 13
    wide. The formula for sides that alternate would have 15 + 16 * 14 - 1 for three plies."""
    spec = "connect6:4,4,4"
    job = Job(
        game=spec,
        position=game(spec).notation.format(game(spec).start),
        algorithm="alphabeta",
        evaluate=False,
        limit=Limit(plies),
    )
    assert critical_leaves(prepare(job), 0) == leaves
    assert regular_leaves(prepare(job)) is None
    assert interpreted(job).info.counters.horizon == leaves


@pytest.mark.parametrize("position", ["xoo/.../...", "xoo/x../...", "xoo/xx./o.."])
def test_the_values_of_moves_are_those_of_recursion(position: str) -> None:
    root = SMALL.notation.parse(position)
    *_, found = look(Job(game=SMALL.spec, position=position), interpreted)
    assert {move: known.value.number for move, known in found.moves.items()} == naive.move_values(root, soonest=True)
    for move, known in found.moves.items():
        assert known.line[0] == move
        naive.assert_line_is_worth(root, known.line, known.value.number, True, naive.NO_HORIZON)


@pytest.mark.parametrize("seed", range(8))
def test_a_review_finds_the_last_move_that_changed_the_outcome(seed: int) -> None:
    dice, positions, moves = random.Random(seed), [SMALL.notation.parse("xoo/.../...")], list[int]()
    while not is_over(positions[-1]):
        moves.append(dice.choice([*each(legal(positions[-1]))]))
        positions.append(play(positions[-1], moves[-1]))
    worth = [sign(naive.value(position)) for position in positions]
    got = [naive.above(*pair, value) for pair, value in zip(pairwise(positions), worth[1:], strict=True)]
    changes = [ply for ply in range(len(moves)) if worth[ply] != got[ply]]
    found = review(SMALL, positions[0], moves, interpreted)
    assert found is not None
    assert (found.mistake is not None) == bool(changes)
    if found.mistake is not None:
        assert (found.mistake.ply, found.mistake.had, found.mistake.got) == (
            changes[-1],
            worth[changes[-1]],
            got[changes[-1]],
        )


def test_a_review_numbers_a_move_by_its_turn_as_the_list_of_moves_does() -> None:
    """1. a1 b1 c1 2. a2 b2: the second stone of X's second turn."""
    moves, found = (0, 1, 2, 4, 5), Review(Mistake(4, 6, 0, -1))
    (said,) = sentences(game("connect6:4,4,4"), game("connect6:4,4,4").start, moves, found, {})
    assert str(said) == "X's 2nd move, b2, lost the game: c2 would have drawn."


@pytest.mark.parametrize("scoring", Scoring)
@pytest.mark.parametrize(
    ("sizes", "position"),
    [
        ("3,3,3", "x.x/oxo/..."),
        ("4,3,3", "xox./.oxx/x.oo"),
        ("4,3,3", ".ox./xoox/ox.x"),
        ("4,3,4", ".x.x/oxxx/ooo."),
        ("4,4,4", "xox./xx.o/oxoo/oxx."),
    ],
)
def test_the_end_of_a_line_is_searched_for_the_side_that_it_is_of(sizes: str, position: str, scoring: Scoring) -> None:
    """Its last plies, which the recursion does not return, are decisive here."""
    naive.assert_true(
        interpreted(Job(game=f"connect6:{sizes}", position=position, algorithm="alphabeta", scoring=scoring))
    )


def test_the_players_of_a_line_are_those_of_its_positions() -> None:
    assert movers(SMALL.notation, SMALL.start, [0, 1, 2, 4, 5, 6]) == (0, 1, 1, 0, 0, 1)
    assert movers(SMALL.notation, SMALL.start, []) == ()
