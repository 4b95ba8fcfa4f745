"""The tree above the tasks that Python builds between slices equals the tree that the kernels share among workers."""

from itertools import product

import numpy as np
import pytest

from engine.backends import threads
from engine.backends.allocate import memory
from engine.backends.dealing import dealing
from engine.backends.state import SearchState, new_state
from engine.job import Job
from engine.kernels import task_tree
from engine.kernels.task_tree import (
    NO_KEY,
    SKIPPED,
    Split,
    key_of,
    move_of,
    value_of,
)
from engine.options.choices import Schedule
from engine.prepare import Prepared, prepare
from engine.registry import game
from engine.result import Counters
from tests.engine.naive import EMPTY, TEXTBOOK, X_ON_A1


def searched(prepared: Prepared) -> SearchState:
    """The state after a search on threads."""
    job = prepared.job
    state = new_state(prepared, job.split, memory(prepared, job.workers))
    tasks = dealing(prepared, state)
    while tasks.active():
        threads.run_slice(prepared, state, np.full(job.workers, 10_000))
    return state


@pytest.mark.parametrize("name", TEXTBOOK)
@pytest.mark.parametrize("plies", [1, 2, 3])
@pytest.mark.parametrize("workers", [1, 3])
def test_tasks_that_are_settled_in_python_leave_what_the_kernels_leave(workers: int, plies: int, name: str) -> None:
    """In the order in which they ended; one worker skips a task before it takes the next."""
    for position, schedule in product((EMPTY, X_ON_A1), Schedule):
        job = Job(position=position, algorithm=name, backend="threads", workers=workers, split=plies, schedule=schedule)
        prepared = prepare(job)
        kernels = searched(prepared).tree
        python = task_tree.split(prepared.position, plies, workers)
        replay(kernels, python)
        fields = ["key", "open", "visited", *(["void"] if workers == 1 else [])]
        assert python.nodes[fields].tolist() == kernels.nodes[fields].tolist()
        assert task_tree.counters(python) == task_tree.counters(kernels)
        assert not python.nodes["open"].any()


def replay(kernels: Split, python: Split) -> None:
    for task, row in enumerate(kernels.tasks):
        node = int(python.tasks[task]["node"])
        if row["worker"] == SKIPPED:
            task_tree.skip(python.nodes, node, int(row["value"]))
        else:
            task_tree.enter(python, node)
            task_tree.settle(python.nodes, node, int(row["value"]))


def test_a_cutoff_at_a_node_that_is_cut_off_itself_later_does_not_count() -> None:
    """Two workers below one node: the first cuts its other moves, then the root is cut while the second searches on."""
    tree = task_tree.split(game("tictactoe").start, 2, 2)
    first, second, third = (int(node) for node in tree.tasks["node"][:3])
    task_tree.enter(tree, first)
    task_tree.enter(tree, second)
    task_tree.settle(tree.nodes, first, 0)
    task_tree.skip(tree.nodes, third, 1)
    assert task_tree.counters(tree) == Counters(nodes=2, cutoffs=1, pruned=1)
    task_tree.skip(tree.nodes, second, 0)
    assert task_tree.counters(tree) == Counters(nodes=2, cutoffs=0, pruned=0)


def test_a_node_entered_while_another_worker_cuts_it_off_is_not_pruned() -> None:
    """Both looked before either wrote: the last move of the root is cut off and entered, so none is pruned there."""
    tree = task_tree.split(game("tictactoe").start, 2, 2)
    for child in task_tree.children(tree, 0)[:-1]:
        task_tree.enter(tree, child)
    last = task_tree.children(tree, 0)[-1]
    cut_off, entered = task_tree.children(tree, last)[:2]
    task_tree.skip(tree.nodes, cut_off, 0)
    assert task_tree.counters(tree).cutoffs == task_tree.are_cut(tree).sum() == 1
    task_tree.enter(tree, entered)
    assert task_tree.counters(tree) == Counters(nodes=10, cutoffs=0, pruned=0)
    assert not task_tree.are_cut(tree).any()


def test_of_equal_values_the_lower_move_has_the_greater_key() -> None:
    moves, values = range(0, 64, 9), (-65, -1, 0, 1, 400)
    keys = [key_of(value, move) for value in values for move in reversed(moves)]
    assert keys == sorted({*keys})
    assert keys[0] > NO_KEY
    assert [(value_of(key), move_of(key)) for key in keys] == [*product(values, reversed(moves))]


def test_the_eldest_is_searched_alone_then_its_brothers_then_all_others() -> None:
    tree = task_tree.split(game("tictactoe").start, 2, 2)
    assert task_tree.eldest_first(tree) == [(0, 1), (1, 8), (8, 72)]
    assert task_tree.eldest_first(task_tree.split(game("tictactoe").start, 0, 2)) == [(0, 1)]


def test_tasks_are_dealt_in_blocks_in_turns_or_on_demand() -> None:
    tree = task_tree.split(game("tictactoe").start, 1, 2)
    dealt = {}
    for schedule in Schedule:
        task_tree.deal(tree, 1, 9, schedule, 2)
        dealt[schedule] = [[*range(*row[:3])] if row[2] else [] for row in tree.dealt.tolist()]
    assert dealt == {
        Schedule.STATIC: [[], [1, 2, 3, 4], [5, 6, 7, 8]],
        Schedule.CYCLIC: [[], [1, 3, 5, 7], [2, 4, 6, 8]],
        Schedule.DYNAMIC: [[*range(1, 9)], [], []],
    }
