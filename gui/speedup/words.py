"""A measurement in words: its modes, its position, and its results."""

import math

from engine.job import Job
from engine.measure.speedup import PARALLEL, Experiment, Mode, Timing
from engine.rules.contract import Game, Position
from engine.text.numbers import duration
from gui.i18n.language import retold, tr
from gui.state.wording import algorithm


def mode_words(mode: Mode) -> str:
    """A mode in words: "alpha-beta · 2 threads"."""
    return tr("{algorithm} · {mode}", algorithm=algorithm(mode.algorithm), mode=workers_in_words(mode))


def workers_in_words(mode: Mode) -> str:
    """The workers of a mode: "serial", "1 thread", "2 ranks"."""
    if mode.backend == "serial":
        return tr("serial")
    return tr("%n rank(s)", "", mode.workers) if mode.backend == "mpi" else tr("%n thread(s)", "", mode.workers)


def in_words(experiment: Experiment) -> str:
    """The content of both charts: "minimax · serial: 6.21 ms; minimax · 2 threads: 3.35 ms, speedup 1.85; ..."."""
    speedups = {
        speedup.mode: f"{speedup.paired.median:.2f}"
        for name in experiment.algorithms
        for backend in PARALLEL
        for speedup in experiment.speedups(name, backend)
    }

    def said(timing: Timing) -> str:
        mode, time = mode_words(timing.mode), duration(timing.spread.median)
        if timing.mode not in speedups:
            return tr("{search}: {time}", search=mode, time=time)
        return tr("{search}: {time}, speedup {speedup}", search=mode, time=time, speedup=speedups[timing.mode])

    return "; ".join(map(said, experiment.timings))


def position_words(game: Game, position: Position, job: Job) -> str:
    """The position in a few words: "empty board", "4 × 4, 4 in a row · 4 marks"; the depth limit too."""
    marks = sum(cell is not None for cell in game.notation.cells(position))
    words = [retold(game.title)] if game.spec != "tictactoe" else []
    words.append(tr("empty board") if marks == 0 else tr("%n mark(s)", "on a board", marks))
    if job.limit.depth is not None:
        words.append(tr("depth {plies}", plies=job.limit.depth))
    return " · ".join(words)


def verdicts(experiment: Experiment, dim: str) -> list[str]:
    """The results, a line for each algorithm, as HTML: the best speedup on several workers, and for minimax the limit
    set by its tasks; or that the position is too small."""
    lines = []
    for name in experiment.algorithms:
        words, serial = algorithm(name), experiment.serial(name)
        speedups = [each for backend in PARALLEL for each in experiment.speedups(name, backend)]
        if serial is None or not speedups:
            continue
        if experiment.is_too_small(name):
            time, start = duration(serial.spread.median), duration(experiment.start[name])
            costs = tr("({time}, start {start})", time=time, start=start).replace(" ", "&nbsp;")
            lines.append(
                tr(
                    "{algorithm}: <b>too small for threads</b> {costs}",
                    algorithm=words,
                    costs=f"<span style='color: {dim}'>{costs}</span>",
                )
            )
            continue
        best = max(speedups, key=lambda speedup: (speedup.mode.workers > 1, speedup.paired.median))
        half = math.ceil(best.paired.half * 100) / 100
        spread = tr("(± {half}, %n run(s))", "", experiment.rounds, half=f"{half:.2f}").replace("± ", "±&nbsp;")
        lines.append(
            tr(
                "{algorithm}: <b>{speedup}×</b> on {workers} {spread}",
                algorithm=words,
                speedup=f"{best.paired.median:.2f}",
                workers=workers_in_words(best.mode),
                spread=f"<span style='color: {dim}'>{spread}</span>",
            )
        )
        limit = experiment.tasks_limit(best.mode.workers) if name == "minimax" else None
        if limit is not None and best.mode.workers > 1:
            lines[-1] += ", " + tr("its tasks allow {speedup}× at most", speedup=f"{limit:.2f}")
    return lines
