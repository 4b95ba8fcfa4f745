"""Dims the window but for some places, and shows a card of text beside them."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, Qt, Signal
from PySide6.QtGui import QFont, QPainter, QPainterPath, QPaintEvent, QRegion
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from gui.i18n.language import tr
from gui.style.theme import FIGURE, NOTE, QUIET, TEXT, theme
from gui.widgets.announce import announce

CARD_WIDTH, GAP, AIR, CORNER = 330, 12, 4, 8
"""Pixels: the card's width, its distance from the lit area, the space around that, and the radius of its corners."""
DIMNESS = 0.6


class WordsCard(QFrame):
    """A title, some sentences, and the buttons to go on, go back and leave."""

    on = Signal()
    back = Signal()
    left = Signal()

    def __init__(self, sheet: QWidget) -> None:
        super().__init__(sheet)
        self._sheet = sheet
        self.setObjectName("wordsCard")
        self.title = QLabel()
        self.text = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.place = QLabel()
        self.place.setForegroundRole(QUIET)
        self.leave_button, self.back_button, self.on_button = (QPushButton() for _ in range(3))
        self._row = row = QHBoxLayout()
        row.addWidget(self.place, 1)
        for button, event in (
            (self.leave_button, self.left),
            (self.back_button, self.back),
            (self.on_button, self.on),
        ):
            button.setAutoDefault(True)  # Enter presses it
            button.clicked.connect(event)
            row.addWidget(button)
        self.leave_button.setText(tr("&Leave"))
        self.back_button.setText(tr("&Back"))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(16, 14, 16, 12)
        self._column.setSpacing(8)
        for part in (self.title, self.text):
            self._column.addWidget(part)
        self._column.addLayout(row)
        theme().changed.connect(self._restyle)
        self._restyle()

    def say(self, title: str, text: str, place: str, on: str, is_first: bool) -> None:
        """Show these texts; `on` is the text of the button that goes on."""
        self.title.setText(title)
        self.text.setText(text)
        self.place.setText(place)
        self.on_button.setText(on)
        self.back_button.setEnabled(not is_first)
        self.setAccessibleName(tr("{title}, {place}", title=title, place=place))
        self.setAccessibleDescription(text)
        announce(self, f"{title}. {text}")

    def _restyle(self) -> None:
        look = theme()
        self.title.setFont(look.font(FIGURE, QFont.Weight.DemiBold))
        self.text.setFont(look.font(TEXT))
        self.place.setFont(look.font(NOTE))

    def fit(self) -> None:
        """Fit the size to the text and the buttons."""
        margins = self.contentsMargins() + self._column.contentsMargins()
        aside = margins.left() + margins.right()
        width = max(theme().px(CARD_WIDTH), self._row.sizeHint().width() + aside)
        self.setFixedWidth(min(width, self._sheet.width() - 2 * GAP))
        room = self.width() - aside
        self.text.setMinimumHeight(0)
        self.text.setFixedHeight(self.text.heightForWidth(room))  # Qt would find it out only after the next event
        self.adjustSize()


class Spotlight(QWidget):
    """Covers its parent except for the lit places, which remain usable; the rest does not get the mouse."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setAttribute(Qt.WidgetAttribute.WA_NoMousePropagation)
        self._lit: list[QRect] = []
        self.card = WordsCard(self)
        self.hide()

    def light(self, places: Sequence[QRect]) -> None:
        """Light these places of the parent, and put the card beside them."""
        self.setGeometry(self._window.rect())
        before = self._lit
        self._lit = [place.adjusted(-AIR, -AIR, AIR, AIR) & self.rect() for place in places]
        all_lit, dim = QRect(), QRegion(self.rect())
        for place in self._lit:
            all_lit = all_lit.united(place)
            dim -= place.adjusted(2, 2, -2, -2)  # the round corners are painted
        self.card.fit()
        self.card.move(beside(all_lit, self.card.rect(), self.rect()).topLeft())
        self.setMask(dim + self.card.geometry())
        self.show()
        self.raise_()
        for place in {*map(QRect.getRect, before)} ^ {*map(QRect.getRect, self._lit)}:
            self.update(*place)  # all else of the window stays as it is

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, dim = QPainter(self), theme().colour("pruned", DIMNESS)
        sheet = QRegion(self.rect())
        for place in self._lit:
            sheet -= place
        painter.setClipRegion(sheet)
        painter.fillRect(self.rect(), dim)
        painter.setClipping(False)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place in self._lit:
            corners = QPainterPath()
            corners.addRect(QRectF(place))
            corners.addRoundedRect(QRectF(place), CORNER, CORNER)
            painter.fillPath(corners, dim)
        painter.end()


def beside(lit: QRect, card: QRect, room: QRect) -> QRect:
    """The place of the card: right of the lit area, left, below or above it, where it fits; else the lower right
    corner, where views show least."""
    room = room.adjusted(GAP, GAP, -GAP, -GAP)
    if lit.isEmpty():
        card.moveCenter(room.center())
        return card
    right, left = lit.right() + GAP, lit.left() - GAP - card.width()
    below, above = lit.bottom() + GAP, lit.top() - GAP - card.height()
    across = min(max(lit.left(), room.left()), room.right() - card.width() + 1)
    down = min(max(lit.top(), room.top()), room.bottom() - card.height() + 1)
    beside_it = ((right, down), (left, down), (across, below), (across, above))
    places = [QRect(x, y, card.width(), card.height()) for x, y in beside_it]
    card.moveBottomRight(room.bottomRight())
    return next((place for place in places if room.contains(place)), card)
