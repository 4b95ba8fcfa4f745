"""The choices that have names, and their wording."""

from collections.abc import Mapping
from enum import StrEnum

from engine.messages import message
from engine.options.option import OptionValue, Phrase


class Scoring(StrEnum):
    """The value of a finished game."""

    TEXTBOOK = "textbook"
    """+1, 0, -1."""
    SOONEST = "soonest"
    """The value of a win is `engine.rules.contract.WIN` minus the plies from the root to the end, so that sooner is
    better; that of a loss is the negative."""


SCORINGS: Mapping[Scoring, OptionValue] = {
    Scoring.TEXTBOOK: OptionValue(message("+1 / 0 / −1")),
    Scoring.SOONEST: OptionValue(message("sooner is better")),
}


class Schedule(StrEnum):
    """The schedule of tasks on workers: threads or MPI ranks."""

    STATIC = "static"
    """Each worker gets one block of neighbouring tasks."""
    CYCLIC = "cyclic"
    """Worker w of P gets tasks w, w + P, w + 2P ..."""
    DYNAMIC = "dynamic"
    """An idle worker takes the next task."""


SCHEDULES: Mapping[Schedule, OptionValue] = {
    Schedule.STATIC: OptionValue(message("static")),
    Schedule.CYCLIC: OptionValue(message("cyclic")),
    Schedule.DYNAMIC: OptionValue(message("dynamic")),
}


class Parallel(StrEnum):
    """The parallel algorithm of a search with several workers."""

    ROOT = "root"
    """Each root move is a task."""
    SPLIT = "split"
    """Each node some plies below the root is a task. The leftmost is searched first, for its bounds."""
    YBW = "ybw"
    """Young brothers wait: the same at every node above the tasks, not only on the leftmost path."""
    LAZY = "lazy"
    """Every worker searches the whole tree. They share results through the transposition table."""


PARALLELS: Mapping[Parallel, OptionValue] = {
    Parallel.ROOT: OptionValue(message("root moves")),
    Parallel.SPLIT: OptionValue(message("split")),
    Parallel.YBW: OptionValue(message("young brothers wait")),
    Parallel.LAZY: OptionValue(message("lazy")),
}


class Fail(StrEnum):
    """The value that alpha-beta returns if it lies outside the window."""

    SOFT = "soft"
    """The best value found: a bound that may be tighter."""
    HARD = "hard"
    """The bound of the window."""


FAILS: Mapping[Fail, OptionValue] = {
    Fail.SOFT: OptionValue(message("soft")),
    Fail.HARD: OptionValue(
        message("hard"),
        Phrase(
            message("fail-hard"),
            message("fail-hard: a value outside the window is returned as the window's end"),
        ),
    ),
}


class Form(StrEnum):
    """Whose values of a search are shown. Its results are the same: see `engine.result`."""

    NEGAMAX = "negamax"
    """Those of the side to move."""
    MAXMIN = "maxmin"
    """Those of MAX, the first player."""


FORMS: Mapping[Form, OptionValue] = {
    Form.MAXMIN: OptionValue(message("MAX and MIN")),
    Form.NEGAMAX: OptionValue(message("negamax")),
}


class Order(StrEnum):
    """Move orders. One of the first five orders all moves; the others put some moves first."""

    NATURAL = "natural"
    """Ascending squares."""
    DOMAIN = "domain"
    """The most promising first, by the game's own `engine.rules.contract.move_promise`."""
    RANDOM = "random"
    """Random by a seed, different in each position."""
    BEST = "best"
    """By the exact values, from a separate search that is not counted."""
    WORST = "worst"
    TABLE = "table"
    """The table's move first."""
    KILLERS = "killers"
    """Killer moves first: those that caused cutoffs elsewhere with the same number of plies left."""
    HISTORY = "history"
    """Moves that often caused cutoffs first."""


ORDERS: Mapping[Order, OptionValue] = {
    Order.NATURAL: OptionValue(
        message("natural order"),
        Phrase(message("natural order"), message("moves in order of their squares, row by row")),
    ),
    Order.DOMAIN: OptionValue(
        message("promising first"),
        Phrase(message("promising first"), message("moves in the order that the game itself prefers")),
    ),
    Order.RANDOM: OptionValue(
        message("random order"),
        Phrase(message("random order"), message("moves in random order, different in each position")),
    ),
    Order.BEST: OptionValue(
        message("best first"),
        Phrase(
            message("best first"),
            message("the best moves first, by the true values from an earlier search"),
        ),
    ),
    Order.WORST: OptionValue(
        message("worst first"),
        Phrase(
            message("worst first"),
            message("the worst moves first, by the true values from an earlier search"),
        ),
    ),
    Order.TABLE: OptionValue(
        message("Table move first"),
        Phrase(message("table move"), message("the table's move first")),
        message("The best move stored in the table is searched first."),
    ),
    Order.KILLERS: OptionValue(
        message("Killers"),
        Phrase(
            message("killers"),
            message("moves first that caused a cutoff elsewhere with the same number of plies left"),
        ),
        message("Moves that recently caused a cutoff on the same ply are searched first."),
        "killer",
    ),
    Order.HISTORY: OptionValue(
        message("History"),
        Phrase(message("history"), message("moves first that have often caused cutoffs")),
        message("Moves that have often caused cutoffs are searched first."),
        "history heuristic",
    ),
}


class Replacement(StrEnum):
    """The entries of the transposition table that a new one may replace."""

    ALWAYS = "always"
    DEEPER = "deeper"
    """One not searched deeper, or of an earlier iteration."""


REPLACEMENTS: Mapping[Replacement, OptionValue] = {
    Replacement.ALWAYS: OptionValue(message("always")),
    Replacement.DEEPER: OptionValue(
        message("keep deeper"),
        Phrase(
            message("keep deeper"),
            message("in the table a new entry replaces only one that was not searched deeper"),
        ),
    ),
}


BASES = Order.NATURAL, Order.DOMAIN, Order.RANDOM, Order.BEST, Order.WORST
"""The orders of all moves; a search has exactly one."""
