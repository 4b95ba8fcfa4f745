"""The text form of a game, for .plyscope files and the clipboard. It is TOML.

    plyscope = 5                        the version of the form; 4 without estimates, 3 without further options of a
                                        search, 2 without scores by "soonest", 1 without variations too

    [game]
    rules = "tictactoe"                 as on the command line
    start = ".../.../..."
    moves = "a1 b2"                     those played, up to the position on the board
    undone = "c3"                       moves taken back that can be played again
    lines = ["a1 b2 c3", "a1 b1"]       with variations: every line from the start, the main one first

    [players]
    X = "person"
    O = "computer"

    [computer]
    level = "Casual"
    seed = 59103                        what the level draws its moves by

    [search]
    algorithm = "minimax"
    scoring = "textbook"
    limit.depth = 4                     also limit.nodes, limit.seconds
    order = ["killers"]                 and the other options that differ from their defaults

    [[evaluation]]                      what a search found, one for each position
    position = "x../.../..."
    algorithm = "minimax"
    scoring = "textbook"
    end = "complete"
    value = 0                           of the side to move
    best = "b2"
    nodes = 59_705
    estimate = true                     if it comes from positions at the horizon; before version 5, what has a point

All but the version and the rules may be missing.
"""

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from engine import registry
from engine.job import JobError
from engine.messages import message
from engine.options import validation
from engine.options.catalogue import MAX_INTEGER, OPTIONS, Limit, Options
from engine.options.choices import Scoring
from engine.options.option import LIMITS
from engine.play.levels import STRONGEST, Level, level
from engine.play.variations import Line, Variations
from engine.result import INFINITY, Bound, End, Number, Value
from engine.rules.bits import each
from engine.rules.contract import (
    MAX_SQUARES,
    WIN,
    Game,
    Position,
    at_chance,
    is_over,
    legal,
    play,
    plies_bound,
    traits,
)

PLAIN, WITH_VARIATIONS, WITH_SCORES_FROM_ROOT, WITH_OPTIONS, WITH_ESTIMATES = range(1, 6)
"""Versions of the form. A text has the least version that can represent it, so that older programs can read it."""
MAX_VERSION = 1_000_000
"""A greater number is no version."""
SUFFIX = ".plyscope"
MAX_CHARACTERS = 1_000_000
"""Length limit of a text: a longer one would have thousands of variations or evaluations."""
SAVED = tuple(entry for entry in OPTIONS if entry.option.group.is_saved)
"""The options of a search in a saved game: those that decide what is searched, not where."""
ALWAYS = "algorithm", "scoring"
"""The options that are written even if they have their defaults."""


class SavedError(ValueError):
    """The text is not a game; the message is one sentence for the user."""


class SavedSearch(Options, frozen=True, kw_only=True):
    """The search options for positions of the game; those that are not SAVED have their defaults."""


class SavedEvaluation(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The result of a search of a position."""

    position: str
    algorithm: str
    scoring: Scoring
    end: End
    value: Annotated[int, Meta(ge=-INFINITY, le=INFINITY)] | Annotated[float, Meta(gt=-MAX_SQUARES, lt=MAX_SQUARES)]
    """Of the side to move."""
    nodes: Annotated[int, Meta(ge=0, le=MAX_INTEGER)]
    best: str = ""
    """The name of a move; empty at a chance node."""
    bound: Bound = Bound.EXACT
    """The bound of `value`; not EXACT only if the search was not finished."""
    is_estimate: bool = msgspec.field(default=False, name="estimate")
    """Whether `value` is an estimate, which is less than a win of the game can be."""

    @property
    def found(self) -> Value:
        """The value, of the side to move."""
        return Value(self.value, self.bound, self.is_estimate)


@dataclass(frozen=True)
class SavedGame:
    """The full state of a saved game."""

    game: Game
    start: Position
    moves: Line
    """The current line, including the moves taken back."""
    shown: int
    """The number of these moves that are played."""
    computer: frozenset[int] = frozenset()
    """The players (indices into the game's players) that the computer moves for."""
    level: Level = STRONGEST
    seed: int | None = None
    """The seed of the level's random choices; None: any."""
    search: SavedSearch = field(default_factory=SavedSearch)
    evaluations: tuple[SavedEvaluation, ...] = ()
    variations: Variations = field(default_factory=Variations)
    """All lines, including `moves`; if empty, `moves` is the only line."""


def to_text(saved: SavedGame) -> str:
    """The text that `from_text` reads back."""
    notation = saved.game.notation
    names = [notation.move_name(move) for move in saved.moves]
    lines = saved.variations.lines if len(saved.variations.lines) > 1 else ()
    game = {
        "rules": saved.game.spec,
        "start": notation.format(saved.start),
        "moves": " ".join(names[: saved.shown]),
        "undone": " ".join(names[saved.shown :]),
        "lines": [" ".join(map(notation.move_name, line)) for line in lines],
    }
    players = {
        name: "computer" if player in saved.computer else "person" for player, name in enumerate(notation.players)
    }
    computer = {"level": saved.level.name} | ({} if saved.seed is None else {"seed": saved.seed})
    search = {
        f"{entry.parent}.{entry.key}".lstrip("."): msgspec.to_builtins(entry.value(saved.search))
        for entry in SAVED
        if entry.key in ALWAYS or entry.value(saved.search) != entry.default
    }
    return "\n".join(
        [
            "# A game of Plyscope. Rows from the top, x moves first; a move is the name of its square.",
            f"plyscope = {_version(saved)}",
            *_table("[game]", game),
            *_table("[players]", players),
            *_table("[computer]", computer),
            *_table("[search]", search),
            *(line for known in saved.evaluations for line in _table("[[evaluation]]", msgspec.to_builtins(known))),
            "",
        ]
    )


def _version(saved: SavedGame) -> int:
    """The least version for a game."""
    if any(known.is_estimate or isinstance(known.value, float) for known in saved.evaluations):
        return WITH_ESTIMATES
    if any(entry.option.group.is_expert and entry.value(saved.search) != entry.default for entry in SAVED):
        return WITH_OPTIONS
    if any(known.scoring is Scoring.SOONEST for known in saved.evaluations):
        return WITH_SCORES_FROM_ROOT
    return WITH_VARIATIONS if len(saved.variations.lines) > 1 else PLAIN


def from_text(text: str) -> SavedGame:
    """The game of a text. Raises SavedError, with a sentence, if the text is not a game."""
    if len(text) > MAX_CHARACTERS:
        raise SavedError(message("This is not a Plyscope game: it is too long."))
    try:
        text.encode()  # a lone surrogate could be read, but not written
        tables = tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise SavedError(message("The text of the game is damaged: {why}.", why=_one_line(error))) from error
    version = tables.get("plyscope")
    if type(version) is not int or not 0 < version <= MAX_VERSION:
        raise SavedError(message("This is not a Plyscope game: it does not begin with plyscope = 1."))
    if version > WITH_ESTIMATES:
        raise SavedError(
            message(
                "The game was saved by a newer version of Plyscope (format {form}; this version reads {own}): "
                "update to open it.",
                form=version,
                own=WITH_ESTIMATES,
            )
        )
    match tables:
        case {"search": {"limit": {**limits}}} if strange := limits.keys() - set(Limit.__struct_fields__):
            raise SavedError(
                message("There is no limit {name}: the limits are depth, nodes and seconds.", name=repr(min(strange)))
            )
        case {"search": {**given}} if strange := given.keys() - {entry.parent or entry.key for entry in SAVED}:
            raise SavedError(message("A saved game has no search option {name}.", name=repr(min(strange))))
    try:
        return _checked(msgspec.convert(tables, _Form))
    except msgspec.ValidationError as error:
        raise SavedError(
            message("The text of the game is damaged: {why}.", why=validation.reason(error, _Form, ".".join))
        ) from error
    except JobError as error:
        raise SavedError(str(error)) from error


class _GameTable(Struct, frozen=True, forbid_unknown_fields=True):
    rules: str
    start: str = ""
    moves: str = ""
    undone: str = ""
    lines: tuple[str, ...] = ()


class _ComputerTable(Struct, frozen=True, forbid_unknown_fields=True):
    level: str = STRONGEST.name
    seed: Annotated[int, Meta(ge=0, le=MAX_INTEGER)] | None = None


class _Form(Struct, frozen=True, forbid_unknown_fields=True):
    plyscope: int
    game: _GameTable
    players: dict[str, Literal["person", "computer"]] = {}
    computer: _ComputerTable = _ComputerTable()
    search: SavedSearch = SavedSearch()
    evaluation: tuple[SavedEvaluation, ...] = ()


def _checked(form: _Form) -> SavedGame:
    """The game of a form, after the checks that need its rules. Raises SavedError, with a sentence."""
    game = registry.game(form.game.rules)
    start = _position(game, form.game.start) if form.game.start else game.start
    shown, undone = form.game.moves.split(), form.game.undone.split()
    line = read_line(game, start, [*shown, *undone])
    variations = Variations.of(_lines(game, start, form.game.lines)).added([line])
    if strangers := form.players.keys() - set(game.notation.players):
        first, second = game.notation.players
        raise SavedError(
            message(
                "There is no player {name}: the players are {first} and {second}.",
                name=repr(min(strangers)),
                first=first,
                second=second,
            )
        )
    search = replace(form.search, algorithm=registry.algorithm(form.search.algorithm).name)
    check_search(search)
    return SavedGame(
        game,
        start,
        variations.line_through(line),
        len(shown),
        frozenset(p for p, name in enumerate(game.notation.players) if form.players.get(name) == "computer"),
        level(form.computer.level),
        form.computer.seed,
        search,
        tuple(_evaluation(game, known, form.plyscope) for known in form.evaluation),
        variations,
    )


def _evaluation(game: Game, known: SavedEvaluation, version: int) -> SavedEvaluation:
    """An evaluation of a file of a version, in the present one. Raises SavedError, with a sentence, if the game has no
    such value or move."""
    position, value = _position(game, known.position), known.value
    most = traits(position).utility
    is_estimate = known.is_estimate or (version < WITH_ESTIMATES and isinstance(value, float))
    if is_estimate and abs(value) >= most:
        raise SavedError(message("{value} is no estimate: it must be less than {most}.", value=value, most=most))
    if known.best not in ([""] if at_chance(position) else _moves(game, position)):
        raise SavedError(
            message(
                "The move {move} cannot be played in {position}.",
                move=repr(known.best),
                position=repr(known.position),
            )
        )
    if known.scoring is Scoring.SOONEST and version < WITH_SCORES_FROM_ROOT:
        value = _counted_from_root(value, position)
    name = registry.algorithm(known.algorithm).name
    return replace(known, algorithm=name, value=value, is_estimate=is_estimate)


def _counted_from_root(value: Number, position: Position) -> Number:
    """The score, counted from the root, of an older score by "soonest": that was 1 plus the plies left at the end."""
    if abs(value) < 1:
        return value
    farther = WIN - 1 - plies_bound(position)
    return value + farther if value > 0 else value - farther


def check_search(search: Options) -> None:
    """Raise SavedError for a limit that the window's fields do not have, and for an evaluation of no game."""
    for entry in SAVED:
        limit, (_, most) = entry.value(search), entry.range
        if entry.option.group is LIMITS and limit is not None and limit > most:
            raise SavedError(message("The limit {name} must be at most {most}.", name=entry.key, most=f"{most:,}"))
    names = {one.name: one for spec in registry.examples() for one in registry.game(spec).evaluations}
    if search.evaluation and registry.find(search.evaluation, names) is None:
        raise SavedError(
            message(
                "There is no evaluation {name}: {advice}",
                name=repr(search.evaluation),
                advice=registry.advice(search.evaluation, names),
            )
        )


def _lines(game: Game, start: Position, texts: Iterable[str]) -> Iterator[Line]:
    for number, text in enumerate(texts, 1):
        try:
            yield read_line(game, start, text.split())
        except SavedError as error:
            raise SavedError(message("Line {number}: {why}", number=number, why=error)) from error


def read_line(game: Game, position: Position, names: Iterable[str], first: int = 1) -> Line:
    """The moves with these names, in small letters or large, from a position on. Raises SavedError, with a sentence, if
    one is illegal; `first` is the number of the first of them in the game."""
    line = []
    for number, name in enumerate(names, first):
        moves = _moves(game, position)
        moves = {written.lower(): move for written, move in moves.items()} | moves
        move = moves.get(name, moves.get(name.lower()))
        if move is None:
            raise SavedError(
                message("Move {number} of the game, {move}, cannot be played.", number=number, move=repr(name))
            )
        line.append(move)
        position = play(position, move)
    return tuple(line)


def _moves(game: Game, position: Position) -> dict[str, int]:
    """The legal moves by their names."""
    if is_over(position):
        return {}
    return {game.notation.move_name(move): move for move in each(legal(position))}


def _position(game: Game, text: str) -> Position:
    try:
        return game.notation.parse(text)
    except ValueError as error:
        raise SavedError(str(error)) from error


def _table(name: str, fields: Mapping[str, object]) -> list[str]:
    """The lines of a TOML table. Values are written as in JSON, a list over several lines; empty ones are left out."""
    return [
        "",
        name,
        *(f"{key} = {_json(value)}" for key, value in fields.items() if value not in ("", [])),
    ]


def _json(value: object) -> str:
    """The JSON text of a value, with the one further character escaped that TOML requires."""
    indent = 4 if isinstance(value, list) else None
    return json.dumps(value, ensure_ascii=False, indent=indent).replace("\x7f", r"\u007f")


def _one_line(error: Exception) -> str:
    match error:
        case tomllib.TOMLDecodeError():
            return " ".join(str(error).split())[:200]
        case UnicodeEncodeError():
            return message("it holds half a character")
        case RecursionError():
            return message("it is nested too deeply")
    return message("it holds a number that is too long")
