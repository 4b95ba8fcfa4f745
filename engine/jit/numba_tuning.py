"""Changes to numba's compiler that make it faster; `python -m tests.bench.bench_start` measures a first start. They use
internals of numba and are made when this module is imported, which `engine.jit.cache` does only for a version of numba
that they fit. Here are those to how it reads and types functions, in `engine.jit.codegen_tuning` those to the code that
it generates.
"""

import operator
from collections.abc import Iterable
from functools import cache, partial
from importlib import import_module
from typing import Any

import numpy as np
from llvmlite.binding import ffi
from numba.core import (
    base,
    compiler_machinery,
    entrypoints,
    errors,
    ir,
    ir_utils,
    lowering,
    registry,
    targetconfig,
    transforms,
    typeinfer,
    types,
    untyped_passes,
    utils,
)
from numba.core import postproc as post_processing
from numba.core import typed_passes as passes
from numba.core.annotations import type_annotations
from numba.core.typing import context as typing_of_numba
from numba.core.typing import templates
from numba.extending import typeof_impl
from numba.np import numpy_support

from engine.jit.codegen_tuning import target

typing_context: Any = registry.cpu_target.typing_context

extensions: Any = entrypoints
extensions._already_initialized = True  # numba reads the metadata of all installed packages to find extensions of it


@typeof_impl.register(np.ndarray)
def _type_of_array(array: Any, _context: Any) -> Any:
    """The type of an array. numba's own function imports `numpy.ma` to refuse masked arrays: there are none."""
    kind, layout = numpy_support.from_dtype(array.dtype), numpy_support.map_layout(array)
    return types.Array(kind, array.ndim, layout, readonly=not array.flags.writeable)


WITHOUT_VARIABLES = frozenset((ir.Loc, ir.Const, ir.Global, ir.FreeVar, ir.Arg, str, int, bool, type(None)))


def _variables(values: Iterable[Any]) -> list[Any]:
    """The variables among the values, and those inside them."""
    found: list[Any] = []
    for value in values:
        kind = type(value)
        if kind is ir.Var:
            found.append(value)
        elif kind in WITHOUT_VARIABLES:
            continue
        elif isinstance(value, ir.Inst):
            found += value.list_vars()
        elif isinstance(value, (list, tuple)):
            found += _variables(value)
        elif isinstance(value, dict):
            found += _variables(value.values())
    return found


# numba's own methods ask five questions of each value. They are called a quarter of a million times a kernel.
ir.Stmt.list_vars = lambda self: _variables(vars(self).values())
ir.Expr.list_vars = lambda self: _variables(self._kws.values())

kinds: Any = type(types.Type)
kinds.__instancecheck__ = type.__instancecheck__  # that of abstract classes asks for subclasses that were registered

annotations: Any = type_annotations.TypeAnnotation
annotations.__str__ = lambda _annotation: ""  # the code with its types, for `inspect_types`; the cache stores it

typed_passes: Any = passes
_rewrite = typed_passes.NopythonRewrites.run_pass


def _rewrite_arrays(rewriting: Any, state: Any) -> bool:
    """numba's rewriting of typed code, for a function that makes an array or has a text: no other is changed by it."""
    has_text = any(isinstance(kind, types.StringLiteral) for kind in state.typemap.values())
    made = (getattr(signature, "return_type", None) for signature in state.calltypes.values())
    return bool((has_text or any(isinstance(kind, types.Array) for kind in made)) and _rewrite(rewriting, state))


typed_passes.NopythonRewrites.run_pass = _rewrite_arrays

# LLVM removes the dead code of inlined overloads too, in less time.
typed_passes.dead_code_elimination = lambda *_ir, **_types: None

closures: Any = untyped_passes.InlineClosureLikes
_inline_closures = closures.run_pass
CLOSURES = frozenset(("make_function", "build_list"))
"""The operations of functions inside a function and of array comprehensions."""


def _inline_closures_if_any(inlining: Any, state: Any) -> bool:
    """numba's inlining of closures and comprehensions, for a function that has one. It needs each variable's last use,
    and looks for loops."""
    blocks = state.func_ir.blocks
    if any(made.op in CLOSURES for block in blocks.values() for made in block.find_exprs()):
        return _inline_closures(inlining, state)
    ir_utils.fixup_var_define_in_scope(blocks)
    return True


closures.run_pass = _inline_closures_if_any


errors_of_numba: Any = errors


class _ErrorContext:
    """Adds to an error of numba what was being compiled. numba's own is a generator, entered 20,000 times a kernel."""

    __slots__ = ("_about", "_arguments", "_text")

    def __init__(self, text: str, *arguments: Any, **about: Any) -> None:
        self._text, self._arguments, self._about = text, arguments, about

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: Any, error: Any, _traceback: Any) -> None:
        if isinstance(error, errors_of_numba.NumbaError):
            error.add_context(self._text.format(*self._arguments, **self._about))


_users: Any = (lowering, typeinfer)
for _user in _users:
    _user.new_error_context = _ErrorContext


def _run_pass(manager: Any, _index: int, compiler_pass: Any, state: Any) -> None:
    """One of numba's thirty passes over a function. numba's own method times it, announces it and checks its result."""
    compiler_pass.analysis = manager._analysis
    with _ErrorContext("Pass {name}", name=compiler_pass.name()):
        compiler_pass.run_initialization(state)
        compiler_pass.run_pass(state)
        compiler_pass.run_finalizer(state)


passing: Any = compiler_machinery
passing.PassManager._runPass = _run_pass

postproc: Any = post_processing
_process = postproc.PostProcessor.run


def _process_when_needed(processor: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Prepare a function for the next pass; its `VariableLifetime` is computed when a pass asks for it. numba computes
    it eight times a function, with the variables that live at the start of each block. Only interpreted functions need
    those."""
    function = processor.func_ir
    if getattr(function, "is_generator", False):
        _process(processor, emit_dels, extend_lifetimes)
        return
    function.blocks = transforms.canonicalize_cfg(function.blocks)
    function.variable_lifetime = postproc.VariableLifetime(function.blocks)
    function.generator_info = None
    if emit_dels:
        processor._insert_var_dels(extend_lifetimes=extend_lifetimes)


postproc.PostProcessor.run = _process_when_needed


def _implementation(template: Any, arguments: Any, keywords: Any) -> Any:
    """The dispatcher of an overload for these types, one for all callers that pass the same options on to it. numba's
    own method compares all options of the caller: it compiled twice what the stack and the recursion both call."""
    caller = targetconfig.ConfigStack.top_or_none()
    inherited = caller and (
        caller.nrt,
        caller.error_model,
        bool(caller.fastmath),
        template._jit_options.get("forceinline", caller.forceinline),
    )
    key = template.context, tuple(arguments), tuple(keywords.items()), inherited
    known = template._impl_cache
    template._jit_options = {"no_cfunc_wrapper": True} | template._jit_options  # only compiled code calls it
    return known[key] if key in known else template._build_impl(key, arguments, keywords)


overloads: Any = templates._OverloadFunctionTemplate
overloads._get_impl = _implementation

contexts: Any = typing_of_numba
_resolve = contexts.BaseContext.resolve_overload


def _resolve_overload(
    context: Any, key: Any, cases: Any, arguments: Any, keywords: Any, *more: Any, **options: Any
) -> Any:
    """The signature for these types: the one that has them, where numba rates how well each of twenty fits."""
    exact = tuple(arguments)
    for case in cases:
        if case.args == exact:
            return case
    return _resolve(context, key, cases, arguments, keywords, *more, **options)


contexts.BaseContext.resolve_overload = _resolve_overload

utilities: Any = utils
_order = cache(utilities.order_by_target_specificity)


def _ordered(target: Any, implementations: Any, fnkey: Any = "") -> Any:
    """The implementations for this machine, sorted once; numba sorts them at each call."""
    return _order(target, tuple(implementations)) if implementations else ()


utilities.order_by_target_specificity = contexts.order_by_target_specificity = _ordered

targets: Any = base
targets._has_loc = cache(targets._has_loc)  # it inspects the same signatures again and again

OPERATIONS = (
    *(operator.getitem, operator.setitem, operator.neg, operator.invert, bool),
    *(operator.add, operator.sub, operator.mul, operator.floordiv, operator.truediv, operator.mod),
    *(operator.iadd, operator.isub, operator.imul, operator.ifloordiv, operator.itruediv, operator.imod),
    *(operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift),
    *(operator.iand, operator.ior, operator.ixor, operator.ilshift, operator.irshift),
    *(operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge),
)


@cache
def get_ready() -> None:
    """Prepare numba for compiling. Cached kernels do not need this and load sooner without it.

    To type an operation, numba tries one kind of operands after the other, and formats a message for each failure:
    strings, lists and dictionaries before arrays in `a[i]`, arrays before numbers in `a + b`. After this it tries
    numbers first, and then arrays.

    llvmlite runs callbacks of a lock at each call of LLVM, 20,000 a kernel. Without them compiling takes 5 % less time.
    numba imports SciPy, where there is one, in 0.2 s, to see whether matrices can be multiplied: no kernel does.
    """
    ffi.lib._lock._cblist.clear()
    linear_algebra: Any = import_module("numba.np.linalg")
    linear_algebra.ensure_blas = _without_matrices
    typing_context.refresh()
    target.refresh()
    for context in (typing_context, target):
        context.load_additional_registries = partial(_load_again, context)
    _make_array_classes_once()
    for operation in OPERATIONS:
        function = typing_context.resolve_value_type(operation)
        function.templates = tuple(sorted(function.templates, key=_rank))


def _load_again(context: Any) -> None:
    """Add what has been registered since the last call. numba imports its thirty modules that do so, too."""
    for registered in tuple(context._registries):
        context.install_registry(registered)


def _make_array_classes_once() -> None:
    """Have numba make the class for values of an array type once. Each of its objects then looks in vain for a way to
    convert the array to an array."""
    arrays: Any = import_module("numba.np.arrayobj")
    make = arrays.make_array

    @cache
    def make_array(kind: Any) -> Any:
        made = make(kind)
        if isinstance(kind, types.Array):
            del made._make_refs
        return made

    arrays.make_array = make_array


def _without_matrices() -> None:
    raise ImportError("Kernels multiply no matrices.")


def _rank(template: Any) -> tuple[bool, bool]:
    """The place of an operation's implementation: those with a list of types first, those in Python last."""
    return not getattr(template, "cases", None), hasattr(template, "_overload_func")
