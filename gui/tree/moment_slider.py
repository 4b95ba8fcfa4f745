"""The timeline: the moments of the record on one line. Each cutoff has a tick, taller the nearer it is to the root."""

from typing import TYPE_CHECKING
from weakref import ref

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QSizePolicy, QSlider

from gui.i18n.language import tr
from gui.state.replay import Cursor
from gui.state.root_cut import hides_cut
from gui.state.spoilers import spoilers
from gui.style.theme import theme
from gui.tree.path_root import moment_in_words
from gui.widgets.focus_ring import want_ring

if TYPE_CHECKING:
    from engine.trace.replay import Replay

HEIGHT = 22
PAGES = 50
"""Page Up and Page Down move by this part of the search."""
SHORTEST = 0.25
"""The height of the tick of a deepest cutoff, as a part of the line's."""


class MomentSlider(QSlider):
    """Shows the cursor's moment among all; a press or a drag goes to another. Its value is the moment's number, from 1
    on: a screen reader reads it out."""

    def __init__(self, cursor: Cursor) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._cursor = cursor
        self._ticks: QPixmap | None = None
        self._made: tuple[object, ...] = ()
        self.setAccessibleName(tr("Moments of the search"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        want_ring(self)
        self.valueChanged.connect(self._on_value)
        cursor.changed.connect(self._on_cursor)
        theme().changed.connect(self.updateGeometry)
        spoilers().changed.connect(self.update)
        self._on_cursor()

    def sizeHint(self) -> QSize:
        return QSize(theme().px(400), theme().px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(80), theme().px(HEIGHT))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._follow(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._follow(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, replay = QPainter(self), self._cursor.moments
        painter.fillRect(self.rect(), theme().colour("ground"))
        if replay is not None:
            self._paint(painter, replay)
        painter.end()

    def _paint(self, painter: QPainter, replay: "Replay") -> None:
        look, height = theme(), self.height()
        here = self._cursor.moment / max(1, self._cursor.last) * (self.width() - 1)
        painter.fillRect(QRectF(0, 0, here, height), look.colour("fill"))
        painter.drawPixmap(0, 0, self._picture(replay))
        wide = look.px(2)
        left = min(self.width() - wide, max(0.0, here - wide / 2))
        painter.fillRect(QRectF(left, 0, wide, height), look.colour("ink"))

    def _picture(self, replay: "Replay") -> QPixmap:
        """The ticks, painted once for a record, a width and a theme."""
        look, ratio = theme(), self.devicePixelRatioF()
        size, hidden = (self.width(), self.height()), spoilers().hidden
        made = ref(replay), self._cursor.last, size, ratio, look.colours.name, hidden
        if self._ticks is not None and made == self._made:
            return self._ticks
        ticks = QPixmap(self.size() * ratio)
        ticks.setDevicePixelRatio(ratio)
        ticks.fill(Qt.GlobalColor.transparent)
        painter, height = QPainter(ticks), self.height()
        plies = replay.cut_plies(self.width(), self._cursor.last)
        deepest = max(1, int(plies.max(initial=1)))
        for x, ply in enumerate(plies.tolist()):
            if ply >= 0 and not hides_cut(ply, hidden):
                tall = height * (1 - (1 - SHORTEST) * ply / deepest)
                painter.fillRect(QRectF(x, height - tall, 1, tall), look.colour("dim", 0.75))
        painter.end()
        self._ticks, self._made = ticks, made
        return ticks

    def _follow(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._cursor.playback.pause()
            self.setValue(1 + round(event.position().x() / max(1, self.width() - 1) * self._cursor.last))

    def _on_value(self, number: int) -> None:
        if number - 1 != self._cursor.moment:
            self._cursor.go(number - 1)

    def _on_cursor(self) -> None:
        self.blockSignals(True)
        self.setRange(1, self._cursor.last + 1)
        self.setPageStep(max(1, self._cursor.last // PAGES))
        self.setValue(self._cursor.moment + 1)
        self.blockSignals(False)
        self.setEnabled(self._cursor.moments is not None)
        self.setAccessibleDescription(moment_in_words(self._cursor) if self.isEnabled() else "")
        self.update()
