"""What numba reads from the environment and cannot work with: looked at before numba is loaded, as that would end in a
traceback.
"""

import os

from engine.job import JobError
from engine.said import said


def check_environment() -> None:
    """Raises JobError, with a sentence that names the variable."""
    if os.environ.get("NUMBA_DISABLE_JIT", "").strip() not in ("", "0"):
        raise JobError(said("NUMBA_DISABLE_JIT keeps kernels from being compiled: unset it."))
    threads = os.environ.get("NUMBA_NUM_THREADS", "").strip() or "1"
    if not threads.isdecimal() or int(threads) < 1:
        raise JobError(
            said("NUMBA_NUM_THREADS must be a number of threads, at least 1, not {given}.", given=repr(threads))
        )
