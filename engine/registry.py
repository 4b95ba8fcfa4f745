"""Finds the games and algorithms in their folders.

It accepts names in any usual spelling: "MTD(f)", "Alpha beta", "tic-tac-toe", "7x7,5". A job, a file or a printed
record holds the canonical name, `Game.spec` or `Algorithm.name`.
"""

import importlib
import pkgutil
import re
import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from difflib import get_close_matches
from functools import cache, lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

import engine.games
import engine.search
from engine.job import Job, JobError
from engine.kernels.contract import Algorithm
from engine.messages import Message, message
from engine.options.choices import Scoring
from engine.rules.contract import Game, Position, traits

T = TypeVar("T")
P = ParamSpec("P")

PARALLEL = ("threads", "mpi")
"""The backends with several workers."""
COMPILED = ("serial", *PARALLEL)
"""The backends with compiled kernels."""
BACKENDS = (*COMPILED, "interpreted")

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
    smallest board comes first, games of chance last."""
    found = {name: tuple(f"{name}:{sizes}" for sizes in module.SIZES) or (name,) for name, module in games().items()}
    usual = {name: game(specs[0]) for name, specs in found.items()}
    names = sorted(found, key=lambda name: (bool(usual[name].chance), len(usual[name].view.squares)))
    return {name: found[name] for name in names}


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
    "7,7,5", the title of an offered game. Raises JobError, with a sentence, if there is none."""
    return _game(*_spelt(spec, tuple(games().values())))


def root_of(job: Job) -> tuple[Game, Position]:
    """The game of a job, and the position that it searches. Raises JobError or ValueError, with a sentence, if there is
    no such game or position."""
    found = game(job.game)
    return found, found.notation.parse(job.position)


@lru_cache(maxsize=256)
def _spelt(spec: str, modules: tuple[Any, ...]) -> tuple[str, str]:
    """The name and the sizes of the game of a spec among those of these modules."""
    names = {name: module for module in modules for name in (module.NAME, *module.ALIASES)}
    name, sizes = _parts(spec, names)
    if sizes and not name:
        name, sizes = (sizes, "") if sizes in names else (_sized().NAME, sizes)
    module = find(name, names)
    if module is None:
        by_title = {game(offer).title: offer for offers in offered().values() for offer in offers}
        if (titled := find(spec, by_title)) is not None:
            return _spelt(titled, modules)
        raise JobError(message("There is no game {name}: {advice}", name=repr(spec), advice=advice(name, examples())))
    return module.NAME, sizes


def soonest(spec: str) -> Scoring:
    """The scoring SOONEST if the game has it; TEXTBOOK for a game scored by its margin, or with chance nodes."""
    known = traits(game(spec).start)
    return Scoring.SOONEST if known.utility == 1 and not known.chance else Scoring.TEXTBOOK


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
    r"(?P<name>[^\W\d](?:[^\d:]*[^\W\d])?)?[\s:(,]*"
    r"(?P<sizes>\d{1,9}(?:(?:\s*[,;x×*]\s*|\s+)\d{1,9})*)?[\s)]*(?:in a row)?"
)
"""A game in any spelling: a name, numbers with separators, or both."""


def _parts(spec: str, names: Iterable[str]) -> tuple[str, str]:
    """The name and the sizes in a spec, "mnk" and "7,7,5"; either may be empty. A name that ends in a digit is looked
    for among the known `names`, if it has letters."""
    text = spec.strip().casefold()
    for known in names:
        ends_in_digit = known[-1].isdigit() and not plain(known).isdigit()
        begun = re.match(r"\W*".join(plain(known)) + r"(?!\d)", text) if ends_in_digit else None
        if begun and (written := _WRITTEN.fullmatch(text[begun.end() :])) and not written["name"]:
            return known, _numbers(written["sizes"])
    if written := _WRITTEN.fullmatch(text):
        return written["name"] or "", _numbers(written["sizes"])
    if plain(text).isdigit():  # "-3,3,3" is a wrong size: its digits are those of the name "3,3,3"
        return "", text
    name, _, sizes = spec.partition(":")
    return name, sizes


def _numbers(sizes: str | None) -> str:
    """The numbers of a size with commas between them."""
    return ",".join(f"{int(number)}" for number in re.findall(r"\d+", sizes or ""))


@_made_once
def _by_alias() -> dict[str, Algorithm]:
    """All algorithms, by their names and their other names."""
    return {name: found for found in algorithms().values() for name in (found.name, *found.aliases)}


def algorithm(name: str) -> Algorithm:
    """The algorithm with that name, compared by `plain`. Raises JobError, with a sentence, if there is none."""
    found = find(name, _by_alias())
    if found is None:
        raise JobError(
            message("There is no algorithm {name}: {advice}", name=repr(name), advice=advice(name, algorithms()))
        )
    return found


def is_for(name: str, game: Game) -> bool:
    """Whether an algorithm is meant for a game: one with chance nodes needs an algorithm that averages, and only such a
    game."""
    return algorithm(name).averages == traits(game.start).chance


def suited(name: str, game: Game) -> str:
    """The name of an algorithm if it is meant for a game, else of the simplest one that is."""
    return name if is_for(name, game) else next(other for other in algorithms() if is_for(other, game))


def searches_again(job: Job) -> bool:
    """Whether an iteration of a search may visit a node several times, as PVS does."""
    return algorithm(job.algorithm).options.searches_again


def revisits(job: Job) -> bool:
    """Whether a search may visit a node several times, so that it has more visits than nodes."""
    return algorithm(job.algorithm).null_windows or job.deepen or job.aspiration is not None


def backend(name: str) -> str:
    """The backend with that name, compared by `plain`. Raises JobError, with a sentence, if there is none."""
    found = find(name, {backend: backend for backend in BACKENDS})
    if found is None:
        raise JobError(message("There is no backend {name}: {advice}", name=repr(name), advice=advice(name, BACKENDS)))
    return found


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


def _modules(package: Any) -> list[Any]:
    return [
        importlib.import_module(f"{package.__name__}.{found.name}") for found in pkgutil.iter_modules(package.__path__)
    ]


def _or(names: Collection[str]) -> str:
    """The names in a list: "a, b or c"."""
    *most, last = names
    return message("{names} or {last}", names=", ".join(most), last=last) if most else last
