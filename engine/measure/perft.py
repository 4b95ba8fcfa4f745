"""Perft: counts the paths of each length from a position.

The counts of well-known positions are published. They reveal an error in a game's rules. Positions at the last ply are
counted without being visited.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.jit import lowering as lowering  # registers the rules with the compiler
from engine.jit.kernel import kernel
from engine.kernels.worker_memory import FRAME_TYPE, kind_of, load, moves_in, put_moves, store
from engine.rules.bits import count, first, is_empty, rest
from engine.rules.contract import Position, is_over, legal, play, plies_bound

SLICE = 2_000_000
"""Positions per slice, some 20 ms: between slices a stop takes effect."""


def perft(root: Position, depth: int) -> list[int]:
    """The number of paths of each length, from 0 to `depth` plies, from `root`. A finished game has no continuation."""
    *_, counts = counting(root, depth)
    return counts


def load_kernel(root: Position) -> None:
    """Compile or load the kernel of a game."""
    _count(kind_of(root), np.zeros(0, FRAME_TYPE), np.zeros(0, np.int64), -1, 0)


def counting(root: Position, depth: int) -> Iterator[list[int]]:
    """Yields the counts of `perft` so far before each slice, then the final counts."""
    counts = np.zeros(depth + 1, np.int64)
    counts[0] = 1
    if depth == 0 or is_over(root):
        yield counts.tolist()
        return
    counts[1] = legal(root).bit_count()
    plies = min(depth, plies_bound(root))
    frames = np.zeros(plies, FRAME_TYPE)
    store(root, frames[0])
    kind = kind_of(root)
    put_moves(frames[0]["todo"], legal(root))
    ply = 0 if plies > 1 else -1
    while ply >= 0:
        yield counts.tolist()
        ply = _count(kind, frames, counts, ply, SLICE)
    yield counts.tolist()


@kernel
def _count(root: Position, frames: Any, counts: Any, ply: int, budget: int) -> int:
    """Continue with the frame of `ply` on top for `budget` positions. Returns the new top ply, -1 at the end.

    A frame holds a position and its moves not yet followed. The paths one ply longer are already counted.
    """
    while ply >= 0 and budget > 0:
        todo = moves_in(root, frames[ply]["todo"])
        if is_empty(todo):
            ply -= 1
            continue
        put_moves(frames[ply]["todo"], rest(todo))
        child = play(load(root, frames[ply]), first(todo))
        budget -= 1
        if not is_over(child):
            moves = legal(child)
            counts[ply + 2] += count(moves)
            if ply + 2 < len(frames):
                ply += 1
                store(child, frames[ply])
                put_moves(frames[ply]["todo"], moves)
    return ply
