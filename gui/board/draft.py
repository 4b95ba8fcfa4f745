"""A position that a person edits: marks go on any square, and the draft says whether a game can lead to them.

Where the marks do not determine the side to move or the region to move in, that is chosen as well: position texts have
it after the rows.
"""

from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from engine.rules.board_view import Region, RegionState
from engine.rules.contract import Game, Position, at_chance, is_over
from gui.i18n.language import localized, tr
from gui.state.wording import decides, state_of_play

GLYPHS = "xo"
"""The letters of the two players' marks in text."""
REGION = 2
"""The brush that chooses a region; the numbers below it are the two players'."""

Brush = int | None


class _Marks(NamedTuple):
    """All that a person sets in a draft."""

    cells: tuple[int | None, ...]
    mover: int | None
    region: int | None


class Draft(QObject):
    """A draft, initially with the marks of a position."""

    changed = Signal()

    def __init__(self, game: Game, position: Position) -> None:
        super().__init__()
        self._game = game
        self._brush: Brush = 0
        active = [region for region in game.view.regions(position) if region.state is RegionState.ACTIVE]
        region = self._region_of(active[0]) if len(active) == 1 else None
        self._marks = _Marks(game.notation.cells(position), _mover(game, position), region)
        self._former: list[_Marks] = []
        """Those before each change, the first change first."""
        self._undone: list[_Marks] = []
        """Those that were taken back, the last one of them last."""
        self._look()

    @property
    def game(self) -> Game:
        return self._game

    @property
    def cells(self) -> tuple[int | None, ...]:
        """The player whose stone is on each square; None for an empty square."""
        return self._marks.cells

    @property
    def brush(self) -> Brush:
        """The player whose stones a click puts down; None removes stones, REGION chooses the region of the next
        move."""
        return self._brush

    @property
    def mover(self) -> int:
        """The side to move: the chosen one where there is a choice, else the one that follows from the marks."""
        return (self._marks.mover or 0) if self._position is None else self._game.notation.mover(self._position)

    @property
    def next_mover(self) -> str:
        """Who is chosen to move, in words; "The coin decides" if chance is."""
        mover = self._marks.mover
        if mover is None:
            return decides(self._game.chance)
        return tr("{player} to move", player=self._game.notation.players[mover])

    @property
    def position(self) -> Position | None:
        """The position; None while no game leads to these stones."""
        return self._position

    @property
    def obstacle(self) -> str:
        """One sentence on why no game leads to these stones; empty where one does."""
        return self._obstacle

    @property
    def regions(self) -> tuple[Region, ...]:
        """The board's regions, such as a small board that is won; empty while no game leads to these stones."""
        return () if self._position is None else self._game.view.regions(self._position)

    @property
    def verdict(self) -> str:
        return tr("Not possible") if self._position is None else state_of_play(self._game, self._position)

    @property
    def text(self) -> str:
        """The stones in the notation of positions."""
        view, rows = self._game.view, ["" for _ in self._game.view.row_names]
        cells, mover, region = self._marks
        for square, cell in enumerate(cells):
            rows[view.row_of(square)] += "." if cell is None else GLYPHS[cell]
        movers = [GLYPHS[mover]] if view.writes_mover and mover is not None else []
        regions = ["any" if region is None else str(region + 1)] if view.writes_region else []
        return " ".join(["/".join(rows), *movers, *regions])

    def square_text(self, square: int) -> str:
        """The content of a square: "b2: X"."""
        cell = self._marks.cells[square]
        name = self._game.view.square_name(square)
        held = tr("empty") if cell is None else self._game.notation.players[cell]
        return tr("{square}: {text}", square=name, text=held)

    def take_brush(self, brush: Brush) -> None:
        self._brush = brush
        self.changed.emit()

    def turn(self) -> None:
        """Make the other side the side to move; in a game with chance nodes the three choices follow each other."""
        choices = (0, 1, None) if self._game.chance else (0, 1)
        self._change(mover=choices[(choices.index(self._marks.mover) + 1) % len(choices)])

    def would_put(self, square: int) -> bool:
        """Whether the brush would put a stone on this square, which is empty."""
        return self._brush in (0, 1) and self._marks.cells[square] is None

    def brush_over(self, square: int) -> None:
        """Apply the brush to a square; the same content put there again is removed."""
        if self._brush == REGION:
            region = self._game.view.region_of(square)
            self._change(region=None if region == self._marks.region else region)
        else:
            self.put(square, None if self._marks.cells[square] == self._brush else self._brush)

    def put(self, square: int, cell: int | None) -> None:
        """Put a player's stone on a square, or empty it with None."""
        cells = self._marks.cells
        self._change(cells=(*cells[:square], cell, *cells[square + 1 :]))

    def clear(self) -> None:
        """Remove all stones but those of the game's start position."""
        start = self._game.start
        self._change(cells=self._game.notation.cells(start), mover=_mover(self._game, start), region=None)

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back."""
        return bool(self._former)

    @property
    def can_redo(self) -> bool:
        """Whether a change was taken back, and none made since."""
        return bool(self._undone)

    def undo(self) -> None:
        """Take back the last change, if there is one."""
        self._go(self._former, self._undone)

    def redo(self) -> None:
        """Make the change again that was taken back last, if there is one."""
        self._go(self._undone, self._former)

    def _go(self, ahead: list[_Marks], behind: list[_Marks]) -> None:
        if ahead:
            behind.append(self._marks)
            self._marks = ahead.pop()
            self._look()
            self.changed.emit()

    def _change(self, **marks: object) -> None:
        """Set some of the marks."""
        changed = self._marks._replace(**marks)
        if changed != self._marks:
            self._former.append(self._marks)
            self._undone.clear()
            self._marks = changed
        self._look()
        self.changed.emit()

    def _region_of(self, region: Region) -> int | None:
        """The number of a region, by a square in it."""
        view = self._game.view
        inside = (place for place, spot in enumerate(view.squares) if region.rectangle.holds(*spot.centre))
        return view.region_of(next(inside))

    def _look(self) -> None:
        try:
            self._position, self._obstacle = self._game.notation.parse(self.text), ""
        except ValueError as error:
            self._position, self._obstacle = None, localized(error)


def _mover(game: Game, position: Position) -> int | None:
    """The side to move in the draft of a position; None where chance is next, or next after more marks."""
    is_chance = at_chance(position) or (game.chance and is_over(position))
    return None if is_chance else game.notation.mover(position)
