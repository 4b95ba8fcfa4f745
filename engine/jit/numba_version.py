"""Decides by numba's version whether its compiler is tuned. This module does not import the compiler.

`engine.jit.numba_tuning` replaces internals of numba. If it is not known to fit a version, nothing is replaced: plain
numba compiles the same kernels, but takes a third to two thirds longer.
"""

import logging
from functools import cache
from importlib.metadata import version

log = logging.getLogger(__name__)

FITTING = tuple(f"0.{minor}" for minor in range(61, 69))
"""The versions that the tuning fits: its tests pass with each."""

VERSION = version("numba")
IS_FITTING = ".".join(VERSION.split(".")[:2]) in FITTING
"""Whether numba is tuned."""


@cache
def warn_of_version() -> None:
    """Log once that numba is not tuned, if it is not. To be called before a compilation."""
    if not IS_FITTING:
        log.warning(
            "numba %s is not among the versions that this program is known to fit, %s to %s: kernels take longer to"
            " compile.",
            VERSION,
            FITTING[0],
            FITTING[-1],
        )
