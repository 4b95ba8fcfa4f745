"""The backends of a search: one call and the same records on one thread, on many threads, or on MPI ranks."""

import importlib
import threading
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

from engine.control import Control
from engine.jit.environment import check_environment
from engine.job import Job
from engine.prepare import prepare
from engine.registry import COMPILED
from engine.result import Result, Snapshot

LOCAL = "serial", "threads"
"""The backends that search in this process."""

IMPORTING = threading.RLock()
"""Held while a compiled backend is imported. numba's modules import each other in circles: of two threads that import
some of them at once, one gets half-initialised modules."""


def load(name: str) -> Any:
    """The module of a backend. All imports of numba by a search are made here, so that any thread may call it."""
    with IMPORTING if name in COMPILED else nullcontext():
        return importlib.import_module(f"engine.backends.{name}")


def run(job: Job, control: Control | None = None) -> Iterator[Snapshot | Result]:
    """Run a job. Yields Snapshot while it runs, then one Result. Raises JobError before it starts, if it cannot run."""
    prepared = prepare(job)
    check_environment()
    return load(prepared.job.backend).run(prepared, control or Control())


def solve(job: Job, control: Control | None = None) -> Result:
    """Run a job to its end. Returns its Result; raises as `run`."""
    *_, result = run(job, control)
    if not isinstance(result, Result):
        raise RuntimeError(f"The backend {job.backend} ended without a result.")
    return result
