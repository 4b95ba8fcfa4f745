"""The players of the game, side by side: who plays each side, how well, and whose turn it is."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from engine.play.levels import LEVELS
from gui.i18n.language import localized, tr
from gui.state.game_record import GameRecord
from gui.style.theme import NOTE, TEXT, theme
from gui.widgets.board_painter import paint_mark_on_card
from gui.widgets.elided import ElidedLabel

HEIGHT = 40


class Player(QToolButton):
    """One side: its mark, who plays it, and the computer's level. A press opens the choice of these."""

    def __init__(self, record: GameRecord, side: int) -> None:
        super().__init__()
        self._record, self._side = record, side
        self.setObjectName("player")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._name, self._level = ElidedLabel(""), ElidedLabel("")
        self._column = column = QVBoxLayout(self)
        column.setSpacing(0)
        for label in (self._name, self._level):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            column.addWidget(label)
        self.setMenu(QMenu(self))
        self.menu().aboutToShow.connect(self._offer)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(100), theme().px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def refresh(self) -> None:
        """Show the record's players and whose turn it is."""
        record, look = self._record, theme()
        is_computer = self._side in record.computer
        to_move = record.has_mover and record.mover == self._side
        name = tr("Computer") if is_computer else tr("You")
        parts = [tr(record.level.name)] if is_computer else []
        parts += [tr("to move")] if to_move else []
        self._name.setFont(look.font(TEXT, QFont.Weight.DemiBold))
        self._level.setFont(look.font(NOTE))
        self._name.setText(name)
        self._level.setText(" · ".join(parts))
        self._level.setVisible(bool(parts))
        self._column.setContentsMargins(look.px(32), look.px(3), look.px(4), look.px(3))
        self.setProperty("toMove", to_move)
        self.style().unpolish(self)
        self.style().polish(self)
        player = localized(record.game.notation.players[self._side])
        self.setAccessibleName(", ".join([player, name, *parts]))
        self.setToolTip(tr("{player}: choose who plays this side", player=player))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        side = theme().px(18)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        square = QRectF(theme().px(9), (self.height() - side) / 2, side, side)
        paint_mark_on_card(painter, square, self._record.game.view, self._side)
        painter.end()

    def _offer(self) -> None:
        """Fill the menu: a person, or the computer at one of its levels."""
        menu, record = self.menu(), self._record
        menu.clear()
        is_computer = self._side in record.computer
        person = menu.addAction(tr("You"), lambda: record.set_computer(record.computer - {self._side}))
        person.setCheckable(True)
        person.setChecked(not is_computer)
        menu.addSeparator()
        for level in LEVELS.values():
            made = menu.addAction(tr("Computer, {level}", level=tr(level.name)))
            made.setCheckable(True)
            made.setChecked(is_computer and record.level == level)
            made.triggered.connect(lambda _=False, name=level.name: self._choose(name))

    def _choose(self, level: str) -> None:
        self._record.set_level(LEVELS[level])
        self._record.set_computer(self._record.computer | {self._side})


class Players(QWidget):
    """Both players of a record."""

    def __init__(self, record: GameRecord) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        self.sides = [Player(record, side) for side in (0, 1)]
        for player in self.sides:
            row.addWidget(player)
        record.changed.connect(self.refresh)
        theme().changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the record's players."""
        for player in self.sides:
            player.refresh()
