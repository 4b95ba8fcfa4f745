"""The contract between a search algorithm and everything that runs, compiles or offers it.

An algorithm is a NamedTuple of its options, whose type is the algorithm, and one function: `advance`, registered for
that type in its own file (see `search/alphabeta.py`), the same body for Python and numba. It is resumable: it works on
an explicit stack in a worker's memory (`engine.stack`) and returns after about `budget` nodes. Live counters, speed,
pause, single steps, cancelling, limits and fair threads all follow from that one property, without a flag to look at
in the loop.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import singledispatch
from typing import Any


@singledispatch
def advance(search: Any, root: Any, memory: Any, tape: Any, budget: int) -> None:
    """Go on with the search in `memory` until `budget` more nodes are visited or the subtree is done.

    `search` the algorithm with its options; `root` any position of the game (only its type matters); `memory` the
    worker's `engine.stack.Memory`, whose search `engine.stack.begin` has set up; `tape` None to record nothing, or an
    array of `engine.stack.ROW_TYPE`. Done means `memory.state[PLY] < memory.state[BASE]`; the value is then in the
    frame of ply BASE, from the point of view of the side to move there.
    """
    raise TypeError(f"{type(search).__name__} is no search algorithm.")


@dataclass(frozen=True)
class Algorithm:
    """One algorithm as the rest of the program knows it."""

    rank: int
    """Its place in a list for people: simplest first."""
    name: str
    """How it is named in a job and on the command line."""
    title: str
    options: Callable[[int, int], Any]
    """Makes the NamedTuple from `soonest` (0 textbook scores, 1 sooner is better) and `horizon` (the depth limit)."""
    prunes: bool
    """Whether a bound found by one worker helps another."""
    summary: str
    """One sentence for a tool tip."""
