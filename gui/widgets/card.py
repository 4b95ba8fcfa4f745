"""The card: a panel with a small dim title on the left and its most important fact on the right.

A card whose content is not of the position on the board is faded, and its fact names the position. A faded card has no
colours and a quiet ground: text and shapes keep their contrast.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPalette, QRegion
from PySide6.QtWidgets import (
    QDockWidget,
    QFrame,
    QGraphicsColorizeEffect,
    QHBoxLayout,
    QLabel,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui.style.theme import NOTE, QUIET, TEXT, theme
from gui.widgets.elided import ElidedLabel
from gui.widgets.roles import set_background, set_foreground

APART = " · "
"""Between the parts of a fact; where there is no room for all, the last are left out."""


RESTYLED = QEvent.Type.Polish, QEvent.Type.StyleChange
"""The events after which a style sheet has been applied to a widget."""

LEAST_WIDTH = 220
"""The least width of a card in pixels at 100 %: that of two columns of text."""


class CardTitle(QFrame):
    """The upper edge of a card."""

    def __init__(self, title: str, margins: tuple[int, int, int, int] = (14, 10, 14, 4), least: int = 0) -> None:
        """`least` is the least width in pixels at 100 %."""
        super().__init__()
        self._least = least
        self.setObjectName("cardTitle")
        self._title = QLabel(title)
        self._fact = ElidedLabel("")
        self._fact.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for label in (self._title, self._fact):
            label.setForegroundRole(QUIET)
        self._fact.setAutoFillBackground(True)  # Qt paints none of the widgets behind it: it changes at each moment
        self._fact.setBackgroundRole(QPalette.ColorRole.Base)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(*margins)
        self._row.addWidget(self._title)
        self._row.addWidget(self._fact, 1)
        theme().changed.connect(self._restyle)
        self._restyle()

    @property
    def fact(self) -> str:
        """The text on the right, which may be too long for it."""
        return self._fact.text()

    @property
    def fact_shown(self) -> str:
        """The text as it is painted: a shorter one where there is no room."""
        return self._fact.shown

    def say(self, fact: str, shorter: Sequence[str], faded: bool) -> None:
        """Show a fact, or the first of the `shorter` ones that fits; the fact of a faded card is emphasised."""
        self._fact.setText(fact)
        self._fact.setToolTip(fact)
        self._fact.shorten(*shorter)
        set_foreground(self._fact, QPalette.ColorRole.WindowText if faded else QUIET)
        set_faded(self, faded)
        is_grey = faded and self.objectName() == "cardTitle"  # the style sheet fades it by that name
        set_background(self._fact, QPalette.ColorRole.Window if is_grey else QPalette.ColorRole.Base)

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint().expandedTo(QSize(theme().px(self._least), 0))

    def add_button(self, text: str, do: Callable[[], object]) -> QToolButton:
        """A button at the right end, hidden at first; it does not change the height of the title."""
        made = QToolButton()
        made.setText(text)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        made.setStyleSheet("padding: 0 8px; min-height: 0")
        made.clicked.connect(lambda: do())
        made.hide()
        self._row.addWidget(made)
        self._restyle()
        return made

    def _restyle(self) -> None:
        look = theme()
        self._title.setFont(look.font(TEXT, QFont.Weight.DemiBold))
        self._fact.setFont(look.font(NOTE + 1))
        heights = (button.sizeHint().height() for button in self.findChildren(QToolButton))
        self._title.setMinimumHeight(max(heights, default=0))


class CardBody(QFrame):
    """The lower part of a card, with a view inside once it is `put` there."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("cardBody")
        self._inside = QFrame()
        self._inside.setObjectName("cardInside")
        around, self._column = QVBoxLayout(self), QVBoxLayout(self._inside)
        around.setContentsMargins(7, 0, 7, 6)
        around.addWidget(self._inside)
        self._column.setContentsMargins(7, 4, 7, 6)
        self._will_fade = False
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._fade)

    @property
    def is_faded(self) -> bool:
        return self._inside.graphicsEffect() is not None

    def put(self, view: QWidget) -> None:
        self._column.addWidget(view)
        for part in (self._inside, self):
            part.updateGeometry()  # Qt does so itself only where they are visible

    def fade(self, faded: bool) -> None:
        """Remove the colours of the view, or restore them, in an event loop step of its own: to paint the view without
        colours takes as long as all that a move changes."""
        if faded != self._will_fade:
            self._will_fade = faded
            self._soon.start()

    def _fade(self) -> None:
        faded = self._will_fade
        if faded == self.is_faded:
            return
        for part in (self, self._inside):
            set_faded(part, faded)  # the inside has a ground of its own: Qt thins light text that it greys on nothing
        grey = QGraphicsColorizeEffect(self._inside) if faded else None
        if grey is not None:
            grey.setColor(Qt.GlobalColor.black)
        self._inside.setGraphicsEffect(grey)  # pyright: ignore[reportArgumentType] None takes the one before away
        for part in self._inside.findChildren(QWidget):
            part.update()  # Qt leaves out what is opaque


class Panel:
    """The common part of all cards: a fact, and the position that it belongs to."""

    title: CardTitle
    body: CardBody
    _fact, _words, _short, _faded = "", "", "", False

    def set_fact(self, fact: str) -> None:
        """Set the fact; empty while the card has only an empty state, which belongs to any position."""
        if fact != self._fact:
            self._fact = fact
            self._show()

    def mark(self, words: str = "", short: str = "", faded: bool = False) -> None:
        """Name before the fact what the content belongs to, `short` where space is short, and fade the card or not."""
        self._words, self._short, self._faded = words, short, faded
        self._show()

    def _show(self) -> None:
        faded = self._faded and bool(self._fact)
        full = APART.join(filter(None, [self._words, self._fact]))
        parts = list(filter(None, [self._short, *self._fact.split(APART)]))
        shorter = [APART.join(parts[:count]) for count in range(len(parts), 0, -1)]
        self.title.say(full if self._fact else "", shorter if self._fact else (), faded)
        self.body.fade(faded)


class Card(QDockWidget, Panel):
    """A view in a dock, as a card. `objectName` identifies it in the saved layout."""

    def __init__(self, name: str, title: str, view: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.setObjectName(name)
        self.title, self.body = CardTitle(title, least=LEAST_WIDTH), CardBody()
        self.setTitleBarWidget(self.title)
        self.setWidget(self.body)  # empty: Qt styles and lays out all that is inside, also in a closed drawer
        self.body.put(view)


class OnGround(QWidget):
    """A view that paints its ground itself, and then what `paint` draws. Qt paints none of the widgets behind it, each
    of them for its whole area with round corners."""

    _behind: CardBody | None = None
    """The body of the card that the view is in; None outside the cards."""

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() in RESTYLED:
            self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # a style sheet takes it away
            self._behind = _body_around(self)
        return handled

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        is_card = self._behind is not None and not self._behind.is_faded
        painter.fillRect(event.rect(), theme().colour("card" if is_card else "ground"))
        self.paint(painter, event.region())
        painter.end()

    def paint(self, painter: QPainter, area: QRegion) -> None:
        """Draw what the view shows in an area, on its ground; nothing here."""


def _body_around(view: QWidget) -> CardBody | None:
    around = view.parentWidget()
    while around is not None and not isinstance(around, CardBody):
        around = around.parentWidget()
    return around


def set_faded(part: QWidget, faded: bool) -> None:
    """Have the style sheet paint a part of a card as faded, or not."""
    if bool(part.property("faded")) != faded:
        part.setProperty("faded", faded)
        part.style().unpolish(part)
        part.style().polish(part)
