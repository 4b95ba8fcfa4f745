"""Finds the games and algorithms in their folders, and says which fit together: nothing else names them one by one."""

import importlib
import math
import pkgutil
from functools import cache
from typing import Any, NamedTuple

import engine.games
import engine.search
from engine.algorithm import Algorithm
from engine.game import UNIT, Game, Position, remaining
from engine.job import MAX_WORKERS, Fail, Job, JobError, Order, Parallel, Schedule, Scoring, checked
from engine.said import said

BACKENDS = ("serial", "threads", "mpi")

MAX_TRUE_VALUES = 2_000_000
"""Of so many positions, some seconds of searching."""

MAX_TASKS = 20_000
"""Into so many tasks a search is split at most."""


class Prepared(NamedTuple):
    """A job with all that it names."""

    job: Job
    game: Game
    position: Position
    algorithm: Algorithm
    search: Any
    """The algorithm's options, as its kernel takes them, to the greatest depth that is asked for."""
    unit: int = 1
    """What +1 counts in the kernels: more where an estimate is a part of it."""

    def to(self, depth: int) -> "Prepared":
        """The same to a smaller depth."""
        search = self.search
        win = search.win + search.sooner * (search.horizon - depth)
        return self._replace(search=search._replace(win=win, horizon=depth))

    @property
    def is_single(self) -> bool:
        """Whether the root is searched once, and not in several passes."""
        return not self.job.deepen and not self.algorithm.guesses

    @property
    def kernels(self) -> str:
        """Which compiled kernels it runs: jobs that name the same share them. An MPI rank is a serial search, or one on
        threads."""
        job, search = self.job, self.search
        backend = job.backend if job.backend != "mpi" else "serial" if job.threads == 1 else "threads"
        traits = {
            "limited": search.limited is not None,
            "hard": search.hard is not None,
            "aided": self.has_aids,
            "true values": self.needs_true_values,
            "recorded": bool(job.record),
        }
        return ", ".join([job.game, type(search).__name__, backend, *(name for name, has in traits.items() if has)])

    @property
    def needs_true_values(self) -> bool:
        """Whether its order asks for the value of every position beforehand."""
        return bool({Order.BEST, Order.WORST} & {*self.job.order})

    @property
    def has_aids(self) -> bool:
        """Whether it uses a table or an order of moves: kernels without are shorter."""
        return bool(self.job.table or {*self.job.order} - {Order.NATURAL})

    @property
    def is_lazy(self) -> bool:
        """Whether every worker searches it all."""
        return self.job.backend == "threads" and self.job.parallel is Parallel.LAZY


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
        raise JobError(
            said("There is no game {name}: choose one of {games}.", name=repr(name), games=", ".join(games()))
        )
    try:
        return games()[name].game(sizes)
    except ValueError as error:
        raise JobError(str(error)) from error


def algorithm(name: str) -> Algorithm:
    """The algorithm of that name. Raises JobError, with a sentence, if there is none."""
    if name not in algorithms():
        known = ", ".join(algorithms())
        raise JobError(said("There is no algorithm {name}: choose one of {known}.", name=repr(name), known=known))
    return algorithms()[name]


def prepare(job: Job) -> Prepared:
    """Find what a job names. Raises JobError, with a sentence for the user, if it cannot run."""
    job = checked(job)
    if job.backend not in BACKENDS:
        known = ", ".join(BACKENDS)
        raise JobError(said("There is no backend {name}: choose one of {known}.", name=repr(job.backend), known=known))
    if job.workers * job.threads > MAX_WORKERS:
        raise JobError(
            said(
                "{ranks} ranks of {threads} threads are more than {most}: choose fewer.",
                ranks=f"{job.workers:,}",
                threads=f"{job.threads:,}",
                most=f"{MAX_WORKERS:,}",
            )
        )
    chosen_game, chosen = game(job.game), algorithm(job.algorithm)
    try:
        position = chosen_game.notation.parse(job.position)
    except ValueError as error:
        raise JobError(str(error)) from error
    _check_options(job, chosen)
    left = remaining(position)
    horizon = min(job.limit.depth or left, left)
    plies = min(split_of(job), horizon)
    if job.backend != "serial" and math.perm(left, plies) > MAX_TASKS:
        raise JobError(
            said(
                "A split {plies} plies deep makes more than {most} tasks: choose a smaller split.",
                plies=plies,
                most=f"{MAX_TASKS:,}",
            )
        )
    is_limited = horizon < left or job.deepen
    unit = UNIT if is_limited and job.evaluate else 1
    sooner = unit if job.scoring is Scoring.SOONEST else 0
    search = chosen.options(
        win=unit + sooner * (left - horizon),
        sooner=sooner,
        horizon=horizon,
        limited=int(job.evaluate) if is_limited else None,
        hard=1 if job.fail is Fail.HARD else None,
    )
    prepared = Prepared(job, chosen_game, position, chosen, search, unit)
    if prepared.needs_true_values and _positions(left, horizon) > MAX_TRUE_VALUES:
        raise JobError(
            said(
                "That order needs the true values of more than {most} positions: choose a lower depth limit, or a "
                "position with fewer squares left.",
                most=f"{MAX_TRUE_VALUES:,}",
            )
        )
    return prepared


def _positions(left: int, plies: int) -> int:
    """At most how many positions that are no leaves a search of so many plies sees with so many squares left."""
    return sum(math.comb(left, ply) * math.comb(ply, ply // 2) for ply in range(plies))


def split_of(job: Job) -> int:
    """How many plies below the root the tasks of a job with several workers are."""
    return 1 if job.parallel is Parallel.ROOT else job.split


def _check_options(job: Job, chosen: Algorithm) -> None:
    """Refuse what does not fit together."""
    title = said(chosen.title)
    if sum(order in BASES for order in job.order) > 1:
        raise JobError(said("Moves can stand in one order only: choose one of {orders}.", orders=", ".join(BASES)))
    if not chosen.prunes and job.order:
        raise JobError(
            said("{algorithm} searches all moves, in whatever order: choose alphabeta to order them.", algorithm=title)
        )
    if job.aspiration is not None and not job.deepen:
        raise JobError(
            said("An aspiration window needs the value of a search less deep: choose iterative deepening too.")
        )
    if job.aspiration is not None and not chosen.prunes:
        raise JobError(said("{algorithm} looks at no window: choose alphabeta to narrow one.", algorithm=title))
    if Order.TABLE in job.order and not job.table:
        raise JobError(said("There is no table to take a move from: give it a size."))
    if job.parallel is Parallel.LAZY and job.backend == "threads" and not job.table:
        raise JobError(said("Lazy workers help each other by the table alone: give it a size."))
    if job.parallel is Parallel.YBW and job.schedule is not Schedule.DYNAMIC:
        raise JobError(said("Younger brothers wait until the eldest is done: choose the dynamic schedule."))
    if job.backend == "mpi":
        if job.deepen or chosen.guesses:
            raise JobError(said("Ranks search the root once: choose threads for iterative deepening and MTD(f)."))
        if job.parallel is Parallel.LAZY:
            raise JobError(said("Ranks share no table: choose threads for a lazy search."))
        if {Order.BEST, Order.WORST} & {*job.order}:
            raise JobError(said("Ranks do not know the true values beforehand: choose threads for that order."))


BASES = Order.NATURAL, Order.DOMAIN, Order.RANDOM, Order.BEST, Order.WORST
"""The orders of which a search has one."""


def _modules(package: Any) -> list[Any]:
    return [
        importlib.import_module(f"{package.__name__}.{found.name}") for found in pkgutil.iter_modules(package.__path__)
    ]
