"""The whole tree as a picture file: a title, the nodes, and the meaning of their shapes and colours."""

from pathlib import Path

from PySide6.QtCore import QSizeF
from PySide6.QtGui import QFontMetrics, QPainter

from engine.result import Result
from engine.text.numbers import thousands
from engine.trace.places import Places
from gui.i18n.language import retold, tr
from gui.state.wording import mode, search
from gui.style.theme import NOTE, TEXT, theme
from gui.tree.icicle_colours import Look, legend
from gui.tree.icicle_legend import Legend
from gui.tree.icicle_painter import Picture, Span
from gui.tree.icicle_text import feet, legend_of_gaps
from gui.work.picture_file import SCALE, save_picture

MARGIN = 12
"""The empty space on each side, in logical pixels."""


def save_tree(
    path: Path, look: Look, result: Result, places: Places, size: QSizeF, span: Span, negamax: bool = False
) -> None:
    """Write the part of the whole tree in a span; `size` is in logical pixels. Raises ValueError, with a sentence."""
    known = Legend()
    known.resize(round(size.width()) - 2 * MARGIN, known.height())
    known.set_entries([*legend(look), *legend_of_gaps(look.trace, places), *feet(look.trace)])
    title = QFontMetrics(theme().font(TEXT)).height() + MARGIN // 2
    high = round(size.height()) - 2 * MARGIN - title - known.height()
    if high < theme().px(NOTE) * 3:
        raise ValueError(tr("A picture of {height} pixels has no room for the tree.", height=round(size.height())))

    def paint(painter: QPainter) -> None:
        painter.translate(MARGIN, MARGIN)
        painter.setFont(theme().font(TEXT))
        painter.setPen(theme().colour("ink"))
        painter.drawText(0, QFontMetrics(painter.font()).ascent(), _title(look, result))
        painter.translate(0, title)
        shown = Picture(look, places, span, (known.width(), high), SCALE)
        shown.paint(painter, (), negamax, in_shapes=path.suffix.lower() != ".png")
        painter.translate(0, round(size.height()) - 2 * MARGIN - title - known.height())
        known.paint(painter)

    save_picture(path, size, theme().colour("card"), paint)


def _title(look: Look, result: Result) -> str:
    """The game, the position and the search."""
    job, trace = result.job, look.trace
    count = tr("{count} nodes", count=thousands(len(trace)))
    if trace.truncated:
        places = {"room": thousands(len(trace)), "count": thousands(trace.visited)}
        count = tr("the first {room} of {count} nodes", **places)
    return " · ".join([retold(look.game.title), job.position, search(job), mode(job), count])
