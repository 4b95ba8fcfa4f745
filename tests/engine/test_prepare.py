"""Jobs are prepared, or refused with one sentence."""

import pytest

from engine.job import Job, JobError
from engine.options.catalogue import Limit
from engine.options.choices import Parallel, Scoring
from engine.prepare import prepare, split_of
from engine.registry import game
from engine.rules.contract import UNIT, WIN
from tests.engine.naive import EMPTY


def test_root_moves_are_shared_as_they_are_and_tasks_as_deep_as_asked() -> None:
    plies = {
        parallel: split_of(Job(position=EMPTY, backend="threads", parallel=parallel, split=3)) for parallel in Parallel
    }
    assert plies[Parallel.ROOT] == 1
    assert plies[Parallel.SPLIT] == 3


def test_a_position_of_another_game_is_refused() -> None:
    with pytest.raises(JobError, match="a board of 4 × 4"):
        prepare(Job(game="mnk:4,4,4", position=EMPTY))


def test_a_job_is_prepared_with_its_options() -> None:
    found = prepare(Job(position="xo./.../...", algorithm="alphabeta", scoring=Scoring.SOONEST, limit=Limit(depth=3)))
    assert found.game is game("tictactoe")
    assert found.position == game("tictactoe").notation.parse("xo./.../...")
    assert (found.search.sooner, found.search.horizon, found.search.limited, found.unit) == (UNIT, 3, 0, UNIT)
    assert found.search.win == UNIT * (WIN - 3)
    assert found.to(2).search.win == UNIT * (WIN - 2)
    whole = prepare(Job(position=EMPTY))
    assert (whole.search.sooner, whole.search.horizon, whole.search.limited, whole.unit) == (0, 9, None, 1)
