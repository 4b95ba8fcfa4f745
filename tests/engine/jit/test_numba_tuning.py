"""numba, tuned for faster compilation, still compiles correctly."""

import sys
from collections.abc import Iterator
from typing import Any

import numba
import numpy as np
import pytest
from numba import extending
from numba.core import analysis, types
from numba.core.event import install_recorder
from numba.core.ir import Assign, Expr
from numba.core.runtime.context import NRTContext
from numba.core.typing import typeof
from numba.np import linalg

from engine.jit.kernel import CALLED, INLINED, INNER
from engine.jit.numba_version import IS_FITTING

if not IS_FITTING:
    pytest.skip("This numba is not tuned: nothing of it is replaced.", allow_module_level=True)

from engine.jit import numba_tuning
from engine.jit.numba_tuning import OPERATIONS, get_ready, target, typing_context


@numba.njit(**INNER)
def inner(numbers: Any, place: int) -> int:
    if place < 0:
        raise ValueError("no such place")
    return numbers[place]


@numba.njit(nogil=True)
def outer(numbers: Any, place: int) -> int:
    return 10 * inner(numbers, place)


def library(dispatcher: Any) -> Any:
    return dispatcher.overloads[dispatcher.signatures[0]].library


def test_only_what_is_called_from_python_becomes_machine_code_of_its_own() -> None:
    assert outer(np.array([1, 2]), 1) == 20
    assert library(outer).serialize_using_object_code()[1] == "object"
    assert library(inner).serialize_using_object_code()[1] == "bitcode"


def test_an_error_inside_it_reaches_python() -> None:
    with pytest.raises(ValueError, match="no such place"):
        outer(np.array([1, 2]), -1)


def test_arrays_have_the_types_that_numba_gives_them() -> None:
    records, table = np.zeros(4, "i8, 3i4"), np.zeros((2, 3))
    constant = np.arange(3)
    constant.flags.writeable = False
    for array in (records, records["f1"], records[::2], table, table.T, constant):
        assert numba.typeof(array) == typeof._typeof_ndarray(array, None)


@numba.njit(parallel=True)
def side_by_side(numbers: Any) -> None:
    for place in numba.prange(len(numbers)):
        numbers[place] = inner(numbers, place) + 1


def test_the_body_of_a_prange_is_machine_code_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of the function around it."""
    made: list[str] = []
    make = numba_tuning._Library._make
    monkeypatch.setattr(numba_tuning._Library, "_make", lambda self: (made.append(self.name), make(self)))
    numbers = np.array([1, 2])
    side_by_side(numbers)
    assert numbers.tolist() == [2, 3]
    assert len(made) == 1


@pytest.mark.parametrize(("options", "times"), [(CALLED, 1), (INNER, 2)])
def test_callers_share_what_is_compiled_alike_for_them(options: Any, times: int) -> None:
    """Where nothing else is said, a function is inlined as its caller is."""
    compiled: list[Any] = []

    def called(number: int) -> int:
        return number + 1

    @extending.overload(called, strict=False, jit_options=options)
    def _(number: Any) -> Any:
        compiled.append(number)
        return called

    def calls(number: int) -> int:
        return called(number) * 2

    for caller in (INNER, CALLED, {"nogil": True}, INLINED):
        numba.njit(**caller)(calls).compile((types.int64,))
    assert compiled == [types.int64] * times


@pytest.mark.parametrize("operation", OPERATIONS)
def test_types_that_are_listed_are_tried_first_and_overloads_last(operation: Any) -> None:
    get_ready()
    templates = typing_context.resolve_value_type(operation).templates
    ranks = [(not getattr(kind, "cases", None), hasattr(kind, "_overload_func")) for kind in templates]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) > 1


def test_the_variables_of_an_instruction_are_those_that_numba_finds() -> None:
    def every_kind(numbers: Any, place: int) -> Any:
        chosen = {
            "first": (place, numbers[place]),
            "rest": [numbers[1:place:2], max(place, 2, key=None), (*numbers, place)],
        }
        numbers[place], numbers.size = -chosen["first"][1], place
        for number in numbers:
            if not number:
                raise ValueError(number, place)
            yield number
        del numbers[place]
        return place

    blocks = numba.core.compiler.run_frontend(every_kind).blocks
    instructions = [instruction for block in blocks.values() for instruction in block.body]
    instructions += [made.value for made in instructions if isinstance(made, Assign) and isinstance(made.value, Expr)]
    assert sum(isinstance(made, Expr) for made in instructions) > 10
    for made in instructions:
        held = made._kws if isinstance(made, Expr) else vars(made)
        assert made.list_vars() == made._rec_list_vars(held)


def test_only_what_makes_arrays_is_rewritten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several operations on arrays become one loop."""
    rewritten: list[str] = []

    def rewrite(rewriting: Any, state: Any) -> bool:
        rewritten.append(state.func_id.func_name)
        return before(rewriting, state)

    before = numba_tuning._rewrite
    monkeypatch.setattr(numba_tuning, "_rewrite", rewrite)

    def of_numbers(one: int, other: int) -> int:
        return one + other * one

    def of_arrays(one: Any, other: Any) -> Any:
        return one + other * one

    assert numba.njit(of_numbers)(2, 3) == 8
    assert rewritten == []
    assert numba.njit(of_arrays)(np.array([2, 3]), np.array([4, 5])).tolist() == [10, 18]
    assert rewritten == ["of_arrays"]


def test_calls_of_llvm_are_not_told() -> None:
    get_ready()
    with install_recorder("numba:llvm_lock") as told:
        numba.njit(lambda number: number + 1)(1)
    assert told.buffer == []


def test_passes_are_not_told() -> None:
    with install_recorder("numba:run_pass") as told:
        assert numba.njit(lambda number: number + 1)(1) == 2
    assert told.buffer == []


def test_what_lives_at_the_start_of_blocks_is_found_for_generators_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A generator keeps its variables between two values; the others need no more than where each is used last."""
    found: list[Any] = []
    find = analysis.compute_live_variables
    monkeypatch.setattr(analysis, "compute_live_variables", lambda *about: (found.append(about), find(*about))[1])

    def total(numbers: Any) -> int:
        sum_of_them = 0
        for number in numbers:
            if number > 1:
                sum_of_them += number
        return sum_of_them

    def doubled(numbers: Any) -> Iterator[int]:
        for number in numbers:
            if number > 1:
                yield 2 * number

    assert numba.njit(total)(np.array([1, 2, 3])) == 5
    assert found == []
    assert list(numba.njit(doubled)(np.array([1, 2, 3]))) == [4, 6]
    assert found != []


def test_of_a_value_only_what_holds_counted_memory_is_looked_at() -> None:
    numbers = types.UniTuple(types.UniTuple(types.int64, 2), 3)
    assert NRTContext(target, enabled=True).get_meminfos(None, numbers, None) == []

    def longer(both: Any) -> Any:
        return both[0] if len(both[0]) > len(both[1][1]) else both[1][1]

    short, long = np.array([1]), np.array([2, 3])
    before = sys.getrefcount(short), sys.getrefcount(long)
    choose = numba.njit(longer)
    for _ in range(9):
        assert choose((short, (4, long))) is long
        assert choose((long, (4, short))) is long
    assert (sys.getrefcount(short), sys.getrefcount(long)) == before


def test_scipy_is_not_imported_for_matrices_that_no_kernel_has() -> None:
    get_ready()
    with pytest.raises(ImportError, match="Kernels multiply no matrices"):
        linalg.ensure_blas()
