"""Sizes and rules shared by games of k in a row, with any rule for legal squares. A position is two words of stones.
Each ply adds a stone, which stays on its square. A full board without a winner is a draw."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.messages import message
from engine.rules import grid
from engine.rules.bits import count, look_up, mapped
from engine.rules.contract import MAX_SQUARES, is_over, key, move_promise, play, plies_bound, transformed, utility, won


def numbers(sizes: str) -> tuple[int, ...] | None:
    """The two or three numbers of "COLUMNS,ROWS" or "COLUMNS,ROWS,K"; None if the text has another form."""
    written = [number.strip() for number in sizes.split(",")]
    if len(written) not in (2, 3) or not all(number.isdecimal() and len(number) < 10 for number in written):
        return None
    return tuple(map(int, written))


def size_in(type_name: str, prefix: str) -> tuple[int, int, int] | None:
    """Columns, rows and K in the name of a position type, such as "Mnk_7_7_5"; None if the name has another form."""
    found = re.fullmatch(rf"{prefix}_([0-9]+)_([0-9]+)_([0-9]+)", type_name)
    return None if found is None else (int(found[1]), int(found[2]), int(found[3]))


def size(sizes: str, usual: str, usual_k: int) -> tuple[int, int, int]:
    """Columns, rows and K of "COLUMNS,ROWS" or "COLUMNS,ROWS,K": without a text those of `usual`, without a third
    number `usual_k`. Raises ValueError, with a sentence, if there is no such board."""
    written = numbers(sizes or usual)
    if written is None:
        raise ValueError(message("A size is COLUMNS,ROWS: write {example}, for example.", example=usual))
    columns, rows, k = (*written, usual_k)[:3]
    check(columns, rows, k)
    return columns, rows, k


def position_type_named(name: str, module: str, prefix: str, position_type: Callable[[int, int, int], Any]) -> Any:
    """The position type of a size, by its name in a game's module. Raises AttributeError if it has none."""
    found = size_in(name, prefix)
    if found is None:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    return position_type(*found)


def check(columns: int, rows: int, k: int) -> None:
    """Raise ValueError, with a sentence, if no board has that size, or k in a row do not fit on it."""
    if columns < 1 or rows < 1 or columns * rows > MAX_SQUARES:
        raise ValueError(
            message(
                "A board of {columns} × {rows} squares is not possible: choose 1 to {most} squares in all.",
                columns=columns,
                rows=rows,
                most=MAX_SQUARES,
            )
        )
    if not 1 <= k <= max(columns, rows):
        raise ValueError(
            message(
                "{k} in a row do not fit on {columns} × {rows}: choose 1 to {most}.",
                k=k,
                columns=columns,
                rows=rows,
                most=max(columns, rows),
            )
        )


def give_rules(kind: Any, columns: int, rows: int, k: int, symmetries: tuple[grid.Permutation, ...]) -> None:
    """Register all rules of a type of positions (mine, theirs) except `legal` and `won`, which the game registers."""
    squares = columns * rows
    board = (1 << squares) - 1
    symmetry_table = grid.symmetry_table(symmetries)
    lines_through = np.array(grid.lines_through(grid.line_masks(columns, rows, k), squares))

    # The names are unique: numba distinguishes functions compiled by two processes by name and number, and the numbers
    # may be equal.
    @play.register(kind)
    def play_here(position, move):
        return kind(position.theirs, position.mine | (1 << move))

    @is_over.register(kind)
    def is_over_here(position):
        return won(position) != 0 or board & ~(position.mine | position.theirs) == 0

    @utility.register(kind)
    def utility_here(position):
        return -1 if won(position) else 0

    @plies_bound.register(kind)
    def plies_bound_here(position):
        return count(board & ~(position.mine | position.theirs))

    @move_promise.register(kind)
    def move_promise_here(position, move):
        return look_up(lines_through, move)

    @transformed.register(kind)
    def transformed_here(position, symmetry):
        mine, theirs = position
        return kind(mapped(symmetry_table, symmetry, mine), mapped(symmetry_table, symmetry, theirs))

    key.register(kind)(grid.key_of(squares))
