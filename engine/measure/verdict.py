"""Whether a measured speedup may be stated, or why not."""

from engine import registry
from engine.measure.breakdown import breakdown
from engine.measure.experiment import LEAST_ROUNDS, Experiment, Mode, Speedup
from engine.messages import Message, message

BUSY_SHARE = 0.05
"""The greatest share of its time that a worker waits for a core on an idle machine: 1 % to 2 % were measured there,
20 % to 80 % with one program on each core."""

USED = {
    ("serial", True): message("another program used {taken} of the core of the serial search"),
    ("threads", True): message("another program used {taken} of the core"),
    ("threads", False): message("another program used {taken} of the {workers} cores"),
    ("mpi", True): message("other processes, mpiexec and this program maybe among them, used {taken} of the core"),
    ("mpi", False): message(
        "other processes, mpiexec and this program maybe among them, used {taken} of the {workers} cores"
    ),
}
"""Who used the cores of a mode, by its backend and whether it has one worker."""

MOST_START = 0.5
"""The share of the time from call to answer at which start-up takes as much as all else together."""


def doubt(experiment: Experiment, speedup: Speedup) -> Message | None:
    """Why a speedup says nothing of this search, in a few words for the end of a sentence; None if it may be stated."""
    mode = speedup.mode
    if experiment.is_too_small(mode.algorithm):
        return message("the search is too small for threads")
    if experiment.rounds < LEAST_ROUNDS:
        runs = message("1 run is") if experiment.rounds == 1 else message("{runs} runs are", runs=experiment.rounds)
        return message("{runs} too few", runs=runs)
    machine = experiment.machine
    is_here = machine is not None and (mode.backend != "mpi" or not machine.hosts)
    if machine is not None and is_here and mode.all_workers > machine.cores:
        words = message("{workers} workers on one core")
        if machine.cores > 1:
            words = message("{workers} workers on {cores} cores")
        return message(words, workers=mode.all_workers, cores=machine.cores)
    if taken := disturbed(experiment, mode):
        return taken
    lower, value, upper = speedup.paired
    if mode.all_workers > 1 and upper - lower > abs(value - 1):  # one worker is to have no effect
        return message(
            "the interval, {lower}× to {upper}×, is wider than the effect", lower=f"{lower:.2f}", upper=f"{upper:.2f}"
        )
    return None


def disturbed(experiment: Experiment, mode: Mode) -> Message | None:
    """Whether other processes used the cores of a mode's workers or those of the serial search, in words. What launches
    ranks and reads their lines may be one of them: with many tasks in a short search it uses a third of a core."""
    for one in (mode, Mode(mode.algorithm)):
        timing = experiment.timing(one)
        if timing is not None and timing.cores_taken > BUSY_SHARE * one.all_workers:
            words = USED[one.backend, one.all_workers == 1]
            return message(words, taken=f"{timing.cores_taken:.2f}", workers=one.all_workers)
    return None


def too_short(experiment: Experiment) -> Message | None:
    """A sentence on the parallel mode with the greatest share of start-up, where that is MOST_START or more; None where
    it is less, and for weak scaling, whose runs are as short as the program makes them."""
    if experiment.fixed_time is not None:
        return None
    parallel = [timing.mode for timing in experiment.timings if timing.mode.backend != "serial"]
    found = [(parts.start / parts.total, mode) for mode in parallel if (parts := breakdown(experiment, mode))]
    share, mode = max(found, default=(0.0, None))
    if mode is None or share < MOST_START:
        return None
    return message(
        "{algorithm}, {workers}: start-up takes {share} % of the time from call to answer, so the search is too short "
        "to show parallel speed.",
        algorithm=message(registry.algorithm(mode.algorithm).title),
        workers=mode.label,
        share="> 99" if share > 0.99 else f"{100 * share:.0f}",
    )
