"""Checks numba's environment variables before numba is loaded: a wrong one would end the import, or cause a warning,
with a traceback.
"""

import os
import subprocess
import sys

from engine.job import JobError
from engine.messages import message

TEXTS = {"NUMBA_CACHE_DIR", "NUMBA_THREADING_LAYER", "NUMBA_THREADING_LAYER_PRIORITY"}
"""numba's variables that take any text. `engine.backends.threads` reports a wrong threading layer."""
SWITCHES = {"NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "NUMBA_DISABLE_JIT"}
"""numba's variables that are 0 or 1. `engine` itself sets one."""

TRIAL = """
import warnings
warnings.simplefilter("error", RuntimeWarning)
import numba
numba.njit(lambda: 0)()
"""
"""A program that fails if numba cannot read a variable, or compile with it."""
TRIAL_SECONDS = 60


def check_environment() -> None:
    """Raise JobError, with the name of the variable, if numba would reject one."""
    if os.environ.get("NUMBA_DISABLE_JIT", "").strip() not in ("", "0"):
        raise JobError(message("NUMBA_DISABLE_JIT keeps kernels from being compiled: unset it."))
    threads = os.environ.get("NUMBA_NUM_THREADS", "").strip() or "1"
    if not threads.isdecimal() or int(threads) < 1:
        raise JobError(
            message("NUMBA_NUM_THREADS must be a number of threads, at least 1, not {given}.", given=repr(threads))
        )
    if "numba" not in sys.modules:
        _try_others()


def _try_others() -> None:
    """The same for numba's other variables. If one is set, which is rare, a trial of numba takes a second or two."""
    for name, value in sorted(os.environ.items()):
        is_known = name in TEXTS or name == "NUMBA_NUM_THREADS" or (name in SWITCHES and value in ("", "0", "1"))
        if name.startswith("NUMBA_") and not is_known and not _is_accepted(name, value):
            raise JobError(message("numba cannot work with {name}={value}: unset it.", name=name, value=value))


def _is_accepted(name: str, value: str) -> bool:
    """Whether numba, in a separate process, compiles with a variable without an error or warning."""
    others = {other: given for other, given in os.environ.items() if not other.startswith("NUMBA_")}
    try:
        ended = subprocess.run(
            [sys.executable, "-P", "-c", TRIAL],
            env=others | {name: value},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=TRIAL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return ended.returncode == 0 and not ended.stderr
