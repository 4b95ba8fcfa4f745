"""The contract between a search algorithm and everything that runs, compiles or offers it.

An algorithm is a NamedTuple of its options, whose type is the algorithm, and one function: `advance`, registered for
that type, the same body for Python and numba. It is resumable: it works on an explicit stack in a worker's memory
(`engine.kernels.worker_memory`) and returns after about `budget` nodes. Live counters, speed, pause, single steps,
cancelling, limits and fair threads all follow from that one property, without a flag to look at in the loop.

Depth-first algorithms share one such function, `engine.kernels.depth_first`, and differ in three small rules: `prunes`,
`window` and `repeats`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import singledispatch
from typing import Any, NamedTuple


class DepthFirst(NamedTuple):
    """The options of a depth-first algorithm; each has a type of its own with these fields."""

    win: int
    """What a win at the horizon counts."""
    sooner: int
    """How much more it counts for each ply that it comes sooner."""
    horizon: int
    """The ply at which every position is a leaf."""
    limited: int | None
    """None where every line ends there by itself; else which of the game's evaluations a leaf there has, or -1 where it
    is worth 0. A kernel is compiled for either."""
    hard: int | None
    """None fail-soft, 1 fail-hard; the same."""

    searches_again = False
    """Whether `repeats` may be true."""


@singledispatch
def advance(search: Any, root: Any, memory: Any, tape: Any, aids: Any, budget: int) -> None:
    """Go on with the search in `memory` until `budget` more nodes are visited or the subtree is done.

    `search` the algorithm with its options; `root` any position of the game (only its type matters); `memory` the
    worker's `engine.kernels.worker_memory.Memory`, whose search `engine.kernels.worker_memory.begin` has set up; `tape`
    None to record nothing, or an `engine.kernels.worker_memory.Tape`; `aids` None, or an
    `engine.kernels.transposition.SearchAids`. Done means `memory.state[PLY] < memory.state[BASE]`; the value is then in
    the frame of ply BASE, from the point of view of the side to move there.
    """
    raise TypeError(f"{type(search).__name__} is no search algorithm.")


@singledispatch
def prunes(search: Any) -> bool:
    """Whether moves are left unsearched once a position is worth beta or more."""
    raise TypeError(f"{type(search).__name__} is no depth-first algorithm.")


@singledispatch
def window(search: Any, alpha: int, beta: int, best: int, again: int) -> tuple[int, int]:
    """The window that the next child is searched in, seen by its parent, whose own is (alpha, beta) and whose best
    value so far is `best` (-INFINITY before the first child). `again` is 1 where the child is searched once more."""
    raise TypeError(f"{type(search).__name__} is no depth-first algorithm.")


@singledispatch
def repeats(search: Any, value: int, high: int, beta: int) -> bool:
    """Whether a child that came to `value` in a window up to `high` has to be searched once more."""
    raise TypeError(f"{type(search).__name__} is no depth-first algorithm.")


HOOKS: tuple[Callable[..., Any], ...] = (prunes, window, repeats)
"""For those who hand them on to the compiler."""


@dataclass(frozen=True)
class Algorithm:
    """One algorithm as the rest of the program knows it."""

    rank: int
    """Its place in a list for people: simplest first."""
    name: str
    """How it is named in a job and on the command line."""
    title: str
    aliases: tuple[str, ...]
    """What else people call it; `engine.registry` reads all of these."""
    options: Callable[..., Any]
    """The NamedTuple type."""
    prunes: bool
    """Whether a bound found by one worker helps another."""
    summary: str
    """One sentence for a tool tip."""
    guesses: bool = False
    """Whether it closes in on the value by searches with null windows, begun anew each time."""
    null_windows: bool = False
    """Whether it searches positions in null windows, which ask for one more than is proven."""
