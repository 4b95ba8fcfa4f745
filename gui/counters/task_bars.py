"""Paints the bars of tasks in a lane, and the marks at their ends."""

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPolygonF

from engine.result import Task
from engine.rules.contract import Game
from engine.text.numbers import thousands
from gui.counters.lanes import moves_of
from gui.style.theme import NOTE, theme

LEAST_CHARACTERS = 2
HUES, HUE_STEP = (*range(55, 180), *range(260, 345)), 83
"""The hues of root moves in degrees, none of them blue or orange, and the number of hues from one to the next."""


def paint_bar(
    painter: QPainter, bar: QRectF, lane: QRect, task: Task, hue: QColor, game: Game | None, is_chosen: bool
) -> None:
    """Paint a task's bar in its colour, hollow where it was not finished, with moves and nodes where they fit into the
    part of it that is in its lane."""
    look = theme()
    fill = hue if task.finished else look.colour("card")
    outline = QPen(look.colour("ink"), look.px(2)) if is_chosen else QPen(hue, 1.5)
    painter.setPen(Qt.PenStyle.NoPen if task.finished and not is_chosen else outline)
    painter.setBrush(fill)
    bar = bar.intersected(QRectF(lane).adjusted(-3, 0, 3, 0))  # an SVG does not clip; rounded ends remain outside
    if bar.width() < 4:
        painter.drawRect(bar)
        return
    painter.drawRoundedRect(bar, 3, 3)
    room = bar.intersected(QRectF(lane)).adjusted(look.px(5), 0, -look.px(3), 0)
    weight, moves = QFont.Weight.DemiBold, moves_of(game, task)
    for text in (f"{moves}  {thousands(task.nodes)}", moves):
        if len(text) >= LEAST_CHARACTERS and look.width(text, NOTE, weight) <= room.width():
            painter.setFont(look.font(NOTE, weight))
            painter.setPen(readable_on(fill))
            painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
            break


def paint_update(painter: QPainter, x: float, lane: QRect, is_cutoff: bool) -> None:
    """Paint a notch at the end of a task whose value raised a bound; through the lane, in the colour of cuts, where the
    rest of its siblings was cut off."""
    look, top = theme(), lane.top() - 1
    half, deep, colour = look.px(3), look.px(5), look.colour("cut" if is_cutoff else "ink")
    if is_cutoff:
        painter.setPen(QPen(colour, look.px(2)))
        painter.drawLine(QPointF(x, top), QPointF(x, lane.bottom() + 1))
    painter.setPen(QPen(look.colour("card"), 1))
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([QPointF(x - half, top), QPointF(x + half, top), QPointF(x, top + deep)]))


def root_move_colour(number: int) -> QColor:
    """The colour of a root move by its number: hues of neighbours are far apart, and none is that of X or O."""
    lightness = (0.62, 0.74) if theme().colour("card").lightnessF() < 0.5 else (0.40, 0.52)
    return QColor.fromHslF(HUES[number * HUE_STEP % len(HUES)] / 360, 0.42, lightness[number % 2])


def tint(hue: QColor, strength: float) -> QColor:
    """A hue mixed into the card's colour, opaque, so that the contrast of text on it is known."""
    card = theme().colour("card")
    pairs = ((hue.red(), card.red()), (hue.green(), card.green()), (hue.blue(), card.blue()))
    return QColor(*(round(a * strength + b * (1 - strength)) for a, b in pairs))


def readable_on(ground: QColor) -> QColor:
    """Black or white, whichever has more contrast (WCAG 2 relative luminance; both are equal at 0.179)."""
    linear = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in (ground.redF(), ground.greenF(), ground.blueF())
    )
    luminance = sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))
    return QColor("#111214" if luminance > 0.179 else "#FFFFFF")
