"""Options that several subcommands share, and what they name."""

import os
from collections.abc import Callable, Collection
from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated, Any

import typer

from engine import registry
from engine.job import JobError
from engine.rules.contract import Game, Position
from engine.version import version

WHAT = "What"
HOW = "How"
WHERE = "Where"
LIMITS = "Limits"
ANSWER = "The answer"
PANELS = WHAT, HOW, WHERE, LIMITS, ANSWER
"""The groups of the help, in their order."""

PICTURES = "png", "svg", "pdf", "gif"
ENDINGS = *PICTURES, "csv", "npz", "dot", "efg", "json", "md"
"""The endings of the names of files, by their kinds."""
MOST_PIXELS = 16_384
"""The greatest width and height of a picture."""
UNPAINTED = "Pictures are painted by the program plyscope."


def _no_painter() -> str | None:
    return UNPAINTED


why_no_pictures: Callable[[], str | None] = _no_painter
"""Why pictures cannot be painted, in one sentence; None if they can. Set by the program's entry point."""

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
        print(f"plyscope {version()}")
        raise typer.Exit


VersionOption = Annotated[
    bool, typer.Option("--version", is_eager=True, callback=print_version, help="Print the version.")
]


def file_option(text: str, panel: str | None = ANSWER) -> Any:
    """An option that names a file."""
    return typer.Option(metavar="FILE", parser=_file_name, rich_help_panel=panel, help=text)


def _file_name(text: str) -> Path:
    if not text:
        raise typer.BadParameter("the name of the file is empty")
    return Path(text)


def check_used(context: typer.Context, names: str, is_used: object, needed: str, add: str) -> None:
    """Raise JobError, with a sentence, if the command line has one of the options `names`, which spaces part, and
    nothing uses it. `needed`: what would use it; `add`: the options that ask for that."""
    for name in names.split():
        source = context.get_parameter_source(name)
        if not is_used and source is not None and source.name == "COMMANDLINE":
            raise JobError(f"--{name} has no effect without {needed}: leave it out, or add {add}.")


def find(game: str, position: str | None) -> tuple[Game, Position]:
    """The game and the position that the options name. Raises JobError, with a sentence, if there is none."""
    chosen = registry.game(game)
    if position is None:
        return chosen, chosen.start
    try:
        return chosen, chosen.notation.parse(position)
    except ValueError as error:
        raise JobError(str(error)) from error


def unpainted(*_: object) -> Any:
    """In the place of a painter that the program's entry point sets: the engine knows no window system."""
    raise JobError(UNPAINTED)


OUTPUT = Path("-")
"""The name of the output, where a file's name is asked for."""


def check_files(printable: Collection[str] = (), **files: Path | None) -> None:
    """Raise JobError, with a sentence, if one of these files, by their kinds, cannot be written: before the work, not
    after it. The name of a picture must tell its kind, that of another file none that it is not. `printable`: the kinds
    of which one may be OUTPUT."""
    named = [file for file in files.values() if file is not None]
    if named.count(OUTPUT) > 1:
        raise JobError("- is the output, which takes one of them: name files for the others.")
    places = [os.path.realpath(file) for file in named if file != OUTPUT]
    if (twice := next((file for file in named if places.count(os.path.realpath(file)) > 1), None)) is not None:
        raise JobError(f"{twice} would be written twice: give each its own name.")
    for kind, file in files.items():
        if file is None or (file == OUTPUT and kind in printable):
            continue
        if file == OUTPUT:
            raise JobError(f"- is the output, which takes no .{kind} here: name a file for it.")
        if file.is_dir():
            raise JobError(f"{file} is a folder: name a file in it.")
        if kind in PICTURES and (why := why_no_pictures()):
            raise JobError(why)
        ending, what = file.suffix.lower().removeprefix("."), "picture" if kind in PICTURES else "file"
        if ending != kind and (kind in PICTURES or ending in ENDINGS):
            article = "an" if kind in ("svg", "npz", "efg", "md") else "a"
            raise JobError(
                f"The {what} is {article} {kind.upper()}: choose a name with .{kind} instead of {file.name}."
            )
        if not file.parent.is_dir():
            raise JobError(f"{file} cannot be written: there is no folder {file.parent}. Make it or choose another.")
        if not (os.access(file, os.W_OK) if file.exists() else _takes_files(file.parent)):
            raise JobError(f"{file} cannot be written: it is protected, or its folder is. Choose another place.")


def _takes_files(folder: Path) -> bool:
    """Whether a file can be made in a folder."""
    try:
        TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def size_of(text: str) -> tuple[int, int]:
    """Width and height of "1440x900". Raises JobError, with a sentence, if it is none, or not a picture's."""
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal() and len(text) < 20):
        raise JobError(f"A size is WIDTHxHEIGHT in pixels, such as 1440x900, not {text!r}.")
    size = int(width), int(height)
    if min(size) < 1 or max(size) > MOST_PIXELS:
        raise JobError(f"A picture of {text} pixels is not possible: choose 1 to {MOST_PIXELS:,} each way.")
    return size
