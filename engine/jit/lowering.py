"""Registers with numba the functions that kernels call: rules of games and algorithms, and the parts of the search.
`engine.jit.intrinsics` does so for sets of moves and words in memory.

Each body of a rule becomes an overload on the type of the rule's first argument. The rules of a game are therefore
written once, and a kernel that calls `play` is compiled for each game. The step of an algorithm, `advance`, is found in
the same way. Any module that compiles a kernel which calls these must import this one.
"""

from functools import partial
from typing import Any

import numba
from llvmlite import ir
from numba import extending
from numba.core import cgutils, config, types
from numba.np.unsafe import ndarray

from engine.jit.intrinsics import built_in, constant, prefetch_word
from engine.jit.kernel import CALLED, INLINED, INNER, part, registered, typing_context
from engine.kernels import chance, depth_first, ordering, subtree, transposition, worker_memory
from engine.kernels.contract import HOOKS, advance
from engine.kernels.last_two_plies import last_two_plies, play_both, value_of_two
from engine.kernels.node import mean, turned
from engine.kernels.transposition import slot_of
from engine.rules import bits
from engine.rules.bits import WORD
from engine.rules.contract import (
    PARTS,
    RULES,
    UNIT,
    at_chance,
    evaluate,
    evaluations_of,
    is_over,
    key,
    legal,
    moves_again,
    play,
    to_move,
    traits_of,
    utility,
    weight,
    weight_of,
    won,
)

settings: Any = config
intrinsic: Any = extending.intrinsic
to_fixed_tuple: Any = ndarray.to_fixed_tuple

overload: Any = partial(extending.overload, strict=False, jit_options=INNER)
inlined: Any = partial(overload, jit_options=INLINED)
"""Inlines every ply into the one above it: a call passes a dozen numbers and costs as much as a node. Also what is
short and called both by a ply and by a function that is not inlined: numba would compile it for each."""


def _give_parts() -> None:
    """Register the functions that games have declared as `engine.rules.contract.part` since the last call."""
    if PARTS:
        for function in PARTS:
            registered(**INNER)(function)
        PARTS.clear()
        typing_context.refresh()


@overload(evaluate)
def _evaluate(position: Any, which: Any) -> Any:
    """A chain of comparisons over the game's evaluations: there are few."""
    _give_parts()
    evaluations = evaluations_of(position.instance_class)
    chosen = _by_number(evaluations, len(evaluations) - 1)
    typing_context.refresh()
    return chosen


def _by_number(evaluations: Any, number: int) -> Any:
    """The function that applies evaluation `number` if `which` equals it, else tries the lower numbers."""
    estimate = registered(**INNER)(evaluations[number])
    if number == 0:
        return lambda position, which: estimate(position)
    lower = registered(**INNER)(_by_number(evaluations, number - 1))
    return lambda position, which: estimate(position) if which == number else lower(position, which)


def _give(rule: Any, overload: Any = overload) -> None:
    """Register a function `by_type`, which has a body for each game or algorithm."""

    @overload(rule)
    def _(subject: Any, *_rest: Any) -> Any:
        _give_parts()
        return rule.dispatch(subject.instance_class) if hasattr(subject, "instance_class") else None


compiled_subtree = part(subtree.subtree)
"""A kernel of its own, so that another process can compile it at the same time."""


@inlined(subtree.estimate)
def _estimate(search: Any, position: Any) -> Any:
    """The evaluation of horizon leaves; without a depth limit it is not compiled."""
    if not _option(search, "limited"):
        return lambda search, position: 0
    if traits_of(position.instance_class).chance:
        return _scaled_estimate
    return lambda search, position: evaluate(position, search.limited) if search.limited >= 0 else 0


def _scaled_estimate(search: Any, position: Any) -> int:
    return mean(evaluate(position, search.limited) * search.win, UNIT) if search.limited >= 0 else 0


for _rule in (*RULES, advance):
    _give(_rule)
for _hook in HOOKS:
    _give(_hook, inlined)


def _depth(plies: Any) -> int:
    """The nesting depth of a tuple type."""
    return 1 + _depth(plies[0]) if len(plies) else 0


def _has_free_placement(position: Any) -> bool:
    """Whether the game of a position's type has free placement."""
    return traits_of(position.instance_class).free_placement


@overload(subtree.has_ended)
def _has_ended(position: Any) -> Any:
    return (lambda position: won(position)) if _has_free_placement(position) else lambda position: is_over(position)


@overload(subtree.end_value)
def _end_value(position: Any, win: Any) -> Any:
    if _has_free_placement(position):
        return lambda position, win: -win
    return lambda position, win: utility(position) * win


@inlined(moves_again)
def _moves_again(before: Any, after: Any) -> Any:
    if traits_of(before.instance_class).alternates:
        return lambda before, after: False
    return lambda before, after: to_move(before) == to_move(after)


@overload(weight_of)
def _weight_of(position: Any, move: Any) -> Any:
    if traits_of(position.instance_class).chance:
        return lambda position, move: weight(position, move)
    return lambda position, move: 0


@overload(at_chance)
def _at_chance(position: Any) -> Any:
    if traits_of(position.instance_class).chance:
        return lambda position: is_over(position) == 0 and weight(position, bits.first(legal(position))) > 0
    return lambda position: False


def _give_chance(helper: Any, generate: Any, kind: Any) -> None:
    """Register a function of `engine.kernels.chance`; for a game without chance nodes, as the machine code of
    `generate`, whose result has the type `kind`. A function, which LLVM inlines, would change what else it inlines."""
    built_in(helper, generate, lambda position: None if traits_of(position.instance_class).chance else kind)

    @overload(helper, inline="always")
    def _(position: Any, *_rest: Any) -> Any:
        return helper if traits_of(position.instance_class).chance else None


def _best_so_far(_builder: Any, _kind: Any, _position: Any, best: Any, _outcomes: Any) -> Any:
    return best


def _is_above(builder: Any, _kind: Any, _position: Any, _move: Any, value: Any, best: Any) -> Any:
    return builder.icmp_signed(">", value, best)


_give_chance(chance.improves, _is_above, types.boolean)
_give_chance(chance.weighted, lambda *_: constant(0), types.int64)
_give_chance(chance.averaged, _best_so_far, types.int64)


@overload(chance.averaged_words, inline="always")
def _averaged_words(position: Any, best: Any, values: Any) -> Any:
    """Inlined: as machine code like the others, it changes the registers of the stack, which takes 2 % longer."""
    if traits_of(position.instance_class).chance:
        return chance.averaged_words
    return lambda position, best, values: best


@overload(subtree.is_full)
def _is_full(search: Any, position: Any) -> Any:
    if not _has_free_placement(position):
        return lambda search, position: False
    if _option(search, "limited"):
        return lambda search, position: bits.is_empty(legal(position))
    return lambda search, position: True


@inlined(transposition.prefetch_children)
def _prefetch_children(aids: Any, position: Any) -> Any:
    """Only where moves and keys are cheap: not in other games, nor for the least key of several symmetric forms."""
    if settings.BOUNDSCHECK or not _has_free_placement(position):
        return lambda aids, position: None

    def prefetch_children(aids: Any, position: Any) -> None:
        if aids.mask < 0 or aids.symmetries > 1:
            return
        todo = legal(position)
        while not bits.is_empty(todo):
            child = play(position, bits.first(todo))
            prefetch_word(aids.table + 8 * slot_of(aids.mask, key(child)))
            todo = bits.rest(todo)

    return prefetch_children


def _option(search: Any, name: str) -> bool:
    """Whether an option of a search's type is not None."""
    return not isinstance(search[search.fields.index(name)], types.NoneType)


@overload(subtree.plies_for)
def _plies_for(search: Any, position: Any, tape: Any, aids: Any) -> Any:
    plies, options = subtree.PLIES, (search[search.fields.index("limited")], tape, aids)
    wanted = subtree.compiled_below(
        position.instance_class, search.instance_class, *(not isinstance(option, types.NoneType) for option in options)
    )
    while subtree.depth_of(plies) > wanted:
        plies = plies[0]
    return lambda search, position, tape, aids: plies


@inlined(subtree.search_ply)
def _search_ply(plies: Any, search: Any, _tape: Any, aids: Any, node: Any, *_tally: Any) -> Any:
    if _depth(plies) == 0:
        return subtree.horizon_leaf
    is_plain = not _option(search, "limited") and isinstance(aids, types.NoneType) and _has_free_placement(node[0])
    return last_two_plies if _depth(plies) == 2 and is_plain else subtree.inner_ply


@inlined(subtree.dispatch_depth)
def _dispatch_depth(_left: Any, plies: Any, *_rest: Any) -> Any:
    return subtree.dispatch_depth if _depth(plies) > subtree.APART else _search_last_depth


search_ply = subtree.search_ply


def _search_last_depth(left: int, plies: Any, search: Any, tape: Any, aids: Any, node: Any, tally: Any) -> Any:
    return search_ply(plies, search, tape, aids, node, tally)


built_in(subtree.depth_of, lambda _builder, plies, _: constant(_depth(plies)))


aids_record, state_record = numba.from_dtype(transposition.AIDS_TYPE), numba.from_dtype(worker_memory.STATE_TYPE)


@intrinsic
def _state_at(_typing: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(state_record))

    return state_record(types.int64), generate


@overload(transposition.state_of, inline="always")
def _state_of(aids: Any) -> Any:
    """Inlined, because a function would return a copy."""
    if isinstance(aids, types.Record):
        return lambda aids: _state_at(aids.state)
    return lambda aids: aids.state[0]


@intrinsic
def _put_into_record(_typing: Any, aids: Any) -> Any:
    """Store the aids as a record on the machine's stack; a record of numba is an address."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        words = cgutils.alloca_once(builder, ir.ArrayType(ir.IntType(64), len(aids)))
        builder.store(cgutils.pack_array(builder, cgutils.unpack_tuple(builder, arguments[0])), words)
        return builder.bitcast(words, context.get_value_type(aids_record))

    return aids_record(aids), generate


@overload(transposition.as_record, inline="always")
def _as_record(aids: Any) -> Any:
    """Inlined, because the record on the stack is valid only while its function runs."""
    if settings.BOUNDSCHECK or isinstance(aids, types.NoneType):
        return lambda aids: aids
    return lambda aids: _put_into_record(aids)


for _helper in (
    worker_memory.close_row,
    worker_memory.enter,
    worker_memory.leave,
    worker_memory.was_cut,
    worker_memory.write_row,
    depth_first.leaf,
    mean,
    worker_memory.memory_of,
    depth_first.begin,
    play_both,
    value_of_two,
):
    registered(**INNER)(_helper)
for _helper in (
    transposition.least_key,
    transposition.slot_of,
    transposition.exact_value,
    ordering.choose,
    ordering.note_cutoff,
    ordering.true_score,
):
    registered(**CALLED)(_helper)
# Each node calls these. The first two as functions took a tenth of a search's time, the third a twentieth.
for _helper in (
    transposition.canonical_key,
    transposition.probe,
    transposition.store,
    worker_memory.entered,
    worker_memory.ended,
    turned,
):
    registered(**INLINED)(_helper)


@overload(worker_memory.load)
def _load(root: Any, frame: Any) -> Any:
    position_type, size = root.instance_class, root.count
    return lambda root, frame: position_type(*to_fixed_tuple(frame["words"], size))


@overload(worker_memory.moves_in)
def _moves_in(root: Any, words: Any) -> Any:
    if traits_of(root.instance_class).moves > WORD:
        return lambda root, words: (words[0], words[1])
    return lambda root, words: words[0]


@overload(worker_memory.put_moves)
def _put_moves(words: Any, moves: Any) -> Any:
    if not isinstance(moves, types.BaseTuple):

        def put_one(words: Any, moves: Any) -> None:
            words[0] = moves

        return put_one

    def put_two(words: Any, moves: Any) -> None:
        words[0] = moves[0]
        words[1] = moves[1]

    return put_two


@overload(worker_memory.store)
def _store(position: Any, frame: Any) -> Any:
    size = position.count

    def store(position: Any, frame: Any) -> None:
        words = frame["words"]
        for word in range(size):
            words[word] = position[word]

    return store
