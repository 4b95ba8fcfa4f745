"""How well the computer plays: levels from one that a child beats to the strongest, which is perfect where the whole
tree can be searched.

A level looks so many plies ahead, and now and then it chooses a mistake on purpose, no larger than it says. What it
plays follows from the game's seed and the position alone: a move taken back and played again is answered as before. So
its searches are limited by nodes and never by time.

    asked ──▶ question ──▶ a search, by whatever backend ──▶ answer ──▶ Choice
"""

from random import Random

from msgspec import Struct
from msgspec.structs import replace

from engine import registry
from engine.job import Job, JobError, Limit
from engine.measure.tree_size import expected_nodes
from engine.messages import message
from engine.play import recommended
from engine.play.move_values import Solve, is_decisive, value_of
from engine.play.recommended import WHOLE_TREE
from engine.result import Bound, End, Result, RootMove, Value
from engine.rules.bits import count, each
from engine.rules.contract import MAX_PLIES, legal, move_promise, plies_bound

AHEAD = 100_000_000
"""A tree with a horizon of so many nodes is searched for a move: it takes longer at each node than a whole one."""


class Level(Struct, frozen=True):
    """A way to play."""

    name: str
    likeness: str
    """Whom it plays like: "a casual player"."""
    depth: int | None = None
    """How many plies it looks ahead; None: as far as it can."""
    chance: float = 0.0
    """How often it chooses a mistake where there is one to choose, 0 to 1."""
    size: int = 0
    """What a mistake may cost: 1, a win for a draw or a draw for a loss; 2, also a win for a loss."""


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
"""What saved games may call a level."""


class Choice(Struct, frozen=True):
    """What a level plays."""

    level: Level
    move: int
    best: int | None = None
    """A better move, where a mistake was chosen on purpose."""
    proven: bool = True
    """Whether the whole tree was seen, and not only what lies before the horizon."""
    value: Value | None = None
    """What the move is worth to the side that plays it, by the scoring of the search that chose it; None where that is
    not known."""


def level(name: str) -> Level:
    """The level of that name, however it is written. Raises JobError, with a sentence, if there is none."""
    found = registry.find(name, LEVELS | FORMER_NAMES)
    if found is None:
        raise JobError(
            message("There is no level {name}: {advice}", name=repr(name), advice=registry.advice(name, LEVELS))
        )
    return found


def question(level: Level, asked: Job) -> Job:
    """The search for a level's move, as deep as the level looks. Where the tree is small enough, it is the search that
    is asked for, without its limits, and with the game's own estimate: whatever search it is, it finds the same values.
    Else it is the recommended one, with the scoring that is asked for."""
    depth = level.depth if level.depth is not None and level.depth < _plies(asked) else None
    job = replace(asked, limit=Limit(depth), evaluate=True, evaluation="")
    if expected_nodes(job) <= (WHOLE_TREE if depth is None else AHEAD):
        return job
    best = recommended.recommended(asked.game, asked.position)
    return replace(best, scoring=asked.scoring, record=asked.record, limit=Limit(depth, best.limit.nodes))


def sees_all(job: Job) -> bool:
    """Whether a level's search is meant to see the whole tree, so that without a mistake it plays perfectly."""
    limit = job.limit
    return (limit.depth or MAX_PLIES) >= min(MAX_PLIES, _plies(job)) and limit.nodes is None and limit.seconds is None


def _plies(job: Job) -> int:
    """How many are left in the position of a job."""
    return plies_bound(registry.game(job.game).notation.parse(job.position))


def dice(seed: int, job: Job) -> Random:
    """What a level draws by in the position of a job: the same whenever the game comes there."""
    return Random(f"{seed} {job.game} {job.position}")


def answer(level: Level, result: Result, seed: int, solve: Solve) -> Choice | None:
    """What a level plays after a search for its question; None where it was told to stop.

    Of won moves it plays one that wins soonest, of lost ones one that holds out longest, whatever the scoring of the
    search says of them: so that it does not play about.
    """
    best, job = result.info.best, result.job
    if best is None:
        raise ValueError(message("The search has found no move."))
    is_finished = result.end in (End.COMPLETE, End.HORIZON)
    if level.chance and is_finished:
        searched = exact(result, solve)
        return None if searched is None else choose(level, searched, dice(seed, job))
    value = result.info.value if result.info.bound is Bound.EXACT else None
    chosen = Choice(level, best, proven=result.complete, value=value)
    if job.scoring is registry.soonest(job.game) or not is_finished or not sign(result.info.value):
        return chosen
    # A deepening search tries the best move of the last iteration first, and no other is better than one that wins: so
    # its move is the soonest already.
    soonest = None if job.deepen else solve(_sooner(job))
    if soonest is None:
        return chosen if job.deepen else None
    if soonest.info.best is None or sign(soonest.info.value) != sign(result.info.value):
        return replace(chosen, value=None)
    return replace(chosen, move=soonest.info.best, value=soonest.info.value)


def _sooner(job: Job) -> Job:
    """The same position searched again to tell won moves apart, and lost ones: by ourselves, within a second or two."""
    plain = Job(
        game=job.game,
        position=job.position,
        algorithm="alphabeta",
        scoring=registry.soonest(job.game),
    )
    return question(replace(STRONGEST, depth=job.limit.depth), plain)


def exact(result: Result, solve: Solve) -> Result | None:
    """A finished search with the exact value of every root move, sooner being better: unless it has found just that,
    each move is searched by itself then, to the same depth. None where that was told to stop."""
    job, depth = result.job, result.job.limit.depth
    game = registry.game(job.game)
    root = game.notation.parse(job.position)
    looked = min(depth or plies_bound(root), plies_bound(root))
    has_all = len(result.root_moves) == count(legal(root)) and all(
        found.bound is Bound.EXACT and found.depth == result.info.value_depth for found in result.root_moves
    )
    if has_all and job.scoring is registry.soonest(job.game):
        return result
    moves = []
    for move in each(legal(root)):
        found = value_of(
            Job(game=job.game, position=job.position, evaluate=job.evaluate, evaluation=job.evaluation),
            move,
            depth,
            solve,
        )
        if found is None:
            return None
        moves.append(RootMove(move, found.value, Bound.EXACT, looked))
    return replace(result, job=replace(job, scoring=registry.soonest(job.game)), root_moves=tuple(moves))


def choose(level: Level, result: Result, dice: Random) -> Choice:
    """The move that a level plays after a search with exact root moves: one of the best, or now and then a mistake. Of
    moves that only the horizon makes equal it takes the most promising."""
    best, proven = result.info.best, result.complete
    if best is None:
        raise ValueError(message("The search found no move."))
    if any(found.bound is not Bound.EXACT for found in result.root_moves):
        raise ValueError(message("A level chooses by exact values only."))
    position = registry.game(result.job.game).notation.parse(result.job.position)
    values = {found.move: found.value for found in result.root_moves}
    outcomes = {move: sign(value) if proven or is_decisive(position, value) else 0 for move, value in values.items()}
    most = max(values.values())
    best = best if values[best] == most else min(move for move in values if values[move] == most)
    if level.chance and dice.random() < level.chance:
        mistakes = [move for move in values if 1 <= max(outcomes.values()) - outcomes[move] <= level.size]
        if mistakes:
            move = dice.choice(mistakes)
            return Choice(level, move, best, proven, values[move])
    equal = [move for move in values if values[move] == most]
    if not proven:
        promise = {move: move_promise(position, move) for move in equal}
        equal = [move for move in equal if promise[move] == max(promise.values())]
    return Choice(level, dice.choice(equal), None, proven, most)


def sign(value: Value | None) -> int:
    """+1 a win, 0 a draw, or undecided, or unknown, -1 a loss."""
    return 0 if value is None else (value >= 1) - (value <= -1)
