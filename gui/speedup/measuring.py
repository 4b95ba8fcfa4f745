"""A Runner's work for a measurement: compile the kernels of every mode, then run the modes one after the other."""

import time
from typing import NamedTuple

from msgspec.structs import replace

from engine.job import Job
from engine.measure.experiment import Experiment, Mode
from engine.measure.speedup import TooLarge, TooSmall, check, measure
from engine.prewarm.background import compile_beside, is_warm
from gui.work.load_numba import load_compiler
from gui.work.runner import Request

TELL_SECONDS = 0.2
"""The time between two progress signals: short enough to inform, long enough not to disturb the measurement."""


class MeasurementParameters(NamedTuple):
    """The parameters of a measurement."""

    job: Job
    modes: tuple[Mode, ...]
    repeats: int | None
    """The number of rounds; None for as many as fit."""
    fixed_time: float | None = None
    """The seconds of each run, for weak scaling."""
    expected: float | None = None
    """The speedup on the most workers that the person expects."""


def measuring(request: Request) -> Experiment | TooLarge | TooSmall | None:
    """Returns the Experiment of a request's MeasurementParameters, or the refusal of its position, if
    possible before anything is compiled; sends each Mode before its kernels are compiled, then its Progress."""
    wanted: MeasurementParameters = request.asked
    told = 0.0
    try:
        check(wanted.job, wanted.modes, wanted.fixed_time)
        for mode in wanted.modes:
            if not request.control.stopped and not is_warm(mode.job(wanted.job)):
                request.publish(mode)
                compile_beside(mode.job(wanted.job), request.control)
        if request.control.stopped:
            return None
        load_compiler()
        for message in measure(wanted.job, wanted.modes, request.control, wanted.repeats, fixed_time=wanted.fixed_time):
            if isinstance(message, Experiment):
                return replace(message, expected=wanted.expected)
            if time.monotonic() - told >= TELL_SECONDS:
                told = time.monotonic()
                request.publish(message)
    except (TooLarge, TooSmall) as refusal:
        return refusal
    return None
