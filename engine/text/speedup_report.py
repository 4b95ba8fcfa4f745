"""A speedup measurement as a page in Markdown: question, machine, method, figures, verdict."""

from collections.abc import Iterable

from engine import registry
from engine.measure.breakdown import breakdown
from engine.measure.comparison import difference, names_of_both
from engine.measure.experiment import Experiment, Mode, Speedup
from engine.measure.models import errors, laws
from engine.measure.verdict import doubt, too_short
from engine.text.numbers import DASH, counted, duration, thousands, whole_percent

MACHINE_WORDS = {
    "processor": "Processor",
    "cores": "Cores",
    "system": "System",
    "python": "Python",
    "threading_layer": "Threading layer of numba",
    "mpi": "MPI",
    "hosts": "Hosts",
    "load": "Mean number of programs that wanted a core, the minute before",
}
PART_WORDS = {
    "useful": "useful",
    "overhead": "more nodes",
    "slower": "slower nodes",
    "taken": "no core",
    "unbalanced": "load imbalance",
    "waiting": "waiting",
    "start": "start-up",
}


def to_markdown(experiment: Experiment) -> str:
    """The page; its lines end with a line feed."""
    job = experiment.job
    names = " and ".join(registry.algorithm(name).title for name in experiment.algorithms)
    depth = f", {counted(job.limit.depth, 'ply', 'plies')} ahead" if job.limit.depth else ""
    lines = [
        "# How much more work do more workers do?" if experiment.fixed_time else "# What do more workers gain?",
        "",
        f"{names} on {registry.game(job.game).title}, position `{job.position}`{depth}.",
        "",
        *_section("Verdict", _verdicts(experiment)),
        *_section("Machine", _machine(experiment)),
        "## Method",
        "",
        f"{counted(experiment.rounds, 'round')}. A round runs every search once, in a random order (seed "
        f"{experiment.seed}), after one run that is not counted. {_scaling(experiment)} A speedup is "
        f"{_statistic(experiment)}. Schedule: {job.schedule}, tasks {counted(job.split, 'ply', 'plies')} deep.",
        "",
        "## Times",
        "",
        *_row("search", "on", "nodes", "search alone", "from call to answer", "speedup", "interval", "efficiency"),
        *_row(*["---"] * 8),
        *_times(experiment),
        "",
        *_compared(experiment),
        "## Where the time of all workers went",
        "",
        *_row("search", "on", *PART_WORDS.values()),
        *_row(*["---"] * (2 + len(PART_WORDS))),
        *_parts(experiment),
        "",
    ]
    return "\n".join(lines)


def expectation(experiment: Experiment) -> list[str]:
    """What speedup was expected, as a sentence; empty if none was."""
    if experiment.expected is None:
        return []
    return [f"Expected before the runs: {experiment.expected:.2f}× on {counted(experiment.workers, 'worker')}."]


def fitted_laws(experiment: Experiment) -> list[str]:
    """The fitted laws, or why none is fitted: a sentence each."""
    return [
        fitted if isinstance(fitted, str) else f"{registry.algorithm(name).title}: {fitted.words}."
        for name in experiment.algorithms
        for fitted in laws(experiment, name)
    ]


def part_shares(experiment: Experiment, parts: Iterable[str]) -> list[tuple[Mode, tuple[str, ...]]]:
    """For each measured mode, the shares of these fields of its Breakdown, such as "40 %"."""
    found = [(timing.mode, breakdown(experiment, timing.mode)) for timing in experiment.timings]
    return [
        (mode, tuple(whole_percent(getattr(times, name) / times.total) for name in parts))
        for mode, times in found
        if times is not None and times.total > 0
    ]


def _scaling(experiment: Experiment) -> str:
    if experiment.fixed_time is None:
        return "Strong scaling: every run searches the whole position, and the ratios are those of the times."
    return (
        f"Weak scaling: every run has {experiment.fixed_time:g} s, too short for the whole position, so that the work "
        f"grows with the workers. The ratios are those of the nodes in a second."
    )


def _statistic(experiment: Experiment) -> str:
    if experiment.rounds == 1:
        return "the ratio to the serial run of the round, which has no interval"
    return (
        "the median of the ratios to the serial run of the same round; its interval holds 95 % of the medians of "
        "resampled rounds (bootstrap)"
    )


def _section(title: str, points: list[str]) -> list[str]:
    return [f"## {title}", "", *(f"- {point}" for point in points), ""] if points else []


def _row(*cells: str) -> list[str]:
    return [f"| {' | '.join(cells)} |"]


def _verdicts(experiment: Experiment) -> list[str]:
    points = expectation(experiment)
    for speedup in experiment.all_speedups():
        why = doubt(experiment, speedup)
        if speedup.mode.all_workers == 1 and why is None:
            continue
        lower, value, upper = (f"{end:.2f}" for end in speedup.paired)
        said = f"no verdict, for {why} (measured: {value}×)" if why else f"{value}× ({lower} to {upper})"
        points.append(f"{registry.algorithm(speedup.mode.algorithm).title} on {speedup.mode.label}: {said}.")
    return [*points, *fitted_laws(experiment), *errors(experiment), *filter(None, [too_short(experiment)])]


def _machine(experiment: Experiment) -> list[str]:
    machine = experiment.machine
    if machine is None:
        return []
    found = [(words, getattr(machine, name)) for name, words in MACHINE_WORDS.items()]
    return [
        *(f"{words}: {value}" for words, value in found if value not in ("", None)),
        "Versions: " + ", ".join(f"{name} {version}" for name, version in machine.packages.items()),
    ]


def _times(experiment: Experiment) -> list[str]:
    speedups = {speedup.mode: speedup for speedup in experiment.all_speedups()}
    rows = []
    for timing in experiment.timings:
        gained = ["–"] * 3
        if speedup := speedups.get(timing.mode):
            lower, value, upper = (f"{end:.2f}" for end in speedup.paired)
            interval = f"{lower} to {upper}" if experiment.rounds > 1 else DASH
            gained = [f"{value}×", interval, whole_percent(speedup.efficiency.value)]
        times = duration(timing.time.value), duration(timing.waited.value)
        rows += _row(*_named(timing.mode), thousands(timing.nodes), *times, *gained)
    return rows


def _compared(experiment: Experiment) -> list[str]:
    other = experiment.compared
    if other is None:
        return []
    here, there = names_of_both(experiment, other)
    theirs, rows = {speedup.mode: speedup for speedup in other.all_speedups()}, list[str]()
    for speedup in experiment.all_speedups():
        both = _interval(speedup, experiment.rounds), _interval(theirs.get(speedup.mode), other.rounds)
        rows += _row(*_named(speedup.mode), *both)
    apart = difference(experiment, other)
    heading = _row("search", "on", f"speedup {here}", f"speedup {there}")
    return ["## Compared", "", *([apart, ""] if apart else []), *heading, *_row(*["---"] * 4), *rows, ""]


def _interval(speedup: Speedup | None, rounds: int) -> str:
    if speedup is None:
        return DASH
    lower, value, upper = speedup.paired
    return f"{value:.2f}× ({lower:.2f} to {upper:.2f})" if rounds > 1 else f"{value:.2f}×"


def _parts(experiment: Experiment) -> list[str]:
    rows = []
    for mode, shares in part_shares(experiment, PART_WORDS):
        rows += _row(*_named(mode), *shares)
    return rows


def _named(mode: Mode) -> tuple[str, str]:
    return registry.algorithm(mode.algorithm).title, mode.label
