"""The contract between a search algorithm and the code that runs, compiles or lists it.

An algorithm is a NamedTuple of its options and one function, `advance`, registered for the type of that NamedTuple.
Python and numba run the same body. `advance` is resumable: it works on an explicit stack in a worker's memory
(`engine.kernels.worker_memory`) and returns after about `budget` nodes. Live counters, speed, pause, single steps,
cancelling, limits and fair threads follow from that property; the loop tests no flag.

Depth-first algorithms share one `advance`, in `engine.kernels.depth_first`. They differ in three functions: `prunes`,
`window` and `repeats`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.rules.by_type import by_type


class DepthFirst(NamedTuple):
    """The options of a depth-first algorithm. Each algorithm has its own type with these fields."""

    win: int
    """The value of a win at the horizon."""
    sooner: int
    """The value added for each ply that the win comes before the horizon."""
    horizon: int
    """The ply at which every position is a leaf."""
    limited: int | None
    """None: the game is over at the horizon in every line. Otherwise the number of the game's evaluation for a horizon
    leaf, or -1 for the value 0. The two cases have separate compiled kernels."""
    hard: int | None
    """None: fail-soft; 1: fail-hard. The two cases have separate compiled kernels."""

    searches_again = False
    """Whether `repeats` may be true."""


@by_type
def advance(search: Any, root: Any, memory: Any, tape: Any, aids: Any, budget: int) -> None:
    """Continue the search in `memory` until `budget` more nodes are visited or the subtree is complete. The nodes may
    exceed the budget by the `slack` of its state.

    `search`: the algorithm with its options. `root`: any position of the game; only its type matters. `memory`: the
    worker's `engine.kernels.worker_memory.Memory`, set up by `engine.kernels.depth_first.begin`. `tape`: an
    `engine.kernels.worker_memory.Tape`, or None to record nothing. `aids`: an
    `engine.kernels.transposition.SearchAids`, or None. The subtree is complete when `ply` is less than `base` in
    `memory.state`. The frame of ply `base` then holds its value, for the side to move there.
    """
    raise TypeError(f"{type(search).__name__} is no search algorithm.")


@by_type
def prunes(search: Any) -> bool:
    """Whether a value of beta or more cuts off the remaining moves of a node."""
    raise TypeError(f"{type(search).__name__} is no depth-first algorithm.")


@by_type
def window(search: Any, alpha: int, beta: int, best: int, again: int) -> tuple[int, int]:
    """The window of the next child, from the parent's point of view. The parent's own window is (alpha, beta), its best
    value so far is `best` (-INFINITY before the first child). `again` is 1 when the child is searched a second time."""
    raise TypeError(f"{type(search).__name__} is no depth-first algorithm.")


@by_type
def repeats(search: Any, value: int, high: int, beta: int) -> bool:
    """Whether a child whose search in a window up to `high` returned `value` must be searched a second time."""
    raise TypeError(f"{type(search).__name__} is no depth-first algorithm.")


HOOKS: tuple[Callable[..., Any], ...] = (prunes, window, repeats)
"""The functions that `engine.jit` registers with the compiler."""


@dataclass(frozen=True)
class Algorithm:
    """The description of one algorithm for the rest of the program."""

    rank: int
    """Its position in lists on the screen: simplest first."""
    name: str
    """Its name in a job and on the command line."""
    title: str
    aliases: tuple[str, ...]
    """Other names that `engine.registry` accepts."""
    options: type[Any]
    """The NamedTuple type."""
    prunes: bool
    """Whether a bound found by one worker can cut off nodes of another."""
    summary: str
    """One sentence for a tool tip."""
    guesses: bool = False
    """Whether it finds the value by repeated null-window searches of the root."""
    null_windows: bool = False
    """Whether it searches nodes in null windows."""
    averages: bool = False
    """Whether it searches games with chance nodes."""
