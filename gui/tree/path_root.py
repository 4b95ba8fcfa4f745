"""The root of the path after a search: its record, completed from the result of the whole search."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.result import FINISHED, INFINITY, Child, PathNode, Result, RootMove, State
from engine.rules.bits import each
from engine.rules.contract import Game, Position, is_over, legal
from engine.text.numbers import thousands
from gui.i18n.language import tr
from gui.state.replay import Cursor
from gui.state.wording import worker_name

if TYPE_CHECKING:
    from engine.trace.record import Trace


def root_node(position: Position, result: Result) -> PathNode:
    """The root node of a search without a record: its moves with their known values."""
    moves = each(legal(position)) if not is_over(position) else ()
    depth, found = deepest(result), {root.move: root for root in result.root_moves}
    searched = {root.move for root in result.root_moves if root.depth == depth}
    states = {move: State.UNRECORDED if move in searched else State.UNVISITED for move in moves}
    children = tuple(_known(Child(move, state), found.get(move), depth) for move, state in states.items())
    return with_result(PathNode(-INFINITY, INFINITY, None, None, children, ended=result.end in FINISHED), result, depth)


def deepest(result: Result) -> int | None:
    """The depth of the last iteration that has a value for the root; None where nothing is known."""
    return max((found.depth for found in result.root_moves), default=result.info.value_depth)


def with_result(node: PathNode, result: Result, depth: int | None) -> PathNode:
    """The root node in a record of the iteration of this depth, completed from the whole search: moves missing from the
    record and, where that iteration has no value, the value of another, with its depth."""
    info, found = result.info, {root.move: root for root in result.root_moves}
    node = replace(node, children=tuple(_known(child, found.get(child.move), depth) for child in node.children))
    if info.value is None or not (result.end in FINISHED or info.value_depth == depth or node.best is None):
        return node
    is_other = info.value_depth != depth
    raises = not info.iterations and info.value.proves_a_move
    return replace(
        node,
        alpha=max(node.alpha, info.value.number) if raises else node.alpha,
        best=info.value,
        depth=info.value_depth if is_other else None,
    )


def _known(child: Child, found: RootMove | None, depth: int | None) -> Child:
    """A root move in the record of the iteration of this depth, completed from the whole search: several iterations of
    one depth know more of a move than the last."""
    if found is None or child.state is State.PRUNED:
        return child
    if found.depth == depth and child.state in (State.DONE, State.UNRECORDED):
        return replace(child, state=State.DONE, value=found.value)
    return child if child.value is not None else replace(child, value=found.value, depth=found.depth)


def completed(path_nodes: tuple[PathNode, ...], trace: "Trace", result: Result) -> tuple[PathNode, ...]:
    """The path nodes of a result's record after the search, the root completed from the whole search."""
    root, *below = path_nodes
    return (with_result(root, result, trace.depth), *below)


def caption_of(cursor: Cursor, result: Result) -> str:
    """The place of the cursor in a result's record, in words; empty without a record."""
    trace, row = cursor.trace, cursor.row
    if trace is None or row is None:
        return ""
    if not cursor.is_at_end:
        place = " · ".join(filter(None, [moment_in_words(cursor), worker_in_words(cursor)]))
    else:
        place = node_in_words(trace, row)
    return " · ".join(part for part in (which_iteration(result, trace.depth), place) if part)


def node_in_words(trace: "Trace", row: int) -> str:
    """The number of a record's row, the first 1, and of all nodes of the search."""
    if trace.truncated:
        count, room = thousands(trace.visited), thousands(len(trace))
        return tr("node {number} of {count}, {room} recorded", number=thousands(row + 1), count=count, room=room)
    return tr("node {number} of {count}", number=thousands(row + 1), count=thousands(len(trace)))


def moment_in_words(cursor: Cursor) -> str:
    """The number of the cursor's moment, the first 1, and of all moments, or of all so far."""
    places = {"number": thousands(cursor.moment + 1), "count": thousands(cursor.last + 1)}
    if cursor.is_paused:
        return tr("moment {number} of {count} so far", **places)
    return tr("moment {number} of {count}", **places)


def whose_values(game: Game, negamax: bool, hidden: bool) -> str:
    """The point of view of the values in the path."""
    if hidden:
        return tr("values are hidden")
    return tr("values are the mover's") if negamax else tr("values are {player}'s", player=game.notation.players[0])


def worker_in_words(cursor: Cursor) -> str:
    """The worker that searched the end of the cursor's path; empty above the tasks, or where one searched all."""
    task, result = cursor.task, cursor.result
    if task is None or result is None or len(cursor.task_moments) < 2:
        return ""
    return worker_name(result.job, task.worker)


def which_iteration(result: Result, depth: int | None) -> str:
    """The iteration that a result's record of this depth is from, in words; empty where the root is searched once."""
    count = len(result.info.iterations)
    if not count:
        return ""
    if result.iteration is not None:
        return tr("iteration {number}, depth {depth}", number=thousands(result.iteration), depth=depth)
    if result.end in FINISHED:
        return tr("last of %n iteration(s)", "", count)
    return tr("iteration {number}, depth {depth}, unfinished", number=thousands(count + 1), depth=depth)
