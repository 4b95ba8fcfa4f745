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
from engine.bits import WORD
from engine.compiled import INNER, part
from engine.compiler import typing_context
from engine.game import PARTS, RULES, evaluate, evaluations_of, is_over, legal, traits_of, utility, won

settings: Any = config
intrinsic: Any = extending.intrinsic
to_fixed_tuple: Any = ndarray.to_fixed_tuple

overload: Any = partial(extending.overload, strict=False, jit_options=INNER)


_given = 0


def _give_parts() -> None:
    """Let kernels call what games have registered as `engine.game.part` since the last time."""
    global _given
    if _given < len(PARTS):
        for function in PARTS[_given:]:
            register_jitable(**INNER)(function)
        _given = len(PARTS)
        typing_context.refresh()


@overload(evaluate)
def _evaluate(position: Any, which: Any) -> Any:
    """A look at each of the game's evaluations in turn: there are few."""
    _give_parts()
    evaluations = evaluations_of(position.instance_class)
    chosen = _by_number(evaluations, len(evaluations) - 1)
    typing_context.refresh()
    return chosen


def _by_number(evaluations: Any, number: int) -> Any:
    """The one of that number where `which` is no lower number."""
    estimate = register_jitable(**INNER)(evaluations[number])
    if number == 0:
        return lambda position, which: estimate(position)
    lower = register_jitable(**INNER)(_by_number(evaluations, number - 1))
    return lambda position, which: estimate(position) if which == number else lower(position, which)


def _give(rule: Any) -> None:
    """Let kernels call what is written for each game or algorithm."""

    @overload(rule)
    def _(subject: Any, *_rest: Any) -> Any:
        _give_parts()
        return rule.dispatch(subject.instance_class) if hasattr(subject, "instance_class") else None


compiled_subtree = part(recursion.subtree)
"""It is compiled by itself, so that another process can do so meanwhile."""

typing_context.insert_global(recursion.subtree, types.Dispatcher(compiled_subtree))


@overload(recursion.estimate)
def _estimate(search: Any, position: Any) -> Any:
    """Where no line ends at the horizon, what estimates is not compiled."""
    if not _option(search, "limited"):
        return lambda search, position: 0
    return recursion.estimate


for _rule in (*RULES, *HOOKS, advance):
    _give(_rule)


def _depth(plies: Any) -> int:
    """Of the type of a nested tuple."""
    return 1 + _depth(plies[0]) if len(plies) else 0


def _has_free_placement(position: Any) -> bool:
    """Of the type of a position."""
    return traits_of(position.instance_class).free_placement


@overload(recursion.has_ended)
def _has_ended(position: Any) -> Any:
    return (lambda position: won(position)) if _has_free_placement(position) else lambda position: is_over(position)


@overload(recursion.gain)
def _gain(position: Any, win: Any) -> Any:
    if _has_free_placement(position):
        return lambda position, win: win
    return lambda position, win: -utility(position) * win


@overload(recursion.is_full)
def _is_full(search: Any, position: Any) -> Any:
    if not _has_free_placement(position):
        return lambda search, position: False
    if _option(search, "limited"):
        return lambda search, position: bits.is_empty(legal(position))
    return lambda search, position: True


@overload(recursion.is_last_square)
def _is_last_square(search: Any, position: Any) -> Any:
    is_last = _has_free_placement(position) and not _option(search, "limited")
    return lambda search, position: is_last


def _option(search: Any, name: str) -> bool:
    """Whether an option is not None, by the type of a search."""
    return not isinstance(search[search.fields.index(name)], types.NoneType)


@overload(recursion.plies_for)
def _plies_for(search: Any, position: Any, tape: Any, aids: Any) -> Any:
    plies, options = recursion.PLIES, (search[search.fields.index("limited")], tape, aids)
    wanted = recursion.compiled_below(
        position.instance_class, search.instance_class, *(not isinstance(option, types.NoneType) for option in options)
    )
    while recursion.depth_of(plies) > wanted:
        plies = plies[0]
    return lambda search, position, tape, aids: plies


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
    is_plain = not _option(search, "limited") and isinstance(aids, types.NoneType) and _has_free_placement(position)
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


def _built_in(helper: Any, generate: Any, returned: Any = lambda _subject: types.int64) -> None:
    """Give a helper its machine code: an overload takes longer to compile, at each call. `generate` takes the builder,
    the type of the first argument and the arguments; `returned` says what type comes of the first argument's."""

    @extending.type_callable(helper)
    def _(_context: Any) -> Any:
        takes_one = helper.__code__.co_argcount == 1
        return (lambda subject: returned(subject)) if takes_one else lambda subject, _other: returned(subject)

    @extending.lower_builtin(helper, types.VarArg(types.Any))
    def _(_context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return generate(builder, signature.args[0], *arguments)


def _constant(number: int) -> Any:
    return ir.Constant(ir.IntType(64), number)


_built_in(recursion.depth_of, lambda _builder, plies, _: _constant(_depth(plies)))


def _on_sets(helper: Any, on_one: Any, on_two: Any, returned: Any = None) -> None:
    """Give a helper of sets its machine code: `on_one` for a set of one word, `on_two` for a pair of words. Both take
    the builder and the words, then what else the helper takes."""

    def generate(builder: Any, subject: Any, moves: Any, *more: Any) -> Any:
        if not isinstance(subject, types.BaseTuple):
            return on_one(builder, moves, *more)
        found = on_two(builder, builder.extract_value(moves, 0), builder.extract_value(moves, 1), *more)
        if not isinstance(found, tuple):
            return found
        return builder.insert_value(builder.insert_value(moves, found[0], 0), found[1], 1)

    _built_in(helper, generate, returned or (lambda _moves: types.int64))


def _same(moves: Any) -> Any:
    return moves if isinstance(moves, types.BaseTuple) else types.int64


def _lowest(builder: Any, word: Any) -> Any:
    return builder.cttz(word, ir.Constant(ir.IntType(1), 1))


def _rest_of(builder: Any, word: Any) -> Any:
    return builder.and_(word, builder.sub(word, _constant(1)))


def _without(builder: Any, word: Any, move: Any) -> Any:
    return builder.and_(word, builder.not_(builder.shl(_constant(1), move)))


def _is_zero(builder: Any, word: Any) -> Any:
    return builder.icmp_unsigned("==", word, _constant(0))


def _first_of_two(builder: Any, low: Any, high: Any) -> Any:
    above = builder.add(_lowest(builder, high), _constant(WORD))
    return builder.select(_is_zero(builder, low), above, _lowest(builder, low))


def _rest_of_two(builder: Any, low: Any, high: Any) -> Any:
    none_below = _is_zero(builder, low)
    return _rest_of(builder, low), builder.select(none_below, _rest_of(builder, high), high)


def _without_of_two(builder: Any, low: Any, high: Any, move: Any) -> Any:
    is_low = builder.icmp_unsigned("<", move, _constant(WORD))
    place = builder.and_(move, _constant(WORD - 1))
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
_on_sets(bits.emptied, lambda _b, _word: _constant(0), lambda _b, _low, _high: (_constant(0), _constant(0)), _same)


@overload(bits.wide)
def _wide(low: Any, high: Any) -> Any:
    return lambda low, high: (np.int64(low), np.int64(high))


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
    stack.was_cut,
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


@overload(stack.moves_in)
def _moves_in(root: Any, frame: Any, place: Any) -> Any:
    if traits_of(root.instance_class).moves > WORD:
        return lambda root, frame, place: (frame[place], frame[place + 1])
    return lambda root, frame, place: frame[place]


@overload(stack.put_moves)
def _put_moves(frame: Any, place: Any, moves: Any) -> Any:
    if not isinstance(moves, types.BaseTuple):

        def put_one(frame: Any, place: Any, moves: Any) -> None:
            frame[place] = moves

        return put_one

    def put_two(frame: Any, place: Any, moves: Any) -> None:
        frame[place] = moves[0]
        frame[place + 1] = moves[1]

    return put_two


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
