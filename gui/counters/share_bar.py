"""A thin bar: the share of nodes that was visited."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.style.theme import theme


class ShareBar(QWidget):
    """A thin bar: the visited share in ink, the rest as pale as a line."""

    def __init__(self) -> None:
        super().__init__()
        self._share: float | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_share(self, share: float | None) -> None:
        self._share = share
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(0, theme().px(11))

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme()
        height = look.px(7)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        frame = self.rect().adjusted(0, (self.height() - height) // 2, 0, 0)
        frame.setHeight(height)
        painter.setBrush(look.colour("line"))
        painter.drawRoundedRect(frame, height / 2, height / 2)
        if self._share:
            frame.setWidth(max(height, round(self._share * self.width())))
            painter.setBrush(look.colour("ink"))
            painter.drawRoundedRect(frame, height / 2, height / 2)
        painter.end()
