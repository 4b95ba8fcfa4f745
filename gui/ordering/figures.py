"""The leaves of one tree by order: what is measured, in words, and as a chart."""

from dataclasses import dataclass, field, replace

from engine.measure.ordering import SEEDS, Bounds, Detent
from engine.measure.statistics import Interval
from engine.options.choices import ORDERS, Order
from engine.text.numbers import thousands
from gui.i18n.language import localized, tr
from gui.speedup.log_axes import logarithmic_values
from gui.speedup.series import Figure, LineStyle, Series, exact

DETENTS = tuple(Detent)
ENDS = -0.5, len(DETENTS) - 0.5
"""The ends of the axis of orders."""


@dataclass
class Measured:
    """What is known of one tree."""

    bounds: Bounds | None = None
    leaves: dict[Detent, tuple[int, ...]] = field(default_factory=dict[Detent, tuple[int, ...]])


def name(detent: Detent) -> str:
    """An order: "natural order"; the random one with its seeds."""
    words = localized(ORDERS[Order(detent.value)].text)
    if detent is not Detent.RANDOM:
        return words
    return tr("{order}, seeds {first} to {last}", order=words, first=SEEDS[0], last=SEEDS[-1])


def sentence(measured: Measured, detent: Detent) -> str:
    """The leaves of an order: "Alpha-beta with natural order visits 1,203 of minimax's 31,973 leaves."; empty while
    they are not known."""
    if detent not in measured.leaves or measured.bounds is None:
        return ""
    return tr(
        "Alpha-beta with {order} visits {leaves} of minimax's {all} leaves.",
        order=name(detent),
        leaves=_spread(measured.leaves[detent]),
        all=thousands(measured.bounds.minimax),
    )


def minimum_words(measured: Measured) -> str:
    """The minimum: "No search needs fewer than 351."; that it is not counted; empty while nothing is known."""
    if measured.bounds is None:
        return ""
    if measured.bounds.minimum is None:
        return tr("The minimum is not counted: the tree has too many positions.")
    return tr(
        "Knuth and Moore's minimum of this tree is {leaves}: no search proves the value with fewer.",
        leaves=thousands(measured.bounds.minimum),
    )


def in_words(measured: Measured) -> str:
    """The content of the chart."""
    known = [sentence(measured, detent) for detent in DETENTS] + [minimum_words(measured)]
    return " ".join(filter(None, known))


def leaves_figure(measured: Measured) -> Figure | None:
    """Leaves on a logarithmic axis over the orders, between minimax's and the minimum; None before these are known."""
    if measured.bounds is None:
        return None
    minimax, minimum = measured.bounds.minimax, measured.bounds.minimum
    series = [_line(tr("minimax: {leaves}", leaves=thousands(minimax)), minimax, LineStyle.DASHED)]
    if minimum is not None:
        series.append(_line(tr("minimum: {leaves}", leaves=thousands(minimum)), minimum, LineStyle.DOTTED))
    known = [detent for detent in DETENTS if detent in measured.leaves]
    if known:
        series.append(
            Series(
                tr("alpha-beta"),
                0,
                tuple(float(DETENTS.index(detent)) for detent in known),
                tuple(_interval(measured.leaves[detent]) for detent in known),
                LineStyle.NONE,
                notes=tuple(thousands(_middle(measured.leaves[detent])) for detent in known),
                words=tuple(sentence(measured, detent) for detent in known),
            )
        )
    short = {
        Detent.WORST: tr("worst"),
        Detent.NATURAL: tr("natural"),
        Detent.RANDOM: tr("random"),
        Detent.BEST: tr("best"),
    }
    plain = Figure(
        tuple(series),
        ENDS,
        tuple((float(place), short[detent]) for place, detent in enumerate(DETENTS)),
        (tr("leaves visited, by the order of the moves"), tr("leaves, by order")),
        (0.0, 1.0),
        (),
    )
    return _with_room(logarithmic_values(plain, "{value:,.0f}"))


def _line(words: str, leaves: int, line: LineStyle) -> Series:
    return Series(words, None, ENDS, (exact(leaves), exact(leaves)), line, signs=False)


def _with_room(figure: Figure) -> Figure:
    """The figure with space for the notes above its points, also where all leaves are as many."""
    low, high = figure.y_range
    height = max(high - low, 0.2)
    return replace(figure, y_range=(low, low + 1.08 * height))


def _middle(leaves: tuple[int, ...]) -> int:
    return sorted(leaves)[len(leaves) // 2]


def _interval(leaves: tuple[int, ...]) -> Interval:
    """The median, from the fewest to the most."""
    return Interval(min(leaves), _middle(leaves), max(leaves))


def _spread(leaves: tuple[int, ...]) -> str:
    if min(leaves) == max(leaves):
        return thousands(leaves[0])
    fields = {"low": thousands(min(leaves)), "high": thousands(max(leaves)), "middle": thousands(_middle(leaves))}
    return tr("{low} to {high} (median {middle})", **fields)
