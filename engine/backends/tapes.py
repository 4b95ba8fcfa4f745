"""Puts the record of a root search together from the workers' tapes, each of which has the rows of that worker's
tasks in the order of time."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.backends.state import SearchState
from engine.kernels import worker_memory
from engine.kernels.task_tree import are_cut, moves_to
from engine.result import Task
from engine.trace.record import Trace

ALL = 1 << 62
"""More rows than any tape has."""


def trace(state: SearchState, known: int = ALL) -> Trace | None:
    """A copy of the record in preorder, the order of a serial search; None if the job has no record. Only the first
    `known` rows of each tape are used."""
    records = state.records
    if records is None:
        return None
    nodes, tasks, first_rows = state.tree.nodes, state.tree.tasks, _first_rows(state, records.shape[1], known)
    rows, cut = np.zeros(int(first_rows[-1]), np.int64), are_cut(state.tree)
    for node, (first, end) in enumerate(pairwise(first_rows.tolist())):
        if first == end:
            continue
        if nodes[node]["task"] < 0:
            rows[first] = _split_row(state, node, bool(cut[node]))
        else:
            task = tasks[nodes[node]["task"]]
            rows[first:end] = records[task["worker"], task["first"] : task["first"] + end - first]
    split = 1 + int(nodes["ply"][nodes["task"] < 0].max(initial=-1))
    return Trace(state.root, rows, int(_sizes(state).sum()), state.unit, state.estimates, split)


def tasks(state: SearchState, known: int = ALL) -> tuple[Task, ...]:
    """The finished and the abandoned tasks, each with its rows of the record that `trace` makes."""
    rows, nodes, places = state.tree.tasks, _nodes_of_tasks(state).tolist(), ranges(state, known).tolist()
    found = ((rows[number], nodes[number], places[number]) for number in begun(state))
    return tuple(
        Task(
            moves=moves_to(state.tree, int(task["node"])),
            worker=int(task["worker"]),
            start=int(task["start"]) / 1e9,
            end=int(task["end"] or task["left"]) / 1e9,
            nodes=nodes,
            finished=bool(task["end"]),
            first_row=first,
            end_row=end,
        )
        for task, nodes, (first, end) in found
    )


def begun(state: SearchState) -> list[int]:
    """The numbers of the finished and the abandoned tasks, in the order of `tasks`."""
    return np.flatnonzero((state.tree.tasks["end"] != 0) | (state.tree.tasks["left"] != 0)).tolist()


def ranges(state: SearchState, known: int = ALL) -> NDArray[np.int64]:
    """[tasks, 2]: the first row of each task in the record and the row after its last; equal if it has none."""
    records, nodes = state.records, state.tree.tasks["node"]
    if records is None:
        return np.zeros((len(nodes), 2), np.int64)
    first_rows = _first_rows(state, records.shape[1], known)
    found = np.stack([first_rows[nodes], first_rows[nodes + 1]], axis=1)
    found[state.tree.nodes[nodes]["task"] != np.arange(len(nodes))] = 0  # another worker had the same task
    return found


def _first_rows(state: SearchState, room: int, known: int) -> NDArray[np.int64]:
    """[nodes + 1]: the first row of each node in the record, and the end of the record. The record ends before the
    first row that has no room in it or on a worker's tape, which both have `room` rows, or is not known."""
    sizes = _sizes(state)
    first_rows, numbers = np.concatenate([[0], np.cumsum(sizes)]), state.tree.nodes["task"]
    on_tape = np.where(numbers < 0, 0, state.tree.tasks["first"][numbers])
    ends = first_rows[:-1] + np.clip(min(room, known) - on_tape, 0, sizes)
    return np.minimum(first_rows, ends.min(where=ends < first_rows[1:], initial=room))


def _sizes(state: SearchState) -> NDArray[np.int64]:
    """[nodes]: the number of rows of each node alone; for a task, the rows of its whole subtree."""
    numbers = state.tree.nodes["task"]
    return np.where(numbers < 0, state.tree.nodes["visited"], _nodes_of_tasks(state)[numbers])


def _nodes_of_tasks(state: SearchState) -> NDArray[np.int64]:
    """[tasks]: the number of visited nodes of each task, which is the number of its rows. 0 where records of a rank
    contradict each other."""
    rows, owners = state.tree.tasks, state.tree.tasks["worker"]
    on_tape = state.crew.state["rows"][np.maximum(0, owners)]
    last = np.where(rows["end"] != 0, rows["last"], on_tape)
    return np.where(owners < 0, 0, np.maximum(0, last - rows["first"]))


def _split_row(state: SearchState, node: int, is_cut: bool) -> int:
    """The row of a node above the tasks, as one word."""
    row, value = state.tree.nodes[node], state.settled_value(node)
    why = worker_memory.OPEN if value is None else worker_memory.CUTOFF if is_cut else worker_memory.ALL_SEEN
    move, ply, alpha, beta = (int(row[name]) for name in ("move", "ply", "alpha", "beta"))
    opened = worker_memory.entered(move, state.horizon - ply, alpha, beta)
    return opened + worker_memory.ended(why, value or 0)
