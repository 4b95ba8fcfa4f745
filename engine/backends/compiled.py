"""Compiles the slice of a worker (`engine.backends.worker`)."""

from typing import Any

from numba.core import types
from numba.extending import overload

from engine.backends import worker as body
from engine.jit import lowering as lowering  # registers the rules with the compiler
from engine.jit.kernel import INNER, kernel, part, registered
from engine.kernels.task_tree import back_up, key_of, move_of, settle, skip, value_of

for _helper in (key_of, value_of, move_of, back_up):
    registered(**INNER)(_helper)


@overload(body.own_tape, strict=False)
def _own_tape(rows: Any) -> Any:
    """The rule of `worker.own_tape`, chosen by the type of `rows`: a test for None at run time would make the result
    optional."""
    return (lambda rows: None) if isinstance(rows, types.NoneType) else body.tape_of


@overload(body.own_aids, strict=False)
def _own_aids(aids: Any, memory: Any, worker: Any) -> Any:
    """The rule of `worker.own_aids`, chosen by the type of `aids`."""
    return _no_aids if isinstance(aids, types.NoneType) else body.aids_of


def _no_aids(aids: Any, memory: Any, worker: Any) -> None:
    return None


for _part in (
    body.next_in_order,
    body.may_begin,
    body.now,
    body.enter,
    body.ancestor,
    skip,
    settle,
):
    part(_part)

next_task, start, finish = part(body.next_task), part(body.start), part(body.finish)
"""Kernels of their own, so that another process can compile them at the same time."""

work = kernel(body.work)
