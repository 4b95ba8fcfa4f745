"""`perft`: how many paths of each length lead away from a position."""

from typing import Annotated

import msgspec
import typer
from rich import box
from rich.console import Console
from rich.table import Table

from engine.cli.options import WHAT, GameOption, JsonOption, PositionOption, find
from engine.cli.progress import exit_code_of_stop, patience, stopped_by_signals
from engine.control import Control
from engine.jit.environment import check_environment
from engine.rules.contract import MAX_PLIES


def perft(
    depth: Annotated[
        int,
        typer.Option(min=0, max=MAX_PLIES, metavar="D", rich_help_panel=WHAT, help="Count paths of up to D plies."),
    ],
    game: GameOption = "tictactoe",
    position: PositionOption = None,
    as_json: JsonOption = False,
) -> int:
    """Count the paths of each length that lead away from a position: the test of a game's rules.

    Returns the exit code: 130 after Ctrl+C (143 SIGTERM, 129 SIGHUP); what was counted until then is printed.
    """
    check_environment()
    from engine.measure import perft as paths  # here: numba is slow to import, and help needs none

    chosen, root = find(game, position)
    control, counts, is_complete = Control(), list[int](), True
    with stopped_by_signals(control), patience("compiling") as status:
        with control.preparing():
            paths.load_kernel(root)
        status.update("counting")
        for so_far in paths.counting(root, depth):
            counts = so_far
            if control.stopped:
                is_complete = False
                break
    where = chosen.notation.format(root)
    code = 0 if is_complete else exit_code_of_stop()
    if as_json:
        record = {"game": chosen.spec, "position": where, "counts": counts, "complete": is_complete}
        print(msgspec.json.encode(record).decode())
        return code
    table = Table("length", "paths" if is_complete else "paths, at least", box=box.SIMPLE_HEAD)
    for column in table.columns:
        column.justify, column.overflow = "right", "fold"
    for length, number in enumerate(counts):
        table.add_row(f"{length}", f"{number:,}")
    table.add_section()
    table.add_row("all", f"{sum(counts):,}")
    Console(highlight=False).print(f"{chosen.title}, {where}{'' if is_complete else ', stopped'}", table, sep="\n")
    return code
