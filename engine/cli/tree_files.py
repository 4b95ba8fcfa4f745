"""The files of `tree`: pictures, the replay, and the record as data."""

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Literal, NamedTuple

import typer

from engine.cli.files import write, writing
from engine.cli.options import OUTPUT, check_files, check_used, unpainted
from engine.cli.progress import patience, stopped_by_signals
from engine.control import Control
from engine.job import JobError
from engine.result import Result
from engine.rules.contract import Game
from engine.text.numbers import counted
from engine.trace import export
from engine.trace.record import Trace

Colour = Literal["value", "cut", "time", "worker", "type", "search"]


class PictureRequest(NamedTuple):
    """A picture that is asked for, of a result that has a record."""

    game: Game
    result: Result
    kind: str
    """ "tree", "path" or "node-link"."""
    row: int
    """The end of the path, or the top of the subtree, that it shows."""
    other: Result | None
    """The result whose tree stands under it; None for none."""
    colour: Colour
    size: tuple[int, int] | None
    """In pixels; None for the usual size."""


Painter = Callable[[Path, PictureRequest], None]
"""Writes a picture. Raises JobError."""

Animator = Callable[[Path, PictureRequest, int, Control, Callable[[int], None]], bool]
"""Writes the replay of a picture's results, of at most that many seconds, and tells how many frames are done. Returns
false if it was stopped. Raises JobError."""


class Files(NamedTuple):
    """The files to write, by their kinds; None for one that is not asked for."""

    png: Path | None
    svg: Path | None
    pdf: Path | None
    gif: Path | None
    npz: Path | None
    csv: Path | None
    dot: Path | None
    efg: Path | None
    json: Path | None

    @property
    def pictures(self) -> list[Path]:
        return [path for path in (self.svg, self.png, self.pdf) if path is not None]

    @property
    def small(self) -> dict[str, Path]:
        """Those of small subtrees, by their kinds."""
        return {kind: path for kind in export.SUBTREES if (path := getattr(self, kind)) is not None}

    @property
    def are_printed(self) -> bool:
        """Whether one of them is the output."""
        return OUTPUT in self


painter: Painter = unpainted
animator: Animator = unpainted
"""Set by the program's entry point."""


def check(context: typer.Context, files: Files, picture: str) -> None:
    """Raise JobError, with a sentence, if an option has no effect on these files, or if a file cannot be written.
    `picture` is what pictures show."""
    pictures, named = files.pictures, "--svg, --png or --pdf"
    whole = pictures and picture == "tree"
    has_line = files.small or (pictures and not whole)
    a_line = "--dot, --efg, --nested, or a picture with --picture path or node-link"
    check_used(context, "line", has_line, "a path or a subtree", a_line)
    check_used(context, "picture", pictures, "a picture", named)
    has_tree = whole or files.gif
    check_used(context, "color", has_tree, "a picture of the whole tree", f"--animate, or {named} with --picture tree")
    check_used(context, "size", pictures or files.gif, "a picture or a replay", f"--animate, {named}")
    check_used(context, "length", files.gif, "a replay", "--animate")
    check_files(("csv", "dot", "efg", "json"), **files._asdict())


def write_all(files: Files, texts: dict[Path, str], request: PictureRequest, seconds: int) -> list[Path]:
    """Write the files, of which `texts` are those of small subtrees; a replay has at most that many seconds.

    Returns the files that are written: without OUTPUT, and without a replay that a signal stopped.
    """
    game, trace = request.game, recorded(request.result)
    for path, text in texts.items():
        if path == OUTPUT:
            print(text, end="")
        else:
            write(path, text.encode())
    for path in files.pictures:
        painter(path, request)
    is_animated = files.gif is not None and _animate(files.gif, request, seconds)
    if files.npz:
        with writing(files.npz) as file:
            export.write_npz(game, trace, file)
    if files.csv == OUTPUT:
        export.write_csv(game, trace, sys.stdout)
    elif files.csv:
        with writing(files.csv) as file, io.TextIOWrapper(file, "utf-8", newline="") as lines:
            export.write_csv(game, trace, lines)
    named = (*files.pictures, files.gif if is_animated else None, files.npz, files.csv, *texts)
    return [path for path in named if path is not None and path != OUTPUT]


def _animate(path: Path, picture: PictureRequest, seconds: int) -> bool:
    """Write a replay, with its progress on stderr; returns false if a signal stopped it."""
    control = Control()
    with stopped_by_signals(control), patience("painting the replay") as status:
        return animator(
            path, picture, seconds, control, lambda done: status.update(f"{counted(done, 'frame')} painted")
        )


def recorded(result: Result) -> Trace:
    """The record of a search. Raises JobError if it has no node."""
    if result.trace is None or not len(result.trace):
        raise JobError("There is no tree to write: the search has no recorded node.")
    return result.trace
