"""The experiment: its runs, their number and order, and the meaning of its figures. No absolute times."""

import csv
import io
from collections import Counter
from itertools import islice

import pytest
from msgspec.structs import replace

from engine.backends import solve
from engine.control import Control
from engine.job import Job, JobError
from engine.measure import speedup as module
from engine.measure.speedup import (
    LEAST_ROUNDS,
    MOST_ROUNDS,
    PRESET,
    Experiment,
    Mode,
    Progress,
    Timing,
    measure,
    modes,
    plan,
    schedule_speedup,
    short_depth,
    spread,
)
from engine.measure.speedup_table import to_csv
from engine.options.catalogue import Limit
from engine.options.choices import Schedule
from engine.registry import game

SMALL = Job(position="xo./.x./...", record=1000)
TWO = modes(2)


def run(job: Job, chosen: tuple[Mode, ...] = TWO, repeats: int | None = None, seconds: float = 1.0) -> Experiment:
    *progress, experiment = measure(job, chosen, Control(), repeats, seconds)
    assert all(isinstance(message, Progress) for message in progress)
    assert isinstance(experiment, Experiment)
    return experiment


@pytest.fixture(scope="module")
def small() -> Experiment:
    return run(SMALL, repeats=7)


def made(serial: list[float], parallel: list[float], start: float = 0.0) -> Experiment:
    """An experiment of one algorithm with given times."""
    timings = (
        Timing(Mode("minimax"), tuple(serial), 100),
        Timing(Mode("minimax", "threads", 2), tuple(parallel), 100),
    )
    return Experiment(SMALL, timings, {"minimax": start})


def test_every_mode_is_both_algorithms_on_each_number_of_threads() -> None:
    assert modes(2, ["minimax"]) == (Mode("minimax"), Mode("minimax", "threads", 1), Mode("minimax", "threads", 2))
    assert Counter(mode.algorithm for mode in modes(4)) == {"minimax": 5, "alphabeta": 5}
    assert [mode.workers for mode in modes(40, ["minimax"])] == [1, 1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 40]


def test_every_round_runs_every_mode_and_none_always_follows_the_same() -> None:
    rounds = list(islice(plan(TWO), 2 * len(TWO)))
    assert all(sorted(order) == sorted(TWO) for order in rounds)
    assert {order[0] for order in rounds} == set(TWO)
    before = {(order[i], order[i - 1]) for order in rounds for i in range(1, len(TWO))}
    assert all(len({left for right, left in before if right == mode}) > 1 for mode in TWO)


def test_runs_are_unrecorded_and_only_the_depth_limits_them() -> None:
    job = Mode("alphabeta", "threads", 2).job(
        Job(position="...", record=9, limit=Limit(depth=3, nodes=5, seconds=1e-3))
    )
    assert (job.algorithm, job.backend, job.workers) == ("alphabeta", "threads", 2)
    assert job.record == 0
    assert (job.limit.depth, job.limit.nodes) == (3, None)


def test_a_measurement_times_every_mode_in_every_round(small: Experiment) -> None:
    assert tuple(timing.mode for timing in small.timings) == TWO
    assert all(len(timing.seconds) == small.rounds == 7 for timing in small.timings)
    assert all(second > 0 for timing in small.timings for second in timing.seconds)
    for timing in small.timings:
        if timing.mode.algorithm == "minimax" or timing.mode.backend == "serial":
            assert timing.nodes == solve(timing.mode.job(SMALL)).info.counters.nodes


def test_progress_tells_of_every_run_after_the_warm_up() -> None:
    progress = [message for message in measure(SMALL, TWO, Control(), 5) if isinstance(message, Progress)]
    timed = [message for message in progress if message.total]
    assert {message.mode for message in progress if not message.total} == set(TWO)
    assert [message.done for message in timed] == list(range(5 * len(TWO)))
    assert {message.total for message in timed} == {5 * len(TWO)}
    assert Counter(message.mode for message in timed) == dict.fromkeys(TWO, 5)


def test_short_rounds_are_repeated_more_often_than_long_ones() -> None:
    assert run(SMALL).rounds == MOST_ROUNDS
    assert run(SMALL, seconds=1e-9).rounds == LEAST_ROUNDS == 5


def test_speedups_are_ratios_to_the_serial_run_of_the_same_round() -> None:
    (speedup,) = made([4.0, 8.0, 4.0], [2.0, 4.0, 1.0]).speedups("minimax", "threads")
    assert speedup.of_medians == 2.0
    assert speedup.paired == (2.0, 2.0, 3.0)
    assert speedup.efficiency == 1.0


def test_a_spread_is_the_median_between_its_quartiles() -> None:
    assert spread([5.0, 1.0, 3.0, 2.0, 4.0]) == (2.0, 3.0, 4.0)
    assert spread([5.0, 1.0, 3.0, 2.0, 4.0]).half == 1.0
    assert spread([7.0]) == (7.0, 7.0, 7.0)


def test_a_search_is_too_small_where_threads_cost_a_twentieth_of_it() -> None:
    assert made([1.0, 1.0], [1.0, 1.0], start=0.051).too_small
    assert not made([1.0, 1.0], [1.0, 1.0], start=0.049).too_small


def test_a_few_nodes_are_too_small_for_threads() -> None:
    nearly_over = run(Job(position="xox/xxo/o.."), repeats=5)
    assert nearly_over.too_small
    assert nearly_over.is_too_small("minimax")
    assert nearly_over.is_too_small("alphabeta")


def test_the_preset_is_a_position_of_play_and_large_enough() -> None:
    chosen = game(PRESET.game)
    position = chosen.notation.parse(PRESET.position)
    assert not chosen.notation.winning_line(position)
    experiment = run(PRESET, modes(2, ["minimax"]), repeats=1)
    assert experiment.timings[0].nodes == 38_458_454  # counted by a C recursion of the same rules
    assert len(experiment.subtrees) == 11
    assert sum(experiment.subtrees) == 38_458_454 - 1  # the root is no task
    assert not experiment.too_small
    assert experiment.tasks_limit(2) == pytest.approx(1.995, abs=0.001)


@pytest.mark.parametrize(
    ("schedule", "busiest"),
    # Two workers: static takes 1 + 2 | 3 + 6, cyclic 1 + 3 | 2 + 6, dynamic 1 + 3 | 2 + 6 as the first is idle first.
    [(Schedule.STATIC, 9), (Schedule.CYCLIC, 8), (Schedule.DYNAMIC, 8)],
)
def test_the_dealing_of_tasks_bounds_the_speedup(schedule: Schedule, busiest: int) -> None:
    assert schedule_speedup([1, 2, 3, 6], schedule, 2) == 12 / busiest
    assert schedule_speedup([1, 2, 3, 6], schedule, 1) == 1
    assert schedule_speedup([1, 2, 3, 6], schedule, 8) == 2


def test_nine_root_tasks_of_the_empty_board_allow_1_87_on_two_workers() -> None:
    # FACTS of the design: subtrees of 59,705 (corners), 63,905 (edges) and 55,505 (centre) nodes.
    corner, edge, centre = 59_705, 63_905, 55_505
    tasks = [corner, edge, corner, edge, centre, edge, corner, edge, corner]
    assert schedule_speedup(tasks, Schedule.DYNAMIC, 2) == pytest.approx(1.87, abs=0.005)


def test_a_stop_drops_the_round_under_way_and_ends_without_figures() -> None:
    control = Control()
    messages = []
    for message in measure(SMALL, TWO, control, 20):
        messages.append(message)
        if isinstance(message, Progress) and message.total and message.done == 8:
            control.stop()
    assert not any(isinstance(message, Experiment) for message in messages)
    assert isinstance(messages[-1], Progress)
    assert messages[-1].done == 8


def test_a_stop_after_enough_rounds_keeps_the_whole_ones() -> None:
    control = Control()
    message = None
    for message in measure(SMALL, TWO, control, 20):
        if isinstance(message, Progress) and message.total and message.done == 6 * len(TWO) + 3:
            control.stop()
    assert isinstance(message, Experiment)
    assert message.rounds == 6


def test_a_stopped_control_measures_nothing() -> None:
    control = Control()
    control.stop()
    assert not any(isinstance(message, Experiment) for message in measure(SMALL, TWO, control))


def test_a_position_that_takes_too_long_is_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.measure.speedup.LONGEST_RUN", 0.01)
    with pytest.raises(JobError, match="too large to measure: Minimax"):
        list(measure(PRESET, TWO, Control()))


def test_a_depth_that_is_short_enough_is_offered() -> None:
    """16 moves: 16^6 are 17 million positions, 16^7 268 million."""
    assert short_depth(Job(game="mnk:4,4,4", position="..../..../..../....")) == 6
    assert short_depth(Job(game="mnk:8,8,5", position="/".join(["." * 8] * 8))) == 4
    assert short_depth(Job(position="xo./ox./xo.")) > 3


def test_no_modes_are_refused_with_a_sentence() -> None:
    with pytest.raises(JobError, match="at least one mode"):
        list(measure(SMALL, (), Control()))


def test_the_table_holds_every_run_and_its_figures(small: Experiment) -> None:
    table = list(csv.DictReader(io.StringIO(to_csv(small))))
    assert len(table) == len(TWO)
    for row, timing in zip(table, small.timings, strict=True):
        assert (row["algorithm"], row["backend"], int(row["workers"])) == timing.mode
        assert row["position"] == SMALL.position
        assert int(row["nodes"]) == timing.nodes
        assert [float(row[f"run_{number}_s"]) for number in range(1, 8)] == list(timing.seconds)
        spread = row["lower_quartile_s"], row["median_s"], row["upper_quartile_s"]
        assert tuple(map(float, spread)) == timing.spread
        assert bool(row["speedup"]) == (timing.mode.backend != "serial")
    assert float(table[-1]["tasks_limit"] or 0) == 0, "alpha-beta's tasks depend on each other"
    (two,) = [row for row in table if row["algorithm"] == "minimax" and row["workers"] == "2"]
    assert float(two["speedup"]) == small.speedups("minimax", "threads")[-1].paired.median
    assert float(two["tasks_limit"]) == small.tasks_limit(2)


def test_the_table_has_every_speedup_that_a_chart_draws() -> None:
    ranks = tuple(Timing(Mode("minimax", "mpi", number), (1.0, 2.0), 100) for number in (1, 2))
    experiment = replace(made([2.0, 4.0], [1.0, 2.0]), timings=(*made([2.0, 4.0], [1.0, 2.0]).timings, *ranks))
    rows = list(csv.DictReader(io.StringIO(to_csv(experiment))))
    assert [(row["backend"], row["speedup"]) for row in rows] == [
        *(("serial", ""), ("threads", "2.0"), ("mpi", "2.0"), ("mpi", "2.0"))
    ]


def test_the_cost_of_starting_is_the_least_that_was_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else the machine does only adds to it."""
    times = iter([0.3, 0.1, 0.4, *[0.5] * module.START_RUNS])
    ran = solve(SMALL)
    monkeypatch.setattr(module, "_run", lambda *_: replace(ran, info=replace(ran.info, seconds=next(times))))
    assert module._start_cost(SMALL, Mode("minimax", "threads", 2), Control()) == 0.1
