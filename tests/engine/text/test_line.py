"""A principal variation says whether it goes on."""

import pytest

from engine import backends, registry
from engine.job import Job
from engine.options.catalogue import Limit
from engine.rules.contract import is_over, play
from engine.text.line import line_in_words


@pytest.mark.parametrize(
    ("job", "goes"),
    [
        (Job(position=".../.../...", algorithm="alphabeta"), False),
        (Job(position="xo./.x./..."), False),
        (Job(position=".../.../...", algorithm="alphabeta", limit=Limit(depth=3)), False),
        (
            Job(position="4", game="connect-four:7,6", deepen=True, backend="interpreted", limit=Limit(nodes=2_000)),
            True,
        ),
    ],
)
def test_a_line_goes_on_where_the_search_has_looked_farther(job: Job, goes: bool) -> None:
    game, result = registry.game(job.game), backends.solve(job)
    position = game.notation.parse(job.position)
    names = line_in_words(game, position, result.info.pv, result.info.value_depth).split()
    assert names[: len(result.info.pv)] == [game.notation.move_name(move) for move in result.info.pv]
    assert (names[-1] == "…") == goes
    for move in result.info.pv:
        position = play(position, move)
    assert goes == (len(result.info.pv) < (result.info.value_depth or 0) and not is_over(position))
