"""A sentence over an edge of a view, until the person dismisses it or it is outdated."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from gui.i18n.language import tr
from gui.style.theme import theme
from gui.widgets.announce import announce
from gui.widgets.long_words import fitting
from gui.widgets.sentences import Sentences


class Notice(QFrame):
    """Lies over its host, so that nothing moves when it appears or disappears. A screen reader announces the
    sentence."""

    def __init__(
        self, host: QWidget, edge: Qt.Edge = Qt.Edge.BottomEdge, clear_of: Callable[[], int] = lambda: 0
    ) -> None:
        """`edge` is the host's upper or lower edge. A notice at the lower edge leaves `clear_of` pixels free at the
        top; a text that does not fit below them scrolls."""
        super().__init__(host)
        self._host, self._edge, self._clear_of = host, edge, clear_of
        self._text = ""
        self._do: Callable[[], object] = lambda: None
        self.setObjectName("notice")
        sentences = Sentences(Qt.AlignmentFlag.AlignLeft)
        self.words = sentences.label
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.button = QPushButton()
        self.dismiss = QToolButton()
        self.dismiss.setText("×")
        self.dismiss.setAccessibleName(tr("Dismiss"))
        self.dismiss.setToolTip(tr("Dismiss"))
        for push in (self.button, self.dismiss):
            push.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._column = column = QVBoxLayout()
        column.setSpacing(4)
        column.addWidget(self.dismiss, alignment=Qt.AlignmentFlag.AlignRight)
        column.addStretch(1)
        column.addWidget(self.button)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(10, 6, 6, 6)
        row.addWidget(sentences, 1)
        row.addLayout(column)
        self.button.clicked.connect(self._press)
        self.dismiss.clicked.connect(self.clear)
        host.installEventFilter(self)
        theme().changed.connect(self._place)
        self.hide()

    @property
    def text(self) -> str:
        """The sentence on display; empty where there is none."""
        return "" if self.isHidden() else self._text

    def tell(self, text: str, button: str = "", do: Callable[[], object] = lambda: None) -> None:
        """Replace the sentences by one, with a button that dismisses it and calls `do`."""
        self._text = text
        self.button.setText(button)
        self.button.setVisible(bool(button))
        self._do = do
        self.show()
        self.raise_()
        self._place()
        announce(self, text)

    def add(self, text: str, button: str = "", do: Callable[[], object] = lambda: None) -> None:
        """Add a sentence below those on display, with its own button or the present one."""
        if text not in self.text.split("\n"):
            known = ("", self._do) if self.isHidden() else (self.button.text(), self._do)
            self.tell("\n".join(filter(None, (self.text, text))), *((button, do) if button else known))

    def remove(self, text: str) -> None:
        """Remove one of the sentences, if it is there; the others stay, with their button."""
        left = [line for line in self.text.split("\n") if line != text]
        if left != self.text.split("\n"):
            if left:
                self.tell("\n".join(left), self.button.text(), self._do)
            else:
                self.clear()

    def clear(self) -> None:
        """Remove all sentences."""
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._place()
        return done

    def _press(self) -> None:
        self.hide()
        self._do()

    def _place(self) -> None:
        if self.isHidden():
            return
        area, at_top = self._host.contentsRect(), self._edge is Qt.Edge.TopEdge
        room = area.height() - (0 if at_top else self._clear_of())
        self._fit(area.width())
        size = QSize(area.width(), min(room, self.heightForWidth(area.width())))
        corner = area.topLeft() if at_top else area.bottomLeft() - QPoint(0, size.height() - 1)
        self.setGeometry(QRect(corner, size))

    def _fit(self, width: int) -> None:
        """Shorten the words that are wider than the label is in that width of the notice; the tool tip has them
        whole."""
        around, beside = self._row.contentsMargins(), self._column.sizeHint().width() + self._row.spacing()
        shown = fitting(self._text, self.words.font(), width - around.left() - around.right() - beside)
        self.words.setText(shown)
        self.words.setToolTip(self._text if shown != self._text else "")
