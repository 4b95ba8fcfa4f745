"""The levels range from one that a child beats to perfect play, and a seed repeats a game exactly. On boards
too large for perfect play they find what a search of a few plies finds."""

import random
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from engine.backends import solve
from engine.job import Job, JobError
from engine.measure.tree_size import expected_seconds
from engine.options.catalogue import Limit
from engine.options.choices import Scoring
from engine.play import recommended
from engine.play.levels import (
    LEVELS,
    STRONGEST,
    Choice,
    Level,
    answer,
    choose,
    dice,
    exact,
    level,
    question,
    sees_all,
    sign,
)
from engine.play.recommended import DEEPENED, WHOLE_TREE
from engine.prepare import prepare
from engine.registry import game
from engine.result import Counters, End, Result, RootMove, Snapshot, Value
from engine.rules.bits import each
from engine.rules.contract import Position, is_over, legal, play, seen_from_parent, utility
from tests.engine import naive

GAME = game("tictactoe")
CARELESS = Level("Careless", "a careless player", chance=1.0, size=1)


def job_at(
    position: Position,
    limit: Limit = Limit(),
    algorithm: str = "minimax",
    spec: str = "tictactoe",
    scoring: Scoring = Scoring.SOONEST,
) -> Job:
    text = game(spec).notation.format(position)
    return Job(game=spec, position=text, algorithm=algorithm, scoring=scoring, limit=limit)


def chosen(level: Level, job: Job, seed: int = 0) -> Choice:
    """The choice of a level, by real searches."""
    choice = answer(level, solve(question(level, job)), seed, solve)
    assert choice is not None
    return choice


def line_or_lowest(position: Position) -> int:
    """A simple strategy: complete a line where that is possible, else take the first free square."""
    moves = [*each(legal(position))]
    return next((move for move in moves if utility(play(position, move)) == -1), moves[0])


def played(x: Level | None, o: Level | None, seed: int) -> int:
    """The outcome of a game for X; None as a level is the simple strategy."""
    position, ply = GAME.start, 0
    while not is_over(position):
        player = (x, o)[ply % 2]
        position = play(position, chosen(player, job_at(position), seed).move if player else line_or_lowest(position))
        ply += 1
    return 0 if utility(position) == 0 else 1 if ply % 2 else -1


WEAKENED = [
    {"limit": Limit(depth=1)},
    {"limit": Limit(nodes=1)},
    {"limit": Limit(seconds=0.001)},
    {"evaluate": False},
    {"limit": Limit(depth=1), "evaluate": False, "evaluation": "boards"},
]
"""Settings that a person may choose for analysis."""


@pytest.mark.parametrize(
    ("first", "asked"), [(True, {"scoring": Scoring.TEXTBOOK}), (False, {"scoring": Scoring.SOONEST} | WEAKENED[-1])]
)
def test_strongest_never_loses_over_all_lines_of_play(first: bool, asked: dict[str, Any]) -> None:
    """Whatever is set for analysis: one set of settings here; that the others are not used is tested below."""
    assert ends_of_all_games(first, **asked) == {0, 1}


def ends_of_all_games(first: bool, **asked: Any) -> set[int]:
    """The outcomes of Strongest's games against every line of play: 1 where it wins, -1 where it loses."""
    seen, ends = set(), set()

    def go(position: Position, ours: bool) -> None:
        if position in seen:
            return
        seen.add(position)
        if is_over(position):
            ends.add(0 if utility(position) == 0 else -1 if ours else 1)
            return
        own = chosen(STRONGEST, replace(job_at(position, algorithm="alphabeta"), **asked)) if ours else None
        for move in [own.move] if own else each(legal(position)):
            go(play(position, move), not ours)

    go(GAME.start, first)
    return ends


@pytest.mark.parametrize("text", [naive.EMPTY, "xo./.../..."])
def test_on_a_small_board_strongest_is_proven_to_keep_what_it_has(text: str) -> None:
    """Against a random player, checked by searches of their own: from a draw, and where the side to move wins."""
    draw, start = random.Random(text), GAME.notation.parse(text)
    for first in (True, False):
        position, ours = start, first
        while not is_over(position):
            if ours:
                job = job_at(position, algorithm="alphabeta", scoring=Scoring.TEXTBOOK)
                choice = chosen(STRONGEST, job)
                assert choice.proven
                after = play(position, choice.move)
                had, got = (solve(job_at(at, algorithm="alphabeta")).info.value.number for at in (position, after))
                assert had is not None
                assert got is not None
                assert had == seen_from_parent(-got), "it wins as soon as can be, and loses as late"
                position = after
            else:
                position = play(position, draw.choice([*each(legal(position))]))
            ours = not ours
        assert utility(position) == 0 or not ours


@pytest.mark.parametrize("text", ["xx./oo./...", "xo./.../...", "xx./o../...", "xx./o../.o."])
def test_it_does_not_play_about_whatever_the_scoring(text: str) -> None:
    """PVS has a record, for other tests have that kernel."""
    position = GAME.notation.parse(text)
    values = naive.move_values(position, soonest=True)
    for algorithm in ("minimax", "alphabeta", "pvs", "mtdf"):
        job = job_at(position, algorithm=algorithm, scoring=Scoring.TEXTBOOK)
        choice = chosen(STRONGEST, replace(job, record=int(algorithm == "pvs")))
        assert values[choice.move] == max(values.values()) == choice.value.number, algorithm


def test_a_simple_strategy_beats_the_beginner_in_most_games() -> None:
    """With these 40 seeds; a child that blocks wins more."""
    ends = [played(None, LEVELS["Beginner"], seed) for seed in range(40)]
    assert ends.count(1) >= 24
    assert ends[:8] == [played(None, LEVELS["Beginner"], seed) for seed in range(8)], "a seed is a game"


def test_each_level_loses_less_to_perfect_play_than_the_one_below() -> None:
    lost = [sum(played(STRONGEST, level, seed) == 1 for seed in range(30)) for level in LEVELS.values()]
    assert lost == sorted(lost, reverse=True)
    assert lost[0] > 20 > lost[-2] >= lost[-1] == 0


@pytest.mark.parametrize("text", ["x../.../...", "xo./.x./...", "xox/.../...", "xxo/oo./x.."])
def test_where_alpha_beta_leaves_bounds_every_root_move_is_made_exact(text: str) -> None:
    position = GAME.notation.parse(text)
    for scoring, depth in product(Scoring, (None, 1, 2, 4)):
        result = exact(solve(job_at(position, Limit(depth), "alphabeta", scoring=scoring)), solve)
        assert result is not None
        assert all(found.value.is_exact for found in result.root_moves), result.job
        values = {found.move: found.value.number for found in result.root_moves}
        assert values == naive.move_values(position, soonest=True, depth=depth or 9), result.job


def test_a_chosen_mistake_is_no_larger_than_the_level_says(reachable: list[Position]) -> None:
    mistakes = 0
    for position in reachable[::25]:
        if is_over(position):
            continue
        values, choice = naive.move_values(position, soonest=True), chosen(CARELESS, job_at(position), 1)
        lost = sign(max(values.values())) - sign(values[choice.move])
        assert lost == (choice.best is not None)
        mistakes += lost
    assert mistakes > 20


@pytest.mark.parametrize("text", ["xox/o../.ox", "xox/.../oox", "xoo/x.x/.o."])
def test_a_level_plays_the_same_whatever_the_algorithm(text: str) -> None:
    """Two moves win at once. Alpha-beta may prune all horizon leaves, of which minimax visits some."""
    position = GAME.notation.parse(text)
    for seed in range(4):
        algorithms = ("minimax", "alphabeta", "mtdf")
        found = {chosen(LEVELS["Casual"], job_at(position, algorithm=name), seed) for name in algorithms}
        assert len(found) == 1


def test_without_a_mistake_it_plays_one_of_the_best_moves() -> None:
    sure = Level("Sure", "somebody", depth=9, chance=1e-9, size=2)
    for seed in range(20):
        assert chosen(sure, job_at(GAME.notation.parse("x../.o./..x")), seed).move in {1, 3, 5, 7}, "the sides draw"


def test_a_win_is_one_in_however_many_plies() -> None:
    assert [*map(sign, (-9, -2, -1, 0, 1, 2, 9))] == [-1, -1, -1, 0, 1, 1, 1]


def test_an_estimate_of_a_margin_is_no_win_and_its_loss_no_mistake() -> None:
    """By discs, an estimate of 2 discs and one of -1 may be the same outcome."""
    othello = game("othello:4,discs")
    job = Job(game=othello.spec, position=othello.notation.format(othello.start))
    moves = tuple(
        RootMove(move, Value(value), 3) for move, value in zip(each(legal(othello.start)), (2, -1, 0, 1), strict=True)
    )
    careless = Level("Careless", "somebody", depth=3, chance=1, size=2)
    for depth, end, is_mistake in ((3, End.HORIZON, False), (3, End.COMPLETE, False), (None, End.COMPLETE, True)):
        info = Snapshot(Counters(), Value(2), moves[0].move, (moves[0].move,), (), (), 0.1)
        result = Result(replace(job, limit=Limit(depth)), info, moves, (), end)
        assert (choose(careless, result, dice(0, job)).best is not None) is is_mistake


def test_what_a_horizon_cut_short_is_not_called_proven() -> None:
    info = Snapshot(Counters(), Value(0), 4, (4,), (), (), 0.1)
    moves = tuple(RootMove(move, Value(0), 3) for move in range(9))
    for depth, end, proven in ((3, End.HORIZON, False), (3, End.COMPLETE, False), (None, End.COMPLETE, True)):
        job = job_at(GAME.start, Limit(depth))
        choice = choose(LEVELS["Club"], Result(job, info, moves, (), end), dice(0, job))
        assert choice.proven is proven
        assert choice.move == 4 or proven, "of moves that only the horizon makes equal the most promising"


def test_a_search_that_was_stopped_leaves_nothing_to_choose_from() -> None:
    job = job_at(GAME.start, Limit(nodes=100_000))
    result = solve(job)
    assert result.end is End.NODES
    choice = answer(LEVELS["Beginner"], result, 0, solve)
    assert choice is not None
    assert choice.move == result.info.best


def test_bounds_are_not_taken_for_values() -> None:
    job = job_at(GAME.notation.parse("x../.../..."), algorithm="alphabeta")
    with pytest.raises(ValueError, match="exact values only"):
        choose(LEVELS["Beginner"], solve(job), dice(0, job))


@pytest.mark.parametrize("spec", ["tictactoe", "mnk:4,4,4", "connect-four", "othello", "ultimate"])
def test_what_is_set_for_analysis_does_not_weaken_a_level(spec: str) -> None:
    asked = job_at(game(spec).start, spec=spec, algorithm="alphabeta", scoring=Scoring.TEXTBOOK)
    for analysis, player in product(WEAKENED, LEVELS.values()):
        found = question(player, replace(asked, **analysis))
        assert found == question(player, asked)
        assert found.limit.depth == player.depth
        if spec == "connect-four" and player is STRONGEST:
            assert found == recommended.recommended(asked.game, asked.position)


def test_a_level_looks_no_deeper_than_it_says_and_as_is_asked() -> None:
    asked = job_at(GAME.start)
    assert question(STRONGEST, asked) == asked
    assert question(LEVELS["Casual"], asked) == replace(asked, limit=Limit(2))


def test_what_a_level_searches_is_what_is_asked_but_for_its_depth() -> None:
    asked = job_at(GAME.start, algorithm="alphabeta", scoring=Scoring.TEXTBOOK)
    for name in LEVELS:
        found = question(LEVELS[name], asked)
        assert (found.scoring, found.evaluate, found.algorithm) == (Scoring.TEXTBOOK, True, "alphabeta")
    assert sees_all(question(STRONGEST, asked))
    assert not sees_all(question(LEVELS["Strong"], asked))


@pytest.mark.parametrize("spec", ["mnk:4,3,3", "mnk:4,4,4", "mnk:5,5,4", "mnk:7,6,4", "mnk:7,7,5", "mnk:8,8,5"])
def test_on_a_large_board_strongest_still_answers_within_seconds(spec: str) -> None:
    start = game(spec).notation.format(game(spec).start)
    for algorithm, backend in product(("minimax", "alphabeta"), ("serial", "threads", "mpi")):
        found = question(STRONGEST, Job(game=spec, position=start, algorithm=algorithm, backend=backend, workers=2))
        prepare(found)
        if sees_all(found):
            assert expected_seconds(found) <= WHOLE_TREE
        else:
            assert (found.limit, found.algorithm, found.backend) == (Limit(nodes=DEEPENED), "pvs", "serial")


# Boards that are too large to search to the end

BATTERY = {
    "wins at once": ("mnk:7,7,5", "......./......./..xxxx./..oo.../..o..../......./...o...", "b3 g3"),
    "blocks where the other would win": ("mnk:7,7,5", "......./......./..ooo.o/..xx.../..x..../......./....x..", "f3"),
    "blocks an open three": ("mnk:7,7,5", "......./......./..xxx../..o..../..o..../......./.......", "a3 b3 f3 g3"),
    "makes its own open three four": ("mnk:7,7,5", "......./......./..ooo../..x.x../..x..../......./.......", "b3 f3"),
    "stays near": ("mnk:7,7,5", "......./......./......./...x.../......./......./.......", "c3 d3 e3 c4 e4 c5 d5 e5"),
    "makes an open three": ("mnk:7,7,5", "......./......./......./..xx.../...o.../......./.......", "a4 b4 e4 f4"),
}
"""A name, a board and the moves that are good."""


@pytest.mark.parametrize("name", BATTERY)
def test_on_a_large_board_strongest_wins_blocks_and_stays_near(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recommended, "DEEPENED", 300_000)
    spec, text, good = BATTERY[name]
    notation = game(spec).notation
    job = job_at(notation.parse(text), spec=spec, scoring=Scoring.TEXTBOOK)
    assert notation.move_name(chosen(STRONGEST, job).move) in good.split(), name


def test_on_a_large_board_strongest_beats_a_random_player(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = "mnk:7,7,5"
    monkeypatch.setattr(recommended, "DEEPENED", 10_000)
    monkeypatch.setattr(recommended, "TABLE", 1.0)  # the pages of a larger one would take longer than the search
    for seed in range(4):
        draw, position, ours = random.Random(seed), game(spec).start, seed % 2 == 0
        while not is_over(position):
            job = job_at(position, algorithm="alphabeta", spec=spec)
            move = chosen(STRONGEST, job).move if ours else draw.choice([*each(legal(position))])
            position, ours = play(position, move), not ours
        assert utility(position) == -1
        assert not ours


def test_on_a_large_board_the_answer_follows_from_the_position(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recommended, "DEEPENED", 100_000)
    spec, text, _ = BATTERY["stays near"]
    job = job_at(game(spec).notation.parse(text), algorithm="alphabeta", spec=spec)
    assert len({chosen(STRONGEST, job, seed) for seed in range(3)}) == 1
    assert not chosen(STRONGEST, job).proven


def test_a_level_that_is_told_to_stop_plays_nothing() -> None:
    for player, text in ((LEVELS["Club"], ".../.../..."), (STRONGEST, "xo./.../...")):
        job = question(player, job_at(GAME.notation.parse(text), algorithm="alphabeta", scoring=Scoring.TEXTBOOK))
        assert answer(player, solve(job), 0, lambda _: None) is None


def test_a_level_is_found_by_its_name_and_an_unknown_one_is_refused() -> None:
    assert level("casual") is LEVELS["Casual"]
    assert level("Perfect") is STRONGEST, "as games of before call it"
    with pytest.raises(JobError, match="choose Beginner, Casual, Club, Strong or Strongest"):
        level("easy")


def test_a_level_draws_anew_in_each_position_and_each_game() -> None:
    empty, answered = Job(position=naive.EMPTY), Job(position=naive.X_ON_A1)
    drawn = [dice(seed, job).random() for seed in (1, 2) for job in (empty, answered)]
    assert len({*drawn}) == 4
    assert drawn[0] == dice(1, empty).random()
