"""The levels go from one that a child beats to perfect play, and play the same game again from the same seed."""

import pytest

from engine.backends import solve
from engine.bits import each
from engine.game import ONGOING, Position, legal, outcome, play
from engine.job import Job, JobError, Limit, Scoring
from engine.levels import LEVELS, NODES, PERFECT, Choice, Level, choose, dice, exact, level, sign, within
from engine.registry import game
from engine.result import Bound, End
from tests.engine import naive

GAME = game("tictactoe")
CARELESS = Level("Careless", "a careless player", chance=1.0, size=1)


def job_at(position: Position, limit: Limit = Limit(), algorithm: str = "minimax", spec: str = "tictactoe") -> Job:
    text = game(spec).notation.format(position)
    return Job(game=spec, position=text, algorithm=algorithm, scoring=Scoring.SOONEST, limit=limit, evaluate=False)


def chosen(level: Level, position: Position, seed: int, algorithm: str = "minimax") -> Choice:
    """What a level plays, all of it real."""
    job = job_at(position, within(level, position, algorithm), algorithm)
    result = exact(solve(job), solve)
    assert result is not None
    return choose(level, result, dice(seed, job))


def line_or_lowest(position: Position) -> int:
    """A simple strategy: complete a line where that is possible, else take the first free square."""
    moves = [*each(legal(position))]
    return next((move for move in moves if outcome(play(position, move)) == -1), moves[0])


def played(x: Level | None, o: Level | None, seed: int) -> int:
    """How a game ends for X; no level is the simple strategy."""
    position, turn = GAME.start, 0
    while outcome(position) == ONGOING:
        player = (x, o)[turn % 2]
        position = play(position, chosen(player, position, seed).move if player else line_or_lowest(position))
        turn += 1
    return 0 if outcome(position) == 0 else 1 if turn % 2 else -1


@pytest.mark.parametrize("first", [True, False])
def test_perfect_never_loses_over_all_lines_of_play(first: bool) -> None:
    seen, ends = set(), set()

    def go(position: Position, ours: bool) -> None:
        if position in seen:
            return
        seen.add(position)
        if outcome(position) != ONGOING:
            ends.add(0 if outcome(position) == 0 else -1 if ours else 1)
            return
        for move in [chosen(PERFECT, position, 0, "alphabeta").move] if ours else each(legal(position)):
            go(play(position, move), not ours)

    go(GAME.start, first)
    assert ends == {0, 1}


def test_a_simple_strategy_beats_the_beginner_in_most_games() -> None:
    """With these 40 seeds; a child that blocks wins more."""
    ends = [played(None, LEVELS["Beginner"], seed) for seed in range(40)]
    assert ends.count(1) >= 24
    assert ends[:8] == [played(None, LEVELS["Beginner"], seed) for seed in range(8)], "a seed is a game"


def test_each_level_loses_less_to_perfect_play_than_the_one_below() -> None:
    lost = [sum(played(PERFECT, level, seed) == 1 for seed in range(30)) for level in LEVELS.values()]
    assert lost == sorted(lost, reverse=True)
    assert lost[0] > 20 > lost[-2] >= lost[-1] == 0


@pytest.mark.parametrize("depth", [None, 1, 2, 4])
@pytest.mark.parametrize("text", ["x../.../...", "xo./.x./...", "xox/.../...", "xxo/oo./x.."])
def test_where_alpha_beta_leaves_bounds_every_root_move_is_made_exact(text: str, depth: int | None) -> None:
    position = GAME.notation.parse(text)
    result = exact(solve(job_at(position, Limit(depth), "alphabeta")), solve)
    assert result is not None
    assert {found.bound for found in result.root_moves} == {Bound.EXACT}
    values = {found.move: found.value for found in result.root_moves}
    true = naive.move_values(position, soonest=True, depth=depth or 9)
    # What is undecided is worth 0 to a level.
    assert values == {move: value if abs(value) >= 1 else 0 for move, value in true.items()}


def test_a_chosen_mistake_is_no_larger_than_the_level_says(reachable: list[Position]) -> None:
    mistakes = 0
    for position in reachable[::25]:
        if outcome(position) != ONGOING:
            continue
        values, choice = naive.move_values(position, soonest=True), chosen(CARELESS, position, 1)
        lost = sign(max(values.values())) - sign(values[choice.move])
        assert lost == (choice.best is not None)
        mistakes += lost
    assert mistakes > 20


def test_without_a_mistake_it_plays_one_of_the_best_moves() -> None:
    sure = Level("Sure", "somebody", depth=9, chance=1e-9, size=2)
    for seed in range(20):
        assert chosen(sure, GAME.notation.parse("x../.o./..x"), seed).move in {1, 3, 5, 7}, "the sides draw"


def test_a_search_that_was_stopped_leaves_nothing_to_choose_from() -> None:
    job = job_at(GAME.start, Limit(nodes=100_000))
    result = solve(job)
    assert result.end is End.NODES
    assert choose(LEVELS["Beginner"], result, dice(0, job)).move == result.info.best


def test_bounds_are_not_taken_for_values() -> None:
    job = job_at(GAME.notation.parse("x../.../..."), algorithm="alphabeta")
    with pytest.raises(ValueError, match="exact values only"):
        choose(LEVELS["Beginner"], solve(job), dice(0, job))


def test_a_level_sees_no_further_than_it_says_and_the_persons_own_limit_holds() -> None:
    own = Limit(depth=3, nodes=5_000, seconds=1.0)
    assert within(PERFECT, GAME.start, "minimax") == Limit()
    assert within(PERFECT, GAME.start, "minimax", own) == own
    assert within(LEVELS["Strong"], GAME.start, "minimax", own).depth == 3
    assert within(LEVELS["Casual"], GAME.start, "minimax", own) == Limit(2, 5_000, 1.0)


@pytest.mark.parametrize("spec", ["mnk:4,3,3", "mnk:4,4,4", "mnk:5,5,4", "mnk:7,6,4", "mnk:8,8,5"])
@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
def test_on_a_large_board_perfect_still_answers_within_seconds(spec: str, algorithm: str) -> None:
    start = game(spec).start
    limit = within(PERFECT, start, algorithm)
    assert limit == Limit() or (limit.depth is not None and limit.depth >= 4 and limit.nodes == NODES)


def test_a_level_is_found_by_its_name_and_an_unknown_one_is_refused() -> None:
    assert level("casual") is LEVELS["Casual"]
    with pytest.raises(JobError, match="choose Beginner, Casual, Club, Strong or Perfect"):
        level("easy")
