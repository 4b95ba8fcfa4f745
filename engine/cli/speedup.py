"""`speedup`: measures what several workers gain on one position, and says where the rest went."""

import re
import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial
from itertools import chain, groupby
from pathlib import Path
from typing import Annotated, Literal

import typer
from msgspec.structs import replace
from rich import box
from rich.console import Console
from rich.table import Table

from engine import registry
from engine.cli.files import write
from engine.cli.options import ANSWER, HOW, LIMITS, WHAT, check_files, check_used, file_option, find, unpainted
from engine.cli.progress import exit_code_of_stop, patience, stopped_by_signals
from engine.cli.search_options import option_of
from engine.control import Control
from engine.cores import cores
from engine.job import Job, JobError
from engine.measure.comparison import difference, machine_name
from engine.measure.experiment import Experiment, Mode, Speedup
from engine.measure.models import errors
from engine.measure.speedup import (
    ALGORITHMS,
    PRESET,
    WEAK_PRESET,
    WEAK_SECONDS,
    Progress,
    measure,
    modes,
    usual_algorithms,
)
from engine.measure.speedup_files import read, to_csv, to_json
from engine.measure.verdict import doubt, too_short
from engine.options.catalogue import MAX_WORKERS, Limit
from engine.options.choices import Schedule
from engine.text.numbers import DASH, duration, thousands
from engine.text.speedup_report import expectation, fitted_laws, part_shares, to_markdown

HEADINGS = {
    "useful": "useful",
    "overhead": "more\nnodes",
    "slower": "slower\nnodes",
    "taken": "no\ncore",
    "unbalanced": "imbal-\nance",
    "waiting": "waiting",
    "start": "start",
}
"""The parts of a Breakdown."""

Row = tuple[Mode, tuple[str, ...]]
"""A row of a table: a mode, and the text of its cells."""

Chart = Literal["speedup", "time", "efficiency", "serial-part", "nodes", "rate", "parts"]
Painter = Callable[[str, Experiment, Chart, bool], bytes]
"""Makes the content of a picture's file with this suffix. Its axes are logarithmic if the last argument is true. Raises
JobError."""

painter: Painter = unpainted
"""Set by the program's entry point."""


def speedup(
    context: typer.Context,
    game: Annotated[str | None, typer.Option(metavar="GAME", rich_help_panel=WHAT, help="As of solve.")] = None,
    position: Annotated[
        str | None,
        typer.Option(
            metavar="ROWS",
            rich_help_panel=WHAT,
            help="As of solve; default: a position of some 30 ms, with --weak the empty 4,4,4.",
        ),
    ] = None,
    algorithms: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            rich_help_panel=HOW,
            help=f"Names with commas; default: {','.join(ALGORITHMS)}, with --weak minimax; in a game of chance "
            "expectiminimax.",
        ),
    ] = "",
    workers: Annotated[
        str,
        typer.Option(
            metavar="N",
            rich_help_panel=HOW,
            help=f"Numbers of threads, 1 to {MAX_WORKERS:,}: 1-4 or 1,2,8; default: all cores, with --ranks none.",
        ),
    ] = "",
    ranks: Annotated[
        str, typer.Option(metavar="N", rich_help_panel=HOW, help="Numbers of MPI ranks, as --workers; default: none.")
    ] = "",
    threads: Annotated[
        str, typer.Option(metavar="N", rich_help_panel=HOW, help="Numbers of threads of each rank, as --workers.")
    ] = "1",
    schedule: Annotated[Schedule, option_of("schedule", Schedule.DYNAMIC, HOW)] = Schedule.DYNAMIC,
    split: Annotated[int, option_of("split", 1, HOW)] = 1,
    depth: Annotated[int | None, option_of("depth", None, LIMITS)] = None,
    weak: Annotated[
        bool,
        typer.Option(
            "--weak",
            rich_help_panel=HOW,
            help=f"Weak scaling: each run has {WEAK_SECONDS:g} s, and more workers visit more nodes.",
        ),
    ] = False,
    repeats: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", rich_help_panel=LIMITS, help="Rounds; default: as many as fit into 8 s, 5 to 31."
        ),
    ] = None,
    expect: Annotated[
        float | None,
        typer.Option(
            min=0.01,
            max=MAX_WORKERS,
            metavar="S",
            rich_help_panel=ANSWER,
            help="The speedup that you expect on the most workers; default: none.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", rich_help_panel=HOW, help="Of the order of the runs.")] = 0,
    csv: Annotated[Path | None, file_option("Save every run.")] = None,
    json: Annotated[Path | None, file_option("Save all, to be compared later.")] = None,
    report: Annotated[Path | None, file_option("Save a page in Markdown.")] = None,
    png: Annotated[Path | None, file_option("Save --chart in pixels.")] = None,
    svg: Annotated[Path | None, file_option("Save --chart, sharp at any size.")] = None,
    pdf: Annotated[Path | None, file_option("Save a page with all charts.")] = None,
    chart: Annotated[Chart, typer.Option(rich_help_panel=ANSWER, help="What the picture shows.")] = "speedup",
    log: Annotated[bool, typer.Option("--log", rich_help_panel=ANSWER, help="Charts have logarithmic axes.")] = False,
    compare: Annotated[Path | None, file_option("Compare with a file of --json (not --csv).")] = None,
) -> int:
    """Measure the speedup of threads and MPI ranks on one position.

    Returns the exit code: 130 after Ctrl+C (143 SIGTERM, 129 SIGHUP); what the whole rounds until then came to is
    printed and saved.
    """
    pictures = {suffix: file for suffix, file in ((".png", png), (".svg", svg), (".pdf", pdf)) if file is not None}
    check_used(context, "chart", png or svg, "a picture of one chart", "--png or --svg")
    check_used(context, "log", pictures, "a picture", "--png, --svg or --pdf")
    check_files(png=png, svg=svg, pdf=pdf, csv=csv, json=json, md=report)
    other = read(compare) if compare is not None else None
    preset = WEAK_PRESET if weak else PRESET
    job, control, measured = _job(preset, game, position, schedule, split, depth), Control(), None
    chosen = _modes(algorithms or ",".join(usual_algorithms(job, weak)), workers, ranks, threads)
    fixed_time = WEAK_SECONDS if weak else None
    with stopped_by_signals(control), patience("compiling") as status:
        for news in measure(job, chosen, control, repeats, least=1, seed=seed, fixed_time=fixed_time):
            if isinstance(news, Experiment):
                measured = replace(news, expected=expect, compared=other and replace(other, compared=None))
            else:
                status.update(_so_far(news))
    if measured is not None:
        with ExitStack() as saving:  # every file, though another one cannot be written, or nothing printed
            for suffix, file in pictures.items():
                saving.callback(_save, file, partial(painter, suffix, measured, chart, log))
            for file, content in ((report, to_markdown), (json, to_json), (csv, to_csv)):
                if file is not None:
                    saving.callback(_save, file, partial(content, measured))
            _print(measured)
    if not control.stopped:
        return 0
    if measured is None:
        print("Stopped before every search had run once: there is nothing to compare.", file=sys.stderr)
    return exit_code_of_stop()


def numbers(text: str, most: int) -> tuple[int, ...]:
    """The numbers of "1-4" or "1,2,8", ascending, from 1 to `most`. Raises JobError, with a sentence, for others."""
    ranges = [_range(part) for part in map(str.strip, text.split(",")) if part]
    if text and not (ranges and all(ranges)):
        raise JobError(f"Numbers are such as 1-4 or 1,2,8, not {text!r}.")
    found = set(chain(*ranges))
    if found and not 1 <= min(found) <= max(found) <= most:
        raise JobError(f"Choose numbers from 1 to {most:,}, not {text}.")
    return tuple(sorted(found))


def _range(text: str) -> range:
    """The numbers of "1-4" or "8"; empty if the text has another form."""
    written = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", text)
    return range(int(written[1]), int(written[2] or written[1]) + 1) if written else range(0)


def _job(preset: Job, game: str | None, position: str | None, schedule: Schedule, split: int, depth: int | None) -> Job:
    if game is None and position is None:
        where = preset.game, preset.position
    else:
        chosen, root = find(game or "tictactoe", position)
        where = chosen.spec, chosen.notation.format(root)
    found = Job(game=where[0], position=where[1], schedule=schedule, split=split, limit=Limit(depth=depth))
    return replace(found, algorithm=registry.suited(found.algorithm, registry.game(found.game)))


def _modes(algorithms: str, workers: str, ranks: str, threads: str) -> tuple[Mode, ...]:
    named = (registry.algorithm(name.strip()).name for name in algorithms.split(",") if name.strip())
    names = tuple(dict.fromkeys(named))
    if not names:
        raise JobError(f"Algorithms are such as minimax,alphabeta, not {algorithms!r}.")
    each_rank = numbers(threads or "1", MAX_WORKERS)
    if not ranks and each_rank != (1,):
        raise JobError("--threads are those of each rank: give numbers of ranks with --ranks, or --workers alone.")
    if not workers and not ranks:
        return modes(cores(), names)
    return tuple(
        mode
        for name in names
        for mode in (
            Mode(name),
            *(Mode(name, "threads", number) for number in numbers(workers, MAX_WORKERS)),
            *(Mode(name, "mpi", number, each) for number in numbers(ranks, MAX_WORKERS) for each in each_rank),
        )
    )


def _so_far(progress: Progress) -> str:
    what = f"{progress.mode.algorithm}, {progress.mode.label}"
    if not progress.total:
        return f"warming up: {what}"
    left = "" if progress.left is None else f", {duration(progress.left)} left"
    return f"run {progress.done + 1:,} of {progress.total:,}: {what}{left}"


def _save(file: Path, content: Callable[[], str | bytes]) -> None:
    made = content()
    write(file, made if isinstance(made, bytes) else made.encode())


def _print(experiment: Experiment) -> None:
    console = Console(highlight=False)
    console.print(
        f"{experiment.job.game} {experiment.job.position} on {machine_name(experiment.machine)}", soft_wrap=True
    )
    console.print(_times(experiment))
    for words in expectation(experiment):
        console.print(words)
    if experiment.compared is not None:
        console.print(_compared(experiment, experiment.compared))
        if apart := difference(experiment, experiment.compared):
            console.print(apart, soft_wrap=True)
    console.print("Where the time of all workers went, from the call to the answer:", _parts(experiment), sep="\n")
    if short := too_short(experiment):
        console.print(short, soft_wrap=True)
    doubts = {one.mode: doubt(experiment, one) for one in experiment.all_speedups()}
    for mode, why in doubts.items():
        if why:
            console.print(f"No verdict on {_name(mode)}: {why}.", soft_wrap=True)
    for words in (*fitted_laws(experiment), *errors(experiment)):
        console.print(words, soft_wrap=True)
    if experiment.fixed_time is not None:
        console.print(
            f"Weak scaling: each run has {experiment.fixed_time:g} s. A speedup is the rate of nodes divided by the "
            f"serial rate.",
            soft_wrap=True,
        )
    method = f"One round, without intervals, seed {experiment.seed}."
    if experiment.rounds > 1:
        method = (
            f"Medians of {experiment.rounds:,} interleaved rounds, with intervals of 95 %, seed {experiment.seed}. "
            f"A speedup is the median of the rounds' ratios."
        )
    predicted = ""
    if _has_predictions(experiment):
        predicted = "Predicted: from the nodes of the tasks; alpha-beta's have every bound at once. "
    console.print(
        f"{method} "
        f"Alone: the search's own time; waited: from the call to the answer. {predicted}"
        f"No core: another process or worker used it.",
        soft_wrap=True,
    )


def _times(experiment: Experiment) -> Table:
    speedups, rows = {speedup.mode: speedup for speedup in experiment.all_speedups()}, list[Row]()
    headings = ("search", "nodes", "alone", "waited", "speedup", "predicted")
    last = None if _has_predictions(experiment) else -1
    for timing in experiment.timings:
        mode = timing.mode
        times = duration(timing.time.value), duration(timing.waited.value)
        gained = _interval(speedups.get(mode), experiment.rounds), _predicted(experiment, mode)
        rows.append((mode, (thousands(timing.nodes), *times, *gained)[:last]))
    return _table(headings[:last], rows)


def _compared(experiment: Experiment, other: Experiment) -> Table:
    theirs, rows = {speedup.mode: speedup for speedup in other.all_speedups()}, list[Row]()
    for speedup in experiment.all_speedups():
        found = _interval(speedup, experiment.rounds), _interval(theirs.get(speedup.mode), other.rounds)
        rows.append((speedup.mode, found))
    return _table(("speedup", "here", f"on {machine_name(other.machine)}"), rows)


def _interval(speedup: Speedup | None, rounds: int) -> str:
    if speedup is None:
        return DASH
    lower, value, upper = speedup.paired
    return f"{value:.2f} ({lower:.2f}–{upper:.2f})" if rounds > 1 else f"{value:.2f}"


def _has_predictions(experiment: Experiment) -> bool:
    """Whether the speedup of any mode is predicted: none is in weak scaling."""
    return any(_predicted(experiment, timing.mode) != DASH for timing in experiment.timings)


def _predicted(experiment: Experiment, mode: Mode) -> str:
    found = experiment.predicted(mode.algorithm, mode.all_workers) if mode.backend != "serial" else None
    return DASH if found is None else f"{found:.2f}"


def _parts(experiment: Experiment) -> Table:
    return _table(("search", *HEADINGS.values()), part_shares(experiment, HEADINGS))


def _table(headings: Iterable[str], rows: Iterable[Row]) -> Table:
    """A table of modes. Each algorithm has a line of its own, so that the table fits into 80 columns."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for number, heading in enumerate(headings):
        table.add_column(heading, justify="right" if number else "left", no_wrap=not number, overflow="fold")
    for algorithm, own in groupby(rows, lambda row: row[0].algorithm):
        table.add_row(registry.algorithm(algorithm).title)
        for mode, cells in own:
            table.add_row(f"  {mode.label}", *cells)
    return table


def _name(mode: Mode) -> str:
    return f"{registry.algorithm(mode.algorithm).title}, {mode.label}"
