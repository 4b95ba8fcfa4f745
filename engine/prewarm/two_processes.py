"""Compiles the kernels of a search in two processes, for one takes longer: in one the recursion, in the other what
starts and ends tasks. Who compiles the rest finds both in the cache.
"""

import os
import sys
from typing import Any

import numba
import numpy as np

from engine.backends.worker import finish, next_task, start
from engine.jit.lowering import compiled_subtree
from engine.jit.numba_tuning import get_ready
from engine.kernels.subtree import plies_for
from engine.kernels.task_tree import split
from engine.kernels.transposition import AIDS_TYPE
from engine.kernels.worker_memory import Tape, crew_memory, kind_of, memory_of
from engine.registry import Prepared


def compile_halves(prepared: Prepared) -> None:
    """Where a process can simply be doubled; elsewhere nothing is done. No other thread may run."""
    if sys.platform != "linux":
        return
    kind = kind_of(prepared.position)
    tape = Tape(0, 0) if prepared.job.record else None
    aids = np.zeros(1, AIDS_TYPE)[0] if prepared.has_aids else None
    search = prepared.search
    tree, memory = split(prepared.position, 0, 1), memory_of(crew_memory(1, [0]), 0)
    get_ready()
    if child := os.fork():
        _compile(next_task, tree, 0, memory.state)
        _compile(finish, tree, memory)
        _compile(start, search, kind, True, tree, memory, tape, aids, 0)
        os.waitpid(child, 0)
    else:
        try:
            _compile(compiled_subtree, search, aids, tape, kind, *[0] * 5, plies_for(search, kind, tape, aids))
        finally:
            os._exit(0)  # what failed here will fail again, and be told, where the rest is compiled


def _compile(kernel: Any, *arguments: Any) -> None:
    """For such arguments."""
    kernel.compile(tuple(map(numba.typeof, arguments)))
