"""`solve`: search one position and say what was found."""

import sys
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from msgspec.structs import replace
from rich.console import Console

from engine.backends.mpi_job import launch
from engine.cli.files import write
from engine.cli.options import WHERE, GameOption, JsonOption, PositionOption, check_files, check_used, file_option, find
from engine.cli.progress import exit_code_of_stop, finish
from engine.cli.search_options import ENTRIES, job_of, takes_options, tell_idle
from engine.cli.summary import seen, summary
from engine.job import Job
from engine.measure.timeline import to_chrome_trace
from engine.measure.tree_size import depth_in, expected_nodes, is_long
from engine.play.recommended import recommended
from engine.prepare import prepare
from engine.result import INFINITY, Counters, End, Number, Result, Value
from engine.rules.contract import Game, Position
from engine.text.numbers import about


@takes_options()
def solve(
    context: typer.Context,
    *,
    game: GameOption = "tictactoe",
    position: PositionOption = None,
    options: dict[str, Any],
    hosts: Annotated[
        str, typer.Option(metavar="A,B", rich_help_panel=WHERE, help="Hosts of the ranks; default: this machine.")
    ] = launch.choice().hosts,
    launcher: Annotated[
        str,
        typer.Option(
            metavar="COMMAND",
            rich_help_panel=WHERE,
            help="Command that starts the ranks, such as 'srun -n {ranks}'; default: mpiexec.",
        ),
    ] = launch.choice().template,
    as_json: JsonOption = False,
    timeline: Annotated[
        Path | None, file_option("Save the tasks and the ranks' messages in time, for Perfetto (ui.perfetto.dev).")
    ] = None,
) -> int:
    """Search a position completely, or to a limit: its value, the best move and the counters.

    Returns the exit code: 130 where Ctrl+C stopped the search (143 SIGTERM, 129 SIGHUP), 1 where its ranks failed; what
    was finished until then is printed.
    """
    check_files(json=timeline)
    chosen, root = find(game, position)
    job = job_of(chosen, root, options)
    if not options["algorithm"]:
        job = without_options(job)
    check_used(context, "hosts launcher", job.backend == "mpi", "MPI ranks", "--backend mpi")
    launch.choose(launch.LaunchChoice(launcher, hosts))
    prepare(job)
    tell_idle(job, options)
    if is_long(job):
        expected, plies = about(expected_nodes(job)), depth_in(job, 10)
        print(f"This may take very long: about {expected} nodes, by an estimate; try --depth {plies}.", file=sys.stderr)
    result = finish(job)
    if timeline is not None:
        write(timeline, to_chrome_trace(result))
    if as_json:
        print(msgspec.json.encode(as_record(chosen, root, result)).decode())
    else:
        Console(highlight=False).print(summary(chosen, root, result))
    if result.end is End.FAILED:
        print(result.failure, file=sys.stderr)
    return {End.STOPPED: exit_code_of_stop(), End.FAILED: 1}.get(result.end, 0)


def without_options(job: Job) -> Job:
    """A job for which no algorithm was chosen: what is recommended, unless an option says how to search. One that has
    no effect alone, such as an evaluation without a horizon, does not say it, and goes with what is recommended."""
    kept = {"scoring": job.scoring, "form": job.form, "record": job.record}
    kept |= {entry.key: entry.value(job) for entry in ENTRIES if not entry.parent and entry.option.idle(job)}
    is_plain = job == Job(game=job.game, position=job.position, **kept)
    return replace(recommended(job.game, job.position), **kept) if is_plain else job


def as_record(game: Game, position: Position, result: Result) -> dict[str, Any]:
    """What `--json` prints: moves by their names, values and windows as in the summary by the form, times in
    seconds."""
    job, info, name = result.job, result.info, game.notation.move_name
    line = [name(move) for move in info.proven_line]
    shown = partial(seen, game, position, job)
    return {
        "game": job.game,
        "position": job.position,
        "algorithm": job.algorithm,
        "backend": job.backend,
        "workers": job.workers,
        "scoring": job.scoring,
        "form": job.form,
        **_value(None if info.value is None else shown(info.value), result),
        "value_depth": info.value_depth,
        "best": line[0] if line else None,
        "pv": line,
        "root_moves": [
            {"move": name(found.move), **_value(shown(found.value), result), "depth": found.depth}
            for found in result.root_moves
        ],
        **_counted(info.counters),
        "seconds": info.seconds,
        "per_worker": [
            _counted(worker.counters)
            | {
                "busy": worker.busy,
                "ran": worker.ran,
                "cpu": worker.cpu,
                "tasks": [
                    {
                        "moves": [name(move) for move in task.moves],
                        "start": task.start,
                        "end": task.end,
                        "nodes": task.nodes,
                        "finished": task.finished,
                    }
                    for task in result.tasks
                    if task.worker == number
                ],
            }
            for number, worker in enumerate(info.workers)
        ],
        "iterations": [
            {
                "depth": iteration.depth,
                "alpha": _bound(iteration.alpha),
                "beta": _bound(iteration.beta),
                "value": iteration.value.number,
                "pv": [name(move) for move in iteration.proven_line],
                "branching": iteration.branching,
                "seconds": iteration.seconds,
            }
            | _counted(iteration.counters)
            for iteration in map(shown, info.iterations)
        ],
        "table_fill": info.table_fill,
        "ranks": [msgspec.to_builtins(rank) for rank in info.ranks],
        "complete": result.complete,
        "end": result.end,
        "trace_truncated": result.trace is not None and result.trace.truncated,
    }


def _value(value: Value | None, result: Result) -> dict[str, Any]:
    """A value, whether it is exact or a bound, and whether it may be an estimate; None where it is not known. A 0 of a
    search with a horizon may be a draw, or an estimate that is 0."""
    if value is None:
        return {"value": None, "bound": None, "is_estimate": None}
    has_horizon = not result.complete and (result.job.limit.depth is not None or result.job.deepen)
    is_estimate = value.is_estimate or (has_horizon and not value.number)
    return {"value": value.number, "bound": value.bound, "is_estimate": is_estimate}


def _bound(value: Number) -> Number | None:
    """A window's end; None where it is open."""
    return None if abs(value) >= INFINITY else value


def _counted(counters: Counters) -> dict[str, int]:
    return msgspec.structs.asdict(counters)
