"""The workers' lanes as data: each with its figures and its tasks in time. Nothing here paints."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from engine.job import Job
from engine.result import RankState, Snapshot, Task
from engine.rules.contract import Game
from engine.text.numbers import DASH, duration, rate, share, thousands
from engine.trace.bound_updates import BoundUpdate
from engine.trace.workers import Work
from gui.i18n.language import mark, tr
from gui.state.wording import worker_name

COMMON = mark("nodes"), mark("idle"), mark("nodes/s")
THREAD_FIGURES = *COMMON, mark("cutoffs"), mark("terminals")
RANK_FIGURES = *COMMON, mark("messages")
TOOL_TIPS = {
    "nodes/s": mark("per second of search time, idle or not"),
    "idle": mark("the share of the search time without a task"),
    "messages": mark("sent and received by the rank"),
}
"""Explanations of figures whose names need one."""


class Lane(NamedTuple):
    """One worker's texts and tasks, to be painted."""

    name: str
    figures: tuple[str, ...]
    """In the order of THREAD_FIGURES or RANK_FIGURES; empty where another lane has them."""
    nodes: int
    share: float
    """The share of all nodes, 0 to 1."""
    now: str
    """The moves to the worker's node, or the activity of its rank; empty without either."""
    tasks: tuple[Task, ...]
    """In the order of time."""
    note: str = ""
    """Of an MPI rank: its host, its activity, its messages."""


def lanes(game: Game, job: Job, info: Snapshot, tasks: tuple[Task, ...]) -> tuple[Lane, ...]:
    """A lane for each worker, which is a thread, local or of an MPI rank; figures of the rank itself are in its first
    lane."""
    made, own = [], defaultdict[int, list[Task]](list)
    for task in sorted(tasks, key=lambda task: task.start):
        own[task.worker].append(task)
    for number, worker in enumerate(info.workers):
        nodes, seconds, all_nodes = worker.counters.nodes, info.seconds_of(number), info.counters.nodes
        common = _common(nodes, info.idle(number), nodes / seconds if seconds else None)
        part = nodes / all_nodes if all_nodes else 0.0
        now = moves_in_words(game, worker.path)
        if info.ranks:
            made.append(_lane_of_rank(job, info, number, Lane("", common, nodes, part, now, tuple(own[number]))))
        else:
            figures = *common, thousands(worker.counters.cutoffs), thousands(worker.counters.terminals)
            made.append(Lane(worker_name(job, number), figures, nodes, part, now, tuple(own[number])))
    return tuple(made)


def lanes_then(made: Sequence[Lane], work: Sequence[Work]) -> tuple[Lane, ...]:
    """The lanes with the figures of a moment, without what the workers do now; dashes for figures that the record does
    not tell, and for all without `work`."""
    return tuple(_lane_then(lane, done) for lane, done in zip_longest(made, work))


def _lane_then(lane: Lane, done: Work | None) -> Lane:
    told = () if done is None else _common(done.nodes, done.idle, done.rate)
    untold = (figure and DASH for figure in lane.figures[len(told) :])
    return lane._replace(figures=(*told, *untold), nodes=0 if done is None else done.nodes, now="")


def _common(nodes: int, idle: float | None, per_second: float | None) -> tuple[str, ...]:
    """The figures of COMMON."""
    return thousands(nodes), share(idle), rate(per_second)


def _lane_of_rank(job: Job, info: Snapshot, worker: int, lane: Lane) -> Lane:
    """The lane, with the figures of the worker's rank added."""
    rank, thread = divmod(worker, job.threads)
    where = info.ranks[rank]
    return lane._replace(
        name=tr("{worker} · {host}", worker=worker_name(job, worker), host=where.host),
        figures=(*lane.figures, "" if thread else thousands(where.sent + where.received)),
        now=lane.now if where.state is RankState.SEARCHING else tr(where.state.value),
        note=tr(
            "{host}, process {pid}, {state}\nMessages: {sent} sent, {received} received; one-sided operations: "
            "{one_sided}",
            host=where.host,
            pid=where.pid,
            state=tr(where.state.value),
            sent=thousands(where.sent),
            received=thousands(where.received),
            one_sided=thousands(where.one_sided),
        ),
    )


def moves_in_words(game: Game, moves: tuple[int, ...]) -> str:
    """The names of moves, with spaces between them."""
    return " ".join(game.notation.move_name(move) for move in moves)


def moves_of(game: Game | None, task: Task) -> str:
    """The moves to a task; "whole tree" for the root."""
    return moves_in_words(game, task.moves) if game and task.moves else tr("whole tree")


def task_in_words(game: Game | None, task: Task, updates: Sequence[BoundUpdate]) -> str:
    """A task's moves, nodes and times, what its end did to the bounds, and its place in the record; a line each. The
    root is node 1."""
    took = tr("{start} to {end}", start=duration(task.start), end=duration(task.end))
    nodes = tr("{count} node(s)", "", task.nodes, count=thousands(task.nodes))
    left = () if task.finished else (tr("not finished"),)
    did = [
        tr("its value cut off the other moves") if each.is_cutoff else tr("its value raised a bound")
        for each in updates
        if each.task == task
    ]
    where = []
    if task.first_row < task.end_row:
        first, last = thousands(task.first_row + 1), thousands(task.end_row)
        where.append(tr("in the record from node {first} to {last}", first=first, last=last))
    return "\n".join((moves_of(game, task), nodes, took, *did, *where, *left))
