"""The positions that are offered for a measurement."""

import pytest

from engine import registry
from engine.backends import solve
from engine.measure.presets import LARGE, PRESETS, SMALL, Preset
from engine.measure.speedup import LAUNCH_SECONDS, expected_duration, modes


def test_every_game_has_a_position_too_small_for_threads() -> None:
    small = {registry.game(preset.job.game).spec.partition(":")[0] for preset in PRESETS if preset.size is SMALL}
    assert small == set(registry.games())
    large = {registry.game(preset.job.game).spec.partition(":")[0] for preset in PRESETS if preset.size is LARGE}
    assert large == small - {"tictactoe"}, "it is small however it is searched"


@pytest.mark.parametrize("preset", [one for one in PRESETS if one.nodes < 10_000], ids=lambda one: one.job.game)
def test_a_preset_has_as_many_nodes_as_it_says(preset: Preset) -> None:
    assert solve(preset.job).info.counters.nodes == preset.nodes


def test_the_expected_duration_grows_with_rounds_and_shrinks_with_cores() -> None:
    job, chosen = PRESETS[-1].job, modes(4)
    one = expected_duration(job, chosen, cores=1, repeats=1)
    assert expected_duration(job, chosen, cores=1, repeats=7) == pytest.approx(4 * one)
    assert expected_duration(job, chosen, cores=4, repeats=1) < one
    known = expected_duration(job, modes(2, ["minimax"]), 2, 1, seconds=3.0)
    assert known == pytest.approx(2 * (3 + 3 + 1.5))
    assert expected_duration(job, modes(2, ["minimax"]), 2, 9, weak=True) == pytest.approx(0.5 * 3 * 10)
    ranks = modes(2, ["minimax"], ranks=(1, 2))
    assert (
        expected_duration(job, ranks, 2, 9) > expected_duration(job, modes(2, ["minimax"]), 2, 9) + 20 * LAUNCH_SECONDS
    )
