"""The replay as an animated picture: the path, the whole tree and the sentence of each of its moments; of two compared
searches both trees."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QImage, QPainter, QRegion

from engine.control import Control
from engine.job import JobError
from engine.kernels.worker_memory import CUTOFF
from engine.text.numbers import thousands
from engine.trace.replay import EventKind, Replay
from engine.trace.why import certificate
from engine.trace.widths import Places
from engine.trace.workers import Workers
from gui.i18n.language import tr
from gui.state.root_cut import hides_cut
from gui.state.tree_shape import Compared
from gui.state.wording import searched
from gui.style.theme import NOTE, TEXT, painted_in, theme
from gui.tree.icicle_colours import Look
from gui.tree.icicle_file import Content, Tree, content_of, meaning_of
from gui.tree.icicle_legend import Wrapped
from gui.tree.icicle_live import Here, at, second_here
from gui.tree.icicle_painter import IciclePicture, Moment, Span
from gui.tree.icicle_text import legend_of_shapes
from gui.tree.icicle_workers import HEIGHT as CARETS
from gui.tree.icicle_workers import carets, paint_carets, workers_legend
from gui.tree.narration import Telling, narrate
from gui.tree.path_file import TextLine
from gui.tree.path_layout import fitted, visible
from gui.tree.path_model import Row, rows, tried_in, windows_of
from gui.tree.path_painter import PathPainter
from gui.tree.path_root import whose_values
from gui.tree.path_tile import bold
from gui.tree.why_text import why_cut
from gui.work.gif import Gif, Palette, Pixels
from gui.work.save_file import save_file

HEIGHT = 720
"""The height of a frame in logical pixels, whatever its size is: a larger one is the same, enlarged."""
MARGIN, SPACE, TREE = 20, 12, 96
"""The space on each side and between the parts, and the height of the whole tree, in pixels."""
SAMPLES = 12
"""The frames from which the colours are taken."""
FIRST = Moment(0, (0,))
"""The first moment, at which most nodes are not visited yet."""
LEGEND_SPACE = 4
"""The space over the legend of two trees, in pixels."""
REST = 200
"""Hundredths of a second for which the last frame stands, before the first comes again."""


class FilmOptions(NamedTuple):
    """What is to be shown, and how."""

    first: int
    last: int
    """Moments."""
    rate: int
    """Frames a second: a divisor of 100, for that is the unit of the file."""
    seconds: int
    """The greatest length."""
    size: tuple[int, int]
    """In pixels."""
    colours: str
    """One of PALETTES."""

    @property
    def moments(self) -> list[int]:
        """The moment of each frame, at equal distances; each once where there are fewer than frames."""
        count = min(self.rate * self.seconds, self.last - self.first + 1)
        return np.linspace(self.first, self.last, count).round().astype(int).tolist()


class Film(NamedTuple):
    """A recorded search that can be painted at any moment."""

    telling: Telling
    replay: Replay
    look: Look
    places: Places
    workers: Workers
    iteration: str = ""
    """The iteration that the record is of, in words; empty where the root is searched once."""
    compared: Compared | None = None
    """The search that it is compared with; None without one."""

    @property
    def content(self) -> Content:
        """The trees, and their legend in the present colours. One tree has no title, and its legend no counts, which
        differ from frame to frame."""
        if self.compared is None or self.look.result is None:
            meaning = meaning_of(self.look, None)
            shapes = legend_of_shapes([self.look.trace], self.places, FIRST)
            return Content((Tree("", self.look, self.places),), (*meaning.before, *shapes, *meaning.after))
        return content_of(self.look, self.look.result, self.places, self.compared, FIRST)

    def rows(self, moment: int) -> tuple[Row, ...]:
        """The path at a moment."""
        game, job, trace, negamax, hidden = self.telling
        is_end = moment == self.replay.last
        path_nodes = trace.path_nodes(self.replay.row(moment)) if is_end else self.replay.path_nodes(moment)
        tried = tried_in(trace, trace.path(self.replay.row(moment)))
        return rows(game, trace.root, path_nodes, negamax, hidden, windows_of(job), job.scoring, tried)

    def sentence(self, moment: int) -> str:
        """The event of a moment in words; of a cutoff, its reason."""
        event, trace = self.replay.event(moment), self.telling.trace
        above = trace.parent(event.row)
        is_cut = event.kind is EventKind.LEFT and event.cut and event.row and trace.why(above) == CUTOFF
        if is_cut and not hides_cut(above, self.telling.hidden):
            return why_cut(self.telling, certificate(trace, above))
        return narrate(self.telling, event)

    def gif(self, choice: FilmOptions, control: Control, tell: Callable[[int], None]) -> bytes | None:
        """An animated GIF; `tell` is called with the number of frames that are done. None if it was stopped."""
        moments = choice.moments
        with painted_in(choice.colours):
            stage = Stage(self, moments, choice.size)
            samples = moments[:: max(1, len(moments) // SAMPLES)]
            made = Gif(*choice.size, Palette(_pixels(stage.frame(moment)) for moment in samples))
            for number, moment in enumerate(moments, 1):
                if control.stopped:
                    return None
                made.add(_pixels(stage.frame(moment)), REST if number == len(moments) else 100 // choice.rate)
                tell(number)
        return made.content()

    def save(
        self, path: Path, choice: FilmOptions, narrated: bool, control: Control, tell: Callable[[int], None]
    ) -> bool:
        """Write an animated GIF, and its `narration` beside it if that is asked for; false if it was stopped, and
        nothing is written then. Raises JobError, with a sentence."""
        content = self.gif(choice, control, tell)
        if content is None:
            return False
        files = {path: content} | ({narration_file(path): self.narration(choice).encode()} if narrated else {})
        for file, held in files.items():
            try:
                save_file(file, held)
            except OSError as error:
                said = tr(
                    "The replay cannot be written to {path}: {why}. Choose another place.",
                    path=file,
                    why=error.strerror,
                )
                raise JobError(said) from error
        return True

    def narration(self, choice: FilmOptions) -> str:
        """What is told, and the sentence of each frame with its second."""
        lines = (
            tr(
                "{seconds} s, moment {number}: {what}",
                seconds=f"{number / choice.rate:.1f}",
                number=thousands(moment + 1),
                what=self.sentence(moment),
            )
            for number, moment in enumerate(choice.moments)
        )
        return "\n".join([" · ".join(filter(None, [self.title, self.iteration])), *lines, ""])

    @property
    def title(self) -> str:
        return searched(self.telling.game, self.telling.job)


def narration_file(path: Path) -> Path:
    """The file of the sentences beside a film's."""
    return path.with_suffix(".txt")


class Stage:
    """The places of what a film shows, the same in all frames."""

    def __init__(self, film: Film, moments: Sequence[int], size: tuple[int, int]) -> None:
        self._film, self._ratio = film, size[1] / HEIGHT
        self._size = QSize(*size)
        look = theme()
        self._width = round(size[0] / self._ratio) - 2 * MARGIN
        self._head = [
            TextLine(film.title, bold(TEXT), look.colour("ink")),
            TextLine("0", look.font(NOTE + 1), look.colour("dim")),
        ]
        above = MARGIN + sum(line.height(self._width) for line in self._head) + SPACE
        self._foot = TextLine("0\n0", look.font(TEXT), look.colour("ink"))
        self._carets = theme().px(CARETS) if len(film.workers) > 1 else 0
        content = film.content
        quiet = look.font(NOTE), look.colour("dim")
        self._titles = [TextLine(tree.title, *quiet) for tree in content.trees if tree.title]
        self._legend = Wrapped(content.entries, self._width)
        trees = len(content.trees) * TREE + sum(title.height(self._width) for title in self._titles)
        if content.entries:
            trees += LEGEND_SPACE + self._legend.height
        below = MARGIN + self._foot.height(self._width) + trees + self._carets + 2 * SPACE
        self._room = QRect(MARGIN, above, self._width, HEIGHT - above - below)
        path, replay = film.telling.trace.path, film.replay
        deepest = max(moments, key=lambda moment: len(path(replay.row(moment))))
        longest = film.rows(deepest)
        self._measures = fitted(longest, self._room.size(), len(longest))
        self._whole, size = Span(0, film.places.whole), (self._width - self._measures.left, TREE)
        self._trees = [IciclePicture(tree.look, tree.places, self._whole, size, self._ratio) for tree in content.trees]
        self._second = None if film.compared is None else Replay(film.compared.found.traces[1])

    def frame(self, moment: int) -> QImage:
        """The picture of a moment."""
        image = QImage(self._size, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(self._ratio)
        image.fill(theme().colour("card"))
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_texts(painter, moment)
        self._paint_path(painter, self._film.rows(moment))
        self._paint_trees(painter, moment)
        painter.end()
        return image

    def _paint_texts(self, painter: QPainter, moment: int) -> None:
        film, telling = self._film, self._film.telling
        count = {"number": thousands(moment + 1), "count": thousands(film.replay.last + 1)}
        whose = whose_values(telling.game, telling.negamax, telling.hidden)
        legend = workers_legend(film.telling.job).words if self._carets else ""
        fact = " · ".join(filter(None, [film.iteration, tr("moment {number} of {count}", **count), whose, legend]))
        painter.save()
        painter.translate(MARGIN, MARGIN)
        for line, text in zip(self._head, (film.title, fact), strict=True):
            line._replace(text=text).paint(painter, self._width)
        painter.restore()
        painter.save()
        painter.translate(MARGIN, HEIGHT - MARGIN - self._foot.height(self._width))
        self._foot._replace(text=film.sentence(moment)).paint(painter, self._width)
        painter.restore()

    def _paint_path(self, painter: QPainter, shown: Sequence[Row]) -> None:
        """The rows; where they do not all fit, the last that do."""
        room, measures = self._room, self._measures
        over = max(0, len(shown) - room.height() // measures.pitch) * measures.pitch
        painter.save()
        painter.setClipRect(room)
        painter.translate(room.left(), room.top() - over)
        drawn = PathPainter(painter, measures, self._ratio, shown[0].game)
        drawn.paint_legend(shown, self._width)
        area = QRegion(0, over, self._width, room.height())
        drawn.paint(shown, lambda row: visible(row, measures, self._width), area, frozenset(), 1.0)
        painter.restore()

    def _heres(self, moment: int) -> list[Here]:
        """Where each search is."""
        film, replay = self._film, self._film.replay
        if moment == replay.last:
            first, event = Here(tuple(replay.trace.path(replay.row(moment)))), None
        else:
            first, event = at(replay, moment), replay.event(moment)
        if film.compared is None or self._second is None:
            return [first]
        return [first, second_here(film.compared.found, self._second, first.chain[-1], event)]

    def _paint_trees(self, painter: QPainter, moment: int) -> None:
        """The whole trees, from where the boards of the path begin, the first under the carets of several workers."""
        left, heres = self._measures.left, self._heres(moment)
        painter.translate(MARGIN, self._room.bottom() + SPACE)
        for number, (tree, here) in enumerate(zip(self._trees, heres, strict=True)):
            if self._titles:
                self._titles[number].paint(painter, self._width)
            if not number:
                self._paint_carets(painter, here.moment)
            painter.translate(left, 0)
            tree.paint(painter, here.chain, self._film.telling.negamax, here.moment)
            painter.translate(-left, TREE)
        painter.translate(0, LEGEND_SPACE)
        self._legend.paint(painter)

    def _paint_carets(self, painter: QPainter, now: Moment | None) -> None:
        """The workers at a moment, and the name of a tree that has no title; moves the painter below them."""
        film, left = self._film, self._measures.left
        painter.save()
        painter.translate(left, 0)
        if self._carets and now is not None:
            size = QSize(self._width - left, self._carets)
            paint_carets(
                painter, carets(film.telling.job, film.workers.places(now.last), film.places, self._whole, size)
            )
        painter.restore()
        painter.translate(0, self._carets)
        if not self._titles:
            painter.save()
            TextLine(tr("Whole tree"), bold(NOTE + 1), theme().colour("ink")).paint(painter, left)
            painter.restore()


def _pixels(image: QImage) -> Pixels:
    """The colours of an image."""
    return np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width()).copy()
