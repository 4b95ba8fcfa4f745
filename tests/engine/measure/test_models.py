"""Fitted laws and predictions, on speedups whose serial fraction and error are known."""

import pytest
from msgspec.structs import replace

from engine.job import Job
from engine.measure.experiment import Experiment, Mode, Run, Timing
from engine.measure.models import Law, error, errors, law, laws
from engine.measure.speedup import modes
from engine.measure.statistics import amdahl, gustafson


def made(speedup: dict[int, float]) -> Experiment:
    """Minimax with these speedups on threads: a serial run takes 1 s. Its four equal tasks are all of its nodes."""

    def runs(seconds: float) -> tuple[Run, ...]:
        return tuple(Run(seconds * (1 + off), seconds, 400) for off in (0, 0.01, 0.02, 0.01, 0))

    timings = tuple(
        Timing(mode, runs(1 / speedup[mode.workers] if mode.backend == "threads" else 1.0))
        for mode in modes(8, ["minimax"])
        if mode.workers in speedup
    )
    return Experiment(Job(position="..."), timings, {"minimax": 0.0}, {"minimax": (100,) * 4})


def test_the_law_finds_a_known_serial_fraction() -> None:
    strong = made({workers: amdahl(0.2, workers) for workers in (1, 2, 4, 8)})
    found = law(strong, "minimax", "threads")
    assert isinstance(found, Law)
    assert (found.name, found.fraction.value) == ("Amdahl", pytest.approx(0.2))
    assert found.speedup(1000) == pytest.approx(amdahl(0.2, 1000))
    assert found.words == "Amdahl, threads: 20.0 % serial (20.0 to 20.0)"
    # In a fixed time, a speedup is a ratio of rates of nodes: the serial rate is 400 a second.
    weak = law(
        replace(made({workers: gustafson(0.2, workers) for workers in (1, 2, 4)}), fixed_time=1.0), "minimax", "threads"
    )
    assert isinstance(weak, Law)
    assert (weak.name, weak.fraction.value) == ("Gustafson", pytest.approx(0.2))
    assert weak.speedup(1000) == pytest.approx(gustafson(0.2, 1000))


def test_each_backend_has_a_law_of_its_own() -> None:
    """Threads are 20 % serial and ranks 40 %; two ranks of four threads are neither."""
    threads = made({workers: amdahl(0.2, workers) for workers in (1, 2, 4)})
    ranks = tuple(
        replace(timing, mode=timing.mode._replace(backend="mpi"))
        for timing in made({workers: amdahl(0.4, workers) for workers in (1, 2, 4)}).timings
        if timing.mode.backend == "threads"
    )
    hybrid = replace(ranks[-1], mode=Mode("minimax", "mpi", 2, 4))
    both = replace(threads, timings=(*threads.timings, *ranks, hybrid))
    assert [found.words for found in laws(both, "minimax") if isinstance(found, Law)] == [
        "Amdahl, threads: 20.0 % serial (20.0 to 20.0)",
        "Amdahl, MPI ranks: 40.0 % serial (40.0 to 40.0)",
    ]
    few = replace(both, timings=(*threads.timings, ranks[1], hybrid))
    _, why = laws(few, "minimax")
    none = "Amdahl's law is not fitted to Minimax on MPI ranks: it needs 3 numbers of workers, and "
    assert why == f"{none}ranks of several threads do not count."
    assert laws(replace(both, timings=(threads.timings[0], hybrid)), "minimax") == [why], "no thread was measured"
    assert laws(replace(both, timings=(threads.timings[0], ranks[0])), "minimax") == [f"{none}has 1."]
    assert laws(replace(both, timings=threads.timings[:1]), "minimax") == [], "there is a serial search alone"
    assert len(laws(threads, "minimax")) == 1, "no rank was measured"


def test_no_law_is_fitted_to_two_points_or_doubtful_ones() -> None:
    why = "Amdahl's law is not fitted to Minimax on threads: it needs 3 numbers of workers, and has 2."
    assert law(made({1: 1.0, 2: 1.8}), "minimax", "threads") == why
    assert law(made({1: 1.0}), "minimax", "threads") == why.replace("has 2", "has 1")
    strong = made({workers: amdahl(0.2, workers) for workers in (1, 2, 4)})
    busy = tuple(
        replace(timing, runs=tuple(replace(run, kept_waiting=run.seconds) for run in timing.runs))
        if timing.mode == Mode("minimax", "threads", 4)
        else timing
        for timing in strong.timings
    )
    doubtful = why.replace("workers,", "workers with a verdict,")
    assert law(replace(strong, timings=busy), "minimax", "threads") == doubtful


def test_speedups_beyond_a_law_are_not_fitted() -> None:
    """Above p on p workers (by hand: -0.05398 / 0.8125), and fewer nodes in the same time than alone."""
    better = made({1: 1.0, 2: 2.2, 4: 4.8})
    assert (
        law(better, "minimax", "threads")
        == "Amdahl's law does not fit Minimax on threads: its serial part would be −6.6 %."
    )
    worse = replace(made({1: 1.0, 2: 0.6, 4: 0.4}), fixed_time=1.0)
    found = law(worse, "minimax", "threads")
    assert isinstance(found, str)
    assert found.startswith("Gustafson's law does not fit Minimax on threads: its serial part would be 1")


def test_the_error_of_a_prediction_is_relative_to_the_measured_one() -> None:
    """Four equal tasks allow 2× on two workers: 1.6× was measured with two, 2.5× is more than the model's."""
    above, below = made({1: 1.0, 2: 1.6}), made({1: 1.0, 2: 2.5})
    found = error(above, "minimax")
    assert found is not None
    assert (found[0].mode.workers, found[1]) == (2, pytest.approx(0.25))
    assert errors(above) == ["Minimax: the model was 25 % above the measured speedup with 2 workers."]
    assert errors(below) == ["Minimax: the model was 20 % below the measured speedup with 2 workers."]
    far_above = made({1: 1.0, 2: 0.04})
    assert errors(far_above) == ["Minimax: the model was 4,900 % above the measured speedup with 2 workers."]
    too_small = replace(above, start={"minimax": 1.0})
    assert errors(too_small) == []
