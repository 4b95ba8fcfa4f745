"""The certificate of a cutoff, from the record alone: which bound pruned a node's moves, and where it comes from.

A node is cut when it has a value of beta or more for its side to move. The other side then avoids it, because it has at
least -beta by an earlier move of an ancestor.

    ancestor   has at least 0 by an earlier move, the `holder`; the parent: a shallow cutoff, higher up: a deep one
       │
    row        has at least 0 for the other side by `proof`: its other moves are pruned

Beta may be a guess instead: PVS tests in a null window whether a move is better than the best before it, and MTD(f) and
aspiration windows narrow the window of the root.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

import msgspec
from msgspec import Struct

from engine.kernels.worker_memory import CUTOFF, OPEN
from engine.messages import message
from engine.result import INFINITY, Bound, Leaf, Number, Value, in_wins
from engine.rules.bits import each
from engine.rules.contract import Notation, legal
from engine.trace.leaves import LEAVES
from engine.trace.record import Trace
from engine.trace.widths import Gap


class Origin(StrEnum):
    """The origin of the bound that cut a node."""

    MOVE = "move"
    """The value of an earlier move of an ancestor."""
    NULL_WINDOW = "null window"
    """A guess: an ancestor tests whether one of its moves is better than the best before it."""
    ROOT_WINDOW = "root window"
    """A guess: the window that the root itself was searched in."""
    WORKER = "worker"
    """Another worker, which had the bound from a search that is not in the record."""


class Searched(Struct, frozen=True):
    """A searched move of a node on the path. Its value is for the side that makes it."""

    row: int
    move: int
    value: Value
    leaf: Leaf | None
    """The kind of leaf; TABLE: the value is known from the table."""
    moment: int
    """The moment at which it came up: see `engine.trace.replay`."""


class Certificate(Struct, frozen=True):
    """Why the moves that are left at a cut node need no search. Its values are for the side to move there."""

    row: int
    moves: tuple[int, ...]
    """From the root to the node."""
    pruned: tuple[int, ...]
    """Ascending."""
    beta: Number
    proof: Searched
    """The move with a value of beta or more."""
    origin: Origin
    ancestor: int | None
    """The row of the node whose bound it is, or which makes the test; None if the record does not tell."""
    ancestor_ply: int | None
    holder: Searched | None
    """The move of that node that gave the bound: its value is at least the negative of beta. None if beta is a guess.
    Where several workers share their bounds, it may come later in the record."""
    again: int | None = None
    """The row of the second search, in the full window, of the move that was tested; None if there is none. The pruned
    moves then matter there."""

    @property
    def is_deep(self) -> bool:
        """Whether the ancestor is not the parent."""
        return self.holder is not None and (self.ancestor_ply or 0) < len(self.moves) - 1


class _Cause(NamedTuple):
    origin: Origin
    ancestor: int | None
    holder: Searched | None = None
    tested: int | None = None
    """The row of the move that is tested in a null window."""


def certificate(trace: Trace, row: int) -> Certificate:
    """The certificate of a node that was cut: of each row whose gap is PRUNED. Raises ValueError, with a sentence, for
    any other row, and where the move that cut it is not recorded."""
    if not 0 <= row < len(trace) or trace.why(row) != CUTOFF:
        raise ValueError(message("No move is pruned at node {row}.", row=row))
    path = trace.path(row)
    beta = trace.raw(row).beta
    proofs = [*_known(trace, row, beta)]
    if not proofs:
        raise ValueError(message("The move that cut node {row} off is not recorded.", row=row))
    cause = _cause(trace, path, beta)
    return Certificate(
        row=row,
        moves=trace.moves(row),
        pruned=pruned_moves(trace, row),
        beta=in_wins(beta, trace.unit),
        proof=proofs[-1],
        origin=cause.origin,
        ancestor=cause.ancestor,
        ancestor_ply=None if cause.ancestor is None else trace.index.ply(cause.ancestor),
        holder=cause.holder,
        again=None if cause.tested is None else trace.next_search(cause.tested),
    )


def pruned_moves(trace: Trace, row: int) -> tuple[int, ...]:
    """The legal moves of a cut row that were not searched, ascending."""
    searched = {trace.move(child) for child in trace.children(row)}
    return tuple(move for move in each(legal(trace.position(row))) if move not in searched)


def pruned_by(trace: Trace, moves: Iterable[int]) -> tuple[int, int]:
    """The row that is cut on a line of moves, and its pruned move on that line. Raises ValueError, with a sentence, if
    the whole line was searched, or if its first unsearched move is not pruned."""
    row = 0
    for move in moves:
        below = trace.child_row(row, move)
        if below is None:
            if trace.gap(row) is Gap.PRUNED and legal(trace.position(row)) >> move & 1:
                return row, move
            raise ValueError(message("This line is not pruned: it was not reached, not recorded, or is not legal."))
        row = below
    raise ValueError(message("This line was searched: none of its moves is pruned."))


def swept(trace: Trace, row: int, value: Number) -> Number | None:
    """The root's value, for its side to move, if a pruned move of a cut row had this value for the side that makes it.

    Computed from the recorded values, up the path. None if the root has no value, because the search was stopped. An
    ancestor may have none though the root has: another worker found meanwhile that it is not needed.
    """
    if trace.why(0) == OPEN:
        return None
    before = trace.raw(row).value
    after = max(before, round(value if abs(value) >= INFINITY else value * trace.unit))
    for child, above in pairwise(trace.path(row)[::-1]):
        if trace.why(above) == OPEN:
            break
        siblings = [other for other in trace.children(above) if other != child and trace.why(other) != OPEN]
        others = [
            trace.above(other, trace.raw(other).value) for other in siblings if trace.move(other) != trace.move(child)
        ]
        was, is_now = (max([*others, trace.above(child, own)]) for own in (before, after))
        if was == is_now:
            break
        before, after = was, is_now
    else:
        return in_wins(after, trace.unit)
    return in_wins(trace.raw(0).value, trace.unit)


def whatever(trace: Trace, row: int) -> Value | None:
    """The root's value, for its side to move, if it is true whatever a pruned move of a cut row is worth; None if it is
    not, or if the root has none. The root's value grows or falls with the move's, so that the two ends decide."""
    root, ends = trace.found(0), [swept(trace, row, worth) for worth in (-INFINITY, INFINITY)]
    if root is None or None in ends:
        return None
    value = root.number
    allowed = {Bound.EXACT: (value, value), Bound.LOWER: (value, INFINITY), Bound.UPPER: (-INFINITY, value)}[root.bound]
    return root if all(end is not None and allowed[0] <= end <= allowed[1] for end in ends) else None


def to_json(found: Certificate, notation: Notation) -> bytes:
    """The certificate as a JSON object, with the names of moves. Moments count from 1, as in the window."""
    name = notation.move_name

    def searched(move: Searched | None) -> dict[str, object] | None:
        if move is None:
            return None
        value = {"value": move.value.number, "bound": move.value.bound}
        return msgspec.to_builtins(move) | {"move": name(move.move), **value, "moment": move.moment + 1}

    return msgspec.json.encode(
        msgspec.to_builtins(found)
        | {
            "moves": [*map(name, found.moves)],
            "pruned": [*map(name, found.pruned)],
            "proof": searched(found.proof),
            "holder": searched(found.holder),
            "deep": found.is_deep,
        }
    )


def _cause(trace: Trace, path: list[int], beta: int) -> _Cause:
    """Where the beta of the last row of a path comes from: the nearest ancestor of the other side that has as much, or
    else a guess."""
    side = trace.is_of_root(path[-1])
    others = [(above, below) for above, below in pairwise(path) if trace.is_of_root(above) != side][::-1]
    for above, below in others:
        holder = _holder(trace, below, -beta, range(below))
        if holder is not None:
            return _Cause(Origin.MOVE, above, holder)
    guess = _guess(trace, path, beta)
    if guess.origin is not Origin.WORKER:
        return guess
    for above, below in others:
        holder = _holder(trace, below, -beta, range(trace.end(below), len(trace)))
        if holder is not None:
            return _Cause(Origin.MOVE, above, holder)
    return guess


def _guess(trace: Trace, path: list[int], beta: int) -> _Cause:
    """The window that a beta was handed down from."""
    side = trace.is_of_root(path[-1])
    for below, above in pairwise(path[::-1]):
        of_above, of_below = trace.raw(above), trace.raw(below)
        is_own = trace.is_of_root(above) == side
        if (of_above.beta if is_own else -of_above.alpha) != beta:
            is_null = is_own and of_below.beta - of_below.alpha == 1
            return _Cause(Origin.NULL_WINDOW, above, None, below) if is_null else _Cause(Origin.WORKER, None)
    return _Cause(Origin.ROOT_WINDOW, 0)


def _holder(trace: Trace, row: int, least: int, among: range) -> Searched | None:
    """The first other move of a row's parent, to one of these rows, that is known to be worth this or more. Another
    search of the same move is none: a value below `row` would change its value too."""
    others = (known for known in _known(trace, trace.parent(row), least) if known.move != trace.move(row))
    return next((known for known in others if known.row in among), None)


def _known(trace: Trace, row: int, least: int) -> Iterator[Searched]:
    """The moves of a row that are known to be worth this or more to the side to move."""
    for child, value in trace.proven(row, least):
        yield Searched(child, trace.move(child), value, LEAVES.get(trace.why(child)), trace.index.left_at(child))
