"""The experiment: its runs, their number and order, and the meaning of its figures. No absolute times."""

import csv
import io
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.backends import solve
from engine.control import Control
from engine.job import Job, JobError
from engine.measure import speedup as module
from engine.measure import speedup_files
from engine.measure.breakdown import breakdown, parts
from engine.measure.comparison import difference, machine_name
from engine.measure.experiment import LEAST_ROUNDS, Experiment, Mode, Run, Timing
from engine.measure.machine import Machine
from engine.measure.speedup import MOST_ROUNDS, PRESET, WEAK_PRESET, Progress, measure, modes, plan, short_depth
from engine.measure.speedup_files import from_json, to_csv, to_json
from engine.measure.verdict import doubt, too_short
from engine.options.catalogue import Limit
from engine.registry import game
from engine.text.speedup_report import to_markdown

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
    """An experiment of one algorithm with given times, each on a core of its own."""
    timings = (
        Timing(Mode("minimax"), tuple(Run(time, time, 100, time) for time in serial)),
        Timing(Mode("minimax", "threads", 2), tuple(Run(time, time, 100, 2 * time) for time in parallel)),
    )
    return Experiment(SMALL, timings, {"minimax": start})


def test_every_mode_is_both_algorithms_on_each_number_of_threads() -> None:
    assert modes(2, ["minimax"]) == (Mode("minimax"), Mode("minimax", "threads", 1), Mode("minimax", "threads", 2))
    assert Counter(mode.algorithm for mode in modes(4)) == {"minimax": 5, "alphabeta": 5}
    hybrid = [mode.label for mode in modes(1, ["minimax"], ranks=(1, 2), threads=3, most=4)]
    assert hybrid == ["serial", "1 thread", "1 rank", "2 ranks", "1 × 2 threads", "2 × 2 threads", "1 × 3 threads"]
    assert [mode.workers for mode in modes(40, ["minimax"])] == [1, 1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 40]


def test_every_round_runs_every_mode_and_none_always_follows_the_same() -> None:
    rounds = list(islice(plan(TWO, seed=1), 100))
    assert all(sorted(order) == sorted(TWO) for order in rounds)
    assert {order[0] for order in rounds} == set(TWO)
    before = {(order[i], order[i - 1]) for order in rounds for i in range(1, len(TWO))}
    assert all(len({left for right, left in before if right == mode}) > 1 for mode in TWO)
    assert rounds == list(islice(plan(TWO, seed=1), 100)) != list(islice(plan(TWO, seed=2), 100))


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
    assert all(message.left is not None and message.left > 0 for message in timed[len(TWO) :])
    assert Counter(message.mode for message in timed) == dict.fromkeys(TWO, 5)


def test_short_rounds_are_repeated_more_often_than_long_ones() -> None:
    assert run(SMALL, seconds=600).rounds == MOST_ROUNDS
    assert run(SMALL, seconds=1e-9).rounds == LEAST_ROUNDS == 5


def test_speedups_are_ratios_to_the_serial_run_of_the_same_round() -> None:
    (speedup,) = made([4.0, 8.0, 4.0], [2.0, 4.0, 1.0]).speedups("minimax", "threads")
    assert speedup.ratios == (2.0, 2.0, 4.0)
    assert speedup.paired == (2.0, 2.0, 4.0)
    assert speedup.efficiency == (1.0, 1.0, 2.0)
    assert speedup.serial_fraction == (-0.5, 0.0, 0.0)


def test_scaled_speedups_are_ratios_of_rates_and_follow_gustafsons_law() -> None:
    """Two workers visit 1.8 times as many nodes in the same time: p - f (p - 1) with f = 0.2."""
    serial = Timing(Mode("minimax"), (Run(1.0, 1.0, 100, cpu=1.0),) * 3)
    double = Timing(Mode("minimax", "threads", 2), (Run(1.0, 1.0, 180, cpu=1.9), Run(1.1, 1.1, 198, cpu=1.9)) * 2)
    experiment = Experiment(SMALL, (serial, replace(double, runs=double.runs[:3])), {}, fixed_time=1.0)
    (speedup,) = experiment.speedups("minimax", "threads")
    assert speedup.paired == pytest.approx((1.8, 1.8, 1.8))
    assert speedup.serial_fraction == pytest.approx((0.2, 0.2, 0.2))
    assert experiment.gustafson("minimax", "threads") == pytest.approx((0.2, 0.2, 0.2))
    assert experiment.amdahl("minimax", "threads") is None
    found = breakdown(experiment, speedup.mode)
    assert (found.useful, found.overhead, found.slower) == (pytest.approx(1.8), 0.0, pytest.approx(0.1))
    assert found.total == pytest.approx(2.0)


def test_weak_scaling_gives_every_run_the_same_time() -> None:
    job = replace(WEAK_PRESET, limit=Limit(depth=15))  # the kernels of other tests
    *_, experiment = measure(job, modes(2, ["minimax"]), Control(), repeats=1, fixed_time=0.05)
    assert isinstance(experiment, Experiment)
    assert experiment.fixed_time == 0.05
    assert all(run.seconds >= 0.05 and run.nodes > 0 for timing in experiment.timings for run in timing.runs)
    assert experiment.predicted("minimax", 2) is None, "the tasks are not done"
    assert from_json(to_json(experiment)) == experiment
    for job, algorithm, why in ((SMALL, "minimax", "too small for weak scaling"), (WEAK_PRESET, "alphabeta", "prune")):
        with pytest.raises(JobError, match=why):
            list(measure(job, modes(2, [algorithm]), Control(), repeats=1, fixed_time=0.5))


def test_workers_of_ranks_with_threads_are_counted_by_threads() -> None:
    hybrid = Mode("minimax", "mpi", 2, threads=3)
    assert (hybrid.all_workers, hybrid.label) == (6, "2 × 3 threads")
    assert (hybrid.job(SMALL).workers, hybrid.job(SMALL).threads) == (2, 3)


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
    tasks = experiment.subtrees["minimax"]
    assert len(tasks) == 11
    assert sum(tasks) == 38_458_454 - 1  # the root is no task
    assert not experiment.too_small
    assert experiment.tasks_limit(2) == pytest.approx(1.995, abs=0.001)


def test_a_prediction_needs_no_measurement_on_one_thread(small: Experiment) -> None:
    chosen = [mode for mode in modes(2) if (mode.backend, mode.workers) != ("threads", 1)]
    *_, experiment = measure(SMALL, chosen, Control(), repeats=1)
    assert isinstance(experiment, Experiment)
    assert experiment.subtrees == small.subtrees
    assert [timing.mode for timing in experiment.timings] == chosen
    assert experiment.predicted("minimax", 2) is not None


def test_minimax_is_predicted_from_its_tasks_alpha_beta_within_a_range(small: Experiment) -> None:
    tasks = small.subtrees["minimax"]
    assert sum(tasks) + 1 == small.serial("minimax").nodes
    small = replace(small, start={})
    best = small.predicted("minimax", 2)
    assert best == pytest.approx(sum(tasks) / max(sum(tasks) / 2, max(tasks)), rel=0.2)
    assert replace(small, start={"minimax": 1.0}).predicted("minimax", 2) < 0.01, "a start of a second"
    assert len(small.unshared["alphabeta"]) == len(tasks)
    assert sum(small.unshared["alphabeta"]) >= sum(small.subtrees["alphabeta"]), "bounds save nodes"
    most, least = (small.predicted("alphabeta", 2, shares_bounds=shares) for shares in (True, False))
    assert most >= least


@pytest.mark.parametrize(
    ("serial", "parallel", "changed", "why"),
    [
        ([2.0] * 5, [1.0] * 5, {}, None),
        ([2.0] * 4, [1.0] * 4, {}, "4 runs are too few"),
        ([2.0] * 5, [1.0] * 5, {"start": {"minimax": 1.0}}, "the search is too small for threads"),
        ([2.0] * 5, [1.0] * 5, {"machine": Machine(1)}, "2 workers on one core"),
        ([2.0] * 5, [1.0] * 5, {"machine": Machine(1, hosts="a,b")}, "2 workers on one core"),
        ([2.0] * 5, [1.7, 1.8, 1.9, 2.0, 2.4], {}, "the interval, 0.83× to 1.18×, is wider than the effect"),
    ],
)
def test_a_speedup_is_stated_only_where_it_says_something(
    serial: list[float], parallel: list[float], changed: dict[str, object], why: str | None
) -> None:
    experiment = replace(made(serial, parallel), **changed)
    (speedup,) = experiment.speedups("minimax", "threads")
    assert doubt(experiment, speedup) == why


OTHERS = "other processes, mpiexec and this program maybe among them,"


@pytest.mark.parametrize(
    ("busy", "words"),
    [
        (Mode("minimax"), "another program used 0.30 of the core of the serial search"),
        (Mode("minimax", "threads", 1), "another program used 0.30 of the core"),
        (Mode("minimax", "threads", 2), "another program used 0.30 of the 2 cores"),
        (Mode("minimax", "mpi", 1), f"{OTHERS} used 0.30 of the core"),
        (Mode("minimax", "mpi", 2), f"{OTHERS} used 0.30 of the 2 cores"),
    ],
)
def test_no_verdict_where_another_program_used_the_cores(busy: Mode, words: str) -> None:
    serial, threads = made([2.0] * 5, [1.0] * 5).timings
    parallel = replace(threads, mode=busy if busy.backend != "serial" else threads.mode)
    timings = tuple(
        replace(one, runs=tuple(replace(run, kept_waiting=0.3 * run.seconds) for run in one.runs))
        if one.mode == busy
        else one
        for one in (serial, parallel)
    )
    experiment = Experiment(SMALL, timings, {})
    assert doubt(experiment, experiment.speedups("minimax", parallel.mode.backend)[0]) == words


def test_the_speedup_of_one_worker_is_doubted_on_a_busy_machine_only() -> None:
    """Its interval may be wider than its effect, for it is to have none."""
    quiet = made([2.0] * 5, [1.8, 1.9, 2.0, 2.1, 2.2])
    serial, one = quiet.timings[0], replace(quiet.timings[1], mode=Mode("minimax", "threads", 1))
    alone = replace(quiet, timings=(serial, one))
    assert doubt(alone, alone.speedups("minimax", "threads")[0]) is None
    taken = tuple(replace(run, kept_waiting=0.3 * run.seconds) for run in serial.runs)
    busy = replace(alone, timings=(replace(serial, runs=taken), one))
    words = "another program used 0.30 of the core of the serial search"
    assert doubt(busy, busy.speedups("minimax", "threads")[0]) == words
    assert f"- Minimax on 1 thread: no verdict, for {words}" in to_markdown(busy)
    assert "Minimax on 1 thread" not in to_markdown(alone)


def test_a_search_is_too_short_where_start_up_takes_half_of_the_time() -> None:
    """The ranks of a search of 1 s answer after 2 s, and after 1.9 s."""
    quiet = made([2.0] * 5, [1.0] * 5)
    serial, threads = quiet.timings

    def ranks(waited: float) -> Experiment:
        runs = tuple(replace(run, waited=waited) for run in threads.runs)
        return replace(quiet, timings=(serial, threads, Timing(Mode("minimax", "mpi", 2), runs)))

    words = "Minimax, 2 ranks: start-up takes 50 % of the time from call to answer, so the search is too short"
    assert str(too_short(ranks(2.0))).startswith(words)
    assert f"- {words}" in to_markdown(ranks(2.0))
    assert "takes > 99 % of the time" in str(too_short(ranks(300.0))), "100 would be all of it"
    assert too_short(ranks(1.9)) is None
    assert too_short(quiet) is None
    assert too_short(replace(ranks(2.0), fixed_time=1.0)) is None, "every search is as short"


def test_the_parts_of_a_run_add_up_to_all_time_of_its_workers(small: Experiment) -> None:
    for timing in small.timings:
        found = breakdown(small, timing.mode)
        run = sorted(timing.runs, key=lambda run: run.seconds)[len(timing.runs) // 2]
        assert found.total == pytest.approx(timing.mode.all_workers * run.waited)
        assert all(getattr(found, name) >= 0 for name in found.__struct_fields__)
    # 2 workers, 10 s: 12 s of 20 searched, serial needs 9 s; a tenth more nodes; the rest was slower.
    run = Run(10.0, 11.0, nodes=110, cpu=12.0, kept_waiting=2.0, idle_at_end=5.0)
    made_of = parts(run, 2, serial_nodes=100, serial_cpu=9.0)
    assert (made_of.useful, made_of.overhead, made_of.slower) == (9.0, pytest.approx(0.9), pytest.approx(2.1))
    assert (made_of.taken, made_of.unbalanced, made_of.waiting, made_of.start) == (2.0, 5.0, 1.0, 2.0)


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
    monkeypatch.setattr("engine.measure.experiment.LONGEST_RUN", 0.01)
    with pytest.raises(JobError, match="too large to measure: Minimax"):
        list(measure(PRESET, TWO, Control()))


def test_a_position_that_surely_takes_too_long_is_refused_before_it_is_searched() -> None:
    start = "......../......../......../...ox.../...xo.../......../......../........ x"
    large = Job(game="othello:8", position=start)
    with pytest.raises(JobError, match="too large to measure: Minimax"):
        next(measure(large, [Mode("alphabeta"), Mode("minimax", "threads", 8)], Control()))
    assert isinstance(next(measure(large, [Mode("alphabeta")], Control())), Progress), "it may prune more than thought"
    short = replace(large, limit=Limit(depth=3))
    assert isinstance(next(measure(short, [Mode("minimax")], Control())), Progress)


def test_a_depth_that_is_short_enough_is_offered() -> None:
    """16 moves: 16^6 are 17 million positions, 16^7 268 million."""
    assert short_depth(Job(game="mnk:4,4,4", position="..../..../..../....")) == 6
    assert short_depth(Job(game="mnk:8,8,5", position="/".join(["." * 8] * 8))) == 4
    assert short_depth(Job(position="xo./ox./xo.")) > 3


def test_no_modes_are_refused_with_a_sentence() -> None:
    with pytest.raises(JobError, match="at least one mode"):
        list(measure(SMALL, (), Control()))


def test_the_table_has_a_row_for_every_run_with_the_figures_of_its_mode(small: Experiment) -> None:
    table = list(csv.DictReader(io.StringIO(to_csv(small))))
    assert len(table) == len(TWO) * small.rounds
    for place, row in enumerate(table):
        timing, number = small.timings[place // small.rounds], place % small.rounds
        assert (row["algorithm"], row["backend"], int(row["workers"]), int(row["threads_per_rank"])) == timing.mode
        assert (row["position"], int(row["round"])) == (SMALL.position, number + 1)
        assert float(row["seconds"]) == timing.runs[number].seconds
        assert float(row["waited_s"]) == timing.runs[number].waited >= timing.runs[number].seconds
        interval = row["median_lower_s"], row["median_s"], row["median_upper_s"]
        assert tuple(map(float, interval)) == timing.time
        assert bool(row["speedup"]) == (timing.mode.backend != "serial")
    speedups = {speedup.mode: speedup for speedup in small.all_speedups()}
    assert float(table[-1]["speedup"]) == speedups[TWO[-1]].paired.value
    assert float(table[-1]["predicted_speedup"]) == small.predicted("alphabeta", 2)


def test_a_measurement_is_saved_and_read_again(small: Experiment) -> None:
    assert from_json(to_json(small)) == small
    runs = small.timings[0].runs
    for text, why in (
        ("{}", "job is missing"),
        ("nothing", "not a measurement"),
        (to_json(replace(small, timings=())), "as many runs of each mode"),
        (to_json(replace(small, timings=small.timings[:1] * 2)), "the same mode twice"),
        (to_json(replace(small, compared=replace(small, timings=()))), "as many runs of each mode"),
        (to_json(replace(small, job=replace(small.job, game="chess"))), "no game 'chess'"),
        (to_json(replace(small, job=replace(small.job, position="x"))), "x"),
        (to_json(replace(small, timings=(Timing(Mode("maximin"), runs),))), "no algorithm maximin"),
        (to_json(replace(small, timings=(Timing(Mode("minimax"), (Run(-1.0, 1.0, 1),)),))), "seconds must be"),
        (to_json(replace(small, timings=(Timing(Mode("minimax", "threads", 10**9), runs),))), "must be"),
        (to_json(replace(small, timings=(Timing(Mode("minimax", "mpi", 999, 999), runs),))), "998001 workers"),
        (to_json(replace(small, start={"maximin": 0.0})), "no algorithm maximin"),
        (to_json(replace(small, subtrees={"maximin": (1, 2)})), "no algorithm maximin"),
        (to_json(replace(small, unshared={"maximin": (1, 2)})), "no algorithm maximin"),
        (to_json(replace(small, subtrees={"minimax": (10**400,)})), "must be"),
        (to_json(replace(small, subtrees={"minimax": (-1, 2)})), "must be"),
        (to_json(replace(small, timings=(Timing(Mode("minimax"), (Run(1.0, 1.0, 10**400),)),))), "nodes must be"),
        (to_json(small)[:-100], "not a measurement"),
    ):
        with pytest.raises(JobError, match=why):
            from_json(text)


def test_a_file_that_holds_no_measurement_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speedup_files, "MAX_BYTES", 10)
    (tmp_path / "large.json").write_bytes(b" " * 11)
    for name, why in (("large.json", "large.json is too large"), ("gone.json", "gone.json could not be opened: No")):
        with pytest.raises(JobError, match=why):
            speedup_files.read(tmp_path / name)


def test_what_sets_two_measurements_apart_is_one_sentence(small: Experiment) -> None:
    assert difference(small, small) is None
    job = small.job
    for other, why in (
        (replace(small, job=replace(job, position="")), "another position"),
        (replace(small, job=replace(job, limit=Limit(depth=2))), "another depth"),
        (replace(small, fixed_time=0.5), "weak scaling"),
        (replace(small, job=replace(job, split=2)), "split depth 2"),
    ):
        assert why in str(difference(small, other))
    assert machine_name(Machine(cores=8, processor="AMD EPYC 7763")) == "AMD EPYC 7763, 8 cores"
    assert machine_name(Machine(cores=1, processor="AMD EPYC 7763")) == "AMD EPYC 7763, 1 core"


def test_the_cost_of_starting_is_the_least_that_was_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else the machine does only adds to it."""
    times = iter([0.3, 0.1, 0.4, *[0.5] * module.START_RUNS])
    ran = solve(SMALL)
    (worker,) = ran.info.workers
    late = (replace(worker, ran=0.07, cpu=0.02), replace(worker, ran=0.05, cpu=0.05))
    monkeypatch.setattr(
        module, "_run", lambda *_: replace(ran, info=replace(ran.info, seconds=next(times), workers=late))
    )
    cost = module._start_cost(SMALL, Mode("minimax", "threads", 2), Control())
    assert cost == pytest.approx(0.05), "0.05 of 0.1 a worker had no core"


def test_the_cost_of_starting_is_measured_in_every_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy spell may be longer than all starts before the first round. The machine's load is that before them."""
    costs = [0.4, 0.1, 0.2, 0.3]
    monkeypatch.setattr(module, "_start_cost", lambda *_: costs.pop())
    monkeypatch.setattr("os.getloadavg", lambda: (float(len(costs)), 0.0, 0.0))
    measured = run(SMALL, modes(2, ["minimax"]), repeats=3)
    assert measured.start == {"minimax": 0.1}
    assert measured.machine is not None
    assert measured.machine.load == 4.0, "its own threads are not among those that wanted a core"
