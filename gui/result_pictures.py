"""Pictures of a result's tree, of a path in it, of its replay and of a measurement, without a window: for the command
line."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSizeF

from engine.control import Control
from engine.measure.experiment import Experiment
from engine.options.choices import Form
from engine.result import Result
from engine.rules.contract import Game
from engine.trace.record import Trace
from engine.trace.replay import Replay
from engine.trace.tidy_tree import tidy_tree
from engine.trace.why import certificate
from engine.trace.widths import Gap, Width
from engine.trace.workers import Workers
from gui.app import application
from gui.speedup.kinds import KINDS
from gui.speedup.saving import saved
from gui.state.tree_shape import laid_out
from gui.state.wording import searched
from gui.style.theme import theme
from gui.tree.film import Film, FilmOptions
from gui.tree.icicle_colours import Colouring, Look
from gui.tree.icicle_file import content_of, tree_drawing
from gui.tree.icicle_painter import Span
from gui.tree.narration import Telling
from gui.tree.node_link import node_link_drawing
from gui.tree.node_link_painter import Subject
from gui.tree.path_file import path_drawing
from gui.tree.path_model import rows, windows_of
from gui.tree.path_root import completed, node_in_words, which_iteration, whose_values
from gui.tree.why_text import note, why_cut
from gui.work.picture_file import fitted, save_picture

TREE_SIZE = 1440, 480
"""The usual size of a picture of the whole tree, in logical pixels."""

REPLAY_SIZE, REPLAY_RATE = (1280, 720), 10
"""The usual size of a replay in pixels, and its frames a second."""

Size = tuple[int, int] | None
"""Width and height in logical pixels; None for the usual size."""


def save_tree(path: Path, game: Game, result: Result, other: Result | None, colour: str, size: Size = None) -> None:
    """Write a picture of the whole tree of a result that has a record, as wide as minimax's, and under it that of the
    other, with which it is compared. Raises ValueError, with a sentence."""
    trace = _begin(result)
    places, compared = laid_out(result, Width.MINIMAX, other)
    look, area = Look(game, trace, result, Colouring(colour)), QSizeF(*(size or TREE_SIZE))
    content, span = content_of(look, result, places, compared), Span(0, places.whole)
    save_picture(path, tree_drawing(content, area, span, result.job.form is Form.NEGAMAX))


def save_path(path: Path, game: Game, result: Result, row: int, size: Size = None) -> None:
    """Write a picture of the path to a row of a result's record, as it was after the search. Raises ValueError, with a
    sentence."""
    trace, job = _begin(result), result.job
    negamax = job.form is Form.NEGAMAX
    path_nodes = completed(trace.path_nodes(row), trace, result)
    shown = rows(game, trace.root, path_nodes, negamax, windows=windows_of(job), scoring=job.scoring)
    words: list[str] = []
    if trace.gap(row) is Gap.PRUNED:
        telling, found = Telling(game, job, trace, negamax, hidden=False), certificate(trace, row)
        words = [why_cut(telling, found), note(telling, found)]
    node, whose = node_in_words(trace, row), whose_values(game, negamax, hidden=False)
    fact = " · ".join(filter(None, [which_iteration(result, trace.depth), node, whose]))
    drawing = path_drawing(shown, searched(game, job), fact, words, words)
    save_picture(path, drawing if size is None else fitted(drawing, QSizeF(*size)))


def save_node_link(path: Path, game: Game, result: Result, row: int, size: Size = None) -> None:
    """Write a picture of the subtree at a row of a result's record, with its nodes and edges. Raises ValueError, with a
    sentence."""
    trace = _begin(result)
    subject = Subject(game, trace, tidy_tree(trace, row), result.job.form is Form.NEGAMAX, hidden=False)
    best = tuple(trace.path(trace.row_along(result.info.pv)))
    drawing = node_link_drawing(subject, result, best)
    save_picture(path, drawing if size is None else fitted(drawing, QSizeF(*size)))


def save_replay(
    path: Path,
    game: Game,
    result: Result,
    other: Result | None,
    colour: str,
    seconds: int,
    size: Size,
    control: Control,
    tell: Callable[[int], None],
) -> bool:
    """Write the replay of a result's record, and of the other's with which it is compared, as an animated GIF of at
    most that many seconds; `tell` is called with the number of frames that are done. Returns false if it was stopped.
    Raises ValueError or JobError, with a sentence."""
    trace, job = _begin(result), result.job
    places, compared = laid_out(result, Width.MINIMAX, other)
    telling = Telling(game, job, trace, job.form is Form.NEGAMAX, hidden=False)
    look, iteration = Look(game, trace, result, Colouring(colour)), which_iteration(result, trace.depth)
    film = Film(telling, Replay(trace), look, places, Workers.of(result), iteration, compared)
    choice = FilmOptions(0, film.replay.last, REPLAY_RATE, seconds, size or REPLAY_SIZE, "light")
    return film.save(path, choice, False, control, tell)


def chart_file(suffix: str, experiment: Experiment, chart: str, is_log: bool) -> bytes:
    """The content of a file with a chart of a measurement: ".png" or ".svg"; or ".pdf", with all charts. `chart` is the
    key of one of KINDS."""
    application()
    theme().apply()  # the axes' labels and a page's text are in Qt's own font else
    kind = next(kind for kind in KINDS if kind.key == chart)
    return saved(suffix, experiment, kind, is_log)


def _begin(result: Result) -> Trace:
    """Start Qt and choose the light theme; returns the record. Raises ValueError, with a sentence."""
    if result.trace is None:
        raise ValueError("The search has no record.")
    application()
    theme().choose("light")
    return result.trace
