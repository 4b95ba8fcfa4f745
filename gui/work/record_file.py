"""The record of a search as data: all nodes in npz and CSV, a small subtree in DOT, Gambit's .efg and nested lists."""

from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from engine.control import Control
from engine.result import Result
from engine.rules.contract import Game
from engine.text.numbers import thousands
from engine.trace.export import SUBTREES, write_csv, write_npz
from gui.i18n.language import tr

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

    from engine.trace.record import Trace

FORMATS = "npz", "csv", *SUBTREES
"""The formats, by the endings of their files."""


class Record(NamedTuple):
    """A record to be written."""

    game: Game
    result: Result
    """Of the search. It has a record."""
    row: int
    """The root of the subtree that the formats for small subtrees have."""

    @property
    def trace(self) -> "Trace":
        if self.result.trace is None:
            raise ValueError("The search has no record.")
        return self.result.trace


class _StoppedError(Exception):
    """The writing was stopped."""


class _Watched(BytesIO):
    """A file in memory; `tell` is called with its length in bytes. A write raises _StoppedError after a stop."""

    def __init__(self, control: Control, tell: Callable[[int], None]) -> None:
        super().__init__()
        self._control, self._tell = control, tell

    def write(self, buffer: "ReadableBuffer", /) -> int:
        if self._control.stopped:
            raise _StoppedError
        written = super().write(buffer)
        self._tell(self.tell())
        return written


def filters(record: Record) -> str:
    """The formats for a file dialog, each with the number of nodes that it would have."""
    trace, row = record.trace, record.row
    everything, below = len(trace), trace.end(row) - row
    all_nodes, nodes = {"nodes": thousands(everything)}, {"nodes": thousands(below)}
    names = {
        "npz": tr("NumPy, all {nodes} recorded node(s)", "", everything, **all_nodes),
        "csv": tr("CSV, all {nodes} recorded node(s)", "", everything, **all_nodes),
        "dot": tr("Graphviz, the current node's subtree of {nodes} node(s)", "", below, **nodes),
        "efg": tr("Gambit, the current node's subtree of {nodes} node(s)", "", below, **nodes),
        "json": tr("Nested list, the current node's subtree of {nodes} node(s)", "", below, **nodes),
    }
    return ";;".join(f"{names[kind]} (*.{kind})" for kind in FORMATS)


def record_content(path: Path, record: Record, control: Control, tell: Callable[[int], None]) -> bytes | None:
    """The content of a file, whose ending tells the format; None if it was stopped.

    `tell` is called with the number of bytes that are made. Raises ValueError, with a sentence, if the ending is that
    of no format, if the subtree is too large, or if the format has no chance nodes and the game has.
    """
    kind, (game, result, row) = path.suffix.lower().removeprefix("."), record
    if kind not in FORMATS:
        said = tr(
            "The name {name} does not tell the format: choose a name with .npz, .csv, .dot, .efg or .json.",
            name=path.name,
        )
        raise ValueError(said)
    if kind in SUBTREES:
        return SUBTREES[kind](game, result, row).encode()
    file = _Watched(control, tell)
    try:
        if kind == "npz":
            write_npz(game, record.trace, file)
        else:
            text = TextIOWrapper(file, encoding="utf-8", newline="")
            write_csv(game, record.trace, text)
            text.detach()
    except _StoppedError:
        return None
    return file.getvalue()
