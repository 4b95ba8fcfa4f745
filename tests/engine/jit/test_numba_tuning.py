"""numba, tuned for faster compilation, still compiles correctly."""

import operator
from typing import Any

import numba
import numpy as np
import pytest
from numba.core.event import install_recorder

from engine.jit import numba_tuning
from engine.jit.kernel import INNER
from engine.jit.numba_tuning import get_ready, typing_context


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
    make = numba_tuning._Library._make
    monkeypatch.setattr(numba_tuning._Library, "_make", lambda self: (made.append(self.name), make(self)))
    numbers = np.array([1, 2])
    side_by_side(numbers)
    assert numbers.tolist() == [2, 3]
    assert len(made) == 1


@pytest.mark.parametrize("operation", [operator.getitem, operator.setitem, bool])
def test_overloads_are_asked_last(operation: Any) -> None:
    get_ready()
    are_overloads = [hasattr(kind, "_overload_func") for kind in typing_context.resolve_value_type(operation).templates]
    assert are_overloads == sorted(are_overloads)
    assert set(are_overloads) == {False, True}


def test_calls_of_llvm_are_not_told() -> None:
    get_ready()
    with install_recorder("numba:llvm_lock") as told:
        numba.njit(lambda number: number + 1)(1)
    assert told.buffer == []
