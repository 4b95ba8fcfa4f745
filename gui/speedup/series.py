"""The charts as data: a Figure of Series. Nothing here paints."""

from dataclasses import dataclass
from enum import Enum

from engine.measure.statistics import Interval


class LineStyle(Enum):
    NONE = "none"
    SOLID = "solid"
    DASHED = "dashed"
    DOTTED = "dotted"
    """The line of MPI."""
    FITTED = "fitted"
    """Dashes and dots: the line of a law that is fitted to threads."""
    FITTED_MPI = "fitted to MPI"
    """Dashes with two dots: the line of a law that is fitted to MPI ranks."""


@dataclass(frozen=True)
class Series:
    """One series of points."""

    name: str
    """The name in the legend; empty for none."""
    hue: int | None
    """The index of the algorithm's colour and sign; None for a plain guide."""
    xs: tuple[float, ...]
    ys: tuple[Interval, ...]
    line: LineStyle = LineStyle.SOLID
    hollow: bool = False
    signs: bool = True
    sign: str = ""
    """pyqtgraph's name of the sign; empty: that of the algorithm."""
    notes: tuple[str, ...] = ()
    """A text for each point, above it; below it for the points in `under`, which have another close above them."""
    under: frozenset[int] = frozenset()
    words: tuple[str, ...] = ()
    """What a reader of each point is told; empty for a guide."""


@dataclass(frozen=True)
class Figure:
    """A chart with fixed ranges, so that nothing jumps."""

    series: tuple[Series, ...]
    x_range: tuple[float, float]
    x_ticks: tuple[tuple[float, str], ...]
    x_label: tuple[str, ...]
    """Several labels, longest first, for charts of different widths."""
    y_range: tuple[float, float]
    y_ticks: tuple[tuple[float, str], ...]


def exact(value: float) -> Interval:
    return Interval(value, value, value)
