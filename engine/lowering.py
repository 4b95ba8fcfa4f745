"""What kernels may call, and what it becomes there: rules of games and algorithms, sets of moves, words in memory.

Each body of a rule is handed to numba as an overload on the type of the rule's first argument. So the rules of a game
are written once, and a kernel that calls `play` is compiled for each game without naming one; the step of an algorithm,
`advance`, is found in the same way. Who compiles a kernel imports this module.
"""

import time
from functools import partial
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import extending
from numba.core import cgutils, config, types
from numba.extending import register_jitable
from numba.np.unsafe import ndarray

from engine import bits, depth_first, ordering, recursion, stack, store, table
from engine.algorithm import HOOKS, advance
from engine.compiled import INNER, part
from engine.compiler import typing_context
from engine.game import RULES

settings: Any = config
intrinsic: Any = extending.intrinsic
to_fixed_tuple: Any = ndarray.to_fixed_tuple

overload: Any = partial(extending.overload, strict=False, jit_options=INNER)


def _give(rule: Any) -> None:
    """Let kernels call what is written for each game or algorithm."""

    @overload(rule)
    def _(subject: Any, *_rest: Any) -> Any:
        return rule.dispatch(subject.instance_class) if hasattr(subject, "instance_class") else None


compiled_subtree = part(recursion.subtree)
"""It is compiled by itself, so that another process can do so meanwhile."""

typing_context.insert_global(recursion.subtree, types.Dispatcher(compiled_subtree))


@overload(recursion.estimate)
def _estimate(search: Any, position: Any) -> Any:
    """Where no line ends at the horizon, what estimates is not compiled."""
    if isinstance(search[search.fields.index("limited")], types.NoneType):
        return lambda search, position: 0
    return recursion.estimate


for _rule in (*RULES, *HOOKS, advance):
    _give(_rule)


def _depth(plies: Any) -> int:
    """Of the type of a nested tuple."""
    return 1 + _depth(plies[0]) if len(plies) else 0


@overload(recursion.plies_for)
def _plies_for(search: Any, tape: Any, aids: Any) -> Any:
    plies, options = recursion.PLIES, (search[search.fields.index("limited")], tape, aids)
    wanted = recursion.compiled_below(
        search.instance_class, *(not isinstance(option, types.NoneType) for option in options)
    )
    while recursion.depth_of(plies) > wanted:
        plies = plies[0]
    return lambda search, tape, aids: plies


pasted: Any = partial(overload, jit_options={"forceinline": True, **INNER})
"""Every ply is pasted into the one above it: a call costs as much as a node, for it passes a dozen numbers. Both of
these are, or else numba compiles what they call once for either kind of caller."""


@pasted(recursion.below)
def _below(
    search: Any,
    aids: Any,
    tape: Any,
    position: Any,
    word: Any,
    alpha: Any,
    beta: Any,
    cursor: Any,
    counts: Any,
    plies: Any,
) -> Any:
    if _depth(plies) == 1:
        return recursion.last_ply
    is_plain = isinstance(search[search.fields.index("limited")], types.NoneType) and isinstance(aids, types.NoneType)
    return recursion.last_two_plies if _depth(plies) == 2 and is_plain else recursion.upper_ply


@pasted(recursion.descend)
def _descend(
    search: Any,
    aids: Any,
    tape: Any,
    position: Any,
    word: Any,
    alpha: Any,
    beta: Any,
    cursor: Any,
    counts: Any,
    left: Any,
    plies: Any,
) -> Any:
    return recursion.descend if _depth(plies) > 3 else _descend_last


below = recursion.below


def _descend_last(
    search: Any,
    aids: Any,
    tape: Any,
    position: Any,
    word: Any,
    alpha: Any,
    beta: Any,
    cursor: Any,
    counts: Any,
    left: Any,
    plies: Any,
) -> Any:
    return below(search, aids, tape, position, word, alpha, beta, cursor, counts, plies)


def _built_in(helper: Any, generate: Any) -> None:
    """Give a helper that makes one word of its argument its machine code: an overload takes longer to compile, at each
    call. `generate` takes the builder, the type of the argument and the argument."""
    extending.type_callable(helper)(lambda _context: lambda _argument: types.int64)

    @extending.lower_builtin(helper, types.Any)
    def _(_context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return generate(builder, signature.args[0], arguments[0])


def _constant(number: int) -> Any:
    return ir.Constant(ir.IntType(64), number)


_built_in(recursion.depth_of, lambda _builder, plies, _: _constant(_depth(plies)))
_built_in(bits.first, lambda builder, _, bits: builder.cttz(bits, ir.Constant(ir.IntType(1), 1)))
_built_in(bits.rest, lambda builder, _, bits: builder.and_(bits, builder.sub(bits, _constant(1))))
_built_in(bits.count, lambda builder, _, bits: builder.ctpop(bits))


def _word_at(builder: Any, address: Any) -> Any:
    return builder.inttoptr(address, ir.IntType(64).as_pointer())


@intrinsic
def _load_word(_typing: Any, address: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.load(_word_at(builder, arguments[0]))

    return types.int64(types.int64), generate


@intrinsic
def _store_word(_typing: Any, address: Any, word: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        builder.store(arguments[1], _word_at(builder, arguments[0]))

    return types.void(types.int64, types.int64), generate


@overload(bits.look_up)
def _look_up(table: Any, bits: Any) -> Any:
    return lambda table, bits: table[np.uint64(bits)]


@overload(bits.mapped)
def _mapped(table: Any, turn: Any, bits: Any) -> Any:
    def mapped(table: Any, turn: Any, bits: Any) -> Any:
        found = 0
        for i in range(table.shape[1]):
            found |= table[turn, i, bits >> 8 * i & 255]
        return found

    return mapped


@overload(bits.hashed)
def _hashed(table: Any, mine: Any, theirs: Any) -> Any:
    def hashed(table: Any, mine: Any, theirs: Any) -> Any:
        found = 0
        for i in range(table.shape[1]):
            found ^= table[0, i, mine >> 8 * i & 255] ^ table[1, i, theirs >> 8 * i & 255]
        return found

    return hashed


@overload(store.address)
def _address(array: Any) -> Any:
    if settings.BOUNDSCHECK:
        return lambda array: array
    return lambda array: np.int64(array.ctypes.data)


@overload(store.peek)
def _peek(words: Any, place: Any) -> Any:
    if isinstance(words, types.Array):
        return lambda words, place: words[place]
    return lambda words, place: _load_word(words + 8 * place)


@overload(store.poke)
def _poke(words: Any, place: Any, word: Any) -> Any:
    if isinstance(words, types.Array):

        def poke(words: Any, place: Any, word: Any) -> None:
            words[place] = word

    else:

        def poke(words: Any, place: Any, word: Any) -> None:
            _store_word(words + 8 * place, word)

    return poke


@overload(store.bump)
def _bump(words: Any, place: Any) -> Any:
    peek, poke = store.peek, store.poke

    def bump(words: Any, place: Any) -> None:
        poke(words, place, peek(words, place) + 1)

    return bump


aids_record = numba.from_dtype(table.AIDS_TYPE)


@intrinsic
def _aids_at(_typing: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(aids_record))

    return aids_record(types.int64), generate


@overload(table.by_address)
def _by_address(aids: Any, notes: Any) -> Any:
    if settings.BOUNDSCHECK:
        return lambda aids, notes: aids

    def by_address(aids: Any, notes: Any) -> Any:
        for place in range(len(aids)):
            notes[stack.AIDS + place] = aids[place]
        return _aids_at(np.int64(notes.ctypes.data) + 8 * stack.AIDS)

    return by_address


for _helper in (
    stack.close_row,
    stack.enter,
    stack.leave,
    stack.ended,
    stack.entered,
    stack.write_row,
    depth_first.leaf,
    stack.memory_of,
    depth_first.begin,
    recursion.filled,
    recursion.worth,
):
    register_jitable(**INNER)(_helper)
for _helper in (
    table.folded,
    table.probe,
    table.remember,
    table.exact_value,
    ordering.choose,
    ordering.note_cutoff,
    ordering.true_score,
):
    register_jitable(**INNER, forceinline=False)(_helper)


@overload(stack.load)
def _load(root: Any, frame: Any) -> Any:
    position_type, size = root.instance_class, root.count
    return lambda root, frame: position_type(*to_fixed_tuple(frame[stack.WORDS : stack.WORDS + size], size))


@overload(stack.store)
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
atomic_min = _atomic("min")


_clock_gettime = types.ExternalFunction("clock_gettime", types.int32(types.int32, types.uintp))
_MONOTONIC = time.CLOCK_MONOTONIC


@numba.njit(nogil=True)
def nanoseconds(scratch: Any) -> int:
    """The time of Python's `time.monotonic_ns`, read inside a kernel. `scratch` is an int64[2] to put it in."""
    _clock_gettime(_MONOTONIC, scratch.ctypes.data)
    return scratch[0] * 1_000_000_000 + scratch[1]
