"""Where Python's rules become machine code: numba's settings, its cache, and what kernels may call.

Only this module and the backends know numba. It hands each body of a rule to numba as an overload on the type of the
rule's first argument. So the rules of a game are written once, and a kernel that calls `play` is compiled for each game
without naming one; the step of an algorithm, `advance`, is found in the same way.
"""

import hashlib
import logging
import os
import pickle
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("NUMBA_THREADING_LAYER_PRIORITY", "omp tbb workqueue")

import numba
import platformdirs
from filelock import FileLock
from llvmlite import ir
from numba import extending
from numba.core import cgutils, config, types
from numba.core.caching import FunctionCache
from numba.extending import overload, register_jitable
from numba.np.unsafe import ndarray

from engine import bits, stack
from engine.algorithm import advance
from engine.game import RULES

log = logging.getLogger(__name__)

settings: Any = config
"""numba's own, which are made at run time."""

intrinsic: Any = extending.intrinsic
to_fixed_tuple: Any = ndarray.to_fixed_tuple


def _cache_folder() -> Path:
    """Named by a hash of the engine's sources, of where they are and of what compiles them.

    numba itself compares the path and the time stamp of one file, so it would miss a rule that changed in another.
    """
    digest = hashlib.sha256(f"{numba.__version__} {settings.BOUNDSCHECK} {Path(__file__).parent}".encode())
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(source.read_bytes())
    above = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_path("plyscope")
    return Path(above) / f"kernels-{digest.hexdigest()[:16]}"


def _open_cache() -> Path | None:
    """The folder that kernels are kept in between runs, or None where it cannot be written."""
    folder = _cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        log.warning("Compiled kernels cannot be kept (%s); they are compiled anew at each start.", error)
        return None
    settings.CACHE_DIR = str(folder)
    return folder


CACHE: Path | None = _open_cache()
"""Where compiled kernels are kept; None where they are not."""


_DAMAGE = (
    ArithmeticError,
    AttributeError,
    EOFError,
    ImportError,
    LookupError,
    OSError,
    pickle.PickleError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What reading a damaged pickle or object file may raise."""


class _KernelCache(FunctionCache):
    """numba's cache, but a damaged or unwritable one costs a compilation, not the search."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except _DAMAGE as error:
            log.warning("The compiled kernels in %s are damaged (%s); compiling anew.", CACHE, error)
            if CACHE is not None:
                shutil.rmtree(CACHE, ignore_errors=True)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """numba reads, changes and writes an index: two processes at once would lose each other's kernels."""
        try:
            with FileLock(f"{CACHE}.lock"):
                super().save_overload(sig, data)
        except OSError as error:
            log.warning("A compiled kernel could not be kept: %s.", error)


def kernel(body: Callable[..., Any], parallel: bool = False) -> Any:
    """Compile a function for the types that it is called with, without the interpreter's lock, and keep the code.

    Parallel ones go through the cache as well; numba lets go of the lock for both.
    """
    dispatcher: Any = numba.njit(nogil=True, parallel=parallel)(body)
    if CACHE is not None:
        dispatcher._cache = _KernelCache(body)
    return dispatcher


def _give_rule(rule: Any) -> None:
    """Let kernels call a rule of games. Bodies are short: pasted into the caller they are 1.6 times faster."""

    @overload(rule, inline="always", strict=False)
    def _(position: Any, *_rest: Any) -> Any:
        return rule.dispatch(position.instance_class) if hasattr(position, "instance_class") else None


def _give_advance() -> None:
    """Let kernels call the step of whichever algorithm: as a kernel of its own, for inside prange it would compile
    five times as long."""
    kernels: dict[type, Any] = {}

    @overload(advance, strict=False)
    def _(search: Any, root: Any, memory: Any, tape: Any, budget: Any) -> Any:
        body = advance.dispatch(search.instance_class)
        step = kernels.setdefault(search.instance_class, kernel(body))
        return lambda search, root, memory, tape, budget: step(search, root, memory, tape, budget)


for _rule in RULES:
    _give_rule(_rule)
_give_advance()


@intrinsic
def _trailing_zeros(_typing: Any, word: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@intrinsic
def _ones(_typing: Any, word: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@overload(bits.first, inline="always", strict=False)
def _first(bits: Any) -> Any:
    return lambda bits: _trailing_zeros(bits)


register_jitable(inline="always")(bits.rest)
for _helper in (stack.enter, stack.leave):
    register_jitable(inline="always")(_helper)
for _helper in (stack.open_row, stack.close_row, stack.begin):
    register_jitable(_helper)


@overload(bits.count, inline="always", strict=False)
def _count(bits: Any) -> Any:
    return lambda bits: _ones(bits)


@overload(stack.load, inline="always", strict=False)
def _load(root: Any, frame: Any) -> Any:
    position_type, size = root.instance_class, root.count
    return lambda root, frame: position_type(*to_fixed_tuple(frame[stack.WORDS : stack.WORDS + size], size))


@overload(stack.store, inline="always", strict=False)
def _store(position: Any, frame: Any) -> Any:
    size = position.count

    def store(position: Any, frame: Any) -> None:
        for word in range(size):
            frame[stack.WORDS + word] = position[word]

    return store


def _atomic(operation: str) -> Any:
    """An intrinsic (table, row, column, value) -> the old value, on a C-contiguous int64[:, :], in one step that no
    other thread can split."""

    @intrinsic
    def atomic(_typing: Any, table: Any, row: Any, column: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            place = cgutils.get_item_pointer2(
                context,
                builder,
                array.data,
                cgutils.unpack_tuple(builder, array.shape),
                cgutils.unpack_tuple(builder, array.strides),
                "C",
                [arguments[1], arguments[2]],
            )
            return builder.atomic_rmw(operation, place, arguments[3], "seq_cst")

        return types.int64(table, types.int64, types.int64, types.int64), generate

    return atomic


atomic_add = _atomic("add")
atomic_max = _atomic("max")


_clock_gettime = types.ExternalFunction("clock_gettime", types.int32(types.int32, types.uintp))
_MONOTONIC = time.CLOCK_MONOTONIC


@numba.njit(nogil=True)
def nanoseconds(scratch: Any) -> int:
    """The time of Python's `time.monotonic_ns`, read inside a kernel. `scratch` is an int64[2] to put it in."""
    _clock_gettime(_MONOTONIC, scratch.ctypes.data)
    return scratch[0] * 1_000_000_000 + scratch[1]
