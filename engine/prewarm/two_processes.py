"""Compiles the largest kernels of a search in two parallel processes: in one the recursion, in the other the start and
end of tasks. Both land in the on-disk cache, where the parent loads them.
"""

import os
import sys
from typing import Any

import numba
import numpy as np

from engine.backends.compiled import finish, next_task, start
from engine.jit.cache import get_ready
from engine.jit.lowering import compiled_subtree
from engine.kernels.node import Node
from engine.kernels.subtree import plies_for
from engine.kernels.task_tree import split
from engine.kernels.transposition import AIDS_TYPE
from engine.kernels.worker_memory import Tape, crew_memory, kind_of, memory_of
from engine.prepare import Prepared


def compile_in_parallel(prepared: Prepared) -> None:
    """Compile the kernels in this process and a fork of it. Only on Linux; elsewhere it does nothing. The process must
    have no other thread."""
    if sys.platform != "linux":
        return
    kind = kind_of(prepared.position)
    tape = Tape(0, 0) if prepared.job.record else None
    aids = np.zeros(1, AIDS_TYPE)[0] if prepared.has_aids else None
    search = prepared.search
    tree, memory = split(prepared.position, 0, 1), memory_of(crew_memory(1, [0]), 0)
    get_ready()
    if child := os.fork():
        _compile(next_task, tree, 0)
        _compile(finish, tree, memory)
        _compile(start, search, kind, True, tree, memory, tape, aids, 0)
        os.waitpid(child, 0)
    else:
        try:
            plies, node = plies_for(search, kind, tape, aids), Node(kind, 0, 0, 0)
            _compile(compiled_subtree, 0, plies, search, tape, aids, node, 0)
        finally:
            os._exit(0)  # an error occurs again, and is reported, where the parent compiles


def _compile(kernel: Any, *arguments: Any) -> None:
    """Compile a kernel for the types of these arguments."""
    kernel.compile(tuple(map(numba.typeof, arguments)))
