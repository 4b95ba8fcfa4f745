"""The nodes with one position in the whole tree: as diamonds, and in words."""

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter, QPen, QPolygonF

from engine.rules.contract import Game
from engine.text.numbers import thousands
from gui.i18n.language import mark, tr
from gui.state.same_positions import Same
from gui.style.theme import theme
from gui.tree.icicle_colours import LegendEntry

if TYPE_CHECKING:
    from engine.trace.record import Trace
    from engine.trace.transpositions import Transpositions

NAMES = {
    Same.NONE: mark("not marked"),
    Same.EQUAL: mark("marked beside the present node"),
    Same.SYMMETRIC: mark("marked, symmetric ones too"),
}
RADIUS = 4.5
"""Half the width of a diamond, in pixels."""
MOST_LINES, LOOKED_AT = 12, 60
"""The most other lines of moves that are named, and the rows among which they are sought."""


def paint_diamonds(painter: QPainter, points: Sequence[QPointF], filled: bool) -> None:
    """Draw diamonds in ink, each with an edge that parts it from any colour."""
    if not points:
        return
    ink, card, size = theme().colour("ink"), theme().colour("card"), theme().px(RADIUS)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    outer, inner = (
        QPolygonF([QPointF(0, -radius), QPointF(radius, 0), QPointF(0, radius), QPointF(-radius, 0)])
        for radius in (size, size - theme().px(2))
    )
    for point in points:
        painter.setPen(QPen(card, 1))
        painter.setBrush(ink)
        painter.drawPolygon(outer.translated(point))
        if not filled:
            painter.setBrush(card)
            painter.drawPolygon(inner.translated(point))
    painter.restore()


def same_legend(choice: Same) -> list[LegendEntry]:
    """The meaning of the diamonds."""
    entries = [LegendEntry(tr("◆ same position")), LegendEntry(tr("◇ symmetric position"))]
    return entries[: list(Same).index(choice)]


def positions_fact(found: "Transpositions | None") -> str:
    """The number of distinct positions among the recorded nodes; empty until it is known."""
    if found is None:
        return ""
    positions = found.positions
    counts = {"positions": thousands(positions), "classes": thousands(found.classes)}
    return tr("{positions} different position(s), {classes} up to symmetry", "", positions, **counts)


def about_same(game: Game, trace: "Trace", found: "Transpositions | None", row: int) -> str:
    """The number of recorded nodes with the position of a row, and the moves to some of them by another order."""
    if found is None:
        return ""
    equal = found.equal(row)
    counts = {"equal": thousands(len(equal)), "symmetric": thousands(len(found.symmetric(row)))}
    said = tr("recorded nodes with this position: {equal}; up to symmetry: {symmetric}", **counts)
    others = dict.fromkeys(trace.moves(other) for other in equal[:LOOKED_AT].tolist())
    others.pop(trace.moves(row), None)
    if not others:
        return said
    lines = [" ".join(map(game.notation.move_name, moves)) for moves in islice(others, MOST_LINES)]
    if len(equal) > LOOKED_AT:
        lines.append(tr("and by others"))
    elif len(others) > len(lines):
        lines.append(tr("and by %n other(s)", "", len(others) - len(lines)))
    return "\n".join([said, tr("also reached by"), *lines])
