"""Finds the games and algorithms in their folders, and says which fit together: nothing else names them one by one."""

import importlib
import math
import pkgutil
from functools import cache
from typing import Any, NamedTuple

import engine.games
import engine.search
from engine.algorithm import Algorithm
from engine.game import Game, Position, remaining
from engine.job import MAX_WORKERS, Job, JobError, Scoring, checked

BACKENDS = ("serial", "threads", "mpi")

MAX_TASKS = 20_000
"""Into so many tasks a search is split at most."""

NO_HORIZON = 1 << 20
"""A depth that no game reaches."""


class Prepared(NamedTuple):
    """A job with all that it names."""

    job: Job
    game: Game
    position: Position
    algorithm: Algorithm
    search: Any
    """The algorithm's options, as its kernel takes them."""


@cache
def games() -> dict[str, Any]:
    """The modules of all games, by name. Each offers `game(sizes) -> Game` and `SIZES`, an example of sizes or ""."""
    return {module.NAME: module for module in _modules(engine.games)}


@cache
def algorithms() -> dict[str, Algorithm]:
    """All algorithms, by name."""
    found = (module.ALGORITHM for module in _modules(engine.search))
    return {algorithm.name: algorithm for algorithm in sorted(found, key=lambda algorithm: algorithm.rank)}


@cache
def game(spec: str) -> Game:
    """The game that "tictactoe" or "mnk:4,4,4" names. Raises JobError, with a sentence, if there is none."""
    name, _, sizes = spec.partition(":")
    if name not in games():
        raise JobError(f"There is no game {name!r}: choose one of {', '.join(games())}.")
    try:
        return games()[name].game(sizes)
    except ValueError as error:
        raise JobError(str(error)) from error


def algorithm(name: str) -> Algorithm:
    """The algorithm of that name. Raises JobError, with a sentence, if there is none."""
    if name not in algorithms():
        raise JobError(f"There is no algorithm {name!r}: choose one of {', '.join(algorithms())}.")
    return algorithms()[name]


def prepare(job: Job) -> Prepared:
    """Find what a job names. Raises JobError, with a sentence for the user, if it cannot run."""
    job = checked(job)
    if job.backend not in BACKENDS:
        raise JobError(f"There is no backend {job.backend!r}: choose one of {', '.join(BACKENDS)}.")
    if job.workers * job.threads > MAX_WORKERS:
        raise JobError(f"{job.workers:,} ranks of {job.threads:,} threads are more than {MAX_WORKERS:,}: choose fewer.")
    chosen_game, chosen = game(job.game), algorithm(job.algorithm)
    try:
        position = chosen_game.notation.parse(job.position)
    except ValueError as error:
        raise JobError(str(error)) from error
    horizon = min(job.limit.depth or NO_HORIZON, NO_HORIZON)
    split = min(job.split, horizon, remaining(position))
    if job.backend != "serial" and math.perm(remaining(position), split) > MAX_TASKS:
        raise JobError(f"A split {split} plies deep makes more than {MAX_TASKS:,} tasks: choose a smaller split.")
    search = chosen.options(int(job.scoring is Scoring.SOONEST), horizon)
    return Prepared(job, chosen_game, position, chosen, search)


def _modules(package: Any) -> list[Any]:
    return [
        importlib.import_module(f"{package.__name__}.{found.name}") for found in pkgutil.iter_modules(package.__path__)
    ]
