"""A chart of two measurements: the other's points have signs of their own, and the legend names both machines."""

from collections.abc import Callable
from dataclasses import replace

import msgspec

from engine.measure.comparison import machine_name
from engine.measure.experiment import Experiment
from gui.i18n.language import retold
from gui.speedup.figure import Figure, Line, Series, workers_words

OTHER_SIGNS = ("x", "+", "t", "h")
"""pyqtgraph's names of an oblique cross, an upright cross, a triangle on its head and a hexagon: one an algorithm."""

FigureOf = Callable[[Experiment], Figure]


def with_other(figure_of: FigureOf) -> FigureOf:
    """The same figure, with the measured points of the measurement that the experiment is compared with."""

    def figure(experiment: Experiment) -> Figure:
        own, other = figure_of(experiment), experiment.compared
        if other is None:
            return own
        # Each is compared with the other, so that an axis which depends on the values is the same.
        theirs = figure_of(msgspec.structs.replace(other, compared=msgspec.structs.replace(experiment, compared=None)))
        wide = max(own, theirs, key=lambda one: one.x_range[1])
        high = max(own, theirs, key=lambda one: one.y_range[1])
        guides = [one for one in own.series if one.hue is None]
        if wide is theirs:
            guides[0] = theirs.series[0]  # the ideal
        names = list(dict.fromkeys((*experiment.algorithms, *other.algorithms)))
        hues = [names.index(name) for name in other.algorithms]
        points = [
            replace(one, hue=hues[one.hue], sign=OTHER_SIGNS[hues[one.hue] % len(OTHER_SIGNS)], notes=(), name="")
            for one in theirs.series
            if one.hue is not None and one.signs
        ]
        return replace(
            wide,
            series=(
                *guides,
                *(one for one in own.series if one.hue is not None),
                *points,
                Series(retold(machine_name(experiment.machine)), None, (), (), Line.NONE, sign="o"),
                Series(retold(machine_name(other.machine)), None, (), (), Line.NONE, sign=OTHER_SIGNS[0]),
            ),
            x_label=own.x_label if wide is own else workers_words(other),
            y_range=high.y_range,
            y_ticks=high.y_ticks,
        )

    return figure
