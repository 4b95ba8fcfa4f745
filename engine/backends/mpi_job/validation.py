"""Checks that a record is possible for a job. A rank of another version, or another program, may send anything; values
that are shown or used as an index are checked first."""

from collections.abc import Iterable, Sequence

import numpy as np
from msgspec.structs import astuple

from engine.backends.mpi_job import protocol
from engine.kernels import task_tree
from engine.kernels.worker_memory import unpack_line
from engine.options.catalogue import MAX_INTEGER
from engine.prepare import Prepared
from engine.result import INFINITY, PathNode, Snapshot, WorkerInfo
from engine.rules.bits import each
from engine.rules.contract import Position, is_over, legal, play
from engine.transfer import Transfer

LONGEST_SECONDS = 1e9
"""Thirty years."""
MOST_ROWS = 1 << 48
"""The most nodes of a worker: more than a month at 10 ns a node. The sum over all tasks then fits a word."""


def is_possible(record: protocol.Line, prepared: Prepared, tree: task_tree.Split, rows: int) -> bool:
    """Whether ranks of this job can have sent a record; `rows` is the length of their tapes."""
    job, tasks = prepared.job, len(tree.tasks)
    workers = job.workers * job.threads
    match record:
        case protocol.RankCounters():
            return (
                _within(job.workers, record.rank)
                and _are_times(record.seconds)
                and _are_counts(record.sent, record.received, record.one_sided)
                and _are_workers(record.workers, job.threads, tasks, prepared.position)
                and _is_path(record.path, _position_of_first(record.workers, tree, prepared.position))
                and _are_windows(record.windows, _first_task(record.workers), tree)
            )
        case protocol.Started():
            return (
                _within(tasks, record.task)
                and _within(workers, record.worker)
                and _are_counts(abs(record.start), record.left)
                and _are_rows(record.first, record.last)
                and _are_windows(record.windows, record.task, tree)
            )
        case protocol.Done():
            return (
                _within(tasks, record.task)
                and _within(workers, record.worker)
                and _are_counts(abs(record.start), abs(record.end))
                and _are_rows(record.first, record.last)
                and _are_values(record.value)
                and _are_windows(record.windows, record.task, tree)
                and _are_counts(record.line)
                and _is_line(_root_of(record.task, tree, prepared.position), unpack_line(record.line))
            )
        case protocol.Skipped():
            plies = int(tree.nodes["ply"].max())
            return (
                _within(job.workers, record.rank)
                and _within(tasks, record.task)
                and _within(plies + 1, record.ply)
                and _are_windows(record.windows, record.task, tree)
            )
        case protocol.Rows():
            length, rest = divmod(len(record.rows), np.dtype(np.int64).itemsize)
            return _within(workers, record.worker) and not rest and 0 <= record.first <= rows - length
        case protocol.Answered():
            return _within(job.workers, record.rank) and _within(rows + 1, record.rows)
        case protocol.Finished():
            lines = [(found.move,) for found in record.root_moves] + [task.moves for task in record.tasks]
            return (
                _is_moment(record.info, prepared, tasks)
                and all(_is_line(prepared.position, line) for line in lines)
                and all(_within(workers, task.worker) and _are_counts(task.nodes) for task in record.tasks)
                and all(0 <= task.first_row <= task.end_row <= rows for task in record.tasks)
                and all(_is_transfer(one, job.workers, len(record.tasks)) for one in record.transfers)
                and _are_times(record.clock_error)
                and _are_values(*(found.value.number for found in record.root_moves))
                and _are_counts(*(found.depth for found in record.root_moves))
            )
        case protocol.Hello() | protocol.Log() | protocol.Error():
            return True  # texts and process numbers: none of them is an index


def _is_moment(info: Snapshot, prepared: Prepared, tasks: int) -> bool:
    job, best = prepared.job, () if info.best is None else (info.best,)
    return (
        all(_is_line(prepared.position, line) for line in (best, info.pv))
        and _are_counts(*astuple(info.counters), info.tasks, info.tasks_done, info.value_depth or 0)
        and _are_times(info.seconds, *(rank.seconds for rank in info.ranks))
        and _are_values(0 if info.value is None else info.value.number)
        and _are_workers(info.workers, job.workers * job.threads, tasks, prepared.position)
        and _is_path(info.path, prepared.position)
        and len(info.ranks) == job.workers
        and not info.iterations  # ranks search the root once
    )


def _is_transfer(transfer: Transfer, ranks: int, tasks: int) -> bool:
    return (
        _within(ranks, transfer.sender)
        and _within(ranks, transfer.receiver)
        and bool(transfer.tasks)
        and all(_within(tasks, task) for task in transfer.tasks)
        and _are_times(abs(transfer.sent), abs(transfer.received))
    )


def _are_workers(workers: Sequence[WorkerInfo], number: int, tasks: int, root: Position) -> bool:
    return len(workers) == number and all(
        _are_counts(*astuple(worker.counters))
        and _are_rows(0, worker.counters.nodes)
        and _are_times(worker.busy, worker.ran, worker.cpu)
        and (worker.task is None or _within(tasks, worker.task))
        and _is_line(root, worker.path)
        for worker in workers
    )


def _position_of_first(workers: Iterable[WorkerInfo], tree: task_tree.Split, root: Position) -> Position:
    """The root position of the first busy worker's task."""
    task = _first_task(workers)
    return root if task is None else _root_of(task, tree, root)


def _first_task(workers: Iterable[WorkerInfo]) -> int | None:
    return next((worker.task for worker in workers if worker.task is not None), None)


def _are_windows(windows: Sequence[tuple[int, int]], task: int | None, tree: task_tree.Split) -> bool:
    """Whether there is one valid window for each node on the path to a task."""
    plies = 0 if task is None else int(tree.nodes[tree.tasks[task]["node"]]["ply"])
    return len(windows) == plies and all(_are_values(*window) for window in windows)


def _root_of(task: int, tree: task_tree.Split, root: Position) -> Position:
    for move in task_tree.moves_to(tree, int(tree.tasks[task]["node"])):
        root = play(root, move)
    return root


def _is_path(path: Sequence[PathNode], position: Position) -> bool:
    """Whether these path nodes lead down from a position."""
    for ply, node in enumerate(path):
        moves = () if is_over(position) else tuple(each(legal(position)))
        values = [child.value for child in node.children] + [node.best]
        if not (
            {child.move for child in node.children} <= {*moves}
            and (node.move is None or node.move in moves)
            and _are_values(node.alpha, node.beta, *(value.number for value in values if value is not None))
        ):
            return False
        if node.move is None:
            return ply == len(path) - 1
        position = play(position, node.move)
    return True


def _is_line(position: Position, moves: Iterable[int]) -> bool:
    """Whether these moves can be played, one after the other."""
    for move in moves:
        if is_over(position) or move not in each(legal(position)):
            return False
        position = play(position, move)
    return True


def _within(number: int, index: int) -> bool:
    return 0 <= index < number


def _are_counts(*counts: float) -> bool:
    return all(0 <= count <= MAX_INTEGER for count in counts)


def _are_rows(first: int, last: int) -> bool:
    """Whether a worker's tape can have these rows. Rows are counted also where the tape has no room."""
    return 0 <= first <= last <= MOST_ROWS


def _are_times(*seconds: float) -> bool:
    """Whether these are possible times of a search: as nanoseconds they fit a word."""
    return all(0 <= time <= LONGEST_SECONDS for time in seconds)


def _are_values(*values: float) -> bool:
    return all(abs(value) <= INFINITY for value in values)
