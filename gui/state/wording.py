"""A search in words: its algorithm, its settings, and what a value means and for whom."""

from engine import backends, registry
from engine.job import Job
from engine.options.choices import SCORINGS, Parallel, Scoring
from engine.play.levels import Choice, Level, sees_all, sign
from engine.result import Bound, End, Number, Result, Snapshot, Value
from engine.rules.contract import (
    Game,
    Position,
    at_chance,
    is_decisive,
    is_over,
    plies_to_end,
    traits,
    utility,
    winner,
)
from engine.text import describe
from engine.text.numbers import bounded, precise, signed, thousands
from gui.i18n.language import localized, mark, tr

OVER = mark("The game is over: start a new one, or undo a move, to search a position.")


def algorithm(name: str) -> str:
    """The title of an algorithm inside a sentence: "alpha-beta", but "PVS"."""
    return _inside(tr(registry.algorithm(name).title))


def search(job: Job) -> str:
    """The algorithm and its options, short: "PVS · deepening · table 16 MiB · killers"."""
    title = registry.algorithm(job.algorithm).title
    return _inside(" · ".join([tr(title), *(localized(phrase.short) for phrase in describe.options(job))]))


def search_and_mode(job: Job) -> str:
    """The search, its depth limit and its backend: "alpha-beta · depth 4 · serial"."""
    depth = "" if job.limit.depth is None else tr("depth {plies}", plies=job.limit.depth)
    return " · ".join(filter(None, [search(job), depth, mode(job)]))


def searched(game: Game, job: Job) -> str:
    """The game, the position and the search: the title of a picture."""
    return " · ".join(filter(None, [localized(game.title), job.position, search_and_mode(job)]))


def search_in_full(job: Job) -> str:
    """The algorithm and its options in full, one a line."""
    return "\n".join(
        [tr(registry.algorithm(job.algorithm).title), *(localized(phrase.full) for phrase in describe.options(job))]
    )


def scores(job: Job) -> str:
    """The values of finished games: "+1 / 0 / −1", "the margin"."""
    if traits(registry.game(job.game).start).utility > 1:
        return tr("the margin")
    return localized(SCORINGS[job.scoring].text)


def mode(job: Job) -> str:
    """The backend of a job: "serial", "interpreted", "2 threads · dynamic", and "· split 2" where its tasks lie deeper
    than the root."""
    if job.backend not in registry.PARALLEL:
        return tr("serial") if job.backend == "serial" else tr("interpreted")
    many = tr("%n rank(s)", "", job.workers) if job.backend == "mpi" else tr("%n thread(s)", "", job.workers)
    words = [tr("{ranks} × %n thread(s)", "", job.threads, ranks=many) if job.threads > 1 else many]
    match job.parallel:
        case Parallel.LAZY:
            words += [tr("lazy")]
        case Parallel.ROOT:
            words += [tr(job.schedule.value), tr("root")]
        case Parallel.SPLIT:
            words += [tr(job.schedule.value), tr("split {plies}", plies=job.split)]
        case Parallel.YBW:
            words += [tr(job.schedule.value), tr("split {plies}", plies=job.split), tr("young brothers wait")]
    return " · ".join(words)


def worker_name(job: Job, worker: int) -> str:
    """A worker of a search, counted from 0: "worker 1"; or its rank, and the thread of several: "rank 0, thread 1"."""
    if job.backend != "mpi":
        return tr("worker {number}", number=worker + 1)
    rank, thread = divmod(worker, job.threads)
    if job.threads > 1:
        return tr("rank {rank}, thread {thread}", rank=rank, thread=thread + 1)
    return tr("rank {rank}", rank=rank)


def worker_number(job: Job, worker: int) -> str:
    """The number in `worker_name`: "1", "0"; "0.1" of a rank's thread."""
    if job.backend != "mpi":
        return str(worker + 1)
    rank, thread = divmod(worker, job.threads)
    return f"{rank}.{thread + 1}" if job.threads > 1 else str(rank)


def layer(result: Result) -> str:
    """The numba threading layer of a search on threads: "omp layer", "tbb layer" or "workqueue layer"; empty for
    others."""
    if result.job.backend != "threads":
        return ""
    threads = backends.load("threads")  # the search has loaded it
    return tr("{name} layer", name=threads.layer())


REASONS = {
    End.HORIZON: mark("depth limit"),
    End.STOPPED: mark("stopped"),
    End.FAILED: mark("failed"),
    End.NODES: mark("node limit"),
    End.SECONDS: mark("time limit"),
}
"""Why a search did not cover the whole tree."""


def unfinished(result: Result) -> str:
    """Why a search did not cover the whole tree, in a word or two; empty where it did."""
    match result.end:
        case End.COMPLETE:
            return ""
        case End.HORIZON:
            done = result.info.iterations
            return tr("depth {plies}", plies=done[-1].depth if done else result.job.limit.depth)
        case End.NODES | End.SECONDS if result.info.iterations:
            why = tr(REASONS[result.end])
            return tr("depth {plies}, then {why}", plies=result.info.iterations[-1].depth, why=why)
        case _:
            return tr(REASONS[result.end])


def looked(info: Snapshot) -> str:
    """The depth of the iteration that a value comes from; empty where there are no iterations."""
    return tr("looking %n pl(y|ies) ahead", "", info.value_depth or 0) if info.iterations else ""


def in_words(value: Value) -> str:
    """ "+1", "at least +1" or "at most −1"."""
    number = precise(value.number)
    match value.bound:
        case Bound.LOWER:
            return tr("at least {value}", value=number)
        case Bound.UPPER:
            return tr("at most {value}", value=number)
    return number


def state_of_play(game: Game, position: Position) -> str:
    """The winner or the side to move: "X wins", "Draw", "O to move", "Black wins by 12", "White must pass"; "The coin
    decides" at a chance node."""
    players, mover = game.notation.players, game.notation.mover(position)
    if not is_over(position):
        if at_chance(position):
            return decides(game.chance)
        if game.must_pass(position):
            return tr("{player} must pass", player=players[mover])
        return tr("{player} to move", player=players[mover])
    value = utility(position)
    has_won = winner(value, mover)
    if has_won is None:
        return tr("Draw")
    if traits(position).utility == 1:
        return tr("{player} wins", player=players[has_won])
    return tr("{player} wins by {margin}", player=players[has_won], margin=abs(value))


def decides(chance: str) -> str:
    """What is next at a chance node: "The coin decides"."""
    return tr("{chance} decides", chance=localized(chance))


def verdict(game: Game, position: Position, value: Value, scoring: Scoring, proven: bool = True) -> str:
    """The outcome that a value means, from the point of view of the side to move: "draw", "X wins", "X wins in 5",
    "Black wins by 12".

    Other texts are given for a bound: "≥ 0 for X"; for an estimate: "undecided, +0.12 for X"; for a 0 that is not
    `proven`, because the search reached a horizon; and for an average over chance: "+0.33 for X on average".
    """
    if not value.is_exact:
        player = game.notation.players[game.notation.mover(position)]
        return tr("{value} for {player}", value=bounded(value), player=player)
    number = value.number
    ahead = winner(number, game.notation.mover(position))
    if proven and is_average(position, value):
        return average(number if ahead is None else abs(number), game.notation.players[ahead or 0])
    if ahead is None:
        return tr("draw") if proven else tr("undecided")
    player = game.notation.players[ahead]
    if value.is_estimate or not (proven or is_decisive(position, number)):
        return tr("undecided, {value} for {player}", value=signed(abs(number)), player=player)
    if traits(position).utility > 1:
        return tr("{player} wins by {margin}", player=player, margin=abs(number))
    if scoring is Scoring.TEXTBOOK:
        return tr("{player} wins", player=player)
    return wins_in(player, number)


def is_average(position: Position, value: Value) -> bool:
    """Whether an exact value is an average over chance, not what the rules give at the end."""
    return traits(position).chance and not value.is_estimate and abs(value.number) < traits(position).utility


def average(number: Number, player: str) -> str:
    """An average over chance, for a player: "+0.33 for X on average"."""
    return tr("{value} for {player} on average", value=signed(number), player=player)


def wins_in(player: str, score: Number, ply: int = 0) -> str:
    """A score by `Scoring.SOONEST` in words, of a position that many plies below the root: "X wins in 3"."""
    plies = plies_to_end(score, ply)
    if not plies:
        return tr("{player} has won", player=player)
    return tr("{player} wins in {plies}", player=player, plies=plies)


def move_of(game: Game, before: Position, move: int) -> str:
    """A move in the position before it: "X on a1", "White passes", "The coin: >X"."""
    names = {"player": game.mover_name(before), "square": game.notation.move_name(move)}
    if at_chance(before):
        return tr("{player}: {square}", **names)
    if game.view.square_of(move) is None:
        return tr("{player} passes", **names)
    return tr("{player} on {square}", **names)


def played(game: Game, position: Position, result: Result, choice: Choice | None) -> str:
    """The move that the computer plays after a search, where it is not the best move found; else empty."""
    best, value = result.info.best, result.info.value
    if choice is None or best is None or choice.move == best:
        return ""
    player, move = game.notation.players[game.notation.mover(position)], game.notation.move_name(choice.move)
    if choice.best is not None:
        return tr("{player} plays {move} instead", player=player, move=move)
    match sign(value.number) if value is not None and is_decisive(position, value.number) else 0:
        case 1:
            return tr("{player} plays {move}: no move wins sooner", player=player, move=move)
        case -1:
            return tr("{player} plays {move}: no move holds out longer", player=player, move=move)
    return tr("{player} plays {move}, which is equally good", player=player, move=move)


def sight(level: Level, job: Job) -> str:
    """How many plies the computer looks ahead at a level in the search for its move."""
    if sees_all(job):
        return tr("sees to the end of the game") if level.chance else tr("perfect here: it sees to the end of the game")
    nodes = None if job.limit.nodes is None or not job.deepen else thousands(job.limit.nodes)
    if nodes is not None and not level.chance:
        return tr("perfect only where {nodes} nodes see the end of the game", nodes=nodes)
    words = tr("looks %n pl(y|ies) ahead", "", job.limit.depth or 0)
    if not level.chance:
        return tr("not perfect here: {looks}", looks=words)
    return words if nodes is None else tr("{looks}, or as far as {nodes} nodes allow", looks=words, nodes=nodes)


def is_proven(info: Snapshot, result: Result | None) -> bool:
    """Whether a 0 is a proven draw: the search reached no horizon."""
    return not info.counters.horizon or (result is not None and result.complete)


def _inside(title: str) -> str:
    """A title as it stands inside a sentence; an abbreviation keeps its capitals."""
    return title if title[1:2].isupper() else title[:1].lower() + title[1:]
