"""Positions of every game to measure: too small for threads, large enough for two, and long enough for more."""

from typing import NamedTuple

from engine import registry
from engine.job import Job
from engine.measure.speedup import PRESET
from engine.messages import Message, message
from engine.options.catalogue import Limit


class Preset(NamedTuple):
    """A position with a depth limit."""

    job: Job
    nodes: int
    """Of minimax, or expectiminimax. Alpha-beta visits a tenth to a thousandth as many."""
    size: "Size"


class Size(NamedTuple):
    """What the number of nodes means for threads."""

    seconds: float
    """About the serial time of minimax; other algorithms take less."""
    words: Message


SMALL = Size(0.0005, message("Too small for threads: their start takes as long as the search."))
MEDIUM = Size(0.05, message("Some hundredths of a second: two threads gain, and their start can be seen."))
LARGE = Size(1.0, message("About a second: the start of threads hardly counts for minimax."))

_FOUR = "......./......./......./......./......./......."
_OTHELLO = "......../......../......../...ox.../...xo.../......../......../........ x"
_ULTIMATE = "/".join(["." * 9] * 9) + " any"
_SQUARE = "..../..../..../...."
_SIX = "/".join(["." * 6] * 6)


def _preset(game: str, position: str, depth: int | None, nodes: int, size: Size) -> Preset:
    algorithm = registry.suited("minimax", registry.game(game))
    return Preset(Job(game=game, position=position, algorithm=algorithm, limit=Limit(depth=depth)), nodes, size)


PRESETS = (
    _preset("tictactoe", ".../.../...", 5, 18_730, SMALL),
    _preset("mnk:4,4,4", _SQUARE, 4, 47_297, SMALL),
    _preset(PRESET.game, PRESET.position, None, 38_458_454, MEDIUM),
    _preset("mnk:4,4,4", _SQUARE, 8, 580_062_017, LARGE),
    _preset("connect-four:7,6", _FOUR, 5, 19_608, SMALL),
    _preset("connect-four:7,6", _FOUR, 8, 6_634_027, MEDIUM),
    _preset("connect-four:7,6", _FOUR, 9, 46_028_599, LARGE),
    _preset("connect6:6,6,5", _SIX, 3, 44_137, SMALL),
    _preset("connect6:6,6,5", _SIX, 4, 1_457_857, MEDIUM),
    _preset("connect6:6,6,5", _SIX, 5, 46_696_897, LARGE),
    _preset("othello:8", _OTHELLO, 5, 1_713, SMALL),
    _preset("othello:8", _OTHELLO, 8, 455_221, MEDIUM),
    _preset("othello:8", _OTHELLO, 10, 28_031_565, LARGE),
    _preset("random-turn:3,3,3", ".../.../...", 6, 4_953, SMALL),
    _preset("random-turn:3,3,3", ".../.../...", 12, 4_324_569, MEDIUM),
    _preset("random-turn:3,3,3", ".../.../...", None, 145_139_289, LARGE),
    _preset("ultimate", _ULTIMATE, 3, 7_138, SMALL),
    _preset("ultimate", _ULTIMATE, 6, 4_556_434, MEDIUM),
    _preset("ultimate", _ULTIMATE, 7, 38_338_978, LARGE),
)
"""Each game's, the smallest first."""
