"""Finds the games and algorithms in their folders, and checks that the options of a job are compatible.

It accepts names in any usual spelling: "MTD(f)", "Alpha beta", "tic-tac-toe", "7x7,5". A job, a file or a printed
record holds the canonical name, `Game.spec` or `Algorithm.name`.
"""

import importlib
import math
import pkgutil
import re
import threading
from collections.abc import Callable, Collection, Mapping
from difflib import get_close_matches
from functools import cache, wraps
from itertools import accumulate
from operator import mul
from typing import Any, NamedTuple, ParamSpec, TypeVar

from msgspec.structs import replace

import engine.games
import engine.search
from engine.job import MAX_WORKERS, Fail, Job, JobError, Order, Parallel, Scoring, checked
from engine.kernels.contract import Algorithm
from engine.messages import Message, message
from engine.options import OPTIONS
from engine.rules.contract import MAX_PLIES, UNIT, WIN, Game, Position, expected_widths, plies_bound, traits

T = TypeVar("T")
P = ParamSpec("P")

PARALLEL = ("threads", "mpi")
"""The backends with several workers."""
COMPILED = ("serial", *PARALLEL)
"""The backends with compiled kernels."""
BACKENDS = (*COMPILED, "interpreted")

MAX_TRUE_VALUES = 2_000_000
"""The greatest number of positions in a table of exact values: some seconds of searching."""

MAX_TASKS = 20_000
"""The greatest number of tasks of a search."""


class Prepared(NamedTuple):
    """A job with its names resolved: game, position, algorithm and options."""

    job: Job
    game: Game
    position: Position
    algorithm: Algorithm
    search: Any
    """The algorithm's options for its kernel, with the job's greatest depth."""
    unit: int = 1
    """The value +1 in the kernels' units: more than 1 if estimates are fractions of it."""

    def to(self, depth: int) -> "Prepared":
        """The same job with a smaller depth."""
        search = self.search
        win = search.win + search.sooner * (search.horizon - depth)
        return self._replace(search=search._replace(win=win, horizon=depth))

    @property
    def is_single(self) -> bool:
        """Whether the root is searched in one pass only."""
        return not self.job.deepen and not self.algorithm.guesses

    @property
    def kernels(self) -> str:
        """An identifier of its compiled kernels: jobs with the same text share them. An MPI rank uses those of a serial
        search, or of one on threads."""
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
        """Whether its move order needs the exact value of every position."""
        return bool({Order.BEST, Order.WORST} & {*self.job.order})

    @property
    def has_aids(self) -> bool:
        """Whether it uses a transposition table or a move order: kernels without them are shorter."""
        return bool(self.job.table or {*self.job.order} - {Order.NATURAL})

    @property
    def is_lazy(self) -> bool:
        """Whether every worker searches the whole tree."""
        return self.job.backend == "threads" and self.job.parallel is Parallel.LAZY


_MAKING = threading.RLock()
"""Held while a game or the lists of games and algorithms are made."""


def _made_once(make: Callable[P, T]) -> Callable[P, T]:
    """`functools.cache` for several threads: the type of a game's positions, which rules and kernels are registered
    for, must not be made twice."""
    cached: Any = cache(make)

    @wraps(make)
    def locked(*args: P.args, **kwargs: P.kwargs) -> T:
        with _MAKING:
            return cached(*args, **kwargs)

    return locked


@_made_once
def games() -> dict[str, Any]:
    """The modules of all games, by name.

    Each has `game(sizes) -> Game`; `SIZES`, the values of `sizes`, the usual one first, or () if there is one size; and
    `ALIASES`, other names of the game, such as the sizes of another game that are this one. The game whose sizes may
    stand without a name has `usual(columns, rows)`, the sizes for a board.
    """
    return {module.NAME: module for module in _modules(engine.games)}


def offered() -> dict[str, tuple[str, ...]]:
    """The specs for a list of games, by the games' names: one for each size, the usual one first. The game with the
    smallest board comes first."""
    found = {name: tuple(f"{name}:{sizes}" for sizes in module.SIZES) or (name,) for name, module in games().items()}
    return dict(sorted(found.items(), key=lambda offer: len(game(offer[1][0]).view.squares)))


def examples() -> list[str]:
    """The spec of each game in its usual size: "tictactoe", "mnk:4,4,4"."""
    return [specs[0] for specs in offered().values()]


@_made_once
def algorithms() -> dict[str, Algorithm]:
    """All algorithms, by name."""
    found = (module.ALGORITHM for module in _modules(engine.search))
    return {algorithm.name: algorithm for algorithm in sorted(found, key=lambda algorithm: algorithm.rank)}


def plain(name: str) -> str:
    """The normalised form of a name: its letters and digits, in lower case.

    >>> plain("MTD(f)"), plain("Alpha-beta")
    ('mtdf', 'alphabeta')
    """
    return "".join(filter(str.isalnum, name.casefold()))


def find(name: str, known: Mapping[str, T]) -> T | None:
    """The entry with that name, compared by `plain`; None if there is none."""
    return known.get(name) or {plain(key): found for key, found in known.items()}.get(plain(name))


def advice(name: str, known: Collection[str]) -> Message:
    """The end of a sentence about an unknown name: the similar names, else all."""
    like = get_close_matches(plain(name), known)
    return message("did you mean {names}?", names=_or(like)) if like else message("choose {names}.", names=_or(known))


def game(spec: str) -> Game:
    """The game of a spec, "tictactoe" or "mnk:7,7,5", or of another spelling: "Tic-tac-toe", "7x7, 5 in a row",
    "7,7,5". Raises JobError, with a sentence, if there is none."""
    names = {name: module for module in games().values() for name in (module.NAME, *module.ALIASES)}
    name, sizes = _parts(spec)
    if sizes and not name:
        name, sizes = (sizes, "") if sizes in names else (_sized().NAME, sizes)
    module = find(name, names)
    if module is None:
        raise JobError(message("There is no game {name}: {advice}", name=repr(spec), advice=advice(name, examples())))
    return _game(module.NAME, sizes)


def soonest(spec: str) -> Scoring:
    """The scoring SOONEST if the game has it; TEXTBOOK for a game scored by its margin."""
    return Scoring.SOONEST if traits(game(spec).start).utility == 1 else Scoring.TEXTBOOK


def game_on(columns: int, rows: int) -> Game:
    """The usual game on a board of this size. Raises JobError, with a sentence, if there is none."""
    return game(_sized().usual(columns, rows))


def _sized() -> Any:
    """The module of the game whose sizes may stand without a name."""
    return next(module for module in games().values() if hasattr(module, "usual"))


@_made_once
def _game(name: str, sizes: str) -> Game:
    try:
        return games()[name].game(sizes)
    except ValueError as error:
        raise JobError(str(error)) from error


_WRITTEN = re.compile(
    r"(?P<name>[^\W\d](?:[^\d:]*[^\W\d])?)?[\s:(]*"
    r"(?P<sizes>\d{1,9}(?:(?:\s*[,;x×*]\s*|\s+)\d{1,9})*)?[\s)]*(?:in a row)?"
)
"""A game in any spelling: a name, numbers with separators, or both."""


def _parts(spec: str) -> tuple[str, str]:
    """The name and the sizes in a spec, "mnk" and "7,7,5"; either may be empty."""
    if written := _WRITTEN.fullmatch(spec.strip().casefold()):
        numbers = re.findall(r"\d+", written["sizes"] or "")
        return written["name"] or "", ",".join(f"{int(number)}" for number in numbers)
    name, _, sizes = spec.partition(":")
    return name, sizes


def algorithm(name: str) -> Algorithm:
    """The algorithm with that name, compared by `plain`. Raises JobError, with a sentence, if there is none."""
    names = {name: found for found in algorithms().values() for name in (found.name, *found.aliases)}
    found = find(name, names)
    if found is None:
        raise JobError(
            message("There is no algorithm {name}: {advice}", name=repr(name), advice=advice(name, algorithms()))
        )
    return found


def backend(name: str) -> str:
    """The backend with that name, compared by `plain`. Raises JobError, with a sentence, if there is none."""
    found = find(name, {backend: backend for backend in BACKENDS})
    if found is None:
        raise JobError(message("There is no backend {name}: {advice}", name=repr(name), advice=advice(name, BACKENDS)))
    return found


def prepare(job: Job) -> Prepared:
    """Resolve the names of a job and check it. Raises JobError, with a sentence for the user, if it cannot run."""
    chosen_game, chosen = game(job.game), algorithm(job.algorithm)
    job = replace(checked(job), game=chosen_game.spec, algorithm=chosen.name, backend=backend(job.backend))
    if job.workers * job.threads > MAX_WORKERS:
        raise JobError(
            message(
                "{ranks} ranks of {threads} threads are more than {most}: choose fewer.",
                ranks=f"{job.workers:,}",
                threads=f"{job.threads:,}",
                most=f"{MAX_WORKERS:,}",
            )
        )
    try:
        position = chosen_game.notation.parse(job.position)
    except ValueError as error:
        raise JobError(str(error)) from error
    _check_options(job, chosen)
    left = plies_bound(position)
    horizon = min(job.limit.depth or left, left, MAX_PLIES)
    plies = min(split_of(job), horizon)
    if job.backend in PARALLEL and math.prod(expected_widths(position, plies)) > MAX_TASKS:
        raise JobError(
            message(
                "A split depth of {plies} plies makes more than {most} tasks: choose a smaller one.",
                plies=plies,
                most=f"{MAX_TASKS:,}",
            )
        )
    if job.scoring is Scoring.SOONEST and traits(position).utility > 1:
        raise JobError(
            message(
                "{game} counts by how much one wins, so sooner is not better: choose the textbook's scores.",
                game=chosen_game.title,
            )
        )
    which = evaluation(chosen_game, job.evaluation)
    is_limited = horizon < left or job.deepen
    unit = UNIT if is_limited and job.evaluate else 1
    sooner = unit if job.scoring is Scoring.SOONEST else 0
    search = chosen.options(
        win=unit * (WIN - horizon) if sooner else unit,
        sooner=sooner,
        horizon=horizon,
        limited=(which if job.evaluate else -1) if is_limited else None,
        hard=1 if job.fail is Fail.HARD and chosen.prunes else None,  # minimax has no window
    )
    prepared = Prepared(job, chosen_game, position, chosen, search, unit)
    if prepared.needs_true_values and _positions(position, horizon) > MAX_TRUE_VALUES:
        raise JobError(
            message(
                "That order needs the true values of more than {most} positions: choose a lower depth limit, or a "
                "position with fewer empty squares.",
                most=f"{MAX_TRUE_VALUES:,}",
            )
        )
    return prepared


def evaluation(chosen: Game, name: str) -> int:
    """The index of a game's evaluation with that name, compared by `plain`; 0 if the name is empty. Raises JobError,
    with a sentence, if there is none."""
    names = {found.name: place for place, found in enumerate(chosen.evaluations)}
    place = find(name, names) if name else 0
    if place is None:
        raise JobError(
            message(
                "{game} has no evaluation {name}: {advice}",
                game=chosen.title,
                name=repr(name),
                advice=advice(name, names),
            )
        )
    return place


def _positions(position: Position, plies: int) -> float:
    """An upper bound on the interior nodes of a search of so many plies; without free placement an estimate."""
    widths = expected_widths(position, plies)
    if not traits(position).free_placement:
        return sum(accumulate(widths[:-1], mul, initial=1))
    left = len(widths) and int(widths[0])
    return sum(math.comb(left, ply) * math.comb(ply, ply // 2) for ply in range(len(widths)))


def split_of(job: Job) -> int:
    """The depth of the tasks of a job with several workers, in plies below the root."""
    return 1 if job.parallel is Parallel.ROOT else job.split


def _check_options(job: Job, chosen: Algorithm) -> None:
    """Raise JobError if an option of a job is refused."""
    for entry in OPTIONS:
        if why := entry.option.refused(job, chosen):
            raise JobError(why)


def _modules(package: Any) -> list[Any]:
    return [
        importlib.import_module(f"{package.__name__}.{found.name}") for found in pkgutil.iter_modules(package.__path__)
    ]


def _or(names: Collection[str]) -> str:
    """The names in a list: "a, b or c"."""
    *most, last = names
    return message("{names} or {last}", names=", ".join(most), last=last) if most else last
