"""The playing strength of the computer: levels from one that a child beats to the strongest, which is perfect if the
whole tree can be searched.

A level has a depth in plies, and a chance to choose a mistake on purpose, of a limited size. Its move depends only on
the game's seed and the position: after a move is taken back and played again, the answer is the same. Its searches are
therefore limited by nodes, never by time.

    asked ──▶ question ──▶ a search, by whatever backend ──▶ answer ──▶ Choice
"""

from random import Random

from msgspec import Struct
from msgspec.structs import replace

from engine import registry
from engine.job import Job, JobError, on_same_tree
from engine.measure.tree_size import expected_seconds
from engine.messages import message
from engine.options.catalogue import Limit
from engine.play import recommended
from engine.play.move_values import Solve, value_of
from engine.play.recommended import WHOLE_TREE
from engine.result import FINISHED, Number, Result, RootMove, Value
from engine.rules.bits import count, each
from engine.rules.contract import MAX_PLIES, is_decisive, legal, move_promise, plies_bound, traits

AHEAD = 0.5
"""The expected seconds up to which a tree with a horizon is searched whole. Each of its nodes takes longer than in a
search to the end of the game, by which the estimate goes."""

LEAST_COST = 0.1
"""The least cost of a mistake in a game with chance nodes, in wins on average."""


class Level(Struct, frozen=True):
    """One playing strength."""

    name: str
    likeness: str
    """The kind of player that it resembles: "a casual player"."""
    depth: int | None = None
    """Search depth in plies; None: as deep as possible."""
    chance: float = 0.0
    """The probability of choosing a mistake if there is one, 0 to 1."""
    size: int = 0
    """The greatest cost of a mistake: 1, a draw instead of a win or a loss instead of a draw; 2, also a loss instead of
    a win. In a game with chance nodes it is a cost on average."""


LEVELS = {
    level.name: level
    for level in (
        Level("Beginner", message("a beginner"), depth=1, chance=0.5, size=2),
        Level("Casual", message("a casual player"), depth=2, chance=0.3, size=2),
        Level("Club", message("a club player"), depth=4, chance=0.15, size=1),
        Level("Strong", message("a strong player"), depth=6, chance=0.05, size=1),
        Level("Strongest", message("the strongest player")),
    )
}
STRONGEST = LEVELS["Strongest"]
FORMER_NAMES = {"Perfect": STRONGEST}
"""Former names of levels, in older saved games."""


class Choice(Struct, frozen=True):
    """The move that a level plays."""

    level: Level
    move: int
    best: int | None = None
    """A better move, if the move is a mistake on purpose."""
    proven: bool = True
    """Whether the whole tree was searched, without a horizon."""
    value: Value | None = None
    """The value of the move for the side that plays it, in the scoring of the search that chose it; None if unknown."""


def level(name: str) -> Level:
    """The level of that name, in any spelling that `engine.registry.plain` accepts. Raises JobError, with a sentence,
    if there is none."""
    found = registry.find(name, LEVELS | FORMER_NAMES)
    if found is None:
        raise JobError(
            message("There is no level {name}: {advice}", name=repr(name), advice=registry.advice(name, LEVELS))
        )
    return found


def question(level: Level, asked: Job) -> Job:
    """The search for a level's move, to the level's depth. If the tree is small enough, it is the search `asked`,
    without its limits and with the game's default evaluation: every algorithm finds the same values. Otherwise it is
    the recommended search with the scoring of `asked`."""
    depth = level.depth if level.depth is not None and level.depth < _plies(asked) else None
    job = replace(asked, limit=Limit(depth), evaluate=True, evaluation="")
    if expected_seconds(job) <= (WHOLE_TREE if depth is None else AHEAD):
        return job
    best = recommended.recommended(asked.game, asked.position)
    return replace(best, scoring=asked.scoring, record=asked.record, limit=Limit(depth, best.limit.nodes))


def sees_all(job: Job) -> bool:
    """Whether a level's search covers the whole tree, so that it plays perfectly apart from mistakes on purpose."""
    return _reaches_the_end(job) and job.limit.nodes is None and job.limit.seconds is None


def _reaches_the_end(job: Job) -> bool:
    """Whether no position of a job's tree is at a horizon, whatever the search prunes."""
    return (job.limit.depth or MAX_PLIES) >= min(MAX_PLIES, _plies(job))


def _plies(job: Job) -> int:
    """The upper bound on the plies left in the position of a job."""
    return plies_bound(registry.root_of(job)[1])


def dice(seed: int, job: Job) -> Random:
    """The random generator of a level in the position of a job: the same for the same seed and position."""
    return Random(f"{seed} {job.game} {job.position}")


def answer(level: Level, result: Result, seed: int, solve: Solve) -> Choice | None:
    """The move of a level after a search of its `question`; None if a further search was stopped.

    Among winning moves it plays one that wins soonest, among losing moves one that loses latest, with either scoring.
    """
    best, job = result.info.best, result.job
    if best is None:
        raise ValueError(message("The search has found no move."))
    is_finished = result.end in FINISHED
    if level.chance and is_finished:
        searched = exact(result, solve)
        return None if searched is None else choose(level, searched, dice(seed, job))
    found = result.info.value
    value = found if found is not None and found.is_exact else None
    chosen = Choice(level, best, proven=result.complete, value=value)
    if job.scoring is registry.soonest(job.game) or not is_finished or found is None or not sign(found.number):
        return chosen
    # A deepening search tries the best move of the last iteration first, and no move is better than a winning one: its
    # move already wins soonest.
    soonest = None if job.deepen else solve(_sooner(job))
    if soonest is None:
        return chosen if job.deepen else None
    best, sooner = soonest.info.best, soonest.info.value
    if best is None or sooner is None or sign(sooner.number) != sign(found.number):
        return replace(chosen, value=None)
    return replace(chosen, move=best, value=sooner)


def _sooner(job: Job) -> Job:
    """A search of the same position with the scoring SOONEST, in this process, limited to a second or two."""
    plain = Job(
        game=job.game,
        position=job.position,
        algorithm="alphabeta",
        scoring=registry.soonest(job.game),
    )
    return question(replace(STRONGEST, depth=job.limit.depth), plain)


def exact(result: Result, solve: Solve) -> Result | None:
    """A finished search with the exact value of every root move, in the scoring of `engine.registry.soonest`. Unless
    `result` already is one, each move is searched separately to the same depth. None if these were stopped."""
    job, depth = result.job, result.job.limit.depth
    game, root = registry.root_of(job)
    looked = min(depth or plies_bound(root), plies_bound(root))
    has_all = len(result.root_moves) == count(legal(root)) and all(
        found.value.is_exact and found.depth == result.info.value_depth for found in result.root_moves
    )
    if has_all and job.scoring is registry.soonest(job.game):
        return result
    moves = []
    for move in each(legal(root)):
        found = value_of(on_same_tree(job, algorithm=registry.suited("alphabeta", game)), move, depth, solve)
        if found is None:
            return None
        moves.append(RootMove(move, found.value, looked))
    return replace(result, job=replace(job, scoring=registry.soonest(job.game)), root_moves=tuple(moves))


def choose(level: Level, result: Result, dice: Random) -> Choice:
    """The move that a level plays after a search with exact root moves: one of the best, or a mistake with the level's
    chance. Among best moves whose equal values may come from the horizon, it takes the most promising.

    Every algorithm and every timing of threads leads to the same move: whether a search met its horizon depends on what
    it pruned, so that this is not asked here.
    """
    best, proven = result.info.best, result.complete and _reaches_the_end(result.job)
    if best is None:
        raise ValueError(message("The search found no move."))
    if any(not found.value.is_exact for found in result.root_moves):
        raise ValueError(message("A level chooses by exact values only."))
    _, position = registry.root_of(result.job)
    values = {found.move: found.value for found in result.root_moves}
    most = max(value.number for value in values.values())
    if traits(position).chance:
        costs = {move: most - value.number for move, value in values.items()}
        least = LEAST_COST
    else:
        outcomes = {
            move: sign(value.number) if proven or is_decisive(position, value.number) else 0
            for move, value in values.items()
        }
        costs, least = {move: max(outcomes.values()) - outcome for move, outcome in outcomes.items()}, 1
    equal = [move for move in values if values[move].number == most]
    best = best if best in equal else min(equal)
    if level.chance and dice.random() < level.chance:
        mistakes = [move for move in values if least <= costs[move] <= level.size]
        if mistakes:
            move = dice.choice(mistakes)
            return Choice(level, move, best, proven, values[move])
    if not proven and not is_decisive(position, most):
        promise = {move: move_promise(position, move) for move in equal}
        equal = [move for move in equal if promise[move] == max(promise.values())]
    return Choice(level, dice.choice(equal), None, proven, values[best])


def sign(number: Number) -> int:
    """+1 for a win, -1 for a loss, 0 for a draw or an estimate."""
    return (number >= 1) - (number <= -1)
