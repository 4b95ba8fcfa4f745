"""The catalogue of search options. A new option is one field here, and its use in a search. `engine.options.option` has
the form of an entry, and what is made from it."""

from typing import Annotated

from msgspec import Meta, Struct

from engine.messages import message
from engine.options import applicability, option
from engine.options.choices import (
    FAILS,
    FORMS,
    ORDERS,
    PARALLELS,
    REPLACEMENTS,
    SCHEDULES,
    SCORINGS,
    Fail,
    Form,
    Order,
    Parallel,
    Replacement,
    Schedule,
    Scoring,
)
from engine.options.option import Option, OptionValue, Phrase
from engine.rules.contract import MAX_PLIES, WIN

MAX_WORKERS = 1024
MAX_TABLE = 65_536
"""MiB."""
MAX_INTEGER = (1 << 63) - 1
"""The greatest number in a word of the kernels."""


class Limit(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The limits of a search; None: no limit."""

    depth: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Option(
            option.LIMITS,
            message("Depth limit"),
            message(
                "Positions at this depth are not searched further; each counts as an estimate, or 0. The computer's "
                "own moves are not limited by it."
            ),
            "Depth limit in plies; positions there are estimated.",
            metavar="D",
            word="horizon",
            values={None: OptionValue(message("none"))},
            unit="plies",
            offered=(1, MAX_PLIES),
        ),
    ] = None
    """Plies: a node at this depth is a horizon leaf, unless the game is over."""
    nodes: Annotated[
        Annotated[int, Meta(ge=1, le=MAX_INTEGER)] | None,
        Option(
            option.LIMITS,
            message("Node limit"),
            message(
                "The search stops after this number of nodes, even if no other node is left; with threads or MPI a few "
                "nodes before. The computer's own moves are not limited by it."
            ),
            "Stop after at most N nodes.",
            metavar="N",
            values={None: OptionValue(message("none"))},
            unit="nodes",
            offered=(1, 2_000_000_000),
        ),
    ] = None
    """A search of exactly this number is stopped, not complete: the values of its last nodes are not backed up. With
    several workers up to a split depth of nodes may be left over: taking a task may visit as many."""
    seconds: Annotated[
        Annotated[float, Meta(gt=0)] | None,
        Option(
            option.LIMITS,
            message("Time limit"),
            message(
                "The search stops after this many seconds; waiting is not counted. The computer's own moves are not "
                "limited by it."
            ),
            "Stop after S seconds.",
            metavar="S",
            values={None: OptionValue(message("none"))},
            unit="s",
            offered=(0, 86_400),
        ),
    ] = None
    """Seconds of searching, without pauses and throttling."""


class Options(Struct, frozen=True, kw_only=True):
    """The options of a search: what a person can choose besides the position."""

    algorithm: Annotated[
        str,
        Option(
            option.SEARCH,
            message("Algorithm"),
            message("The algorithm that Think uses."),
            "{names}; default: minimax, or expectiminimax in a game of chance; of solve, where no option says how to "
            "search, the strongest.",
            metavar="NAME",
        ),
    ] = "minimax"
    scoring: Annotated[
        Scoring,
        Option(
            option.SCORES,
            message("Scores"),
            message(
                "The value of a finished game, also in the computer's own searches. Sooner is better: {win} less the "
                "plies from the position searched until the win, negative for the loser. The computer plays the "
                "soonest win.",
                win=WIN,
            ),
            f"textbook: +1, 0, -1. soonest: {WIN} less the plies until the win, negative for the loser.",
            values=SCORINGS,
        ),
    ] = Scoring.TEXTBOOK
    form: Annotated[
        Form,
        Option(
            option.VIEW,
            message("Values seen by"),
            message(
                "MAX and MIN: all values are those of MAX, the first player. Negamax: the values in a row are those of "
                "the player who moves in it."
            ),
            "Whose values: those of the side to move, or of MAX, the first player.",
            word="negamax",
            values=FORMS,
        ),
    ] = Form.NEGAMAX
    limit: Limit = Limit()
    order: Annotated[
        tuple[Order, ...],
        Option(
            option.ORDERING,
            message("Base order"),
            message(
                "The order of the moves in each position: by square, by the game's preference, random, or by true "
                "value. A search beforehand, which is not counted, finds the true values."
            ),
            "Move ordering: {names}.",
            metavar="A,B",
            values=ORDERS,
            refused=applicability.order_refused,
        ),
    ] = ()
    """The move orders; empty: natural."""
    seed: Annotated[
        int,
        Meta(ge=-MAX_INTEGER, le=MAX_INTEGER),
        Option(
            option.ORDERING,
            message("Seed"),
            message("The seed of the random order: the same seed gives the same order."),
            "The seed of the random order.",
            metavar="N",
            phrase=Phrase(message("seed {value}"), message("the random order has the seed {value}")),
            offered=(0, 999_999),
            idle=applicability.seed_idle,
        ),
    ] = 0
    fail: Annotated[
        Fail,
        Option(
            option.WINDOW,
            message("Fail"),
            message(
                "What is returned when a value lies outside the window. Soft: the best value found, which may be a "
                "tighter bound. Hard: the window's end."
            ),
            "What is returned outside the window: the best bound, or the window's end.",
            values=FAILS,
        ),
    ] = Fail.SOFT
    aspiration: Annotated[
        Annotated[float, Meta(gt=0, le=64)] | None,
        Option(
            option.WINDOW,
            message("Aspiration"),
            message(
                "The window of an iteration is the value of the last one, plus and minus this width; a win is 1. If "
                "the value lies outside, that side is opened and the iteration is repeated."
            ),
            "With --deepen: the window is the last value, plus and minus this.",
            metavar="WINS",
            word="aspiration window",
            values={None: OptionValue(message("open window"))},
            phrase=Phrase(message("aspiration ±{value}"), message("aspiration windows: the last value ± {value}")),
            unit="±",
            refused=applicability.aspiration_refused,
        ),
    ] = None
    """Half the width of an iteration's window round the value of the last iteration; None: an open window."""
    deepen: Annotated[
        bool,
        Option(
            option.DEEPENING,
            message("Iterative deepening"),
            message(
                "Searches to depth 1, 2, 3 and so on, until a limit or a proven value. Each iteration helps to "
                "order the moves of the next."
            ),
            "Iterative deepening: depth 1, 2, 3 ... until a limit or a proven value.",
            word="iterative deepening",
            phrase=Phrase(message("deepening"), message("iterative deepening: depth 1, 2, 3 and so on")),
            refused=applicability.deepen_refused,
        ),
    ] = False
    """Iterative deepening: to depth 1, 2, 3 ... until a limit, or until the value is proven."""
    table: Annotated[
        float,
        Meta(ge=0, le=MAX_TABLE),
        Option(
            option.TABLE,
            message("Size"),
            message(
                "The transposition table stores what was found about a position, for use when other moves lead to the "
                "same position. When it is full, new entries replace old ones."
            ),
            "Size of the transposition table; 0: none.",
            metavar="MIB",
            word="transposition table",
            values={0.0: OptionValue(message("none"))}
            | {size: OptionValue() for size in (1.0, 4.0, 16.0, 64.0, 256.0, 1024.0)},
            phrase=Phrase(message("table {value}"), message("a transposition table of {value}")),
            unit="MiB",
        ),
    ] = 0.0
    """The size of the transposition table in MiB; 0: no table."""
    replacement: Annotated[
        Replacement,
        Option(
            option.TABLE,
            message("Replacement"),
            message("Which entry a new one may replace: any, or only one that was not searched deeper."),
            "Which table entry a new one may replace.",
            values=REPLACEMENTS,
            idle=applicability.without_table,
        ),
    ] = Replacement.ALWAYS
    fold: Annotated[
        bool,
        Option(
            option.TABLE,
            message("Fold symmetries"),
            message("Positions that are equal by rotation or reflection share one table entry."),
            "One table entry for positions equal by symmetry.",
            phrase=Phrase(message("symmetries"), message("positions that are equal by symmetry share a table entry")),
            idle=applicability.without_table,
        ),
    ] = False
    """Whether positions that are equal up to symmetry share an entry of the table."""
    evaluate: Annotated[
        bool,
        Option(
            option.HORIZON,
            message("Leaves are worth"),
            message(
                "The value of an unfinished position at the depth limit: an estimate, which is less than a win, or 0. "
                "The computer's own moves always use an estimate."
            ),
            "Estimate positions at the depth limit, or count them as 0.",
            values={
                True: OptionValue(message("an estimate")),
                False: OptionValue(
                    message("0"),
                    Phrase(message("horizon 0"), message("horizon leaves count as 0 instead of an estimate")),
                ),
            },
            idle=applicability.without_horizon,
        ),
    ] = True
    """Whether the value of a horizon leaf is an estimate; otherwise it is 0."""
    evaluation: Annotated[
        str,
        Option(
            option.HORIZON,
            message("Estimate"),
            message(
                "How an unfinished position is estimated. Each game has its own ways. The computer's own moves use the "
                "game's usual one."
            ),
            "How it is estimated. {names}.",
            metavar="NAME",
            values={"": OptionValue(message("the game's usual"))},
            phrase=Phrase(message("{value}"), message("horizon leaves are estimated by: {value}")),
            idle=applicability.without_horizon,
        ),
    ] = ""
    """The name of the game's evaluation for horizon leaves; empty: the first."""
    backend: Annotated[
        str,
        Option(
            option.MACHINE,
            message("Run on"),
            message("One thread, several threads of this machine, or MPI ranks, here or on other machines."),
            "{names}.",
            metavar="NAME",
            values={
                "serial": OptionValue(message("Serial")),
                "threads": OptionValue(message("Threads")),
                "mpi": OptionValue(message("MPI")),
            },
        ),
    ] = "serial"
    workers: Annotated[
        int,
        Meta(ge=1, le=MAX_WORKERS),
        Option(
            option.MACHINE,
            message("Threads"),
            message("The number of threads on this machine."),
            "Threads or ranks; with threads or mpi and no number: one a core.",
            metavar="N",
        ),
    ] = 1
    """Threads, or MPI ranks."""
    parallel: Annotated[
        Parallel,
        Option(
            option.SCHEME,
            message("Scheme"),
            message(
                "How the work is divided. Root moves: each root move is a task. Split: each position at the split "
                "depth is a task, and the leftmost is searched first. Young brothers wait: as split, but at every "
                "position above the tasks the first move is searched first. Lazy: every worker searches the whole "
                "tree, and they share the table."
            ),
            "root: each root move is a task. split: each position --split plies down (default: 2) is a task. ybw: as "
            "split, with young brothers wait. lazy: every thread searches the whole tree; they share the table.",
            word="young brothers wait",
            values=PARALLELS,
            refused=applicability.parallel_refused,
            idle=applicability.serial,
        ),
    ] = Parallel.SPLIT
    split: Annotated[
        int,
        Meta(ge=1, le=8),
        Option(
            option.TASKS,
            message("Split depth"),
            message("With threads or MPI: the depth of the tasks below the root."),
            "Depth of the tasks below the root, in plies.",
            metavar="D",
            word="split depth",
            unit="plies",
            offered=(1, 4),
            idle=applicability.root_tasks,
        ),
    ] = 1
    """The depth of the tasks of a parallel search, in plies below the root."""
    schedule: Annotated[
        Schedule,
        Option(
            option.TASKS,
            message("Schedule"),
            message(
                "With threads or MPI: how the tasks are assigned. Static: one block to each worker. Cyclic: every n-th "
                "task. Dynamic: the next task to an idle worker."
            ),
            "How tasks are assigned to threads or ranks.",
            word="schedule",
            values=SCHEDULES,
            idle=applicability.without_tasks,
        ),
    ] = Schedule.DYNAMIC
    threads: Annotated[
        int,
        Meta(ge=1, le=MAX_WORKERS),
        Option(
            option.TASKS,
            message("Threads per rank"),
            message("With MPI: the number of threads in each rank."),
            "Threads in each rank.",
            metavar="T",
            idle=applicability.one_process,
        ),
    ] = 1
    """Threads in each MPI rank."""


OPTIONS = tuple(option.entries(Options))
"""All options, in the order of lists. The limits stand in the place of their field."""
