"""The review names the last move that changed the outcome of a game, or is empty."""

import random

import pytest

from engine.backends import solve
from engine.job import Job
from engine.play import review as module
from engine.play.levels import LEVELS, Choice, sign
from engine.play.review import Review, in_words, review
from engine.registry import game
from engine.result import Result
from engine.rules.bits import each
from engine.rules.contract import is_over, legal, play
from tests.engine import naive

GAME = game("tictactoe")
DRAWN = 0, 4, 1, 2, 6, 3, 5, 8, 7
"""Without a mistake."""


def words(*names: str, start: str = naive.EMPTY, chosen: dict[int, Choice] | None = None) -> str:
    root, squares = GAME.notation.parse(start), [GAME.notation.move_name(square) for square in range(9)]
    moves = [squares.index(name) for name in names]
    return in_words(GAME, root, moves, review(GAME, root, moves, solve), chosen or {})


def test_who_gave_the_game_away_and_what_would_have_held_it() -> None:
    assert words("a1", "b1", "b2", "c1", "c3") == "O's 1st move, b1, lost the game: b2 would have drawn."


def test_a_win_that_was_let_go() -> None:
    said = words("a1", "b1", "c1", "b2", "b3", "a2", "c2", "c3", "a3")
    assert said == "X's 2nd move, c1, missed a win: a2 would have won."


def test_moves_are_numbered_in_words() -> None:
    numbers = 1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 111
    words = "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "23rd", "111th"
    assert tuple(map(str, map(module._ordinal, numbers))) == words


def test_its_searches_together_visit_no_more_than_they_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "NODES", 10_000)
    limits, visited = list[int](), [0]

    def counted(job: Job) -> Result:
        result = solve(job)
        limits.append(job.limit.nodes or 0)
        visited.append(result.info.counters.nodes)
        return result

    review(GAME, GAME.start, DRAWN, counted)
    assert len(limits) > 5
    assert limits == [max(1, 10_000 - sum(visited[: place + 1])) for place in range(len(limits))]


def test_a_draw_without_a_mistake_and_a_win_that_was_there_all_along() -> None:
    said = words("a1", "b2", "b1", "c1", "a3", "a2", "c2", "c3", "b3")
    assert said == "No move changed the outcome: it was a draw all along."
    said = words("c3", start="xo./.xo/...")
    assert said == "No move changed the outcome: X was winning all along."


def test_a_mistake_on_purpose_is_owned_up_to() -> None:
    casual = LEVELS["Casual"]
    chosen = {1: Choice(casual, 1, 4)}
    assert words("a1", "b1", "b2", "c1", "c3", chosen=chosen) == (
        "Like a casual player, O chose a mistake: the 1st move, b1, lost the game: b2 would have drawn."
    )
    chosen = {3: Choice(casual, 2, 8, proven=False)}
    assert words("a1", "b1", "b2", "c1", "c3", chosen=chosen).endswith(
        "Like a casual player, O played c1 (c3 looked better) on purpose."
    )


def test_of_many_mistakes_on_purpose_three_are_named() -> None:
    moves = (0, 1, 2, 4, 3, 5, 7, 6, 8)
    chosen = {ply: Choice(LEVELS["Beginner"], moves[ply], moves[8 - ply]) for ply in range(9)}
    assert in_words(GAME, GAME.start, moves, None, chosen) == (
        "Like a beginner, X played a1 (c3 was better), c1 (b3 was better), a2 (a2 was better) and 2 more on purpose. "
        "Like a beginner, O played b1 (a3 was better), b2 (c2 was better), c2 (b2 was better) and 1 more on purpose."
    )


def test_each_mistake_on_purpose_has_its_better_move() -> None:
    casual, moves = LEVELS["Casual"], (0, 1, 4, 3, 8)
    chosen = {1: Choice(casual, 1, 2), 3: Choice(casual, 3, 2, proven=False)}
    assert in_words(GAME, GAME.start, moves, None, chosen) == (
        "Like a casual player, O played b1 (c1 was better) and a2 (c1 looked better) on purpose."
    )


def test_what_takes_too_many_nodes_is_not_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "NODES", 500)
    assert words("a1", "b2", "b1", "c1", "a3", "a2", "c2", "c3", "b3") == ""
    assert review(GAME, GAME.start, (0, 1, 4, 2, 8), lambda _: None) is None, "told to stop"


@pytest.mark.parametrize("seed", range(12))
def test_it_is_what_exhaustive_recursion_says(seed: int) -> None:
    draw, positions, moves = random.Random(seed), [GAME.start], []
    while not is_over(positions[-1]):
        moves.append(draw.choice([*each(legal(positions[-1]))]))
        positions.append(play(positions[-1], moves[-1]))
    values = [sign(naive.value(position)) for position in positions]
    changes = [ply for ply in range(len(moves)) if values[ply] != -values[ply + 1]]
    found = review(GAME, GAME.start, moves, solve)
    assert found is not None
    assert found == Review(None) if not changes else found.mistake is not None
    if found.mistake is not None:
        ply = changes[-1]
        best = naive.move_values(positions[ply])[found.mistake.best]
        assert (found.mistake.ply, found.mistake.had, found.mistake.got) == (ply, values[ply], -values[ply + 1])
        assert best == values[ply]
