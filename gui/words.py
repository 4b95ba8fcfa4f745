"""A search in words: its algorithm, how it ran, what a value is worth, and for whom."""

from engine import registry
from engine.game import Game, Position, remaining
from engine.job import End, Job, Result, Scoring

SCORINGS = {Scoring.TEXTBOOK: "+1 / 0 / −1", Scoring.SOONEST: "sooner is better"}


def algorithm(name: str) -> str:
    """The title of an algorithm, as it stands inside a sentence: "alpha-beta"."""
    return registry.algorithm(name).title.lower()


def mode(job: Job) -> str:
    """How a job runs: "serial", "2 threads · dynamic", and "· split 2" where its tasks lie deeper than the root."""
    if job.backend == "serial":
        return "serial"
    unit = {"threads": "thread", "mpi": "rank"}.get(job.backend, job.backend)
    count = f"{job.workers} {unit}{'' if job.workers == 1 else 's'}"
    words = [f"{count} × {job.threads} threads" if job.threads > 1 else count, job.schedule.value]
    return " · ".join([*words, f"split {job.split}"])


def layer(result: Result) -> str:
    """On what a search on threads ran: "omp layer", "tbb layer" or "workqueue layer" of numba's; empty for others."""
    if result.job.backend != "threads":
        return ""
    from engine.backends import threads  # here, because it imports numba, as the search has done by now

    return f"{threads.layer()} layer"


def unfinished(result: Result) -> str:
    """Why a search is not that of the whole tree, in a word or two; empty where it is."""
    match result.end:
        case End.COMPLETE:
            return ""
        case End.HORIZON:
            return f"depth {result.job.limit.depth}"
        case End.STOPPED:
            return "stopped"
        case End.FAILED:
            return "broken off"
        case End.NODES | End.SECONDS:
            return "out of nodes" if result.end is End.NODES else "out of time"


def verdict(game: Game, position: Position, value: int, scoring: Scoring) -> str:
    """What a value of the side to move says about the game: "draw", "X wins", "X wins in 5" (plies)."""
    if value == 0:
        return "draw"
    mover = game.notation.mover(position)
    winner = game.notation.players[mover if value > 0 else 1 - mover]
    if scoring is Scoring.TEXTBOOK:
        return f"{winner} wins"
    return f"{winner} wins in {remaining(position) - (abs(value) - 1)}"
