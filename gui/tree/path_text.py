"""The path in words: the tool tip of a board, its row in a sentence, and why a board was not searched."""

from functools import lru_cache

from engine.options.choices import Scoring
from engine.result import Bound, Leaf, State, Value
from engine.rules.contract import is_over
from engine.text.numbers import precise
from gui.i18n.language import tr
from gui.state.spoilers import WHY_HIDDEN
from gui.state.wording import in_words, state_of_play, wins_in
from gui.tree.path_model import CHANCE, MAX_PLAYER, STATES, Cell, Row, SearchWindow, Windows


def tool_tip(row: Row, index: int, running: bool) -> str:
    """The tool tip of a board: its moves, its value and point of view, its state."""
    cell = row.cell(index)
    names = " ".join(row.game.notation.move_name(move) for move in row.path(index))
    standing = state_of_play(row.game, row.position(index))
    lines = [names or tr("the position searched"), standing, _said(row, cell, running)]
    if row.hidden and cell.state is not State.UNVISITED:
        lines.insert(2, tr(WHY_HIDDEN))
    elif cell.visits > 1:
        lines.insert(2, tr("searched {count} times, the last time for its value", count=cell.visits))
    return "\n".join(lines)


def _said(row: Row, cell: Cell, running: bool) -> str:
    """The state and the value of a board, in words."""
    if cell.depth is not None and cell.value is not None:
        return tr(
            "{state}; an iteration of depth {depth} found {value} for {player}",
            state=_said(row, cell._replace(value=None, depth=None), running),
            depth=cell.depth,
            value=in_words(cell.value),
            player=row.game.notation.players[cell.view],
        )
    value, player = "" if cell.value is None else in_words(cell.value), row.game.notation.players[cell.view]
    match cell.state:
        case State.UNVISITED:
            return tr("not visited yet") if running else tr("not visited")
        case State.UNRECORDED:
            return why_unrecorded(row)
        case state if row.hidden:
            return tr("{state}, value hidden", state=tr(STATES[state]))
        case State.PRUNED:
            return why_pruned(row)
        case State.OPEN if cell.value is None:
            return tr("open: no value yet") if running else tr("begun, but not finished")
        case State.OPEN:
            return tr("{value} for {player}, so far", value=value, player=player)
    if cell.value is None:
        return tr("searched, but without a value: the search no longer needed it")
    if cell.leaf is Leaf.TABLE:
        return why_known(cell.value, player)
    if cell.leaf is Leaf.HORIZON and cell.value.number == 0:
        return tr("{value} for {player}, at the horizon: undecided", value=value, player=player)
    if cell.leaf is Leaf.HORIZON:
        return tr("{value} for {player}, by an estimate at the horizon", value=value, player=player)
    if not cell.value.is_exact:
        return tr("{value} for {player}: a bound, not the exact value", value=value, player=player)
    if row.scoring is Scoring.SOONEST and cell.favours is not None and not cell.value.is_estimate:
        end = wins_in(row.game.notation.players[cell.favours], cell.value.number, row.ply)
        return tr("{value} for {player}: {verdict}", value=value, player=player, verdict=end)
    return tr("{value} for {player}", value=value, player=player)


def why_unrecorded(row: Row) -> str:
    """A sentence on the boards of a row that are missing from the record."""
    if row.above is not None and (row.hides_cut_above or not row.above.ended):
        return tr("not recorded because the record was full: searched or not visited")
    if row.above is not None and row.above.cut:
        return tr("not recorded because the record was full: searched or pruned")
    return tr("searched, but not recorded because the record was full")


def why_pruned(row: Row) -> str:
    """One sentence on why the row's remaining boards need no search."""
    if row.above is None:
        return ""
    mover, other = (row.game.notation.players[player] for player in (row.mover_above, 1 - row.mover_above))
    alpha, beta = row.above.alpha, row.above.beta
    if row.windows is Windows.GUESSED:
        at_least = row.negamax or row.mover_above == MAX_PLAYER
        bound, asked = (alpha, beta) if at_least else (-alpha, -beta)
        relation = Bound.LOWER if at_least else Bound.UPPER
        return tr(
            "Pruned: the value here is {bound} for {player}. The search only asks whether it is {asked}.",
            bound=in_words(Value(bound, relation)),
            asked=in_words(Value(asked, relation)),
            player=mover if at_least else other,
        )
    if row.negamax or row.mover_above == MAX_PLAYER:
        return tr(
            "Pruned: {mover} gets at least {alpha} here. By an earlier move {other} holds {mover} to {beta}, so "
            "{other} avoids this position.",
            mover=mover,
            other=other,
            alpha=precise(alpha),
            beta=precise(beta),
        )
    return tr(
        "Pruned: {mover} holds {other} to {alpha} here. By an earlier move {other} gets at least {beta}, so "
        "{other} avoids this position.",
        mover=mover,
        other=other,
        alpha=precise(-alpha),
        beta=precise(-beta),
    )


def why_known(value: Value, player: str) -> str:
    """One sentence on why a position found in the transposition table needs no search."""
    return tr(
        "From the table: {value} for {player}. The position was searched before with as many plies left, after other "
        "moves or from an earlier search of the root, so it is not searched again.",
        value=in_words(value),
        player=player,
    )


def sentence(row: Row) -> str:
    """A row in words: "X to move, best +1, window −∞ to 0", "X wins, value +1"."""
    best = "" if row.current is None else row.cell(row.current).text
    if row.current is not None and row.here is not None and not row.here.children:
        position = row.position(row.current)
        if is_over(position):
            return ", ".join([state_of_play(row.game, position), *([tr("value {value}", value=best)] if best else [])])
    states: tuple[State, ...] = ()
    if row.window is None and row.here is None:
        states = tuple(row.state(index) for index in range(len(row)))
    if CHANCE in row.roles:
        return ", ".join([row.standing, *([tr("value {value}", value=best)] if best else []), *_numbers_of(states)])
    return _sentence(row.standing, best, row.window, states)


@lru_cache(maxsize=1024)
def _sentence(standing: str, best: str, window: SearchWindow | None, states: tuple[State, ...]) -> str:
    """`sentence`, from a cache: from step to step most rows say the same."""
    words = [standing]
    if best:
        words.append(tr("best {value}", value=best))
    if window is not None:
        bounds = {"alpha": precise(window.alpha), "beta": precise(window.beta)}
        words.append(
            tr("null window {alpha} to {beta}", **bounds)
            if window.is_null
            else tr("window {alpha} to {beta}", **bounds)
        )
        words += [tr("cut")] if window.cut else []
    return ", ".join([*words, *_numbers_of(states)])


def _numbers_of(states: tuple[State, ...]) -> list[str]:
    """How many boards are in each state: "2 done", "1 open"."""
    return [f"{states.count(state)} {tr(STATES[state])}" for state in State if state in states]
