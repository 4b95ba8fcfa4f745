"""How well the computer plays: levels from one that a child beats to perfect play.

A level looks so many plies ahead, and now and then it chooses a mistake on purpose, no larger than it says. What it
plays follows from the game's seed and the position alone: a move taken back and played again is answered as before.
"""

import math
from collections.abc import Callable
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from engine import registry
from engine.bits import count, each
from engine.game import ONGOING, Position, legal, outcome, play, remaining
from engine.job import Job, JobError, Limit
from engine.result import Bound, End, Result, RootMove, Value
from engine.said import said

NODES = 1_000_000_000
"""What a search for a move may visit where the whole tree is too large: an answer within seconds."""
PRUNED = 0.65
"""Alpha-beta visits about the number of paths to this power: 0.53 to 0.78 on boards of 3 x 3 to 8 x 8."""

Solve = Callable[[Job], Result | None]
"""Runs a job; None where it was told to stop."""


class Level(Struct, frozen=True):
    """A way to play."""

    name: str
    likeness: str
    """Whom it plays like: "a casual player"."""
    depth: int | None = None
    """How many plies it looks ahead; None: to the end of the game."""
    chance: float = 0.0
    """How often it chooses a mistake where there is one to choose, 0 to 1."""
    size: int = 0
    """What a mistake may cost: 1, a win for a draw or a draw for a loss; 2, also a win for a loss."""


LEVELS = {
    level.name: level
    for level in (
        Level("Beginner", said("a beginner"), depth=1, chance=0.5, size=2),
        Level("Casual", said("a casual player"), depth=2, chance=0.3, size=2),
        Level("Club", said("a club player"), depth=4, chance=0.15, size=1),
        Level("Strong", said("a strong player"), depth=6, chance=0.05, size=1),
        Level("Perfect", said("a perfect player")),
    )
}
PERFECT = LEVELS["Perfect"]


class Choice(Struct, frozen=True):
    """What a level plays."""

    level: Level
    move: int
    best: int | None = None
    """The best move, where another was chosen on purpose."""
    proven: bool = True
    """Whether the whole tree was seen, and not only what lies before the horizon."""


def level(name: str) -> Level:
    """The level of that name, however it is written. Raises JobError, with a sentence, if there is none."""
    found = registry.find(name, LEVELS)
    if found is None:
        raise JobError(
            said("There is no level {name}: {advice}", name=repr(name), advice=registry.advice(name, LEVELS))
        )
    return found


def within(level: Level, position: Position, algorithm: str, own: Limit = Limit()) -> Limit:
    """The limit of a search for a move: `own`, what the level sees, and what can be answered within seconds."""
    plies = remaining(position)
    growth = PRUNED if registry.algorithm(algorithm).prunes else 1.0
    depth = min(plies, level.depth or plies, own.depth or plies)
    while depth > 1 and math.perm(plies, depth) ** growth > NODES / 2:
        depth -= 1
    return own if depth == plies else Limit(depth, min(own.nodes or NODES, NODES), own.seconds)


def dice(seed: int, job: Job) -> Random:
    """What a level draws by in the position of a job: the same whenever the game comes there."""
    return Random(f"{seed} {job.game} {job.position}")


def exact(result: Result, solve: Solve) -> Result | None:
    """A finished search with the exact value of every root move: alpha-beta leaves bounds, so it searches below each
    move by itself then, to the same depth. None where that was told to stop."""
    job, depth = result.job, result.job.limit.depth
    game = registry.game(job.game)
    root = game.notation.parse(job.position)
    if len(result.root_moves) == count(legal(root)) and all(found.bound is Bound.EXACT for found in result.root_moves):
        return result
    moves = []
    for move in each(legal(root)):
        child, value = play(root, move), 0
        if depth != 1 or outcome(child) != ONGOING:
            below = solve(
                Job(
                    game=job.game,
                    position=game.notation.format(child),
                    algorithm="alphabeta",
                    scoring=job.scoring,
                    limit=Limit(depth and max(1, depth - 1)),
                    evaluate=job.evaluate,
                )
            )
            if below is None or below.info.value is None:
                return None
            value = -below.info.value
        moves.append(RootMove(move, value, Bound.EXACT))
    return replace(result, root_moves=tuple(moves))


def choose(level: Level, result: Result, dice: Random) -> Choice:
    """The move that a level plays after a search with exact root moves. A search that a limit ended, or somebody,
    leaves nothing to choose from: then it is the best that was found."""
    best, proven = result.info.best, result.complete
    if best is None:
        raise ValueError(said("The search found no move."))
    if not level.chance or result.end not in (End.COMPLETE, End.HORIZON):
        return Choice(level, best, proven=proven)
    if any(found.bound is not Bound.EXACT for found in result.root_moves):
        raise ValueError(said("A level chooses by exact values only."))
    values = {found.move: found.value for found in result.root_moves}
    if dice.random() < level.chance:
        mistakes = [move for move in values if 1 <= sign(values[best]) - sign(values[move]) <= level.size]
        if mistakes:
            return Choice(level, dice.choice(mistakes), best, proven)
    return Choice(level, dice.choice([move for move in values if values[move] == values[best]]), proven=proven)


def sign(value: Value) -> int:
    """+1 a win, 0 a draw (or undecided), -1 a loss."""
    return (value > 0) - (value < 0)
