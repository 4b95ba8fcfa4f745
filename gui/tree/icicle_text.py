"""The whole tree in words: a node with its value, its size and its end; and the shares of the root's moves."""

from typing import TYPE_CHECKING

from engine.kernels.worker_memory import ALL_SEEN, CUTOFF, TERMINAL
from engine.options.choices import Scoring
from engine.result import Result
from engine.rules.contract import Game
from engine.text.numbers import percent, thousands
from gui.i18n.language import mark, tr
from gui.state.spoilers import spoilers
from gui.tree.path_model import rows, tool_tip, windows_of
from gui.tree.path_root import completed

if TYPE_CHECKING:
    from engine.trace.record import Trace

ENDS = {
    TERMINAL: mark("The game is over here."),
    ALL_SEEN: mark("Every move was searched."),
    CUTOFF: mark("Cut off: the moves that were left are pruned."),
}
"""Why a node has ended, where its value does not say so."""


def about(game: Game, result: Result, trace: "Trace", row: int, negamax: bool) -> str:
    """A node: its moves, its value and point of view, the nodes in its subtree, why it ended."""
    levels, scoring = completed(trace.levels(row), trace, result), Scoring(result.job.scoring)
    made = rows(game, trace.root, levels, negamax, spoilers().hidden, windows_of(result.job), scoring)
    here = made[len(levels) - 1]
    nodes = trace.end(row) - row
    size = {"nodes": thousands(nodes), "share": percent(nodes, len(trace)), "count": thousands(len(trace))}
    lines = [
        tool_tip(here, here.current or 0, running=False),
        tr("{nodes} of {count} recorded nodes, {share}", **size),
        tr(ENDS[trace.why(row)]) if trace.why(row) in ENDS else "",
    ]
    return "\n".join(filter(None, lines))


def shares(game: Game, trace: "Trace") -> list[str]:
    """The recorded nodes below each move of the root, in the order of the search."""
    name = game.notation.move_name
    return [
        tr(
            "Move {move}: {nodes} nodes, {share}",
            move=name(trace.move(child)),
            nodes=thousands(trace.end(child) - child),
            share=percent(trace.end(child) - child, len(trace)),
        )
        for child in trace.children(0)
    ]
