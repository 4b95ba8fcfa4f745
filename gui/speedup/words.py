"""A measurement in words: its modes, its position, and its results."""

from engine import registry
from engine.job import Job
from engine.measure.comparison import difference, machine_name
from engine.measure.experiment import Experiment, Mode, Speedup, Timing
from engine.measure.models import errors
from engine.measure.verdict import doubt, too_short
from engine.rules.contract import Game, Position
from engine.text.numbers import duration
from gui.i18n.language import localized, tr
from gui.state.wording import algorithm


def mode_words(mode: Mode) -> str:
    """A mode in words: "alpha-beta · 2 threads"."""
    return tr("{algorithm} · {mode}", algorithm=algorithm(mode.algorithm), mode=workers_in_words(mode))


def workers_in_words(mode: Mode) -> str:
    """The workers of a mode: "serial", "1 thread", "2 ranks"."""
    if mode.backend == "serial":
        return tr("serial")
    if mode.is_hybrid:
        return tr("{ranks} × {threads} threads", ranks=mode.workers, threads=mode.threads)
    return tr("%n rank(s)", "", mode.workers) if mode.backend == "mpi" else tr("%n thread(s)", "", mode.workers)


def in_words(experiment: Experiment) -> str:
    """The content of both charts: "minimax · serial: 6.21 ms; minimax · 2 threads: 3.35 ms, speedup 1.85; ..."."""
    speedups = {speedup.mode: f"{speedup.paired.value:.2f}" for speedup in experiment.all_speedups()}

    def said(timing: Timing) -> str:
        mode, time = mode_words(timing.mode), duration(timing.time.value)
        if timing.mode not in speedups:
            return tr("{search}: {time}", search=mode, time=time)
        return tr("{search}: {time}, speedup {speedup}", search=mode, time=time, speedup=speedups[timing.mode])

    return "; ".join(map(said, experiment.timings))


def position_words(game: Game, position: Position, job: Job) -> str:
    """The position in a few words: "empty board", "4 × 4, 4 in a row · 4 marks"; the depth limit too."""
    marks = sum(cell is not None for cell in game.notation.cells(position))
    words = [localized(game.title)] if game.spec != "tictactoe" else []
    words.append(tr("empty board") if marks == 0 else tr("%n mark(s)", "on a board", marks))
    if job.limit.depth is not None:
        words.append(tr("depth {plies}", plies=job.limit.depth))
    return " · ".join(words)


def measured_words(experiment: Experiment) -> str:
    """The position of a measurement, and its machine."""
    words = position_words(*registry.root_of(experiment.job), experiment.job)
    return f"{words} · {localized(machine_name(experiment.machine))}"


def caption(experiment: Experiment, what: str, has_medians: bool) -> str:
    """The line below a picture of a measurement's chart: what it shows, position, machine and method. A chart without
    medians is of the run with the median time."""
    words = tr("one run")
    if experiment.rounds > 1 and has_medians:
        words = tr("medians of %n interleaved run(s), bars: 95 % intervals", "", experiment.rounds)
    elif experiment.rounds > 1:
        words = tr("of %n interleaved run(s) the one with the median time", "", experiment.rounds)
    return " · ".join([what, measured_words(experiment), words])


def verdicts(experiment: Experiment, dim: str) -> list[str]:
    """The results as HTML, a line for each algorithm: the best speedup on several workers that may be stated, with its
    interval, or why there is no verdict; then the time that a person waits, and whether start-up is most of it."""
    lines = []
    for name in experiment.algorithms:
        speedups = [each for each in experiment.all_speedups() if each.mode.algorithm == name]
        if speedups:
            lines.append(_verdict(experiment, name, speedups, dim))
    waits = [
        tr("{mode} {time}", mode=workers_in_words(timing.mode), time=duration(timing.waited.value))
        for timing in experiment.timings
        if timing.mode.algorithm == experiment.algorithms[-1] and timing.mode.all_workers in (1, experiment.workers)
    ]
    found = difference(experiment, experiment.compared) if experiment.compared else None
    apart = [localized(found)] if found else []
    if experiment.expected is not None:
        guess = tr("{speedup}× on %n worker(s)", "", experiment.workers, speedup=f"{experiment.expected:.2f}")
        apart.append(_quiet(tr("Your guess before the runs: {guess}", guess=guess), dim))
    if experiment.fixed_time is not None:
        words = tr("Weak scaling: nodes a second, each run {seconds} s", seconds=f"{experiment.fixed_time:g}")
        return [*lines, _quiet(words, dim), *apart]
    words = tr("From call to answer, {algorithm}:", algorithm=algorithm(experiment.algorithms[-1]))
    short = [_quiet(localized(found), dim)] if (found := too_short(experiment)) else []
    return [*lines, _quiet(f"{words} {', '.join(waits)}", dim), *short, *apart]


def errors_in_words(experiment: Experiment, dim: str) -> list[str]:
    """The errors of the predictions as one line of HTML, or none."""
    return [_quiet(" ".join(found), dim)] if (found := [localized(words) for words in errors(experiment)]) else []


def _verdict(experiment: Experiment, name: str, speedups: list[Speedup], dim: str) -> str:
    words, serial = algorithm(name), experiment.serial(name)
    if serial is not None and experiment.is_too_small(name):
        time, start = duration(serial.time.value), duration(experiment.start[name])
        costs = tr("({time}, start {start})", time=time, start=start).replace(" ", "&nbsp;")
        return tr("{algorithm}: <b>too small for threads</b> {costs}", algorithm=words, costs=_quiet(costs, dim))
    best = max(speedups, key=lambda one: (one.mode.all_workers > 1, doubt(experiment, one) is None, one.paired.value))
    lower, value, upper = (f"{end:.2f}" for end in best.paired)
    workers = workers_in_words(best.mode)
    if why := doubt(experiment, best):
        return tr(
            "{algorithm}: <b>no verdict</b>, for {why} {measured}",
            algorithm=words,
            why=localized(why),
            measured=_quiet(tr("(measured: {speedup}× on {workers})", speedup=value, workers=workers), dim),
        )
    interval = tr("({lower} to {upper}, %n run(s))", "", experiment.rounds, lower=lower, upper=upper)
    fields = {
        "algorithm": words,
        "speedup": value,
        "workers": workers,
        "interval": _quiet(interval.replace(" to ", "&nbsp;to&nbsp;"), dim),
    }
    if experiment.fixed_time is not None:
        return tr("{algorithm}: <b>{speedup}×</b> the work on {workers} {interval}", **fields)
    line = tr("{algorithm}: <b>{speedup}×</b> on {workers} {interval}", **fields)
    limit = experiment.tasks_limit(best.mode.all_workers) if not registry.algorithm(name).prunes else None
    if limit is not None and best.mode.all_workers > 1:
        line += ", " + tr("its tasks allow {speedup}× at most", speedup=f"{limit:.2f}")
    return line


def _quiet(text: str, dim: str) -> str:
    return f"<span style='color: {dim}'>{text}</span>"
