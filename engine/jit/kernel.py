"""Compiles kernels; `engine.jit.cache` has numba store them. `engine.jit.lowering` registers the functions that they
call.

The backends, `engine.trace` and `engine.measure.perft` have kernels.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numba
from numba import extending
from numba.core import registry, types

from engine.jit.cache import cached

target: Any = registry.cpu_target
typing_context: Any = target.typing_context


def known(**options: bool) -> Any:
    """The options among these that this numba has. They are for speed: without one of them the code does the same."""
    return {name: value for name, value in options.items() if hasattr(target.options, name)}


INNER = known(no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""Options for functions called only by kernels. Wrappers for other callers took an eighth of the compile time."""

CALLED, INLINED = INNER | known(forceinline=False), INNER | known(forceinline=True)
"""The same for functions that are never, or always, inlined into those which `INLINED` inlines."""

registered: Any = partial(extending.register_jitable, inline="never")
"""Registers a function that kernels call, with options. numba's own takes no empty set of options."""


def kernel(body: Callable[..., Any], parallel: bool = False) -> Any:
    """A function compiled for the types of its arguments, with its code cached. It runs without the interpreter's lock.

    Parallel kernels are cached in the same way.
    """
    return cached(numba.njit(nogil=True, parallel=parallel, **known(no_cfunc_wrapper=True))(body))


def part(body: Callable[..., Any]) -> Any:
    """The same for a function called only by kernels, by the name of `body`. All callers share its compiled code."""
    made = cached(numba.njit(nogil=True, **CALLED)(body))
    typing_context.insert_global(body, types.Dispatcher(made))
    _PARTS.append(made)
    return made


_PARTS: list[Any] = []
"""All parts: numba has only weak references to them."""
