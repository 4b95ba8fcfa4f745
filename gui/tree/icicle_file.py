"""The whole tree as a picture file: a title, the nodes, and the meaning of their shapes and colours."""

from PySide6.QtCore import QSizeF
from PySide6.QtGui import QFontMetrics, QPainter

from engine.result import Result
from engine.text.numbers import thousands
from engine.trace.places import Places
from gui.i18n.language import tr
from gui.state.wording import searched
from gui.style.theme import NOTE, TEXT, theme
from gui.tree.icicle_colours import Look, legend
from gui.tree.icicle_legend import Wrapped
from gui.tree.icicle_painter import Picture, Span
from gui.tree.icicle_text import feet, legend_of_gaps, shares
from gui.widgets.board_painter import is_drawing
from gui.work.picture_file import SCALE, Drawing

MARGIN = 12
"""The empty space on each side, in logical pixels."""


def tree_drawing(
    look: Look, result: Result, places: Places, size: QSizeF, span: Span, negamax: bool = False
) -> Drawing:
    """The part of the whole tree in a span; `size` is in logical pixels. Raises ValueError, with a sentence."""
    width, height = round(size.width()) - 2 * MARGIN, round(size.height()) - 2 * MARGIN
    known = Wrapped((*legend(look), *legend_of_gaps(look.trace, places), *feet(look.trace)), width)
    high = height - known.height - QFontMetrics(theme().font(TEXT)).height() - MARGIN // 2
    if high < theme().px(NOTE) * 3:
        raise ValueError(tr("A picture of {height} pixels has no room for the tree.", height=round(size.height())))

    def paint(painter: QPainter) -> None:
        painter.translate(MARGIN, MARGIN)
        painter.setFont(theme().font(TEXT))
        painter.setPen(theme().colour("ink"))
        painter.drawText(0, QFontMetrics(painter.font()).ascent(), title)
        painter.translate(0, height - high - known.height)
        Picture(look, places, span, (width, high), SCALE).paint(painter, (), negamax, is_drawing(painter))
        painter.translate(0, high)
        known.paint(painter)

    title = " · ".join([searched(look.game, result.job), _count(look)])
    story = "\n".join([title, *shares(look.game, look.trace), *(entry.words for entry in known.entries)])
    return Drawing(size, theme().colour("card"), paint, story)


def _count(look: Look) -> str:
    trace = look.trace
    if trace.truncated:
        places = {"room": thousands(len(trace)), "count": thousands(trace.visited)}
        return tr("the first {room} of {count} nodes", **places)
    return tr("{count} nodes", count=thousands(len(trace)))
