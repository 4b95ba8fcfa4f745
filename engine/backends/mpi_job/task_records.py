"""The records of a rank's tasks. `first_worker` is the number of the rank's first thread among those of all ranks."""

from engine.backends.mpi_job import protocol
from engine.backends.state import SearchState
from engine.kernels.task_tree import way_to


def done(state: SearchState, task: int, first_worker: int) -> protocol.Done:
    """The record of a finished task."""
    row = state.tree.tasks[task]
    return protocol.Done(
        task=task,
        worker=first_worker + int(row["worker"]),
        start=int(row["start"]),
        end=int(row["end"]),
        value=int(row["value"]),
        line=int(row["line"]),
        first=int(row["first"]),
        last=int(row["last"]),
        windows=windows(state, task),
    )


def started(state: SearchState, task: int, first_worker: int) -> protocol.Started:
    """The record of an abandoned task."""
    row = state.tree.tasks[task]
    worker = int(row["worker"])
    return protocol.Started(
        task=task,
        worker=first_worker + worker,
        start=int(row["start"]),
        left=int(row["left"]),
        first=int(row["first"]),
        last=int(state.crew.state[worker]["rows"]),
        windows=windows(state, task),
    )


def skipped(state: SearchState, task: int, rank: int) -> protocol.Skipped:
    """The record of a task of this rank that was cut off before it began."""
    return protocol.Skipped(rank, task, int(state.tree.tasks[task]["value"]), windows(state, task))


def windows(state: SearchState, task: int) -> tuple[tuple[int, int], ...]:
    """See `protocol.Done`."""
    nodes = state.tree.nodes
    way = way_to(state.tree, int(state.tree.tasks[task]["node"]))
    return tuple((int(nodes[node]["alpha"]), int(nodes[node]["beta"])) for node in way)
