"""Games and algorithms are found by their files, and what is not there is refused with the choices."""

from pathlib import Path
from typing import Any

import pytest

import engine.games
import engine.search
from engine.algorithm import advance
from engine.game import RULES, UNIT, Game
from engine.job import Job, JobError, Limit, Scoring
from engine.registry import BACKENDS, algorithm, algorithms, game, games, prepare
from tests.engine.naive import EMPTY


def files(package: Any) -> set[str]:
    return {file.stem for file in Path(package.__path__[0]).glob("*.py")} - {"__init__"}


def test_every_file_is_a_game() -> None:
    assert {module.__name__.rpartition(".")[2] for module in games().values()} == files(engine.games)
    assert all(isinstance(module.game(module.SIZES), Game) for module in games().values())


def test_every_file_is_an_algorithm_simplest_first() -> None:
    assert set(algorithms()) == files(engine.search)
    ranks = [found.rank for found in algorithms().values()]
    assert ranks == sorted(set(ranks))


@pytest.mark.parametrize("name", games())
def test_a_game_gives_every_rule(name: str) -> None:
    start = games()[name].game(games()[name].SIZES).start
    assert all(rule.dispatch(type(start)) is not rule.dispatch(object) for rule in RULES)


@pytest.mark.parametrize("name", algorithms())
def test_an_algorithm_has_a_kernel(name: str) -> None:
    search = algorithm(name).options(*prepare(Job(position=EMPTY)).search)
    assert advance.dispatch(type(search)) is not advance.dispatch(object)


def test_a_game_is_named_by_its_spec() -> None:
    for spec in ("tictactoe", "mnk:4,4,4", "mnk:64,1,3"):
        assert game(spec).spec == spec
        assert game(spec) is game(spec)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"game": "chess"}, "There is no game 'chess': choose one of mnk, tictactoe."),
        ({"algorithm": "guess"}, "There is no algorithm 'guess': choose one of minimax, alphabeta, pvs, mtdf."),
        ({"backend": "cloud"}, f"There is no backend 'cloud': choose one of {', '.join(BACKENDS)}."),
        ({"workers": 0}, "The search cannot run: workers must be at least 1."),
    ],
    ids=str,
)
def test_what_is_not_there_is_refused_with_the_choices(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(JobError) as refused:
        prepare(Job(**({"position": EMPTY} | fields)))
    assert str(refused.value) == reason


def test_a_position_of_another_game_is_refused() -> None:
    with pytest.raises(JobError, match="give 4 rows of 4 squares"):
        prepare(Job(game="mnk:4,4,4", position=EMPTY))


def test_a_job_is_prepared_with_its_options() -> None:
    found = prepare(Job(position="xo./.../...", algorithm="alphabeta", scoring=Scoring.SOONEST, limit=Limit(depth=3)))
    assert found.game is game("tictactoe")
    assert found.position == game("tictactoe").notation.parse("xo./.../...")
    assert (found.search.sooner, found.search.horizon, found.search.limited, found.unit) == (UNIT, 3, 1, UNIT)
    whole = prepare(Job(position=EMPTY))
    assert (whole.search.sooner, whole.search.horizon, whole.search.limited, whole.unit) == (0, 9, None, 1)
