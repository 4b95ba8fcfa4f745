"""A large view of a position of the tree, in a window of its own."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLabel, QLayout, QVBoxLayout, QWidget

from engine.rules.contract import Game, Position
from gui.board.wording import position_in_words
from gui.i18n.language import tr
from gui.state.wording import state_of_play
from gui.style.theme import theme
from gui.widgets.drawing import mini_board

SIDE = 420
"""Pixels at 100 %."""


def show_position(window: QWidget, game: Game, position: Position) -> None:
    """Show the position until the person closes its window or the main window."""
    PositionDialog(window, game, position).show()


class PositionDialog(QDialog):
    """The board of a position, in the colours and at the zoom of the theme."""

    def __init__(self, window: QWidget, game: Game, position: Position) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(game.notation.format(position))
        self._game, self._position = game, position
        cells, regions = game.notation.cells(position), game.view.regions(position)
        self._board = QLabel()
        self._board.setAccessibleName(tr("Position"))
        self._board.setAccessibleDescription(position_in_words(game, cells, regions, state_of_play(game, position)))
        column = QVBoxLayout(self)
        column.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)
        column.addWidget(self._board)
        theme().changed.connect(self._paint)
        self._paint()

    def _paint(self) -> None:
        board = mini_board(self._game, self._position, theme().px(SIDE), self.devicePixelRatioF())
        self._board.setPixmap(board)
