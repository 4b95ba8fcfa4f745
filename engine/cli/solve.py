"""`solve`: search one position and say what was found."""

import math
import sys
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console

from engine import registry
from engine.backends.ranks import launch
from engine.cli.options import ANSWER, LIMITS, WHAT, WHERE, GameOption, JsonOption, PositionOption, find
from engine.cli.progress import finish
from engine.cli.summary import summary
from engine.experiment import cores
from engine.game import Game
from engine.job import MAX_WORKERS, Counters, End, Job, JobError, Limit, Result, Schedule, Scoring

MAX_RECORD = 100_000_000
"""Some 1.2 GB for each worker."""


def solve(
    game: GameOption = "tictactoe",
    position: PositionOption = None,
    algorithm: Annotated[
        str, typer.Option(metavar="NAME", rich_help_panel=WHAT, help=f"{' or '.join(registry.algorithms())}.")
    ] = "minimax",
    scoring: Annotated[
        Scoring,
        typer.Option(rich_help_panel=WHAT, help="textbook: +1, 0, -1. soonest: a sooner win is worth more."),
    ] = Scoring.TEXTBOOK,
    backend: Annotated[
        str, typer.Option(metavar="NAME", rich_help_panel=WHERE, help=f"{' or '.join(registry.BACKENDS)}.")
    ] = "serial",
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N", rich_help_panel=WHERE, help=f"Threads or ranks, 1 to {MAX_WORKERS}; if left out, all cores."
        ),
    ] = None,
    threads: Annotated[int, typer.Option(metavar="T", rich_help_panel=WHERE, help="Threads inside each rank.")] = 1,
    hosts: Annotated[
        str, typer.Option(metavar="A,B", rich_help_panel=WHERE, help="Where the ranks run; if left out, here.")
    ] = launch.choice().hosts,
    launcher: Annotated[
        str,
        typer.Option(
            metavar="COMMAND",
            rich_help_panel=WHERE,
            help="What starts the ranks, such as 'srun -n {ranks}'; if left out, mpiexec.",
        ),
    ] = launch.choice().template,
    schedule: Annotated[
        Schedule, typer.Option(rich_help_panel=WHERE, help="How the tasks are dealt to threads or ranks.")
    ] = Schedule.DYNAMIC,
    split: Annotated[
        int, typer.Option(metavar="D", rich_help_panel=WHERE, help="How many plies below the root the tasks begin.")
    ] = 1,
    depth: Annotated[
        int | None,
        typer.Option(metavar="D", rich_help_panel=LIMITS, help="Look D plies ahead; the undecided is worth 0."),
    ] = None,
    nodes: Annotated[int | None, typer.Option(metavar="N", rich_help_panel=LIMITS, help="Stop after N nodes.")] = None,
    seconds: Annotated[
        float | None, typer.Option(metavar="S", rich_help_panel=LIMITS, help="Stop after S seconds.")
    ] = None,
    record: Annotated[
        int,
        typer.Option(max=MAX_RECORD, metavar="N", rich_help_panel=ANSWER, help="Keep a record of up to N nodes."),
    ] = 0,
    as_json: JsonOption = False,
) -> int:
    """Search a position to its end, or to a limit: its value, the best move, and what it took.

    Returns the exit code: 130 where Ctrl+C stopped the search, 1 where its ranks failed; what was finished until then
    is printed.
    """
    if seconds is not None and not math.isfinite(seconds):
        raise JobError(f"The search cannot run: seconds must be a number, not {seconds}.")
    if backend == "serial" and workers is not None and workers > 1:
        raise JobError(f"Serial is one worker: choose --backend threads to have {workers:,}.")
    if workers is None:
        workers = 1 if backend == "serial" else min(cores(), MAX_WORKERS)
    if backend != "mpi" and threads > 1:
        raise JobError(f"--threads is for the inside of MPI ranks: say --backend threads --workers {threads}.")
    launch.choose(launch.Choice(launcher, hosts))
    chosen, root = find(game, position)
    job = Job(
        game=chosen.spec,
        position=chosen.notation.format(root),
        algorithm=algorithm,
        backend=backend,
        workers=workers,
        threads=threads,
        schedule=schedule,
        split=split,
        scoring=scoring,
        limit=Limit(depth=depth, nodes=nodes, seconds=seconds),
        record=record,
    )
    result = finish(job)
    if as_json:
        print(msgspec.json.encode(as_record(chosen, result)).decode())
    else:
        Console(highlight=False).print(summary(chosen, root, result))
    if result.end is End.FAILED:
        print(result.failure, file=sys.stderr)
    return {End.STOPPED: 130, End.FAILED: 1}.get(result.end, 0)


def as_record(game: Game, result: Result) -> dict[str, Any]:
    """What `--json` prints: moves by their names, values those of the side to move, times in seconds."""
    job, info, name = result.job, result.info, game.notation.move_name
    return {
        "game": job.game,
        "position": job.position,
        "algorithm": job.algorithm,
        "backend": job.backend,
        "workers": job.workers,
        "scoring": job.scoring,
        "value": info.value,
        "best": None if info.best is None else name(info.best),
        "pv": [name(move) for move in info.pv],
        "root_moves": [
            {"move": name(found.move), "value": found.value, "bound": found.bound} for found in result.root_moves
        ],
        **_counted(info.counters),
        "seconds": info.seconds,
        "per_worker": [
            _counted(worker.counters)
            | {
                "tasks": [
                    {
                        "moves": [name(move) for move in task.moves],
                        "start": task.start,
                        "end": task.end,
                        "nodes": task.nodes,
                    }
                    for task in result.tasks
                    if task.worker == number
                ]
            }
            for number, worker in enumerate(info.workers)
        ],
        "ranks": [msgspec.to_builtins(rank) for rank in info.ranks],
        "complete": result.complete,
        "end": result.end,
        "trace_truncated": result.trace is not None and result.trace.truncated,
    }


def _counted(counters: Counters) -> dict[str, int]:
    return msgspec.structs.asdict(counters)
