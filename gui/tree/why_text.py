"""The text of the why-line: why the moves that are left at a cutoff need no search, and what the search of one found.

Values have the points of view of `gui.tree.narration`.
"""

from typing import NamedTuple

from engine.result import Bound, Leaf, Number, Value
from engine.rules.contract import play, traits
from engine.text.numbers import precise, thousands
from engine.trace.why import Certificate, Origin
from gui.i18n.language import tr
from gui.state.wording import in_words
from gui.tree.narration import Telling
from gui.tree.path_model import MAX_PLAYER


class Swept(NamedTuple):
    """The values of `searched_anyway`, in its points of view, and their names."""

    move: str
    value: Value
    """Of the pruned move, as its search found it."""
    root: str
    stays: Value
    """Of the root, whatever the move is worth."""
    most: Number
    """The greatest value of the game's rules."""


def why_cut(telling: Telling, found: Certificate) -> str:
    """Why the moves that are left at a cut node need no search: two sentences."""
    count = len(found.pruned)
    if telling.hidden:
        return tr("{after}, %n move(s) (needs|need) no search.", "", count, after=telling.after(found.moves))
    mover = telling.mover(found.row)
    return " ".join(
        [
            tr(
                "{after} {reaches}.",
                after=telling.after(found.moves),
                reaches=telling.reaches(mover, found.proof),
            ),
            _reason(telling, found, mover),
        ]
    )


def note(telling: Telling, found: Certificate) -> str:
    """What else is known of a cutoff: its moves, the move with its bound, and what is from the table."""
    names = ", ".join(map(telling.move, found.pruned))
    words = [tr("Pruned: {moves}.", moves=names)]
    if telling.hidden:
        return words[0]
    mover = telling.mover(found.row)
    at_least = telling.negamax or mover == MAX_PLAYER
    sign, value = ("β", found.beta) if at_least else ("α", -found.beta)
    if found.holder is not None:
        by = {"move": telling.move(found.holder.move), "moment": thousands(found.holder.moment + 1)}
        words.append(tr("{sign} = {value}: {move} came up at moment {moment}.", sign=sign, value=precise(value), **by))
        words.append(tr("A deep cutoff.") if found.is_deep else tr("A shallow cutoff."))
    known = [searched for searched in (found.proof, found.holder) if searched and searched.leaf is Leaf.TABLE]
    words += [tr("The value of {move} is from the table.", move=telling.move(searched.move)) for searched in known]
    return " ".join(words)


def searched_anyway(telling: Telling, found: Certificate, move: int, value: Value | None, root: Value | None) -> str:
    """What the search of a pruned move has found. `root` is the root's value whatever the move is worth; None if that
    depends on the move."""
    if value is None:
        return tr("The search of {move} did not end: it is too large.", move=telling.move(move))
    worth = telling.worth(value, telling.mover(found.row), _mover_after(telling, found, move))
    first = tr("{move} is worth {value}.", move=telling.move(move), value=worth)
    if root is None:
        return first
    stays = telling.worth(root, telling.mover(0), telling.mover(0))
    return " ".join([first, tr("Whatever it were, from −∞ to +∞, the value of the root stays {value}.", value=stays)])


def swept(telling: Telling, found: Certificate, move: int, value: Value | None, root: Value | None) -> Swept | None:
    """The picture of `searched_anyway`, in the same points of view; None where the root's value depends on the move."""
    if value is None or root is None:
        return None
    first, after = telling.mover(0), _mover_after(telling, found, move)
    worth, viewer = telling.seen(value, telling.mover(found.row), after)
    stays, root_viewer = telling.seen(root, first, first)
    return Swept(
        tr("{move} for {player}", move=telling.move(move), player=telling.player(viewer)),
        worth,
        tr("root for {player}", player=telling.player(root_viewer)),
        stays,
        traits(telling.trace.root).utility,
    )


def _mover_after(telling: Telling, found: Certificate, move: int) -> int:
    """The side to move after a pruned move."""
    return telling.game.notation.mover(play(telling.trace.position(found.row), move))


def _reason(telling: Telling, found: Certificate, mover: int) -> str:
    """The second sentence: whose bound it is."""
    count, other = len(found.pruned), telling.player(1 - mover)
    at_least = telling.negamax or mover == MAX_PLAYER
    asked = Value(found.beta, Bound.LOWER) if at_least else Value(-found.beta, Bound.UPPER)
    viewer = telling.player(mover if at_least else 1 - mover)
    worth = tr("{value} for {player}", value=in_words(asked), player=viewer)
    match found.origin:
        case Origin.MOVE if found.holder is not None:
            return tr(
                "{place} {reaches} already, so {other} never comes here: %n move(s) (needs|need) no search.",
                "",
                count,
                place=telling.after(found.moves[: found.ancestor_ply]),
                reaches=telling.reaches(1 - mover, found.holder),
                other=other,
            )
        case Origin.NULL_WINDOW:
            tested = found.moves[(found.ancestor_ply or 0) : (found.ancestor_ply or 0) + 1]
            words = {"place": telling.after(found.moves[: found.ancestor_ply]), "move": telling.line(tested)}
            if found.again is not None:
                return tr(
                    "{place} the search only tests whether {move} gives {worth}: here %n move(s) (needs|need) no "
                    "search. Then {move} is searched a second time.",
                    "",
                    count,
                    worth=worth,
                    **words,
                )
            return tr(
                "{place} the search only tests whether {move} gives {worth}: %n move(s) (needs|need) no search.",
                "",
                count,
                worth=worth,
                **words,
            )
        case Origin.ROOT_WINDOW:
            words = {"value": precise(asked.number), "player": viewer}
            if at_least:
                return tr(
                    "The window of the root ends at {value} for {player}, so no more is asked: %n move(s) (needs|need) "
                    "no search.",
                    "",
                    count,
                    **words,
                )
            return tr(
                "The window of the root begins at {value} for {player}, so no less is asked: %n move(s) (needs|need) "
                "no search.",
                "",
                count,
                **words,
            )
    return tr(
        "By a bound of another worker {other} never comes here: %n move(s) (needs|need) no search.",
        "",
        count,
        other=other,
    )
