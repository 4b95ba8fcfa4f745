"""A chart of two measurements: the other's points have signs of their own, and the legend names both machines."""

from collections.abc import Callable
from dataclasses import replace

import msgspec

from engine.measure.comparison import names_of_both
from engine.measure.experiment import Experiment
from gui.i18n.language import localized
from gui.speedup.figure import workers_words
from gui.speedup.series import Figure, LineStyle, Series

OTHER_SIGNS = ("x", "+", "t", "h")
"""pyqtgraph's names of an oblique cross, an upright cross, a triangle on its head and a hexagon: one an algorithm."""

FigureOf = Callable[[Experiment, bool], Figure]


def with_other(figure_of: FigureOf) -> FigureOf:
    """The same figure, with the measured points of the measurement that the experiment is compared with."""

    def figure(experiment: Experiment, is_log: bool = False) -> Figure:
        own, other = figure_of(experiment, is_log), experiment.compared
        if other is None:
            return own
        # Each is compared with the other, so that an axis which depends on the values is the same.
        mutual = msgspec.structs.replace(other, compared=msgspec.structs.replace(experiment, compared=None))
        theirs = figure_of(mutual, is_log)
        wide = max(own, theirs, key=lambda one: one.x_range[1])
        high = max(own, theirs, key=lambda one: one.y_range[1])
        guides = [one for one in own.series if one.hue is None]
        if wide is theirs:
            guides[0] = theirs.series[0]  # the ideal
        names = list(dict.fromkeys((*experiment.algorithms, *other.algorithms)))
        hues = [names.index(name) for name in other.algorithms]
        here, there = map(localized, names_of_both(experiment, other))
        points = [
            replace(
                one,
                hue=hues[one.hue],
                sign=OTHER_SIGNS[hues[one.hue] % len(OTHER_SIGNS)],
                notes=(),
                name=one.name if hues[one.hue] >= len(experiment.algorithms) else "",
                words=tuple(f"{words}\n{there}" for words in one.words),
            )
            for one in theirs.series
            if one.hue is not None and one.signs
        ]
        return replace(
            wide,
            series=(
                *guides,
                *(one for one in own.series if one.hue is not None),
                *points,
                Series(here, None, (), (), LineStyle.NONE, sign="o"),
                Series(there, None, (), (), LineStyle.NONE, sign=OTHER_SIGNS[0]),
            ),
            x_label=own.x_label if wide is own else workers_words(experiment),
            y_range=(min(own.y_range[0], theirs.y_range[0]), high.y_range[1]),
            y_ticks=high.y_ticks,
        )

    return figure
