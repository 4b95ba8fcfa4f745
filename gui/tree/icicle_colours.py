"""The colours of the whole tree: by value, by depth of cutoffs, by time of visit, by worker, or by the searches that
visited a node; and what they mean."""

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from engine import registry
from engine.kernels.worker_memory import CUTOFF
from engine.result import Leaf, Result, Task
from engine.rules.board_view import BoardView
from engine.rules.contract import Game
from engine.trace.node_types import node_types
from engine.trace.task_rows import ABOVE, TaskRows
from engine.trace.widths import Gap
from gui.i18n.language import mark, tr
from gui.state.wording import worker_name
from gui.style.colours import mixed
from gui.style.theme import theme
from gui.widgets.value_colours import value_colours

if TYPE_CHECKING:
    from engine.trace.raster import Raster
    from engine.trace.record import Trace

SHARES = 0.12, 0.36, 0.66, 1.0
"""The share of its player's colour in a node without a value, with a bound, with an estimate, with an exact value."""
HIDDEN = 0.3
"""The share of grey in every node while values are hidden."""
SHADES = 24
"""The number of shades from the first to the last, or from the root to the deepest."""
ONLY_ONE = 2
"""The worker whose hue marks nodes that only one of two searches visited: no player's, in every theme."""
TYPE_HUES = 0, 1
"""The workers whose hues mark the types 2 and 3."""
PALEST, DARKEST = 0.14, 0.82
"""The shares of ink in the first and the last shade."""


STRIPES, STRIPE = 6, 2
"""The distance and the width of the stripes in pruned moves, in pixels."""
DOTS = Qt.BrushStyle.Dense6Pattern
"""The pattern of moves below a position from the table."""


class Colouring(StrEnum):
    """The meaning of a node's colour."""

    VALUE = "value"
    CUT = "cut"
    TIME = "time"
    WORKER = "worker"
    TYPE = "type"
    SEARCH = "search"


NAMES = {
    Colouring.VALUE: mark("value"),
    Colouring.CUT: mark("ply of cutoffs"),
    Colouring.TIME: mark("time of visit"),
    Colouring.WORKER: mark("worker"),
    Colouring.TYPE: mark("type of node"),
    Colouring.SEARCH: mark("visited by one search"),
}


class GapShape(NamedTuple):
    """The look of a kind of place without a node."""

    name: str
    ground: QColor
    stripe: QColor
    """The colour of the pattern; the same as `ground` where there is none."""
    pattern: Qt.BrushStyle = Qt.BrushStyle.BDiagPattern
    """Stripes, or DOTS."""
    edge: QColor | None = None
    """The colour of lines around each place; None without them."""

    def marks(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Whether the pattern covers the places with these coordinates in pixels, [x] and [y, 1]; [y, x]."""
        if self.pattern is DOTS:
            across, down = np.floor(x), np.floor(y)
            return (down % 2 == 0) & ((across + down).astype(np.int32) % 4 == 3)
        return (x + y).astype(np.int32) % STRIPES < STRIPE

    def paint(self, painter: QPainter, box: QRectF) -> None:
        """Draw a place of this kind in shapes, its lines on the edge of the box."""
        painter.fillRect(box, self.ground)
        if self.stripe != self.ground:
            painter.fillRect(box, QBrush(self.stripe, self.pattern))
        if self.edge is not None:
            painter.setPen(QPen(self.edge, 1))
            painter.drawRect(box)


class LegendEntry(NamedTuple):
    """An entry of the legend; without colours it is words alone."""

    words: str
    colours: tuple[QColor, ...] = ()
    shape: GapShape | None = None


class Look(NamedTuple):
    """What decides the colours of a record's picture."""

    game: Game
    trace: "Trace"
    result: Result | None = None
    """The search, whose workers have colours; None for a picture without them."""
    colouring: Colouring = Colouring.VALUE
    hidden: bool = False
    seen: NDArray[np.uint8] | None = None
    """Whether the search that this one is compared with visited each row too, a `Seen`; None without one."""

    @property
    def tasks(self) -> tuple[Task, ...]:
        return () if self.result is None else self.result.tasks


def shapes() -> dict[Gap, GapShape]:
    """The looks of the kinds of places without a node."""
    return _shapes(theme().colours.name)


@lru_cache(maxsize=2)
def _shapes(_look: str) -> dict[Gap, GapShape]:
    look = theme()
    card, ink, dim, pruned = (look.colour(name) for name in ("card", "ink", "dim", "pruned"))
    grey = mixed(card, ink, 0.3)
    return {
        Gap.PRUNED: GapShape(mark("pruned"), pruned, mixed(pruned, dim, 0.55)),
        Gap.UNVISITED: GapShape(mark("not visited"), card, card, edge=mixed(card, ink, 0.35)),
        Gap.UNRECORDED: GapShape(mark("not recorded"), grey, grey),
        Gap.KNOWN: GapShape(mark("known from the table"), card, dim, DOTS),
    }


class Fills:
    """The colours of a record's nodes in the present theme."""

    def __init__(self, look: Look) -> None:
        self._look, self._tasks = look, TaskRows(look.tasks)
        colours = (*_palette(look), theme().colour("card"))
        self._words = np.array([colour.rgb() for colour in colours], np.uint32)
        """The palette as RGB words, and then the card."""

    def of(self, raster: "Raster") -> NDArray[np.uint32]:
        """The colour of each node as RGB words, [plies, width]; the card's where there is none."""
        return self._words[np.where(raster.rows < 0, len(self._words) - 1, self._codes(raster))]

    @property
    def without_value(self) -> int | None:
        """The RGB word of a node that has no value yet; None where a node's colour does not depend on its value."""
        match self._look.colouring:
            case Colouring.VALUE:
                return int(self._words[0])
            case Colouring.CUT:
                return int(self._words[len(_of_cutoffs())])
            case _:
                return None

    def _codes(self, raster: "Raster") -> NDArray[np.integer]:
        """The place of each node's colour in the palette."""
        look = self._look
        match look.colouring:
            case Colouring.VALUE:
                favours = np.where(raster.values > 0, 1, np.where(raster.values < 0, 2, 0))
                return favours * len(SHARES) + raster.kinds
            case Colouring.CUT:
                shades = len(_of_cutoffs())
                plies = np.arange(len(raster.rows))[:, None] * (shades - 1) // max(1, len(raster.rows) - 1)
                is_cut = (raster.why == CUTOFF) & ~((raster.rows == 0) & look.hidden)
                return np.where(is_cut, plies, shades)
            case Colouring.TIME:
                shares = self._tasks.shares_of_time(raster.rows, look.trace.index.end)
                return np.minimum((shares * SHADES).astype(np.int64), SHADES - 1)
            case Colouring.TYPE:
                return node_types(look.trace, raster.rows)
            case Colouring.SEARCH:
                seen = np.zeros(len(look.trace), np.uint8) if look.seen is None else look.seen
                return seen[raster.rows]
            case Colouring.WORKER:
                return self._tasks.workers(raster.rows) - ABOVE


def _palette(look: Look) -> Sequence[QColor]:
    """The colours that `Fills` has codes for."""
    match look.colouring:
        case Colouring.VALUE:
            return _of_values(look)
        case Colouring.CUT:
            return [*_of_cutoffs(), _pale()]
        case Colouring.TIME:
            return _shades()
        case Colouring.TYPE:
            return _of_types()
        case Colouring.SEARCH:
            return _of_searches()
        case Colouring.WORKER:
            return [_pale(), *_of_workers(look.tasks)]


def legend(look: Look, is_known: bool = True) -> list[LegendEntry]:
    """The meaning of the colours, the more important first. `is_known`: of each node, which searches visited it."""
    if look.colouring is Colouring.CUT:
        return [
            LegendEntry(tr("cut off at the root … at the deepest ply"), tuple(_of_cutoffs()[::3])),
            LegendEntry(tr("no cutoff"), (_pale(),)),
        ]
    if look.colouring is Colouring.TIME:
        return [LegendEntry(tr("visited first … last"), tuple(_shades()[:: SHADES // 6]))]
    if look.colouring is Colouring.SEARCH:
        words = tr("visited by both searches"), tr("by one of them only"), tr("by one; of the other not recorded")
        entries = [LegendEntry(said, (colour,)) for said, colour in zip(words, _of_searches(), strict=True)]
        return entries[: 2 if is_known else 3]
    if look.colouring is Colouring.TYPE:
        words = (
            tr("not needed with the best move first"),
            tr("type 1 (PV)"),
            tr("type 2 (CUT)"),
            tr("type 3 (ALL)"),
        )
        entries = [LegendEntry(said, (colour,)) for said, colour in zip(words, _of_types(), strict=True)]
        return [*entries[1:], entries[0]]
    if look.colouring is Colouring.WORKER:
        above = LegendEntry(tr("above the tasks"), (_pale(),))
        if look.result is None:
            return [above]
        colours = enumerate(_of_workers(look.tasks))
        return [*(LegendEntry(worker_name(look.result.job, worker), (colour,)) for worker, colour in colours), above]
    if look.hidden:
        return [LegendEntry(tr("values are hidden"))]
    card, draw = theme().colour("card"), theme().colour("draw")
    players = value_colours(look.game.view)
    said = [
        *(
            LegendEntry(tr("good for {player}", player=player), (colour,))
            for player, colour in zip(look.game.notation.players, players, strict=True)
        ),
        LegendEntry("0", (draw,)),
    ]
    if look.result is None or registry.algorithm(look.result.job.algorithm).prunes:
        said.append(LegendEntry(tr("a bound"), (mixed(card, players[0], SHARES[1]),)))
    if Leaf.HORIZON in look.trace.leaves:
        said.append(LegendEntry(tr("an estimate"), (mixed(card, players[0], SHARES[2]),)))
    return said


def _of_values(look: Look) -> list[QColor]:
    """Of a draw, of the player to move at the root, of the other one: each for the four kinds of values."""
    return _by_favour(look.game.view, look.game.notation.mover(look.trace.root), look.hidden, theme().colours.name)


@lru_cache(maxsize=8)
def _by_favour(view: BoardView, first: int, hidden: bool, _look: str) -> list[QColor]:
    card, draw = theme().colour("card"), theme().colour("draw")
    if hidden:
        return [mixed(card, draw, HIDDEN)] * (3 * len(SHARES))
    players = value_colours(view)
    bases = [draw, players[first], players[1 - first]]
    return [mixed(card, draw if not kind else base, share) for base in bases for kind, share in enumerate(SHARES)]


def _shades() -> list[QColor]:
    return _from_card_to_ink(theme().colours.name)


@lru_cache(maxsize=2)
def _from_card_to_ink(_look: str) -> list[QColor]:
    card, ink = theme().colour("card"), theme().colour("ink")
    return [mixed(card, ink, PALEST + (DARKEST - PALEST) * step / (SHADES - 1)) for step in range(SHADES)]


def _of_cutoffs() -> list[QColor]:
    """From the root to the deepest ply: all darker than a node without a cutoff."""
    return _shades()[: SHADES // 4 : -1]


def _pale() -> QColor:
    return mixed(theme().colour("card"), theme().colour("draw"), SHARES[0])


def _of_searches() -> list[QColor]:
    """For each `Seen`."""
    card = theme().colour("card")
    return [mixed(card, theme().colour("draw"), SHARES[2]), mixed(card, theme().worker(ONLY_ONE), 0.8), _pale()]


def _of_types() -> list[QColor]:
    """Of nodes without a type, and of types 1 to 3: ink for the first line, and two hues that are no player's."""
    look = theme()
    return [_pale(), look.colour("ink"), look.worker(TYPE_HUES[0]), look.worker(TYPE_HUES[1])]


def _of_workers(tasks: Sequence[Task]) -> list[QColor]:
    return [theme().worker(number) for number in range(1 + max((task.worker for task in tasks), default=-1))]
