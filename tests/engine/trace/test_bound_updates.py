"""What the ends of tasks did to the bounds above them, in real searches on threads."""

import pytest

from engine import backends
from engine.job import RECORD_ROWS, Job
from engine.kernels.worker_memory import CUTOFF
from engine.result import Bound, State
from engine.trace.bound_updates import bound_updates


@pytest.mark.parametrize("split", [1, 2])
def test_the_last_update_of_a_node_is_its_value(split: int) -> None:
    job = Job(
        position="x../.../...", algorithm="alphabeta", backend="threads", workers=2, split=split, record=RECORD_ROWS
    )
    result = backends.solve(job)
    trace = result.trace
    assert trace is not None
    updates = bound_updates(trace, result.tasks)
    assert [update.task.end for update in updates] == sorted(update.task.end for update in updates)
    known: dict[int, int] = {}
    for update in updates:
        raw = trace.raw(update.task.first_row)
        parent = trace.parent(update.task.first_row)
        assert -raw.value > known.get(parent, -raw.beta), "it raises the bound"
        known[parent] = -raw.value
    last = {trace.parent(update.task.first_row): update for update in updates}
    for parent, update in last.items():
        assert trace.raw(parent).value == -trace.raw(update.task.first_row).value
        assert update.is_cutoff == (trace.why(parent) == CUTOFF)
    cuts = [update for update in updates if update.is_cutoff]
    assert len(cuts) == sum(update.is_cutoff for update in last.values()), "once a node"
    for update in cuts:
        node = trace.path_nodes(trace.parent(update.task.first_row))[-1]
        assert State.PRUNED in {child.state for child in node.children}
    unraised = {trace.parent(task.first_row) for task in result.tasks if task.first_row < task.end_row} - last.keys()
    for parent in unraised:
        found = trace.found(parent)
        assert found is not None
        assert found.bound is not Bound.EXACT, "no task raised its bound"
