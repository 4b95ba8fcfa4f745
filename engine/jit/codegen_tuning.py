"""Changes to numba's generation of LLVM code and machine code that make compiling faster. Imported by
`engine.jit.numba_tuning`.
"""

from functools import cache
from typing import Any

from numba.core import base, lowering, registry, types
from numba.core import typed_passes as passes
from numba.core.codegen import JITCodeLibrary
from numba.core.runtime import nrt
from numba.core.runtime.context import NRTContext
from numba.parfors import parfor_lowering

target: Any = registry.cpu_target.target_context


class _Library(JITCodeLibrary):
    """The code of one function and its callees. numba optimises it and generates machine code at once; this class waits
    until its address is needed. A function called only by kernels is linked into them, so its address never is.
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

    def _optimize_functions(self, ll_module: Any) -> None:
        """With one manager of passes a module, for the functions that it has. numba makes a manager for each function,
        and for each that is only declared: five of six."""
        if not hasattr(self._codegen, "_pass_builder"):  # an older numba makes one a module
            super()._optimize_functions(ll_module)
            return
        ll_module.data_layout = self._codegen._data_layout
        function_passes, builder = self._codegen._function_pass_manager()
        for function in ll_module.functions:
            if not function.is_declaration:
                function_passes.run(function, builder)

    def _optimize_final_module(self) -> None:
        """Postponed to `get_pointer_to_function`."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True
        if self._compiled_object is not None:  # it comes from the cache
            self._make()

    def _make(self) -> None:
        self._is_made = True
        super()._finalize_final_module()


class _Codegen(type(target.codegen())):
    """numba's code generator, with `_Library` as its library class."""

    _library_class = _Library

    def _check_llvm_bugs(self) -> None:
        """numba has LLVM parse a number for each function, which an LLVM of 2015 got wrong in some languages."""

    def set_env(self, env_name: str, env: Any) -> None:
        """Environment object that numba needs to call back into Python. Without machine code it has no symbol."""
        if self._engine.is_symbol_defined(env_name):
            super().set_env(env_name, env)


target.codegen().__class__ = _Codegen

# A kernel is linked with the functions of numba's runtime when it is compiled. numba compiles them before it loads one.
runtime: Any = nrt
_compiled_runtime = cache(runtime.nrtdynmod.compile_nrt_functions)
runtime.nrtdynmod.compile_nrt_functions = lambda _context: None
type(runtime.rtsys).library = property(lambda _: _compiled_runtime(target))

_body_of_prange = parfor_lowering._create_gufunc_for_parfor_body


def _body_without_wrapper(
    lowerer: Any, parfor: Any, typemap: Any, typing: Any, context: Any, flags: Any, *rest: Any
) -> Any:
    """The compiled body of a prange. Only kernels call it: without a wrapper for Python it is machine code once, in the
    kernel, not twice."""
    flags = flags.copy()
    flags.no_cpython_wrapper = True
    return _body_of_prange(lowerer, parfor, typemap, typing, context, flags, *rest)


parfor_lowering._create_gufunc_for_parfor_body = _body_without_wrapper


@cache
def _is_counted(models: Any, kind: Any) -> bool:
    """Whether values of a type hold memory with a count of its references. `models` are numba's forms of types."""
    return models[kind].contains_nrt_meminfo()


def _counted(context: Any, builder: Any, kind: Any, value: Any) -> list[Any]:
    """The parts of a value that hold counted memory, with their types. numba takes each value apart down to its
    numbers, to find none; these were a quarter of all instructions given to LLVM, which removed them."""
    models = context._context.data_model_manager
    if not _is_counted(models, kind):
        return []
    model = models[kind]
    found = [(kind, model.get_nrt_meminfo(builder, value))] if model.has_nrt_meminfo() else []
    for part, get in model.traverse(builder):
        if _is_counted(models, part):
            found += _counted(context, builder, part, get(value))
    return found


counting: Any = NRTContext
counting.get_meminfos = _counted

lowering_class: Any = lowering.Lower
_incref, _decref, _delvar = lowering_class.incref, lowering_class.decref, lowering_class.delvar


def _holds_memory(lowerer: Any, kind: Any) -> bool:
    return _is_counted(lowerer.context.data_model_manager, kind)


def _take(lowerer: Any, kind: Any, value: Any) -> None:
    if _holds_memory(lowerer, kind):
        _incref(lowerer, kind, value)


def _give_back(lowerer: Any, kind: Any, value: Any) -> None:
    if _holds_memory(lowerer, kind):
        _decref(lowerer, kind, value)


def _end_variable(lowerer: Any, name: str) -> None:
    """The end of a variable's life. numba loads its value and stores 0, so that its memory is given back once. A kernel
    is ended so too: by an older LLVM its address stays in the code otherwise, which the cache then refuses."""
    kind = lowerer.typeof(name)
    if _holds_memory(lowerer, kind) or isinstance(kind, types.Dispatcher):
        _delvar(lowerer, name)


typed_passes: Any = passes
_legalize = typed_passes.IRLegalization.run_pass


def _legalize_if_counted(legalizing: Any, state: Any) -> bool:
    """numba's search for the end of each variable's life, for a function with one that holds counted memory."""
    models = state.targetctx.data_model_manager
    return any(_is_counted(models, kind) for kind in state.typemap.values()) and _legalize(legalizing, state)


typed_passes.IRLegalization.run_pass = _legalize_if_counted

lowering_class.incref, lowering_class.decref, lowering_class.delvar = _take, _give_back, _end_variable

sizing: Any = base.BaseContext
_size = sizing.get_abi_sizeof


@cache
def _size_once(kind: Any) -> int:
    """The bytes of a value of one of LLVM's types. numba has LLVM parse a program for it, 500 times a kernel."""
    return _size(target, kind)


sizing.get_abi_sizeof = lambda _context, kind: _size_once(kind)
