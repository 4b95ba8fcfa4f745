"""What numba's compiler is told to do otherwise, so that it takes less time: `python -m tests.bench.bench_start` tells
how long a first start is. It reaches into numba; pyproject.toml says which versions it is known to fit.
"""

import operator
from functools import cache
from typing import Any

from numba.core import registry
from numba.core.codegen import JITCodeLibrary

target: Any = registry.cpu_target.target_context
typing_context: Any = registry.cpu_target.typing_context


class _Library(JITCodeLibrary):
    """The code of one function, and of all that it calls. numba optimises it and makes machine code of it at once; here
    that is left until its address is asked for. What only kernels call becomes part of theirs, and of it nobody asks.
    """

    _compiled_object: Any = None
    _is_made = False

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        if not self._is_made and any(function.name == name for function in self.get_defined_functions()):
            super()._optimize_final_module()
            self._make()
        return super().get_pointer_to_function(name)

    def serialize_using_object_code(self) -> Any:
        return super().serialize_using_object_code() if self._is_made else self.serialize_using_bitcode()

    def _optimize_final_module(self) -> None:
        """Not yet."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True
        if self._compiled_object is not None:  # it comes from the cache
            self._make()

    def _make(self) -> None:
        self._is_made = True
        super()._finalize_final_module()


class _Codegen(type(target.codegen())):
    """It makes such libraries."""

    _library_class = _Library

    def set_env(self, env_name: str, env: Any) -> None:
        """What a function may want of Python; there is a place for it where there is machine code."""
        if self._engine.is_symbol_defined(env_name):
            super().set_env(env_name, env)


target.codegen().__class__ = _Codegen


@cache
def get_ready() -> None:
    """For compiling; what is compiled already needs less, and is there sooner without.

    Whose entry `a[i]` is, numba asks its strings, lists and dictionaries before its arrays, and makes a message of each
    answer: here it asks the arrays first."""
    typing_context.refresh()
    target.refresh()
    for operation in (operator.getitem, operator.setitem, bool):
        function = typing_context.resolve_value_type(operation)
        function.templates = tuple(sorted(function.templates, key=lambda template: hasattr(template, "_overload_func")))
