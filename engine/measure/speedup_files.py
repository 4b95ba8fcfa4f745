"""A speedup measurement as a file: JSON holds all of it and is read again, CSV is a table for other programs."""

import csv
import io
from pathlib import Path

import msgspec

from engine import registry
from engine.job import JobError, decoded
from engine.measure.breakdown import Breakdown, breakdown
from engine.measure.experiment import PARALLEL, Experiment, Run
from engine.messages import Message, message
from engine.options import validation
from engine.options.catalogue import MAX_WORKERS

MAX_BYTES = 10_000_000
"""The greatest size of a file that is read: 31 rounds of two algorithms on 2 cores are 50 kB."""

_DECODER = msgspec.json.Decoder(Experiment)


def to_json(experiment: Experiment) -> bytes:
    """The text that `from_json` reads back."""
    return msgspec.json.format(msgspec.json.encode(experiment))


def from_json(text: str | bytes) -> Experiment:
    """The measurement in a text. Raises JobError, with a sentence, if it holds none."""
    try:
        experiment = decoded(text, _DECODER)
    except ValueError as error:
        why = validation.reason(error, Experiment, lambda path: path[-1])
        raise JobError(message("This is not a measurement: {why}.", why=why)) from error
    for found in filter(None, (experiment, experiment.compared)):
        if flaw := _flaw(found):
            raise JobError(message("This is not a measurement: {why}.", why=flaw))
        try:
            registry.root_of(found.job)
        except ValueError as error:
            raise JobError(str(error)) from error
    return experiment


def read(path: Path) -> Experiment:
    """The measurement in a file. Raises JobError, with a sentence, if the file cannot be read or holds none."""
    try:
        with path.open("rb") as file:
            text = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise JobError(
            message("{name} could not be opened: {why}.", name=path.name or path, why=error.strerror)
        ) from error
    if len(text) > MAX_BYTES:
        raise JobError(message("{name} is too large for a measurement.", name=path.name))
    return from_json(text)


def _flaw(experiment: Experiment) -> Message | None:
    """What no measurement has, for the end of a sentence; None for a measurement."""
    modes = [timing.mode for timing in experiment.timings]
    if not modes or not experiment.rounds or len({len(timing.runs) for timing in experiment.timings}) > 1:
        return message("it needs as many runs of each mode, at least one")
    if len(set(modes)) < len(modes):
        return message("it has the same mode twice")
    named = (*(mode.algorithm for mode in modes), *experiment.start, *experiment.subtrees, *experiment.unshared)
    for name in named:
        if name not in registry.algorithms():
            return message("there is no algorithm {name}", name=name)
    for mode in modes:
        if mode.backend not in ("serial", *PARALLEL):
            return message("there is no mode {name}", name=mode.backend)
        if mode.all_workers > (1 if mode.backend == "serial" else MAX_WORKERS):
            return message("it has {workers} workers in a mode", workers=mode.all_workers)
    for tasks in (*experiment.subtrees.values(), *experiment.unshared.values()):
        if tasks and not any(tasks):
            return message("it has tasks without nodes")
    return None


def to_csv(experiment: Experiment) -> str:
    """The CSV text, one row for each run: its mode, its figures, and those of its mode. Lines end as in RFC 4180."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow((*_JOB, *_MODE, *_MEDIANS, *_PARTS, *_RUN))
    job = experiment.job
    speedups = {each.mode: each for each in experiment.all_speedups()}
    for timing in experiment.timings:
        mode, gained = timing.mode, speedups.get(timing.mode)
        dealt = [job.schedule, job.split] if mode.backend != "serial" else ["", ""]
        row: list[object] = [
            job.game,
            job.position,
            job.scoring,
            job.limit.depth or "",
            experiment.fixed_time or "",
            *mode,
            *dealt,
        ]
        row += [timing.time.value, timing.time.lower, timing.time.upper, timing.waited.value]
        row += [*_reordered(gained.paired), gained.efficiency.value] if gained else [""] * 4
        predicted = experiment.predicted(mode.algorithm, mode.all_workers) if gained else None
        row.append("" if predicted is None else predicted)
        parts = breakdown(experiment, mode)
        row += [getattr(parts, name) if parts else "" for name in Breakdown.__struct_fields__]
        for number, run in enumerate(timing.runs, start=1):
            table.writerow([*row, number, *(getattr(run, name) for name in Run.__struct_fields__)])
    return text.getvalue()


def _reordered(interval: tuple[float, float, float]) -> tuple[float, float, float]:
    lower, value, upper = interval
    return value, lower, upper


_JOB = ("game", "position", "scoring", "depth_limit", "fixed_time_s")
_MODE = ("algorithm", "backend", "workers", "threads_per_rank", "schedule", "split")
_MEDIANS = (
    *("median_s", "median_lower_s", "median_upper_s", "median_waited_s"),
    *("speedup", "speedup_lower", "speedup_upper", "efficiency", "predicted_speedup"),
)
_PARTS = tuple(f"{name}_s" for name in Breakdown.__struct_fields__)
_RUN = ("round", "seconds", "waited_s", "nodes", "cpu_s", "kept_waiting_s", "idle_at_end_s")
"""Columns. Times are in seconds; intervals are of 95 %."""
