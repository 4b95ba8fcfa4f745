"""`tour`: serial searches of the empty board and those on threads, up to one a core, side by side."""

import sys

from rich import box
from rich.console import Console
from rich.table import Table

from engine import registry
from engine.cli.progress import exit_code_of_stop, patience, stopped_by_signals
from engine.control import Control
from engine.cores import cores
from engine.job import Job
from engine.measure.experiment import START_SHARE, Experiment, Timing
from engine.measure.speedup import ALGORITHMS, Progress, measure, modes
from engine.text.numbers import whole_percent


def tour() -> int:
    """Search the empty board serially and on threads, up to one a core, and compare.

    Returns the exit code: 130 after Ctrl+C (143 SIGTERM, 129 SIGHUP); what the whole rounds until then came to is
    printed.
    """
    game = registry.game("tictactoe")
    job, control = Job(game=game.spec, position=game.notation.format(game.start)), Control()
    with stopped_by_signals(control), patience("compiling") as status:
        measured = None
        for message in measure(job, modes(cores()), control, least=1):
            if isinstance(message, Progress) and message.total:
                status.update(f"run {message.done + 1} of {message.total}: {message.mode.algorithm}")
            elif isinstance(message, Experiment):
                measured = message
    if measured is not None:
        Console(highlight=False).print(_table(measured), _caption(measured), sep="\n", soft_wrap=True)
    if not control.stopped:
        return 0
    if measured is None:
        print("Stopped before every search had run once: there is nothing to compare.", file=sys.stderr)
    return exit_code_of_stop()


def _table(experiment: Experiment) -> Table:
    table = Table("search", box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False, collapse_padding=True)
    table.add_column("on", no_wrap=True)
    table.title = "Tic-tac-toe, the empty board, textbook scoring (+1, 0, −1)"
    for heading in ("nodes", "time", "nodes/s", "speedup", "never visited"):
        table.add_column(heading, justify="right", no_wrap=True)
    everything = max(timing.nodes for timing in experiment.timings)
    for algorithm in ALGORITHMS:
        speedups = {speedup.mode: speedup.paired.value for speedup in experiment.speedups(algorithm, "threads")}
        table.add_section()
        for timing in experiment.timings:
            if timing.mode.algorithm == algorithm:
                table.add_row(*_row(timing, speedups.get(timing.mode, 1.0), everything - timing.nodes))
    return table


def _row(timing: Timing, speedup: float, never: int) -> tuple[str, ...]:
    seconds = timing.time.value
    return (
        registry.algorithm(timing.mode.algorithm).title,
        timing.mode.label,
        f"{timing.nodes:,}",
        f"{seconds * 1e3:.2f} ms",
        f"{timing.nodes / seconds / 1e6:,.0f} M",
        f"{speedup:.2f}×",
        f"{never:,}" if never else "–",
    )


def _caption(experiment: Experiment) -> str:
    everything = max(timing.nodes for timing in experiment.timings)
    runs = "run" if experiment.rounds == 1 else "runs"
    small = [registry.algorithm(name).title for name in experiment.algorithms if experiment.is_too_small(name)]
    lines = [
        f"Medians of {experiment.rounds} interleaved {runs}, compilation not timed.",
        "Speedup: against the same search in serial.",
        f"Never visited: of the {everything:,} positions that minimax visits.",
    ]
    if small:
        start = f"starting the threads costs more than {whole_percent(START_SHARE)} of it"
        lines.append(f"{' and '.join(small)}: so short that {start}.")
    return "\n".join(lines)
