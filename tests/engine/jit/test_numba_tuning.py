"""numba, tuned for faster compilation, still compiles correctly."""

import operator
from collections.abc import Iterator
from typing import Any

import numba
import numpy as np
import pytest
from numba import extending
from numba.core import analysis, errors, lowering, types
from numba.core.event import install_recorder
from numba.core.ir import Assign, Expr
from numba.core.typing import mathdecl, typeof
from numba.core.typing.templates import ConcreteTemplate, signature
from numba.np import arrayobj, linalg

from engine.jit.kernel import CALLED, INLINED, INNER
from engine.jit.numba_version import IS_FITTING

if not IS_FITTING:
    pytest.skip("This numba is not tuned: nothing of it is replaced.", allow_module_level=True)

from engine.jit import numba_tuning
from engine.jit.numba_tuning import OPERATIONS, get_ready, typing_context


def test_arrays_have_the_types_that_numba_gives_them() -> None:
    records, table = np.zeros(4, "i8, 3i4"), np.zeros((2, 3))
    constant = np.arange(3)
    constant.flags.writeable = False
    for array in (records, records["f1"], records[::2], table, table.T, constant):
        assert numba.typeof(array) == typeof._typeof_ndarray(array, None)


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


def test_scipy_is_not_imported_for_matrices_that_no_kernel_has() -> None:
    get_ready()
    with pytest.raises(ImportError, match="Kernels multiply no matrices"):
        linalg.ensure_blas()


@pytest.mark.parametrize("operation", [operator.add, operator.and_, operator.lt])
def test_a_listed_signature_is_the_one_that_numba_rates_best(operation: Any) -> None:
    get_ready()
    for template in typing_context.resolve_value_type(operation).templates:
        cases = getattr(template, "cases", ())
        for case in cases:
            found = typing_context.resolve_overload(operation, cases, case.args, {})
            assert found is numba_tuning._resolve(typing_context, operation, cases, case.args, {})


def test_what_is_registered_later_is_found_by_a_refresh() -> None:
    """In any of numba's registries."""
    get_ready()

    @mathdecl.registry.register
    class Later(ConcreteTemplate):
        key = "later"
        cases = (signature(types.int64, types.int64),)

    typing_context.refresh()
    assert [type(found) for found in typing_context._functions["later"]] == [Later]


def test_arrays_have_one_class_for_values_of_a_type() -> None:
    get_ready()
    kind = types.Array(types.int64, 1, "C")
    assert arrayobj.make_array(kind) is arrayobj.make_array(kind)


def test_an_error_says_what_was_compiled() -> None:
    first = numba.njit(**INNER)(lambda numbers: numbers[0])
    with pytest.raises(errors.TypingError, match=r"typing of call at .*test_numba_tuning") as found:
        numba.njit(lambda nothing: first(nothing))(None)
    assert "During: Pass nopython_type_inference" in str(found.value)


def test_closures_and_comprehensions_are_inlined() -> None:
    def of_both(numbers: Any) -> int:
        def twice(number: int) -> int:
            return 2 * number

        return sum([twice(number) for number in numbers])

    assert numba.njit(of_both)(np.array([1, 2])) == 6


def test_an_overload_has_no_wrapper_for_other_callers(monkeypatch: pytest.MonkeyPatch) -> None:
    """numba's own has one for C. `highest` is called from Python."""
    wrapped: list[str] = []
    wrap = lowering.BaseLower.create_cfunc_wrapper

    def wrap_and_count(lowerer: Any) -> None:
        wrapped.append(lowerer.fndesc.qualname)
        wrap(lowerer)

    def highest(one: int, other: int) -> int:
        return max(one, other)

    monkeypatch.setattr(lowering.BaseLower, "create_cfunc_wrapper", wrap_and_count)
    assert numba.njit(highest)(2, 3) == 3
    assert [name.rpartition(".")[2] for name in wrapped] == ["highest"]
