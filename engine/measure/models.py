"""Models of the speedup and their errors: a law fitted to what was measured, and the prediction from the tasks."""

from typing import NamedTuple

from msgspec.structs import replace

from engine import registry
from engine.measure.experiment import Experiment, Speedup
from engine.measure.statistics import Interval, amdahl, gustafson
from engine.measure.verdict import doubt
from engine.messages import Message, message

LEAST_POINTS = 3
"""The least numbers of workers, one among them, for a law: two would be a line through one measured point."""

FARTHEST = 1024
"""The most workers that are predicted."""


ON = {"threads": message("threads"), "mpi": message("MPI ranks")}
"""The workers of each parallel backend, in words."""


class Law(NamedTuple):
    """Amdahl's law, or Gustafson's for weak scaling, with the serial fraction that fits best."""

    name: str
    """The author."""
    backend: str
    """The backend whose speedups it is fitted to."""
    fraction: Interval

    def speedup(self, workers: float) -> float:
        law = amdahl if self.name == "Amdahl" else gustafson
        return law(self.fraction.value, workers)

    @property
    def words(self) -> Message:
        """The law with its backend and fraction: "Amdahl, threads: 5.1 % serial (4.8 to 5.3)"."""
        lower, value, upper = (f"{100 * end:.1f}" for end in self.fraction)
        return message(
            "{author}, {workers}: {value} % serial ({lower} to {upper})",
            author=self.name,
            workers=ON[self.backend],
            value=value,
            lower=lower,
            upper=upper,
        )


def laws(experiment: Experiment, algorithm: str) -> list[Law | Message]:
    """`law` of an algorithm on each backend on which several workers were measured; if on none, on each that was
    measured."""
    modes = [timing.mode for timing in experiment.timings if timing.mode.algorithm == algorithm]
    several = {mode.backend for mode in modes if mode.all_workers > 1} or {mode.backend for mode in modes}
    return [law(experiment, algorithm, backend) for backend in ON if backend in several]


def law(experiment: Experiment, algorithm: str, backend: str) -> Law | Message:
    """The law fitted to an algorithm's speedups on a backend that may be stated; or why none is fitted, in a
    sentence. It is not fitted to threads of several ranks: these are workers of two kinds."""
    author = "Amdahl" if experiment.fixed_time is None else "Gustafson"
    several = [one for one in experiment.speedups(algorithm, backend) if one.mode.all_workers > 1]
    unfit = {one.mode for one in several if one.mode.is_hybrid or doubt(experiment, one)}
    sound = replace(experiment, timings=tuple(timing for timing in experiment.timings if timing.mode not in unfit))
    points = {1, *(one.mode.workers for one in sound.speedups(algorithm, backend))}
    fraction = sound.amdahl(algorithm, backend) or sound.gustafson(algorithm, backend)
    if fraction is None or len(points) < LEAST_POINTS:
        return message(
            _why_too_few(several, len(points)),
            author=author,
            algorithm=message(registry.algorithm(algorithm).title),
            workers=ON[backend],
            points=LEAST_POINTS,
            found=len(points),
        )
    if not 0 <= fraction.value <= 1:
        return message(
            "{author}'s law does not fit {algorithm} on {workers}: its serial part would be {value} %.",
            author=author,
            algorithm=message(registry.algorithm(algorithm).title),
            workers=ON[backend],
            value=f"{100 * fraction.value:,.1f}".replace("-", "−"),
        )
    return Law(author, backend, fraction)


def _why_too_few(several: list[Speedup], sound: int) -> Message:
    """The sentence, with its fields empty, for a law with so many `sound` numbers of workers, one among them, of those
    of the speedups on several workers."""
    measured = {1, *(one.mode.workers for one in several if not one.mode.is_hybrid)}
    if len(measured) > sound:
        return message(
            "{author}'s law is not fitted to {algorithm} on {workers}: it needs {points} numbers of workers with a "
            "verdict, and has {found}."
        )
    if any(one.mode.is_hybrid for one in several):
        return message(
            "{author}'s law is not fitted to {algorithm} on {workers}: it needs {points} numbers of workers, and ranks "
            "of several threads do not count."
        )
    return message(
        "{author}'s law is not fitted to {algorithm} on {workers}: it needs {points} numbers of workers, and has "
        "{found}."
    )


def error(experiment: Experiment, algorithm: str, shares_bounds: bool = True) -> tuple[Speedup, float] | None:
    """The measured speedup with the most threads, and the relative error of its prediction: 0.03 where the prediction
    is 3 % greater. None without a prediction, or where the measured speedup may not be stated."""
    for speedup in reversed(experiment.speedups(algorithm, "threads")):
        predicted = experiment.predicted(algorithm, speedup.mode.all_workers, shares_bounds=shares_bounds)
        if predicted is not None and speedup.mode.all_workers > 1 and doubt(experiment, speedup) is None:
            return speedup, predicted / speedup.paired.value - 1
    return None


def errors(experiment: Experiment) -> list[Message]:
    """The errors of all predictions, each in a sentence; alpha-beta's has one for each extreme."""
    found = []
    for algorithm in experiment.algorithms:
        extremes = {True: message("bounds shared at once"), False: message("no bounds shared")}
        for shares, extreme in extremes.items():
            made = error(experiment, algorithm, shares)
            if made is None:
                continue
            speedup, off = made
            title = message(registry.algorithm(algorithm).title)
            if algorithm in experiment.unshared:
                title = message("{algorithm}, {extreme}", algorithm=title, extreme=extreme)
            words = message("{algorithm}: the model was {share} % above the measured speedup with {workers} workers.")
            if off < 0:
                words = message(
                    "{algorithm}: the model was {share} % below the measured speedup with {workers} workers."
                )
            share = f"{100 * abs(off):,.0f}"
            found.append(message(words, algorithm=title, share=share, workers=speedup.mode.all_workers))
    return found
