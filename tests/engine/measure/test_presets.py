"""The positions that are offered for a measurement."""

import pytest
from msgspec.structs import replace

from engine import registry
from engine.backends import solve
from engine.job import Job
from engine.measure.presets import LARGE, PRESETS, SMALL, Preset
from engine.measure.speedup import (
    CALL_SECONDS,
    LAUNCH_SECONDS,
    MOST_ROUNDS,
    START_RUNS,
    expected_duration,
    modes,
)


def test_every_game_has_a_position_too_small_for_threads() -> None:
    small = {registry.game(preset.job.game).spec.partition(":")[0] for preset in PRESETS if preset.size is SMALL}
    assert small == set(registry.games())
    large = {registry.game(preset.job.game).spec.partition(":")[0] for preset in PRESETS if preset.size is LARGE}
    assert large == small - {"tictactoe"}, "it is small however it is searched"


@pytest.mark.parametrize("preset", [one for one in PRESETS if one.nodes < 10_000], ids=lambda one: one.job.game)
def test_a_preset_has_as_many_nodes_as_it_says(preset: Preset) -> None:
    """Interpreted: it visits the same nodes."""
    assert solve(replace(preset.job, backend="interpreted")).info.counters.nodes == preset.nodes


def test_the_expected_duration_grows_with_rounds_and_shrinks_with_cores() -> None:
    job, chosen = PRESETS[-1].job, modes(4)
    one = expected_duration(job, chosen, cores=1, repeats=1)
    assert expected_duration(job, chosen, cores=1, repeats=7) == pytest.approx(4 * one, rel=0.05)
    assert expected_duration(job, chosen, cores=4, repeats=1) < one
    known = expected_duration(job, modes(2, ["minimax"]), 2, 1, seconds=3.0)
    starts = START_RUNS + 1
    assert known == pytest.approx(2 * (3 + 3 + 1.5) + CALL_SECONDS * (2 * 3 + starts))
    weak = expected_duration(job, modes(2, ["minimax"]), 2, 9, weak=True)
    assert weak == pytest.approx(0.5 * 3 * 10 + CALL_SECONDS * (3 * 10 + starts + 8))
    both = expected_duration(job, modes(2), 2, 1, seconds=3.0)
    assert known < both < 1.1 * known, "alpha-beta takes a small part of minimax's time"
    tiny = Job(position="xo./.x./..o")
    assert expected_duration(tiny, modes(2), 2) > CALL_SECONDS * 6 * MOST_ROUNDS, "calls take longer than the search"
    ranks = modes(2, ["minimax"], ranks=(1, 2))
    assert (
        expected_duration(job, ranks, 2, 9) > expected_duration(job, modes(2, ["minimax"]), 2, 9) + 20 * LAUNCH_SECONDS
    )
