"""The whole tree, or two compared ones, as a picture file: a title, the nodes, and the meaning of their shapes and
colours."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QSizeF
from PySide6.QtGui import QFontMetrics, QPainter

from engine.result import Result
from engine.text.numbers import thousands
from engine.trace.widths import Places
from gui.i18n.language import tr
from gui.state.tree_shape import Compared
from gui.state.wording import searched
from gui.style.theme import NOTE, TEXT, theme
from gui.tree.icicle_colours import Colouring, LegendEntry, Look, legend
from gui.tree.icicle_legend import Wrapped
from gui.tree.icicle_live import Here
from gui.tree.icicle_painter import IciclePicture, Moment, Span
from gui.tree.icicle_text import feet, legend_of_gaps, legend_of_shapes, shares, title_of
from gui.tree.path_root import which_iteration, whose_values
from gui.widgets.board_painter import is_drawing
from gui.work.picture_file import SCALE, Drawing

MARGIN = 12
"""The empty space on each side, in logical pixels."""


class Tree(NamedTuple):
    """One of the trees in a picture."""

    title: str
    look: Look
    places: Places


class Meaning(NamedTuple):
    """The entries of the legend that are the same at each moment: those before the shapes, and those after them, which
    are left out first where room is short."""

    before: tuple[LegendEntry, ...]
    after: tuple[LegendEntry, ...]


class Content(NamedTuple):
    """One tree, or two compared ones, and the entries of their legend."""

    trees: tuple[Tree, ...]
    entries: tuple[LegendEntry, ...]


def content_of(
    look: Look,
    result: Result,
    places: Places,
    compared: Compared | None = None,
    moment: Moment | None = None,
    whole: int | None = None,
) -> Content:
    """The tree of a search, with the legend of a moment; and, under it, that of the search that it is compared with.
    `whole`: the nodes that minimax visits, where they are known."""
    entries = entries_of(meaning_of(look, compared), look, places, compared, moment, whole)
    if compared is None:
        said = searched(look.game, result.job), which_iteration(result, look.trace.depth), _count(look, moment)
        return Content((Tree(" · ".join(filter(None, said)), look, places),), entries)
    titles = (title_of(one, compared.found, side) for side, one in enumerate((result, compared.other)))
    trees = zip(titles, _looks(look, compared), (places, compared.places), strict=True)
    return Content(tuple(Tree(*tree) for tree in trees), entries)


def meaning_of(look: Look, compared: Compared | None) -> Meaning:
    """What the colours of one tree, or of two compared ones, and the lines in them mean."""
    looks = _looks(look, compared)
    colours = _united(legend(one, compared is None or compared.found.counts.is_known) for one in looks)
    first = 2 if look.colouring is Colouring.VALUE else len(colours)
    return Meaning(tuple(colours[:first]), (*colours[first:], *_united(feet(one.trace) for one in looks)))


def entries_of(
    meaning: Meaning,
    look: Look,
    places: Places,
    compared: Compared | None,
    moment: Moment | None = None,
    whole: int | None = None,
) -> tuple[LegendEntry, ...]:
    """The legend of one tree, or of two compared ones, at a moment; at the end without one. `whole`: as above."""
    if compared is None:
        shapes = legend_of_gaps(look.trace, places, moment, whole)
    else:
        shapes = legend_of_shapes(compared.found.traces, places, moment)
    return *meaning.before, *shapes, *meaning.after


def _looks(look: Look, compared: Compared | None) -> tuple[Look, ...]:
    """The looks of one tree, or of two compared ones."""
    if compared is None:
        return (look,)
    (first, second), trace = compared.found.seen, compared.found.traces[1]
    return look._replace(seen=first), look._replace(trace=trace, result=compared.other, seen=second)


def _united(legends: Iterable[list[LegendEntry]]) -> list[LegendEntry]:
    """The entries of all legends, each once: those of the longest first, in its order."""
    ordered = sorted(legends, key=len, reverse=True)
    return list({entry.words: entry for entries in ordered for entry in entries}.values())


def tree_drawing(
    content: Content, size: QSizeF, span: Span, negamax: bool = False, heres: Sequence[Here] = ()
) -> Drawing:
    """The part of the whole trees in a span; `size` is in logical pixels. `heres` is where each search is in its
    tree; without them the trees are those after the search. Raises ValueError, with a sentence."""
    width, height = round(size.width()) - 2 * MARGIN, round(size.height()) - 2 * MARGIN
    trees = list(zip(content.trees, heres or [Here(())] * len(content.trees), strict=True))
    first = content.trees[0].look
    entries = (LegendEntry(whose_values(first.game, negamax, first.hidden)), *content.entries)
    known = Wrapped(entries, width)
    title_height = QFontMetrics(theme().font(TEXT)).height() + MARGIN // 2
    high = (height - known.height) // len(content.trees) - title_height
    if high < theme().px(NOTE) * 3:
        raise ValueError(tr("A picture of %n pixel(s) has no room for the tree.", "", round(size.height())))

    def paint(painter: QPainter) -> None:
        painter.translate(MARGIN, MARGIN)
        for (title, look, places), (chain, moment) in trees:
            painter.setFont(theme().font(TEXT))
            painter.setPen(theme().colour("ink"))
            painter.drawText(0, QFontMetrics(painter.font()).ascent(), title)
            painter.translate(0, title_height)
            picture = IciclePicture(look, places, span, (width, high), SCALE)
            if is_drawing(painter):
                picture.paint_shapes(painter, chain, negamax, moment)
            else:
                picture.paint(painter, chain, negamax, moment)
            painter.translate(0, high)
        known.paint(painter)

    shown = list[str]()
    for tree, here in trees:
        newest = None if here.moment is None else here.moment.last
        shown += [tree.title, *shares(first.game, tree.look.trace, newest)]
    story = "\n".join([*shown, *(entry.words for entry in entries)])
    return Drawing(size, theme().colour("card"), paint, story)


def _count(look: Look, moment: Moment | None) -> str:
    trace = look.trace
    room, visited = thousands(len(trace)), trace.visited
    if moment is not None:
        nodes = thousands(moment.last + 1)
        return tr("{nodes} of {count} node(s) so far", "", visited, nodes=nodes, count=thousands(visited))
    if trace.truncated:
        return tr("the first {room} of {count} nodes", room=room, count=thousands(visited))
    return tr("{count} node(s)", "", visited, count=thousands(visited))
