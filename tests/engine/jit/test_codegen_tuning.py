"""numba's code generation, tuned for faster compilation, still generates correct code."""

import sys
from typing import Any

import numba
import numpy as np
import pytest
from llvmlite import binding
from numba.core import lowering, types
from numba.core.runtime.context import NRTContext

from engine.jit.kernel import INNER
from engine.jit.numba_version import IS_FITTING

if not IS_FITTING:
    pytest.skip("This numba is not tuned: nothing of it is replaced.", allow_module_level=True)

from engine.jit import codegen_tuning
from engine.jit.codegen_tuning import target


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


@numba.njit(parallel=True)
def side_by_side(numbers: Any) -> None:
    for place in numba.prange(len(numbers)):
        numbers[place] = inner(numbers, place) + 1


def test_the_body_of_a_prange_is_machine_code_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of the function around it."""
    made: list[str] = []
    make = codegen_tuning._Library._make
    monkeypatch.setattr(codegen_tuning._Library, "_make", lambda self: (made.append(self.name), make(self)))
    numbers = np.array([1, 2])
    side_by_side(numbers)
    assert numbers.tolist() == [2, 3]
    assert len(made) == 1


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


def test_a_module_has_one_manager_of_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it declares functions of other modules."""
    counted: dict[str, int] = {}

    def count(owner: Any, name: str) -> None:
        method = getattr(owner, name)

        def counting(*about: Any, **options: Any) -> Any:
            counted[name] = counted.get(name, 0) + 1
            return method(*about, **options)

        monkeypatch.setattr(owner, name, counting)

    count(codegen_tuning._Codegen, "_function_pass_manager")
    count(codegen_tuning._Library, "_optimize_functions")
    assert numba.njit(lambda numbers: inner(numbers, 0))(np.array([3])) == 3
    assert counted["_function_pass_manager"] == counted["_optimize_functions"]


def test_variables_end_only_where_one_holds_counted_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[str] = []
    end = lowering.Lower.delvar
    monkeypatch.setattr(lowering.Lower, "delvar", lambda self, name: (ended.append(name), end(self, name))[1])

    def total(one: Any, other: Any) -> Any:
        return one + other

    assert numba.njit(total)(2, 3) == 5
    assert ended == []
    assert numba.njit(total)(np.array([2]), np.array([3])).tolist() == [5]
    assert ended != []


def test_the_size_of_a_type_is_asked_of_llvm_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = target.get_value_type(types.UniTuple(types.int64, 2))
    assert target.get_abi_sizeof(pair) == pair.get_abi_size(target.target_data) == 16
    monkeypatch.delattr(binding, "parse_assembly")
    assert target.get_abi_sizeof(pair) == 16
