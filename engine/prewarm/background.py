"""Compiles kernels before they are needed, in a separate process: the compiler holds the interpreter's lock for tens of
milliseconds at a time, which would block the window. This process then loads the kernels from the cache.
"""

import gc
import hashlib
import importlib
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout
from msgspec.structs import replace

from engine.backends import solve
from engine.control import Control
from engine.jit.cache_folder import CACHE, forget_loading
from engine.jit.numba_version import warn_of_version
from engine.job import Job, job_from_json, job_to_json
from engine.prepare import prepare
from engine.priority import lower_priority
from engine.registry import COMPILED
from engine.rules.contract import traits
from engine.trace.sides import sides
from engine.trace.widths import Width

log = logging.getLogger(__name__)

POLL_SECONDS = 0.05
NICENESS, AHEAD_NICENESS = 5, 15
"""Priorities: compilers run below the window, and a compiler that nobody waits for below the other."""

_WANTED: list[Job] = []
"""The jobs whose kernels are being compiled while a caller waits."""


def is_warm(job: Job) -> bool:
    """Whether the kernels of a job are compiled; also true if it has none, and without a cache, where a background
    process is useless."""
    return CACHE is None or prepare(job).job.backend not in COMPILED or _marker(job).exists()


def compile_beside(job: Job, control: Control, ahead: bool = False) -> None:
    """Compile the kernels of a job in another process and wait until it ends or `control` is stopped.

    `ahead`: no user waits for it, so it has a lower priority. If compiling fails, the search compiles them again and
    reports the error.
    """
    prepare(job)
    if is_warm(job):
        return
    while ahead and _WANTED and not control.stopped:
        time.sleep(POLL_SECONDS)
    with _compile_lock(job, control) as is_ours:
        if is_ours and not is_warm(job):
            _run(job, control, ahead)


def compile_or_log(job: Job, control: Control, ahead: bool = False) -> None:
    """`compile_beside`, as a thread's work: an error of the system is logged, and the search compiles again."""
    try:
        compile_beside(job, control, ahead)
    except OSError:
        log.exception("A kernel could not be compiled ahead: %s", job)


@contextmanager
def compiling(job: Job) -> Iterator[None]:
    """Compile the kernels of a job in the background inside this context."""
    control = Control()
    try:
        threading.Thread(target=compile_or_log, args=(job, control), name="first kernels").start()
    except RuntimeError as error:
        log.warning("No kernel is compiled ahead: %s.", error)
    try:
        yield
    finally:
        control.stop()


def compile_here(job: Job) -> None:
    """Compile the kernels of a job in this process by running it, and mark them as compiled."""
    if CACHE is not None:
        with _compile_lock(job, Control()):
            if not is_warm(job):
                _compile(job)


@contextmanager
def _compile_lock(job: Job, control: Control) -> Iterator[bool]:
    """A lock for compiling the kernels of a job, across threads and processes. Yields false if `control` was stopped
    during the wait."""
    lock = FileLock(f"{_marker(job)}.lock", thread_local=False)
    while not (control.stopped or lock.is_locked):
        try:
            lock.acquire(POLL_SECONDS)
        except Timeout:
            continue
        except (OSError, NotImplementedError) as error:
            log.warning("There is no lock, so another process may compile the same kernels: %s.", error)
            break
    try:
        yield not control.stopped
    finally:
        lock.release()


def _run(job: Job, control: Control, ahead: bool) -> None:
    warn_of_version()  # what the other process logs is not shown
    process = subprocess.Popen(
        [sys.executable, "-m", "engine.prewarm.background", *(["ahead"] if ahead else [])],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        cwd=Path(__file__).parents[2],
        env=os.environ | {"NUMBA_CACHE_DIR": str(CACHE and CACHE.parent)},
    )
    lower_priority(process.pid, AHEAD_NICENESS if ahead else NICENESS)
    wanted = [] if ahead else _WANTED
    wanted.append(job)
    try:
        _, errors = _communicate(process, job_to_json(job), control)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # with its forked child
        with process:  # it closes the pipes
            process.wait()
        if control.stopped and CACHE is not None:
            forget_loading(CACHE, process.pid)
        wanted.remove(job)
    if process.returncode and not control.stopped:
        log.warning("Compiling beside the window failed: %s", errors.decode(errors="replace").strip())


def _compile(job: Job) -> None:
    backend = "serial" if job.threads == 1 else "threads"
    local = {"backend": backend, "threads": 1} if job.backend == "mpi" else {}
    trace = solve(replace(job, workers=1, limit=replace(job.limit, nodes=1), **local)).trace
    if trace is not None and len(trace):
        trace.places(Width.MINIMAX)  # by kernels too
        if not traits(trace.root).alternates:
            sides(trace.root, trace.rows["place"], few=0)
        trace.transpositions(2)
        _ = trace.visits
    _marker(job).touch()


def _communicate(process: "subprocess.Popen[bytes]", text: bytes, control: Control) -> tuple[bytes, bytes]:
    waiting: bytes | None = text
    while not control.stopped:
        try:
            return process.communicate(waiting, POLL_SECONDS)
        except subprocess.TimeoutExpired:
            waiting = None
    return b"", b""


def _marker(job: Job) -> Path:
    """The path of the empty file that marks the kernels of a job as compiled."""
    if CACHE is None:
        raise RuntimeError("There is no cache.")
    return CACHE / f"ready-{hashlib.sha256(prepare(job).kernels.encode()).hexdigest()[:16]}"


if __name__ == "__main__":
    gc.disable()  # most objects of a compiler stay alive
    wanted = job_from_json(sys.stdin.buffer.read())
    if "ahead" not in sys.argv:
        importlib.import_module("engine.prewarm.two_processes").compile_in_parallel(prepare(wanted))
    _compile(wanted)
    os._exit(0)  # skips 0.2 s of numba's cleanup
