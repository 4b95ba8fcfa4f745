"""`solve`: search one position and say what was found."""

import math
import sys
from typing import Annotated, Any

import msgspec
import typer
from msgspec.structs import replace
from rich.console import Console

from engine import registry
from engine.backends.mpi_job import launch
from engine.cli.options import ANSWER, HOW, LIMITS, WHAT, WHERE, GameOption, JsonOption, PositionOption, find
from engine.cli.progress import exit_code_of_stop, finish
from engine.cli.summary import summary
from engine.job import MAX_WORKERS, Fail, Form, Job, JobError, Limit, Order, Parallel, Replacement, Schedule, Scoring
from engine.measure.speedup import cores
from engine.measure.tree_size import depth_in, expected_nodes, is_long
from engine.play.recommended import recommended
from engine.result import INFINITY, Counters, End, Result, Value
from engine.rules.contract import WIN, Game
from engine.text.numbers import about

MAX_RECORD = 100_000_000
"""Some 1.2 GB for each worker."""


def _evaluations() -> str:
    """The names of all, game by game."""
    found = {name: registry.game(specs[0]).evaluations for name, specs in registry.offered().items()}
    named = (f"{name}: {', '.join(one.name for one in several)}" for name, several in found.items() if len(several) > 1)
    return "; ".join(named) + "."


def solve(
    game: GameOption = "tictactoe",
    position: PositionOption = None,
    algorithm: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            rich_help_panel=WHAT,
            help=f"{' or '.join(registry.algorithms())}; default: minimax, or where no option says how to search, what "
            "suits the game.",
        ),
    ] = "",
    scoring: Annotated[
        Scoring,
        typer.Option(
            rich_help_panel=WHAT,
            help=f"textbook: +1, 0, -1. soonest: {WIN} less the plies until the win, negative for the loser.",
        ),
    ] = Scoring.TEXTBOOK,
    form: Annotated[
        Form,
        typer.Option(
            rich_help_panel=WHAT,
            help="Whose values: those of the side to move, or of MAX, who moves at the root.",
        ),
    ] = Form.NEGAMAX,
    fail: Annotated[
        Fail,
        typer.Option(
            rich_help_panel=HOW, help="What is returned outside the window: the best bound, or the window's end."
        ),
    ] = Fail.SOFT,
    aspiration: Annotated[
        float | None,
        typer.Option(
            metavar="WINS",
            rich_help_panel=HOW,
            help="With --deepen: the window is the last value, plus and minus this.",
        ),
    ] = None,
    order: Annotated[
        str,
        typer.Option(metavar="A,B", rich_help_panel=HOW, help=f"Move ordering: {', '.join(Order)}."),
    ] = "",
    seed: Annotated[int, typer.Option(metavar="N", rich_help_panel=HOW, help="The seed of the random order.")] = 0,
    table: Annotated[
        float, typer.Option(metavar="MIB", rich_help_panel=HOW, help="Size of the transposition table; 0: none.")
    ] = 0.0,
    replacement: Annotated[
        Replacement, typer.Option(rich_help_panel=HOW, help="Which table entry a new one may replace.")
    ] = Replacement.ALWAYS,
    fold: Annotated[
        bool, typer.Option("--fold", rich_help_panel=HOW, help="One table entry for positions equal by symmetry.")
    ] = False,
    backend: Annotated[
        str, typer.Option(metavar="NAME", rich_help_panel=WHERE, help=f"{' or '.join(registry.BACKENDS)}.")
    ] = "serial",
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N", rich_help_panel=WHERE, help=f"Threads or ranks, 1 to {MAX_WORKERS}; default: all cores."
        ),
    ] = None,
    threads: Annotated[int, typer.Option(metavar="T", rich_help_panel=WHERE, help="Threads in each rank.")] = 1,
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
    schedule: Annotated[
        Schedule, typer.Option(rich_help_panel=WHERE, help="How tasks are assigned to threads or ranks.")
    ] = Schedule.DYNAMIC,
    split: Annotated[
        int | None,
        typer.Option(metavar="D", rich_help_panel=WHERE, help="Depth of the tasks below the root, in plies."),
    ] = None,
    parallel: Annotated[
        Parallel | None,
        typer.Option(
            rich_help_panel=WHERE,
            help="root: each root move is a task. split: each position --split plies down (default: 2) is a task. ybw: "
            "as split, with young brothers wait. lazy: every thread searches the whole tree; they share the table.",
        ),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(metavar="D", rich_help_panel=LIMITS, help="Depth limit in plies; positions there are estimated."),
    ] = None,
    evaluate: Annotated[
        bool, typer.Option(rich_help_panel=LIMITS, help="Estimate positions at the depth limit, or count them as 0.")
    ] = True,
    evaluation: Annotated[
        str, typer.Option(metavar="NAME", rich_help_panel=LIMITS, help=f"How it is estimated. {_evaluations()}")
    ] = "",
    deepen: Annotated[
        bool,
        typer.Option("--deepen", rich_help_panel=LIMITS, help="Iterative deepening: depth 1, 2, 3 ... until a limit."),
    ] = False,
    nodes: Annotated[int | None, typer.Option(metavar="N", rich_help_panel=LIMITS, help="Stop after N nodes.")] = None,
    seconds: Annotated[
        float | None, typer.Option(metavar="S", rich_help_panel=LIMITS, help="Stop after S seconds.")
    ] = None,
    record: Annotated[
        int,
        typer.Option(max=MAX_RECORD, metavar="N", rich_help_panel=ANSWER, help="Record up to N nodes."),
    ] = 0,
    as_json: JsonOption = False,
) -> int:
    """Search a position completely, or to a limit: its value, the best move and the counters.

    Returns the exit code: 130 where Ctrl+C stopped the search (143 SIGTERM, 129 SIGHUP), 1 where its ranks failed; what
    was finished until then is printed.
    """
    if seconds is not None and not math.isfinite(seconds):
        raise JobError(f"The search cannot run: seconds must be a number, not {seconds}.")
    backend = registry.backend(backend)
    if backend not in registry.PARALLEL and workers is not None and workers > 1:
        raise JobError(f"{backend.capitalize()} is one worker: choose --backend threads to have {workers:,}.")
    if workers is None:
        workers = min(cores(), MAX_WORKERS) if backend in registry.PARALLEL else 1
    if backend != "mpi" and threads > 1:
        raise JobError(f"--threads is for MPI ranks: write --backend threads --workers {threads}.")
    launch.choose(launch.Choice(launcher, hosts))
    chosen, root = find(game, position)
    job = Job(
        game=chosen.spec,
        position=chosen.notation.format(root),
        algorithm=registry.algorithm(algorithm or "minimax").name,
        backend=backend,
        workers=workers,
        threads=threads,
        schedule=schedule,
        split=(2 if parallel in (Parallel.SPLIT, Parallel.YBW) else 1) if split is None else split,
        parallel=Parallel.SPLIT if parallel is None else parallel,
        form=form,
        fail=fail,
        evaluate=evaluate,
        evaluation=evaluation,
        deepen=deepen,
        aspiration=aspiration,
        order=orders(order),
        seed=seed,
        table=table,
        replacement=replacement,
        fold=fold,
        scoring=scoring,
        limit=Limit(depth=depth, nodes=nodes, seconds=seconds),
        record=record,
    )
    if not algorithm:
        job = without_options(job)
    registry.prepare(job)
    if is_long(job):
        expected, plies = about(expected_nodes(job)), depth_in(job, 10)
        print(f"This may never end: about {expected} nodes, by an estimate; try --depth {plies}.", file=sys.stderr)
    result = finish(job)
    if as_json:
        print(msgspec.json.encode(as_record(chosen, result)).decode())
    else:
        Console(highlight=False).print(summary(chosen, root, result))
    if result.end is End.FAILED:
        print(result.failure, file=sys.stderr)
    return {End.STOPPED: exit_code_of_stop(), End.FAILED: 1}.get(result.end, 0)


def without_options(job: Job) -> Job:
    """A job for which no algorithm was chosen: what is recommended, unless an option says how to search."""
    kept = {"scoring": job.scoring, "form": job.form, "record": job.record}
    is_plain = job == Job(game=job.game, position=job.position, **kept)
    return replace(recommended(job.game, job.position), **kept) if is_plain else job


def orders(names: str) -> tuple[Order, ...]:
    """The orders that "killers,domain" names, however they are written. Raises JobError if there is none of a name."""
    known, found = {order.value: order for order in Order}, []
    for name in filter(None, map(str.strip, names.split(","))):
        order = registry.find(name, known)
        if order is None:
            raise JobError(f"There is no order {name!r}: {registry.advice(name, known)}")
        found.append(order)
    return tuple(found)


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
        "form": job.form,
        "value": info.value,
        "bound": info.bound,
        "value_depth": info.value_depth,
        "best": None if info.best is None else name(info.best),
        "pv": [name(move) for move in info.pv],
        "root_moves": [
            {"move": name(found.move), "value": found.value, "bound": found.bound, "depth": found.depth}
            for found in result.root_moves
        ],
        **_counted(info.counters),
        "seconds": info.seconds,
        "per_worker": [
            _counted(worker.counters)
            | {
                "busy": worker.busy,
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
                "value": iteration.value,
                "pv": [name(move) for move in iteration.pv],
                "branching": iteration.branching,
                "seconds": iteration.seconds,
            }
            | _counted(iteration.counters)
            for iteration in info.iterations
        ],
        "table_fill": info.table_fill,
        "ranks": [msgspec.to_builtins(rank) for rank in info.ranks],
        "complete": result.complete,
        "end": result.end,
        "trace_truncated": result.trace is not None and result.trace.truncated,
    }


def _bound(value: Value) -> Value | None:
    """A window's end; None where it is open."""
    return None if abs(value) >= INFINITY else value


def _counted(counters: Counters) -> dict[str, int]:
    return msgspec.structs.asdict(counters)
