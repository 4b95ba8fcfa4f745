"""The moves of a game with variations as in PGN: a tree, stored as its lines from the start.

    a1 b2 c3    the main line
    a1 b2 c1    another move at the third ply
    a1 b1       another at the second

A line is the path to a leaf. Lines with a common beginning are adjacent. The first continuation of each position is its
main one, so the first line is the main line. No line is the beginning of another.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, takewhile
from operator import itemgetter
from typing import NamedTuple

from engine.messages import message

Line = tuple[int, ...]
"""Successive moves from the start of the game."""


class WrittenMove(NamedTuple):
    """A move, in the written order of a game: a1 b2 (b1 c3) c3."""

    path: Line
    """The moves up to this one, inclusive."""
    begins: bool = False
    """Whether a variation begins with it."""
    ends: int = 0
    """The number of variations that end with it."""


@dataclass(frozen=True)
class Variations:
    """All lines of a game. A path is the beginning of a line, and stands for the position after it."""

    lines: tuple[Line, ...] = ((),)

    @classmethod
    def of(cls, lines: Iterable[Line]) -> "Variations":
        """The tree of these lines. The first continuation of a position in their order is its main one."""
        root: _Trie = {}
        for line in lines:
            node = root
            for move in line:
                node = node.setdefault(move, {})
        return cls(tuple(_leaves(root, ())))

    def __contains__(self, path: Line) -> bool:
        return any(_starts(line, path) for line in self.lines)

    def moves_after(self, path: Line) -> Line:
        """The moves after a path, the main one first."""
        return tuple(
            dict.fromkeys(line[len(path)] for line in self.lines if _starts(line, path) and len(line) > len(path))
        )

    def line_through(self, path: Line) -> Line:
        """The line that continues a path by its main moves. Raises ValueError if there is none."""
        for line in self.lines:
            if _starts(line, path):
                return line
        raise ValueError(message("No line begins with {path}.", path=path))

    def played(self, path: Line) -> "Variations":
        """The tree with the last move of this path added as the main one; earlier continuations become variations."""
        if path in self:
            return self
        at = self.lines.index(self.line_through(path[:-1]))
        after = at + (self.lines[at] == path[:-1])
        return Variations((*self.lines[:at], path, *self.lines[after:]))

    def added(self, lines: Iterable[Line]) -> "Variations":
        """The tree with these lines added, each as the last variation at the position where it branches off."""
        return Variations.of([*self.lines, *lines])

    def without(self, path: Line) -> "Variations":
        """The tree without the last move of a path and its continuations. The start remains."""
        if not path or path not in self:
            return self
        rest = [line for line in self.lines if not _starts(line, path)]
        before = path[:-1]
        if not any(_starts(line, before) for line in rest):
            rest.insert(next(at for at, line in enumerate(self.lines) if _starts(line, path)), before)
        return Variations(tuple(rest))

    def promoted(self, path: Line) -> "Variations":
        """The tree with this path as the main line; the other lines keep their order."""
        return Variations(tuple(sorted(self.lines, key=lambda line: -_shared(line, path))))

    def forks(self, line: Line) -> tuple[int, ...]:
        """The plies of a line that have other moves as well; its first move is ply 0."""
        return tuple(sorted({_shared(line, other) for other in self.lines if other != line}))

    def nodes(self) -> Iterator[WrittenMove]:
        """All moves in written order: a main move, its variations, then the continuation."""
        return _nodes(self.lines, 0)


_Trie = dict[int, "_Trie"]


def _leaves(node: _Trie, path: Line) -> Iterator[Line]:
    if not node:
        yield path
    for move, after in node.items():
        yield from _leaves(after, (*path, move))


def _nodes(lines: Iterable[Line], ply: int) -> Iterator[WrittenMove]:
    """The moves of these lines from ply `ply` on; before it the lines are equal."""
    while moves := [[*group] for _, group in groupby((it for it in lines if len(it) > ply), itemgetter(ply))]:
        lines, *others = moves
        ply += 1
        yield WrittenMove(lines[0][:ply])
        for other in others:
            variation = [WrittenMove(other[0][:ply], begins=True), *_nodes(other, ply)]
            variation[-1] = variation[-1]._replace(ends=variation[-1].ends + 1)
            yield from variation


def _starts(line: Line, path: Line) -> bool:
    return line[: len(path)] == path


def _shared(one: Line, other: Line) -> int:
    """The number of equal moves at the beginning of two lines."""
    return len([*takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))])
