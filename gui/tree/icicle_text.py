"""The whole tree in words: a node with its value, its size and its end; and the shares of the root's moves."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.job import RECORD, Job
from engine.kernels.worker_memory import ALL_SEEN, CUTOFF, TERMINAL
from engine.options.choices import Scoring
from engine.options.option import LIMITS
from engine.result import FINISHED, Leaf, Result
from engine.rules.contract import Game
from engine.text.numbers import about as in_digits
from engine.text.numbers import percent, thousands
from engine.trace.at_moment import AFTERWARDS
from engine.trace.compare import Comparison, Seen
from engine.trace.widths import Gap, Places, Timed, Visited
from gui.i18n.language import localized, mark, tr
from gui.state.root_cut import gap_shown, hides_cut
from gui.state.spoilers import spoilers
from gui.state.wording import search_and_mode, unfinished
from gui.tree.icicle_colours import LegendEntry, shapes
from gui.tree.icicle_painter import Moment, Span
from gui.tree.path_model import Row, rows, windows_of
from gui.tree.path_root import completed, which_iteration
from gui.tree.path_text import tool_tip

if TYPE_CHECKING:
    from engine.trace.record import Trace

ENDS = {
    TERMINAL: mark("The game is over here."),
    ALL_SEEN: mark("Every move was searched."),
    CUTOFF: mark("Cut off: the moves that were left are pruned."),
}
"""Why a node has ended, where its value does not say so."""


def empty_line(job: Job | None, is_running: bool) -> str:
    """What would fill the card while there is no record to show."""
    if job is None:
        return tr("Press Think: every node of the search is drawn here.")
    if not job.record:
        return tr(
            "This search does not record its nodes. {name}, in the Settings under {chapter}, says how many nodes the "
            "next one may record.",
            name=localized(RECORD.option.name),
            chapter=localized(LIMITS.title),
        )
    if not is_running:
        return tr("The nodes of this search were not recorded, or are no longer stored. Press Think to search again.")
    return tr("The tree grows here when its first nodes are laid out.")


def about(game: Game, result: Result, trace: "Trace", row: int, negamax: bool, moment: int = AFTERWARDS) -> str:
    """A node at a moment: its moves, its value and point of view, the nodes in its subtree, why it ended."""
    if trace.index.entered(row) > moment:
        return unvisited_until(game, trace, row)
    path_nodes, scoring = trace.path_nodes(row, moment), Scoring(result.job.scoring)
    if moment == AFTERWARDS:
        path_nodes = completed(path_nodes, trace, result)
    made = rows(game, trace.root, path_nodes, negamax, spoilers().hidden, windows_of(result.job), scoring)
    return about_end(made[len(path_nodes) - 1], trace, row, moment)


def about_end(here: Row, trace: "Trace", row: int, moment: int = AFTERWARDS) -> str:
    """The same of the node at the end of a path, in the path's row that has it."""
    nodes, has_ended = trace.end(row) - row, trace.index.left_at(row) <= moment
    count = len(trace)
    size = {"nodes": thousands(nodes), "share": percent(nodes, count), "count": thousands(count)}
    is_told = has_ended and not hides_cut(row, here.hidden)
    lines = [
        tool_tip(here, here.current or 0, running=moment != AFTERWARDS),
        tr("{nodes} of {count} recorded node(s), {share}", "", count, **size) if has_ended else "",
        tr(ENDS[trace.why(row)]) if is_told and trace.why(row) in ENDS else "",
    ]
    return "\n".join(filter(None, lines))


def unvisited_until(game: Game, trace: "Trace", row: int) -> str:
    """A node that is not visited yet: its moves, and the moment at which it is."""
    moves = " ".join(map(game.notation.move_name, trace.moves(row)))
    later = tr("not visited yet: it is at moment {number}", number=thousands(trace.index.entered(row) + 1))
    return "\n".join([moves, later])


def about_gap(game: Game, trace: "Trace", owner: int, moment: int = AFTERWARDS) -> str:
    """The unsearched moves of a node at a moment: how many, why, what they would have cost minimax and, if they are
    pruned, that a press tells why. Until the node has ended they are only not visited yet."""
    name, line = game.notation.move_name, " ".join(map(game.notation.move_name, trace.moves(owner)))
    if trace.index.left_at(owner) - 1 > moment:
        return tr("not visited yet: moves after {moves}", moves=line) if line else tr("not visited yet")
    left_out = trace.unsearched
    moves, nodes = int(left_out.moves[owner]), float(left_out.nodes[owner])
    gap = gap_shown(trace, owner, spoilers().hidden)
    where = tr("after {moves}", moves=line) if line else tr("at the root")
    cost = thousands(round(nodes)) if left_out.exact else tr("about {count}, by an estimate", count=in_digits(nodes))
    lines = [
        tr("%n move(s) {state} {where}", "", moves, state=tr(shapes()[gap].name), where=where),
        tr("minimax's nodes below: {count}", count=cost),
    ]
    seen = ", ".join(map(name, dict.fromkeys(map(trace.move, trace.children(owner)))))
    if seen:
        lines.append(tr("searched: {moves}", moves=seen))
    return "\n".join([*lines, tr("Press to see why.")] if gap is Gap.PRUNED else lines)


def recorded(trace: "Trace") -> str:
    """How many nodes a record has, and the search if that is more."""
    room = len(trace)
    if trace.truncated:
        places = {"room": thousands(room), "count": thousands(trace.visited)}
        return tr("the first {room} of {count} nodes (is|are) recorded", "", room, **places)
    return tr("{count} node(s)", "", room, count=thousands(room))


def recorded_so_far(trace: "Trace", moment: Moment | None) -> str:
    """How many nodes of a running search are in its picture of that moment."""
    if trace.truncated:
        return tr("the first {room} node(s) (is|are) recorded", "", len(trace), room=thousands(len(trace)))
    return tr(
        "{count} node(s) so far", "", nodes := len(trace) if moment is None else moment.last + 1, count=thousands(nodes)
    )


def part_shown(game: Game, trace: "Trace", places: Places, span: Span) -> str:
    """The moves to the smallest subtree that has all of a span, and the span's share of the picture."""
    moves = " ".join(map(game.notation.move_name, trace.moves(places.around(*span))))
    wide, whole = round(span.end - span.first), round(places.whole)
    shown = tr("{share} shown", share=percent(wide, whole))
    if isinstance(places, Visited):
        shown = tr("{nodes} shown, {share}", nodes=thousands(wide), share=percent(wide, whole))
    return tr("{moves}: {shown}", moves=moves, shown=shown) if moves else shown


def legend_of_gaps(
    trace: "Trace", places: Places | None, moment: Moment | None = None, whole: int | None = None
) -> list[LegendEntry]:
    """The kinds of places without a node that the picture has at a moment, with the nodes of minimax that they stand
    for. With the nodes of the `whole` tree, where they are known, those of a single kind add up to it."""
    if places is None or isinstance(places, Visited | Timed):
        return []
    in_gaps, later, exact = trace.in_gaps, [], trace.unsearched.exact
    if not exact and whole is not None and len(in_gaps) == 1 and moment is None:
        repeated = np.count_nonzero(trace.visits.before >= 0) if trace.has_repeats else 0
        if (missing := whole - len(trace) + repeated) > 0:
            in_gaps, exact = dict.fromkeys(in_gaps, float(missing)), True
    if moment is not None:
        pruned = pruned_at(trace, moment) if Gap.PRUNED in in_gaps else 0.0
        if moment.last + 1 < len(trace) or pruned < in_gaps.get(Gap.PRUNED, 0):
            later = [LegendEntry(tr("not visited yet"), shape=shapes()[Gap.UNVISITED])]
        others = [shapes()[gap] for gap in in_gaps if gap is not Gap.PRUNED]
        later = [*(LegendEntry(tr(shape.name), shape=shape) for shape in others), *later]
        in_gaps = {gap: pruned for gap in in_gaps if gap is Gap.PRUNED}
    entries = []
    for gap, nodes in in_gaps.items():
        shape = shapes()[gap]
        count = thousands(round(nodes)) if exact else in_digits(nodes)
        words = tr("{state}: {count} node(s) of the full tree", "", round(nodes), state=tr(shape.name), count=count)
        if not exact:
            words = tr(
                "{state}: about {count} node(s) of the full tree", "", round(nodes), state=tr(shape.name), count=count
            )
        entries.append(LegendEntry(words, shape=shape))
    return [*entries, *later]


def pruned_at(trace: "Trace", moment: Moment) -> float:
    """The nodes of minimax below the moves that are pruned at a moment."""
    undecided = trace.pruned_at(np.array(moment.undecided, np.int32)).sum()
    return trace.pruned_before(moment.last + 1) - float(undecided)


def legend_of_shapes(traces: Sequence["Trace"], places: Places, moment: Moment | None) -> list[LegendEntry]:
    """The kinds of places without a node that the pictures of these searches have at a moment."""
    if isinstance(places, Visited | Timed):
        return []
    known = shapes()
    entries = [
        LegendEntry(tr(known[gap].name), shape=known[gap]) for gap in known if any(gap in one.in_gaps for one in traces)
    ]
    later = [] if moment is None else [LegendEntry(tr("not visited yet"), shape=known[Gap.UNVISITED])]
    return [*entries, *later]


def title_of(result: Result, found: Comparison, side: int) -> str:
    """One of two compared searches, 0 for the first: why it did not finish; the nodes of the iteration that is drawn
    and, where there are earlier ones, with theirs; those that it alone visited, and those of which that is unknown."""
    trace, counts = found.traces[side], found.counts.of(side)
    visits, different, all_nodes = len(trace), sum(counts.values()), result.info.counters.nodes
    has_earlier = all_nodes > trace.visited
    count = tr("{count} node(s) in all", "", visits, count=thousands(visits))
    if trace.truncated:
        count = tr("the first {room} of {count} nodes", room=thousands(visits), count=thousands(trace.visited))
    elif different < visits:
        places = {"count": thousands(visits), "different": thousands(different)}
        count = tr("{count} visits of {different} node(s)", "", different, **places)
    elif has_earlier:
        count = tr("{count} node(s)", "", visits, count=thousands(visits))
    whole = tr("{count} with earlier iterations", count=thousands(all_nodes)) if has_earlier else ""
    only = tr("{count} visited here only", count=thousands(counts[Seen.ONE]))
    unknown = tr("{count} not in the other's record", count=thousands(counts[Seen.UNKNOWN]))
    place, stop = which_iteration(result, trace.depth), "" if result.end in FINISHED else unfinished(result)
    parts = [search_and_mode(result.job), stop, place, count, whole, only, unknown if counts[Seen.UNKNOWN] else ""]
    return " · ".join(filter(None, parts))


def difference(result: Result, other: Result, found: Comparison) -> str:
    """The difference of two compared searches in visits of nodes, recorded or not, in all iterations so far."""
    above, below = result.info.counters.nodes, other.info.counters.nodes
    number = abs(above - below)
    count = thousands(number)
    if above == below:
        relation = tr("as many nodes above as below")
    elif above < below:
        relation = tr("{count} node(s) fewer above than below", "", number, count=count)
    else:
        relation = tr("{count} node(s) more above than below", "", number, count=count)
    if above + below > sum(trace.visited for trace in found.traces):
        return tr("{relation}, earlier iterations included", relation=relation)
    return tr("{relation} in all", relation=relation)


def feet(trace: "Trace") -> list[LegendEntry]:
    """The lines under leaves, of the kinds that the record has."""
    words = {
        Leaf.TERMINAL: tr("line below: game over"),
        Leaf.HORIZON: tr("dotted: horizon"),
        Leaf.TABLE: tr("double: table"),
    }
    return [LegendEntry(said) for leaf, said in words.items() if leaf in trace.leaves]


def shares(game: Game, trace: "Trace", newest: int | None = None) -> list[str]:
    """The recorded nodes below each move of the root, those of all its searches, in the order of the first; while
    `newest` is the row that was visited last, those so far."""
    name, count = game.notation.move_name, len(trace) if newest is None else newest + 1
    said, visited = list[str](), Counter[int]()
    for child in trace.children(0):
        visited[trace.move(child)] += max(0, min(trace.end(child), count) - child)
    for move, nodes in visited.items():
        words = {"move": name(move), "nodes": thousands(nodes), "share": percent(nodes, len(trace))}
        if not nodes:
            said.append(tr("Move {move}: not visited yet", **words))
        elif newest is None and trace.truncated:
            said.append(tr("Move {move}: {nodes} recorded node(s), {share}", "", nodes, **words))
        elif newest is None:
            said.append(tr("Move {move}: {nodes} node(s), {share}", "", nodes, **words))
        else:
            said.append(tr("Move {move}: {nodes} node(s) so far", "", nodes, **words))
    return said
