"""Options that several subcommands share, and what they name."""

import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from engine import registry
from engine.job import JobError
from engine.rules.contract import Game, Position

WHAT = "What"
HOW = "How"
WHERE = "Where"
LIMITS = "Limits"
ANSWER = "The answer"
PANELS = WHAT, HOW, WHERE, LIMITS, ANSWER
"""The groups of the help, in their order."""

GameOption = Annotated[
    str,
    typer.Option(
        metavar="GAME",
        rich_help_panel=WHAT,
        help=f"{', '.join(registry.examples())}; or COLUMNS,ROWS,K with K in a row to win, such as 7,7,5.",
    ),
]
PositionOption = Annotated[
    str | None,
    typer.Option(
        metavar="ROWS",
        rich_help_panel=WHAT,
        help="Rows from the top, such as xo./.x./...; or as the game is written down; default: the start.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", rich_help_panel=ANSWER, help="Print one JSON object.")]


def print_version(wanted: bool) -> None:
    """Print the version, where it is wanted, and end."""
    if wanted:
        source = Path(__file__).parents[2] / "pyproject.toml"  # a checkout need not be installed
        known = (
            tomllib.loads(source.read_text(encoding="utf-8"))["project"]["version"]
            if source.exists()
            else version("plyscope")
        )
        print(f"plyscope {known}")
        raise typer.Exit


VersionOption = Annotated[
    bool, typer.Option("--version", is_eager=True, callback=print_version, help="Print the version.")
]


def find(game: str, position: str | None) -> tuple[Game, Position]:
    """The game and the position that the options name. Raises JobError, with a sentence, if there is none."""
    chosen = registry.game(game)
    if position is None:
        return chosen, chosen.start
    try:
        return chosen, chosen.notation.parse(position)
    except ValueError as error:
        raise JobError(str(error)) from error


def check_folders(*files: Path | None) -> None:
    """Raise JobError, with a sentence, if the folder of a file that is to be written is missing: before the work, not
    after it."""
    for file in files:
        if file is not None and not file.parent.is_dir():
            raise JobError(f"{file} cannot be written: there is no folder {file.parent}. Make it or choose another.")


def size_of(text: str) -> tuple[int, int]:
    """Width and height of "1440x900". Raises JobError, with a sentence, if it is none."""
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal() and len(text) < 20):
        raise JobError(f"A size is WIDTHxHEIGHT in pixels, such as 1440x900, not {text!r}.")
    return int(width), int(height)
