"""A large view of a position of the tree, in a window of its own."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLabel, QVBoxLayout, QWidget

from engine.rules.contract import Game, Position
from gui.style.theme import theme
from gui.widgets.drawing import mini_board

SIDE = 420
"""Pixels."""


def show_position(window: QWidget, game: Game, position: Position) -> None:
    """Show the position until the person closes its window or the main window."""
    shown = QDialog(window)
    shown.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    shown.setWindowTitle(game.notation.format(position))
    picture = QLabel()
    picture.setPixmap(mini_board(game, position, theme().px(SIDE), window.devicePixelRatioF()))
    QVBoxLayout(shown).addWidget(picture)
    shown.show()
