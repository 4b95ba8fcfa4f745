"""The interpreted backend: the serial search by the kernels' own Python, without the compiler.

It visits the same nodes as compiled kernels, with the same counters and the same record, some 500 times as slowly.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.backends.local import drive
from engine.backends.state import SearchState
from engine.backends.worker import work
from engine.control import Control
from engine.kernels.task_tree import Split
from engine.kernels.worker_memory import Memory, memory_of
from engine.prepare import Prepared
from engine.result import Result, Snapshot
from engine.rules.bits import WORD_MASK


def run(prepared: Prepared, control: Control) -> Iterator[Snapshot | Result]:
    """Search on this thread, in plain Python. Yields Snapshots, then the Result."""
    return drive(prepared, control, run_slice, plies=0, workers=1)


def run_slice(prepared: Prepared, state: SearchState, budgets: NDArray[np.int64]) -> None:
    """Run the only worker for about `budgets[0]` nodes, on copies of its memory as Python objects."""
    own = memory_of(state.crew, 0)
    memory, tree = Memory(*map(_objects, own)), Split(*map(_objects, state.tree))
    rows: Any = None if state.tapes is None else state.tapes[0]
    budget, prunes = int(budgets[0]), prepared.algorithm.prunes
    work(prepared.search, state.kind, prunes, tree, memory, rows, state.aids, budget, 0)
    for words, objects in zip((*own, *state.tree), (*memory, *tree), strict=True):
        _store(objects, words)


def _objects(words: NDArray[Any]) -> NDArray[Any]:
    """A copy of an array of int64, or of records of int64, with Python's integers: numpy's are slow, and overflow."""
    names = words.dtype.names or ()
    kind = [(name, object, words.dtype[name].shape) for name in names]
    return words.astype(np.dtype(kind) if kind else object)


def _store(objects: NDArray[Any], words: NDArray[Any]) -> None:
    """Store Python's integers in such an array; of each its lowest 64 bits. Few have integers of more."""
    try:
        words[...] = objects
    except OverflowError:
        for name in words.dtype.names or ():
            _store(objects[name], words[name])
        if words.dtype.names is None:
            words[...] = (objects & WORD_MASK).astype(np.uint64).view(np.int64)
