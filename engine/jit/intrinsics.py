"""Machine code for basic operations of kernels: sets of moves, words in memory, atomic operations, clocks.

The Python form of each helper is in `engine.rules.bits`, `engine.kernels.raw_words`, `engine.kernels.atomic` or `time`.
This module registers its LLVM code with numba.
"""

import inspect
import time
from functools import partial
from typing import Any

import numpy as np
from llvmlite import ir
from numba import extending
from numba.core import cgutils, config, types

from engine.jit.kernel import INLINED
from engine.kernels import atomic, raw_words
from engine.rules import bits
from engine.rules.bits import WORD

settings: Any = config
intrinsic: Any = extending.intrinsic
overload: Any = partial(extending.overload, strict=False, jit_options=INLINED)


def built_in(helper: Any, generate: Any, returned: Any = lambda _subject: types.int64) -> None:
    """Register the machine code of a helper. An overload would take longer to compile at each call. `generate` takes
    the builder, the type of the first argument and the arguments; `returned` maps that type to the type of the result,
    or to None if an overload has the code for that type.
    """

    def typed(*arguments: Any) -> Any:
        return returned(arguments[0])

    typed.pysig = inspect.signature(helper)  # type: ignore[attr-defined]

    @extending.type_callable(helper)
    def _(_context: Any) -> Any:
        return typed

    @extending.lower_builtin(helper, types.VarArg(types.Any))
    def _(_context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return generate(builder, signature.args[0], *arguments)


def constant(number: int) -> Any:
    """A constant of 64 bits in machine code."""
    return ir.Constant(ir.IntType(64), number)


def _on_sets(helper: Any, on_one: Any, on_two: Any, returned: Any = None) -> None:
    """Register the machine code of a helper of sets: `on_one` for a set of one word, `on_two` for a pair of words. Both
    take the builder, the words, then the helper's other arguments."""

    def generate(builder: Any, subject: Any, moves: Any, *more: Any) -> Any:
        if not isinstance(subject, types.BaseTuple):
            return on_one(builder, moves, *more)
        found = on_two(builder, builder.extract_value(moves, 0), builder.extract_value(moves, 1), *more)
        if not isinstance(found, tuple):
            return found
        return builder.insert_value(builder.insert_value(moves, found[0], 0), found[1], 1)

    built_in(helper, generate, returned or (lambda _moves: types.int64))


def _same(moves: Any) -> Any:
    return moves if isinstance(moves, types.BaseTuple) else types.int64


def _lowest(builder: Any, word: Any) -> Any:
    return builder.cttz(word, ir.Constant(ir.IntType(1), 1))


def _rest_of(builder: Any, word: Any) -> Any:
    return builder.and_(word, builder.sub(word, constant(1)))


def _without(builder: Any, word: Any, move: Any) -> Any:
    return builder.and_(word, builder.not_(builder.shl(constant(1), move)))


def _is_zero(builder: Any, word: Any) -> Any:
    return builder.icmp_unsigned("==", word, constant(0))


def _first_of_two(builder: Any, low: Any, high: Any) -> Any:
    above = builder.add(_lowest(builder, high), constant(WORD))
    return builder.select(_is_zero(builder, low), above, _lowest(builder, low))


def _rest_of_two(builder: Any, low: Any, high: Any) -> Any:
    none_below = _is_zero(builder, low)
    return _rest_of(builder, low), builder.select(none_below, _rest_of(builder, high), high)


def _without_of_two(builder: Any, low: Any, high: Any, move: Any) -> Any:
    is_low = builder.icmp_unsigned("<", move, constant(WORD))
    place = builder.and_(move, constant(WORD - 1))
    return (
        builder.select(is_low, _without(builder, low, place), low),
        builder.select(is_low, high, _without(builder, high, place)),
    )


def _truth(_moves: Any) -> Any:
    return types.boolean


_on_sets(bits.first, _lowest, _first_of_two)
_on_sets(bits.rest, _rest_of, _rest_of_two, _same)
_on_sets(bits.without, _without, _without_of_two, _same)
_on_sets(bits.count, lambda b, word: b.ctpop(word), lambda b, low, high: b.add(b.ctpop(low), b.ctpop(high)))
_on_sets(bits.is_empty, _is_zero, lambda b, low, high: _is_zero(b, b.or_(low, high)), _truth)
_on_sets(bits.emptied, lambda _b, _word: constant(0), lambda _b, _low, _high: (constant(0), constant(0)), _same)


@overload(bits.wide)
def _wide(low: Any, high: Any) -> Any:
    return lambda low, high: (np.int64(low), np.int64(high))


def _word_at(builder: Any, address: Any) -> Any:
    return builder.inttoptr(address, ir.IntType(64).as_pointer())


@intrinsic
def _load_at(_typing: Any, address: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.load(_word_at(builder, arguments[0]))

    return types.int64(types.int64), generate


@intrinsic
def _store_at(_typing: Any, address: Any, word: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        builder.store(arguments[1], _word_at(builder, arguments[0]))

    return types.void(types.int64, types.int64), generate


@intrinsic
def prefetch_word(_typing: Any, address: Any) -> Any:
    """Bring the word at an address into the processor's cache."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        byte, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag])
        for_reading, into_all_levels, data = flag(0), flag(3), flag(1)
        builder.call(
            cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8"),
            [builder.inttoptr(arguments[0], byte), for_reading, into_all_levels, data],
        )

    return types.void(types.int64), generate


@overload(bits.look_up)
def _look_up(table: Any, bits: Any) -> Any:
    return lambda table, bits: table[np.uint64(bits)]


@overload(bits.mapped)
def _mapped(table: Any, symmetry: Any, bits: Any) -> Any:
    def mapped(table: Any, symmetry: Any, bits: Any) -> Any:
        found = 0
        for i in range(table.shape[1]):
            found |= table[symmetry, i, bits >> 8 * i & 255]
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


@overload(raw_words.address)
def _address(array: Any) -> Any:
    if settings.BOUNDSCHECK:
        return lambda array: array
    return lambda array: np.int64(array.ctypes.data)


@overload(raw_words.load_word)
def _load_word(words: Any, place: Any) -> Any:
    if isinstance(words, types.Array):
        return lambda words, place: words[place]
    return lambda words, place: _load_at(words + 8 * place)


@overload(raw_words.store_word)
def _store_word(words: Any, place: Any, word: Any) -> Any:
    if isinstance(words, types.Array):

        def store_word(words: Any, place: Any, word: Any) -> None:
            words[place] = word

    else:

        def store_word(words: Any, place: Any, word: Any) -> None:
            _store_at(words + 8 * place, word)

    return store_word


def _atomic(helper: Any, operation: str) -> None:
    """Register the machine code of a helper (record, field, value) -> old value, for an int64 field."""

    @extending.type_callable(helper)
    def _(_context: Any) -> Any:
        return lambda record, field, value: types.int64 if isinstance(field, types.Literal) else None

    @extending.lower_builtin(helper, types.Record, types.Literal, types.Any)
    def _(_context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        record, field, _value = signature.args
        place = cgutils.get_record_member(builder, arguments[0], record.offset(field.literal_value), ir.IntType(64))
        return builder.atomic_rmw(operation, place, arguments[2], "seq_cst")


_atomic(atomic.atomic_add, "add")
_atomic(atomic.atomic_max, "max")
_atomic(atomic.atomic_min, "min")


def _clock(read: Any, number: int) -> None:
    """Register the machine code of a function of `time` that reads a clock in ns; `number` is the clock's in POSIX."""

    @extending.type_callable(read)
    def _(_context: Any) -> Any:
        return lambda: types.int64

    @extending.lower_builtin(read)
    def _(_context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        word, short = ir.IntType(64), ir.IntType(32)
        timespec = cgutils.alloca_once(builder, ir.ArrayType(word, 2))
        kind = ir.FunctionType(short, [short, timespec.type])
        builder.call(cgutils.get_or_insert_function(builder.module, kind, "clock_gettime"), [short(number), timespec])
        seconds, rest = cgutils.unpack_tuple(builder, builder.load(timespec), 2)
        return builder.add(builder.mul(seconds, word(1_000_000_000)), rest)


_clock(time.monotonic_ns, time.CLOCK_MONOTONIC)
_clock(time.thread_time_ns, time.CLOCK_THREAD_CPUTIME_ID)
