"""Prepares a job for its backend: resolves its names, and checks that game, position and options fit together."""

from typing import Any, NamedTuple

from msgspec.structs import replace

from engine.job import Job, JobError, checked
from engine.kernels.contract import Algorithm
from engine.messages import message
from engine.options.catalogue import MAX_WORKERS, OPTIONS
from engine.options.choices import Fail, Order, Parallel, Scoring
from engine.registry import PARALLEL, algorithm, backend, evaluation, game, soonest, suited
from engine.rules.contract import (
    CHANCE_UNIT,
    MAX_PLIES,
    UNIT,
    WIN,
    Game,
    Position,
    plies_bound,
    traits,
)
from engine.rules.random_games import most_positions, nodes_by_ply

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
    """The value +1 in the kernels' units: more than 1 if estimates or averages are fractions of it."""

    def to(self, depth: int) -> "Prepared":
        """The same job with a smaller depth."""
        search = self.search
        win = search.win + search.sooner * (search.horizon - depth)
        return self._replace(search=search._replace(win=win, horizon=depth))

    @property
    def has_estimates(self) -> bool:
        """Whether a value may come from the horizon, where it is an estimate or 0."""
        return self.search.horizon < plies_bound(self.position)

    @property
    def is_single(self) -> bool:
        """Whether the root is searched only once."""
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


def prepare(job: Job) -> Prepared:
    """Resolve the names of a job and check it. Raises JobError, with a sentence for the user, if it cannot run."""
    chosen_game, chosen = game(job.game), algorithm(job.algorithm)
    job = replace(checked(job), game=chosen_game.spec, algorithm=chosen.name, backend=backend(job.backend))
    _check_workers(job)
    try:
        position = chosen_game.notation.parse(job.position)
    except ValueError as error:
        raise JobError(str(error)) from error
    _check_options(job, chosen)
    left = plies_bound(position)
    horizon = min(job.limit.depth or left, left, MAX_PLIES)
    _check_tasks(job, position, min(split_of(job), horizon))
    _check_values(job, chosen_game, chosen)
    known = traits(position)
    which = evaluation(chosen_game, job.evaluation)
    is_limited = horizon < left or job.deepen
    unit = UNIT if is_limited and job.evaluate else 1
    if known.chance:
        unit = CHANCE_UNIT // known.utility
    sooner = unit if job.scoring is Scoring.SOONEST else 0
    search = chosen.options(
        win=unit * (WIN - horizon) if sooner else unit,
        sooner=sooner,
        horizon=horizon,
        limited=(which if job.evaluate else -1) if is_limited else None,
        hard=1 if job.fail is Fail.HARD and chosen.prunes else None,  # minimax has no window
    )
    prepared = Prepared(job, chosen_game, position, chosen, search, unit)
    _check_true_values(prepared)
    return prepared


def _check_workers(job: Job) -> None:
    """Raise JobError if a job has too many workers."""
    if job.workers * job.threads > MAX_WORKERS:
        raise JobError(
            message(
                "{ranks} ranks of {threads} threads are more than {most}: choose fewer.",
                ranks=f"{job.workers:,}",
                threads=f"{job.threads:,}",
                most=f"{MAX_WORKERS:,}",
            )
        )


def _check_options(job: Job, chosen: Algorithm) -> None:
    """Raise JobError if an option of a job is refused."""
    for entry in OPTIONS:
        if why := entry.option.refused(job, chosen):
            raise JobError(why)


def split_of(job: Job) -> int:
    """The depth of the tasks of a job with several workers, in plies below the root."""
    return 1 if job.parallel is Parallel.ROOT else job.split


def _check_tasks(job: Job, position: Position, plies: int) -> None:
    """Raise JobError if a split after so many plies makes too many tasks."""
    may_be_many = job.backend in PARALLEL and traits(position).widest ** plies > MAX_TASKS
    if may_be_many and max(nodes_by_ply(position)[: plies + 1]) > MAX_TASKS:
        raise JobError(
            message(
                "A split depth of {plies} plies makes more than {most} tasks: choose a smaller one.",
                plies=plies,
                most=f"{MAX_TASKS:,}",
            )
        )


def _check_values(job: Job, chosen_game: Game, chosen: Algorithm) -> None:
    """Raise JobError if an algorithm cannot compute a game's values, or the game does not have the job's scoring."""
    known = traits(chosen_game.start)
    if known.chance and not chosen.averages:
        raise JobError(
            message(
                "{algorithm} takes no averages, which the chance nodes of {game} need: choose {other}.",
                algorithm=message(chosen.title),
                game=chosen_game.title,
                other=message(algorithm(suited(chosen.name, chosen_game)).title),
            )
        )
    if job.scoring is Scoring.SOONEST and soonest(chosen_game.spec) is not Scoring.SOONEST:
        why = message("are averages over chance") if known.chance else message("count by how much one wins")
        raise JobError(
            message(
                "The values of {game} {why}, so sooner is not better: choose the textbook's scores.",
                game=chosen_game.title,
                why=why,
            )
        )


def _check_true_values(prepared: Prepared) -> None:
    """Raise JobError if a job's move order needs the values of too many positions."""
    position, known = prepared.position, traits(prepared.position)
    if prepared.needs_true_values and _positions(position, prepared.search.horizon) > MAX_TRUE_VALUES:
        more = message("more than {most}", most=f"{MAX_TRUE_VALUES:,}")
        raise JobError(
            message(
                "That order needs the true value of each position, {more}: choose a lower depth limit, or a position "
                "with fewer empty squares.",
                more=more if known.free_placement else message("by an estimate {more}", more=more),
            )
        )


def _positions(position: Position, plies: int) -> float:
    """An upper bound on the interior nodes of a search of so many plies; without free placement an estimate."""
    if not traits(position).free_placement:
        return sum(nodes_by_ply(position)[:plies])
    return sum(most_positions(plies_bound(position), ply) for ply in range(plies))
