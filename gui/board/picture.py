"""Everything that the board shows at a moment: of the game, or of a draft."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.rules.bits import each
from engine.rules.board_view import Line, Region
from engine.rules.contract import Game, Position, legal, movers
from gui.board.changes import Change, squares_of, still, turning
from gui.board.draft import Draft
from gui.board.motion import Motion
from gui.board.wording import SquareValue, standing
from gui.i18n.language import tr
from gui.state.game_record import GameRecord


class Hint(NamedTuple):
    """The parts of a hint that the board shows."""

    move: int | None = None
    area: frozenset[int] = frozenset()
    line: tuple[int, ...] = ()


NO_HINT = Hint()


class Overlays(NamedTuple):
    """Values and other texts to be shown with a position."""

    values: Mapping[int, SquareValue]
    """The value of each move for the side to move."""
    unknown: frozenset[int]
    """The moves whose value is not known yet."""
    hint: Hint
    note: str
    """The dim line below the verdict."""


@dataclass(frozen=True)
class BoardPicture:
    """Everything that the board shows at one moment."""

    game: Game
    cells: tuple[int | None, ...]
    """The player whose mark is on each square; None for an empty square."""
    mover: int
    """The player of the preview, the hint and the values."""
    verdict: str
    note: str = ""
    turn: int | None = None
    """The side to move, if it is not the player of the preview."""
    winner: int | None = None
    winning: tuple[int, ...] = ()
    """The squares of every completed line."""
    strokes: tuple[Line, ...] = ()
    """The lines through them."""
    regions: tuple[Region, ...] = ()
    last: int | None = None
    """The square of the last move."""
    moves: frozenset[int] = frozenset()
    """The squares of the moves that are marked."""
    values: Mapping[int, SquareValue] = field(default_factory=dict)
    """The value of the move that puts something on a square."""
    unknown: frozenset[int] = frozenset()
    hint: int | None = None
    area: frozenset[int] = frozenset()
    """The squares of a hint's area."""
    line: tuple[int | None, ...] = ()
    """The squares of best play, starting with the side to move; None for a pass."""
    line_players: tuple[int, ...] = ()
    """The player of each move of best play."""
    preview: int | None = None
    """The square of the previewed move."""
    turning: frozenset[int] = frozenset()
    """The marks that the previewed move would give to the other player."""
    focus: int | None = None
    """The keyboard's square, if it is to be shown."""
    fresh: tuple[Change, ...] = ()
    """The changes being animated, the square of the first move first."""
    drawn: float = 1.0
    """The drawn share of the marks, 0 to 1, slowing down."""
    struck: float = 1.0
    """The drawn share of the winning line, 0 to 1."""
    is_ahead: bool = False
    """Whether it is a position of the search, not of the game: it has a frame."""

    def colour_of(self, player: int) -> str:
        """The name of a player's colour."""
        return self.game.view.colours[player]

    def colour(self, value: SquareValue) -> str:
        """The colour name of the player whom a value favours."""
        winner = value.winner(self.mover)
        return "draw" if winner is None else self.colour_of(winner)


def draft_picture(draft: Draft, hover: int | None, focus: int | None) -> BoardPicture:
    """The picture of a draft, with the pointer over a square and the keyboard on one."""
    return BoardPicture(
        game=draft.game,
        cells=draft.cells,
        mover=draft.brush if draft.brush in (0, 1) else draft.mover,
        verdict=draft.verdict,
        turn=draft.mover,
        regions=draft.regions,
        preview=hover if hover is not None and draft.would_put(hover) else None,
        focus=focus,
    )


def ahead_picture(game: Game, position: Position, last: int | None, note: str) -> BoardPicture:
    """The picture of a position of a search. `last` is the move that led to it, `note` says which position it is."""
    seen = still(game, position)
    return BoardPicture(
        game=game,
        cells=seen.cells,
        mover=game.notation.mover(position),
        verdict=tr("Look-ahead"),
        note=note,
        winning=seen.winning,
        strokes=seen.strokes,
        regions=seen.regions,
        last=None if last is None else game.view.square_of(last),
        is_ahead=True,
    )


def game_picture(
    record: GameRecord, shown: Overlays, motion: Motion, is_asked: bool, move: int | None, focus: int | None
) -> BoardPicture:
    """The picture of the game. `move` is the move that a click would play, `focus` the keyboard's square. Legal moves
    are marked where the side to move is a person (`is_asked`)."""
    view, position = record.game.view, record.position
    seen = still(record.game, position)
    values = ((view.square_of(move), value) for move, value in shown.values.items())
    return BoardPicture(
        game=record.game,
        cells=seen.cells,
        mover=record.mover,
        verdict=standing(record),
        note=shown.note,
        winner=record.winner,
        winning=seen.winning,
        strokes=seen.strokes,
        regions=seen.regions,
        last=None if record.last_move is None else view.square_of(record.last_move),
        moves=squares_of(view, each(legal(position)) if is_asked and view.shows_moves else ()),
        values={square: value for square, value in values if square is not None},
        unknown=squares_of(view, shown.unknown),
        hint=None if shown.hint.move is None else view.square_of(shown.hint.move),
        area=shown.hint.area,
        line=tuple(map(view.square_of, shown.hint.line)),
        line_players=movers(record.game.notation, position, shown.hint.line),
        preview=None if move is None else view.square_of(move),
        turning=frozenset() if move is None else turning(record.game, position, move),
        focus=focus,
        fresh=motion.fresh,
        drawn=motion.drawn,
        struck=motion.struck,
    )
