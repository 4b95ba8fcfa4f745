"""`perft`: how many paths of each length lead away from a position."""

from typing import Annotated

import msgspec
import typer
from rich import box
from rich.console import Console
from rich.table import Table

from engine.cli.options import WHAT, GameOption, JsonOption, PositionOption, find
from engine.cli.progress import patience
from engine.environment import check_environment
from engine.game import MAX_SQUARES


def perft(
    depth: Annotated[
        int,
        typer.Option(min=0, max=MAX_SQUARES, metavar="D", rich_help_panel=WHAT, help="Count paths of up to D plies."),
    ],
    game: GameOption = "tictactoe",
    position: PositionOption = None,
    as_json: JsonOption = False,
) -> None:
    """Count the paths of each length that lead away from a position: the test of a game's rules."""
    check_environment()
    from engine import perft as paths  # here, because numba is slow to import and whoever asks for help needs none

    chosen, root = find(game, position)
    with patience("counting"):
        counts = paths.perft(root, depth)
    where = chosen.notation.format(root)
    if as_json:
        print(msgspec.json.encode({"game": chosen.spec, "position": where, "counts": counts}).decode())
        return
    table = Table("length", "paths", box=box.SIMPLE_HEAD)
    for column in table.columns:
        column.justify, column.overflow = "right", "fold"
    for length, number in enumerate(counts):
        table.add_row(f"{length}", f"{number:,}")
    table.add_section()
    table.add_row("all", f"{sum(counts):,}")
    Console(highlight=False).print(f"{chosen.title}, {where}", table, sep="\n")
