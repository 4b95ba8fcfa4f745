"""A record as data for other programs: numpy's .npz, CSV, and for small subtrees DOT, Gambit's .efg and a nested list.

npz, csv   every recorded node, a row each, in preorder; values and windows in wins, for the side to move
dot        https://graphviz.org/doc/info/lang.html; the moves without a row are dashed edges
efg        https://gambitproject.readthedocs.io, "The extensive game (.efg) file format": a zero-sum game of the
           recorded moves, and of chance. A whole record has the searched value by backward induction
nested     JSON, as in textbooks: a leaf is its value, for the side to move at the root; an inner node is the list of
           its recorded moves. Lists alternate between MAX and MIN; a list of one stands where a side moves again
"""

import csv
import json
import math
from collections.abc import Callable, Iterator, Mapping
from typing import BinaryIO, NamedTuple, TextIO

import numpy as np
from numpy.typing import NDArray

from engine.kernels.worker_memory import OPEN, WHY
from engine.messages import message
from engine.result import INFINITY, Bound, Number, Result, in_wins
from engine.rules.bits import each
from engine.rules.contract import Game, Position, legal, outcomes, play
from engine.trace.leaves import LEAVES
from engine.trace.raster import BOUNDS, bounds
from engine.trace.record import Trace
from engine.trace.tidy_tree import SMALL

SIGNS = {Bound.LOWER: ">= ", Bound.UPPER: "<= ", Bound.EXACT: ""}
"""The sign before a value in a DOT label."""
REASONS = "open", "terminal", "horizon", "all moves searched", "cutoff", "table"
"""The reasons why a node has ended, by their numbers in the record; an open node has not."""

BLOCK = 65_536
"""Rows that are written at once: as Python's numbers they need ten times their memory."""


def columns(trace: Trace) -> dict[str, NDArray[np.generic]]:
    """The record by columns, each [rows]: the place of each node, its window and its value.

    `side` is 0 where the side to move at the root is to move, else 1, and values and windows are that side's; `move` is
    -1 at the root; `bound` and `reason` are indices of BOUNDS and REASONS; `value` is NaN where the node has
    not ended.
    """
    rows, index = trace.rows, trace.index
    why = trace.whys
    moves = (rows["place"] % WHY).astype(np.int16)
    moves[:1] = -1
    return {
        "parent": index.parent,
        "end": index.end,
        "ply": index.left[:1] - index.left,
        "side": 1 - trace.of_root(np.arange(len(rows))).astype(np.int8),
        "move": moves,
        "alpha": _in_wins(rows["alpha"], trace.unit),
        "beta": _in_wins(rows["beta"], trace.unit),
        "value": np.where(why == OPEN, np.nan, _in_wins(rows["value"], trace.unit)),
        "bound": bounds(rows, why),
        "reason": why,
    }


def write_npz(game: Game, trace: Trace, file: BinaryIO) -> None:
    """Write `columns`, and the names of moves, bounds and reasons by their numbers."""
    made = columns(trace)
    np.savez_compressed(
        file,
        allow_pickle=False,
        **made,
        game=np.array(game.spec),
        position=np.array(game.notation.format(trace.root)),
        visited=np.array(trace.visited),
        move_names=np.array(_names(game, made["move"])),
        bounds=np.array(BOUNDS),
        reasons=np.array(REASONS),
    )


def write_csv(game: Game, trace: Trace, file: TextIO) -> None:
    """Write `columns` with a header, and the number of each row before them; moves, bounds and reasons by their names.
    An unknown is empty."""
    made = columns(trace)
    names = {"move": [*_names(game, made["move"]), ""], "bound": BOUNDS, "reason": REASONS}
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["row", *made])
    for first in range(0, len(trace), BLOCK):
        block = {name: column[first : first + BLOCK] for name, column in made.items()}
        lists = [
            [names[name][code] for code in column.tolist()] if name in names else _plain(column)
            for name, column in block.items()
        ]
        writer.writerows(zip(range(first, first + len(lists[0])), *lists, strict=True))


def dot(game: Game, result: Result, row: int = 0) -> str:
    """A subtree in DOT: nodes with their values for the side to move at `row`, edges with their moves.

    Boxes are positions in which that side moves, ellipses those of the other, diamonds chance nodes; dashed edges are
    moves that were not searched, or are not in the record. Raises ValueError, with a sentence, if the subtree is too
    large.
    """
    top = _top(game, result, row)
    trace, searched = top.trace, _searched(result)
    title = f"{game.title}, {game.notation.format(top.position)}, {searched}: values are {top.player}'s"
    if trace.truncated:
        title += f"; the first {len(trace):,} of {trace.visited:,} nodes, and dashed also what is not recorded"
    lines = ["digraph tree {", f"  label={_quoted(title)};", "  node [shape=box];"]
    for node in _below(game, top):
        written, found = "", trace.found(node.row)
        if found is not None:
            value = found if node.is_own else -found
            written = f"{SIGNS[value.bound]}{value.number:g}"
        shape = "" if node.is_own else ", shape=ellipse"
        if trace.at_chance(node.row):
            shape = ", shape=diamond"
        lines.append(f"  n{node.row} [label={_quoted(written)}{shape}];")
        if node.row != row:
            lines.append(f"  n{trace.parent(node.row)} -> n{node.row} [label={_quoted(_move(game, trace, node.row))}];")
        for move in node.missing():
            lines.append(f"  m{node.row}_{move} [shape=point];")
            lines.append(
                f"  n{node.row} -> m{node.row}_{move} [style=dashed, label={_quoted(game.notation.move_name(move))}];"
            )
    return "\n".join([*lines, "}", ""])


def efg(game: Game, result: Result, row: int = 0) -> str:
    """A subtree as Gambit's extensive game of the two players. Raises ValueError as `dot`.

    A node's label, which Gambit wants to be unique, is its moves from the root of the search. A move that was searched
    more than once is the last of its searches. A leaf that has not ended has no payoff.
    """
    top = _top(game, result, row)
    trace, searched = top.trace, _searched(result)
    first, second = map(_quoted, game.notation.players)
    title = _quoted(f"{game.spec}, {game.notation.format(top.position)}, {searched}")  # Gambit reads ASCII
    comment = "The moves that a search visited."
    if trace.truncated:
        comment = f"The first {len(trace)} of {trace.visited} nodes of a search, whose value may be another."
    lines = [f"EFG 2 R {title} {{ {first} {second} }}", _quoted(comment), ""]
    for number, node in enumerate(_below(game, top, repeated=False), start=1):
        name, children = _quoted(" ".join(map(game.notation.move_name, trace.moves(node.row)))), node.children
        if children and (chances := outcomes(node.position)):
            seen = sum(chances[trace.move(child)] for child in children)  # Gambit wants a sum of 1
            falls = " ".join(
                f"{_quoted(_move(game, trace, child))} {chances[trace.move(child)] / seen}" for child in children
            )
            lines.append(f'c {name} {number} "" {{ {falls} }} 0')
        elif children:
            moves = " ".join(_quoted(_move(game, trace, child)) for child in children)
            lines.append(f'p {name} {node.mover + 1} {number} "" {{ {moves} }} 0')
        elif (value := node.value) is None:
            lines.append(f"t {name} 0")
        else:
            ahead = value if node.mover == 0 else -value
            lines.append(f't {name} {number} "" {{ {ahead:g}, {-ahead or 0:g} }}')
    return "\n".join([*lines, ""])


def nested(game: Game, result: Result, row: int = 0) -> str:
    """A subtree as a nested JSON list of its leaves' values, for the side to move at `row`; null where a leaf has not
    ended. Raises ValueError as `dot`, and for a game with chance nodes. Of a repeated move, the last search counts."""
    top = _top(game, result, row)
    trace = top.trace
    if game.chance:
        raise ValueError(message("A nested list has no place for probabilities: choose DOT or Gambit's .efg."))

    def listed(node: _Node) -> object:
        if node.children:
            below = [(listed(node.child(child)), trace.again(child)) for child in node.children]
            return [[one] if again else one for one, again in below]
        return node.value if node.is_own or node.value is None else -node.value or 0

    return json.dumps(listed(top)) + "\n"


SUBTREES: Mapping[str, Callable[[Game, Result, int], str]] = {"dot": dot, "efg": efg, "json": nested}
"""The formats for small subtrees, by the endings of their files."""


class _Node(NamedTuple):
    """A node of a subtree; `is_own`: its side to move is that of the subtree's root."""

    game: Game
    trace: Trace
    row: int
    position: Position
    is_own: bool

    @property
    def mover(self) -> int:
        """The side to move."""
        return self.game.notation.mover(self.position)

    @property
    def player(self) -> str:
        return self.game.notation.players[self.mover]

    @property
    def value(self) -> Number | None:
        """In wins, for the side to move; None if it has not ended."""
        is_open = self.trace.why(self.row) == OPEN
        return None if is_open else in_wins(self.trace.raw(self.row).value, self.trace.unit)

    @property
    def children(self) -> list[int]:
        """The rows of the moves, of each the last."""
        return list({self.trace.move(child): child for child in self.trace.children(self.row)}.values())

    def child(self, row: int) -> "_Node":
        is_own = self.is_own if self.trace.again(row) else not self.is_own
        return self._replace(row=row, position=play(self.position, self.trace.move(row)), is_own=is_own)

    def missing(self) -> list[int]:
        """The legal moves without a row; none at a leaf."""
        if self.trace.why(self.row) in LEAVES:
            return []
        seen = set(map(self.trace.move, self.trace.children(self.row)))
        return [move for move in each(legal(self.position)) if move not in seen]


def _searched(result: Result) -> str:
    """The name of a search's algorithm and, where the root was searched several times, the number of this one."""
    name, number = result.job.algorithm, result.recorded_iteration
    return name if number is None else f"{name}, iteration {number}"


def _top(game: Game, result: Result, row: int) -> _Node:
    """The root of a subtree. Raises ValueError if nothing is recorded, or if it has more than SMALL nodes."""
    trace = result.trace
    if not trace:
        raise ValueError(message("There is no tree to write: the search has no recorded node."))
    nodes = trace.end(row) - row
    if nodes > SMALL:
        places = {"nodes": f"{nodes:,}", "most": f"{SMALL:,}"}
        raise ValueError(
            message("The subtree has {nodes} nodes, and this format is for {most}: choose a smaller subtree.", **places)
        )
    return _Node(game, trace, row, trace.position(row), True)


def _below(game: Game, node: _Node, repeated: bool = True) -> Iterator[_Node]:
    """A node and all below it, in preorder; `repeated`: with each search of a move that was searched several times."""
    yield node
    for child in node.trace.children(node.row) if repeated else node.children:
        yield from _below(game, node.child(child), repeated)


def _move(game: Game, trace: Trace, row: int) -> str:
    """The name of the move that led to a row; empty at the root."""
    return game.notation.move_name(trace.move(row)) if row else ""


def _names(game: Game, moves: NDArray[np.generic]) -> list[str]:
    """The names of all moves up to the highest in the record."""
    return list(map(game.notation.move_name, range(int(moves.max(initial=-1)) + 1)))


def _in_wins(values: NDArray[np.int16], unit: int) -> NDArray[np.float64]:
    """Values in wins; an open bound is infinite."""
    return np.where(np.abs(values) >= INFINITY, np.copysign(np.inf, values), values / unit)


def _plain(column: NDArray[np.generic]) -> list[object]:
    """Numbers as Python's; whole ones without a point, an unknown as None."""
    if column.dtype.kind != "f":
        return column.tolist()
    return [None if math.isnan(x) else int(x) if x.is_integer() else x for x in column.tolist()]


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
