"""A position in the making: stones go anywhere, and it says whether a game can lead to what they are."""

from PySide6.QtCore import QObject, Signal

from engine.game import Game, Position
from gui.board.verdict import verdict
from gui.language import retold, tr


class Draft(QObject):
    """Begins with the stones of a position."""

    changed = Signal()

    def __init__(self, game: Game, position: Position) -> None:
        super().__init__()
        self._game = game
        self._cells: list[int | None] = list(game.notation.cells(position))
        self._brush: int | None = 0
        self._look()

    @property
    def game(self) -> Game:
        return self._game

    @property
    def cells(self) -> tuple[int | None, ...]:
        """Whose stone is on each square."""
        return tuple(self._cells)

    @property
    def brush(self) -> int | None:
        """Whose stones are put down; None clears."""
        return self._brush

    @property
    def position(self) -> Position | None:
        """None while no game leads to these stones."""
        return self._position

    @property
    def obstacle(self) -> str:
        """Why no game leads to these stones, in a sentence; empty where one does."""
        return self._obstacle

    @property
    def verdict(self) -> str:
        return tr("Not possible") if self._position is None else verdict(self._game, self._position)

    @property
    def text(self) -> str:
        """The stones as a position is written."""
        notation = self._game.notation
        glyphs = ["." if cell is None else notation.players[cell].lower() for cell in self._cells]
        return "/".join("".join(glyphs[row * notation.columns :][: notation.columns]) for row in range(notation.rows))

    def square_text(self, square: int) -> str:
        """What a square holds: "b2: X"."""
        cell = self._cells[square]
        name = self._game.notation.move_name(square)
        held = tr("empty") if cell is None else self._game.notation.players[cell]
        return tr("{square}: {said}", square=name, said=held)

    def take_brush(self, brush: int | None) -> None:
        self._brush = brush
        self.changed.emit()

    def would_put(self, square: int) -> bool:
        """Whether the brush would put a stone on this square, which is empty."""
        return self._brush is not None and self._cells[square] is None

    def brush_over(self, square: int) -> None:
        """Put down what the brush holds; what is there already is taken away."""
        self.put(square, None if self._cells[square] == self._brush else self._brush)

    def put(self, square: int, cell: int | None) -> None:
        """Put a player's stone on a square, or none."""
        self._cells[square] = cell
        self._look()
        self.changed.emit()

    def clear(self) -> None:
        """Take every stone away."""
        self._cells[:] = [None] * len(self._cells)
        self._look()
        self.changed.emit()

    def _look(self) -> None:
        try:
            self._position, self._obstacle = self._game.notation.parse(self.text), ""
        except ValueError as error:
            self._position, self._obstacle = None, retold(error)
