"""The moves of a game with their variations, as PGN has them: a tree, held as its lines from the start.

    a1 b2 c3    the main line
    a1 b2 c1    another move at the third ply
    a1 b1       another at the second

A line is the way to a leaf. Lines that begin alike stand together, and of each position's continuations the first is
the main one, so the first line of all is the main line. No line is the beginning of another.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, takewhile
from operator import itemgetter
from typing import NamedTuple

from engine.messages import message

Line = tuple[int, ...]
"""Moves from the start of the game, one after the other."""


class Node(NamedTuple):
    """A move in the order in which people write a game: a1 b2 (b1 c3) c3."""

    path: Line
    """The moves up to it, itself included."""
    begins: bool = False
    """Whether a variation begins with it."""
    ends: int = 0
    """How many variations end with it."""


@dataclass(frozen=True)
class Variations:
    """All lines of a game. A path is the beginning of a line, and stands for the position after it."""

    lines: tuple[Line, ...] = ((),)

    @classmethod
    def of(cls, lines: Iterable[Line]) -> "Variations":
        """The tree that these lines make; of the continuations of a position the one met first is the main one."""
        root: _Trie = {}
        for line in lines:
            node = root
            for move in line:
                node = node.setdefault(move, {})
        return cls(tuple(_leaves(root, ())))

    def __contains__(self, path: Line) -> bool:
        return any(_starts(line, path) for line in self.lines)

    def moves_after(self, path: Line) -> Line:
        """The moves that follow a path, the main one first."""
        return tuple(
            dict.fromkeys(line[len(path)] for line in self.lines if _starts(line, path) and len(line) > len(path))
        )

    def line_through(self, path: Line) -> Line:
        """The line that goes on from a path with the main continuation. Raises ValueError if there is none."""
        for line in self.lines:
            if _starts(line, path):
                return line
        raise ValueError(message("No line begins with {path}.", path=path))

    def played(self, path: Line) -> "Variations":
        """With one more move, the last of this path: the main one then, and what followed so far is a variation."""
        if path in self:
            return self
        at = self.lines.index(self.line_through(path[:-1]))
        after = at + (self.lines[at] == path[:-1])
        return Variations((*self.lines[:at], path, *self.lines[after:]))

    def added(self, lines: Iterable[Line]) -> "Variations":
        """With these lines as well, as the last variations where they leave the others."""
        return Variations.of([*self.lines, *lines])

    def without(self, path: Line) -> "Variations":
        """Without the last move of a path and all that follows it; the start stays."""
        if not path or path not in self:
            return self
        rest = [line for line in self.lines if not _starts(line, path)]
        before = path[:-1]
        if not any(_starts(line, before) for line in rest):
            rest.insert(next(at for at, line in enumerate(self.lines) if _starts(line, path)), before)
        return Variations(tuple(rest))

    def promoted(self, path: Line) -> "Variations":
        """With this path on the main line; the others keep their order."""
        return Variations(tuple(sorted(self.lines, key=lambda line: -_shared(line, path))))

    def forks(self, line: Line) -> tuple[int, ...]:
        """The plies of a line at which other moves were played too; its first move is ply 0."""
        return tuple(sorted({_shared(line, other) for other in self.lines if other != line}))

    def nodes(self) -> Iterator[Node]:
        """Every move as people write a game: a main move, its variations, then what follows it."""
        return _nodes(self.lines, 0)


_Trie = dict[int, "_Trie"]


def _leaves(node: _Trie, path: Line) -> Iterator[Line]:
    if not node:
        yield path
    for move, after in node.items():
        yield from _leaves(after, (*path, move))


def _nodes(lines: Iterable[Line], ply: int) -> Iterator[Node]:
    """The moves of these lines from a ply on, up to which they are alike."""
    while moves := [[*group] for _, group in groupby((it for it in lines if len(it) > ply), itemgetter(ply))]:
        lines, *others = moves
        ply += 1
        yield Node(lines[0][:ply])
        for other in others:
            variation = [Node(other[0][:ply], begins=True), *_nodes(other, ply)]
            variation[-1] = variation[-1]._replace(ends=variation[-1].ends + 1)
            yield from variation


def _starts(line: Line, path: Line) -> bool:
    return line[: len(path)] == path


def _shared(one: Line, other: Line) -> int:
    """How many moves two lines begin with alike."""
    return len([*takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))])
