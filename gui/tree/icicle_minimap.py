"""The whole tree in a thin strip, with a frame round the part that the picture above it shows."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.i18n.language import tr
from gui.style.theme import theme
from gui.tree.icicle_painter import IciclePicture
from gui.tree.icicle_picture import TreePicture

HEIGHT, ABOVE, BELOW = 16, 2, 3
"""The height of the widget, and the spaces in it above and below the tree, in pixels."""
LEAST = 6
"""The least width of the frame, in pixels."""
VEIL = 0.6
"""The share of the card's colour over what is not on display."""


class Minimap(QWidget):
    """Shown while the picture is zoomed. A drag of the frame pans, a click centres the part on display there."""

    def __init__(self, picture: TreePicture) -> None:
        super().__init__()
        self._picture = picture
        self._whole: IciclePicture | None = None
        self._low: IciclePicture | None = None
        self._grabbed: float | None = None
        """From the middle of the part on display to the pressed place, in the unit of the record's places."""
        kept = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        kept.setRetainSizeWhenHidden(True)  # so that a first zoom does not paint the tree lower
        self.setSizePolicy(kept)
        self.setMouseTracking(True)
        self.setToolTip(tr("The whole tree: drag the frame to pan, or click to show another part."))
        self.setAccessibleName(tr("Part of the tree on display"))
        self.hide()
        picture.span_changed.connect(self._on_span)

    def frame(self) -> QRectF:
        """The frame round the part on display."""
        scale = self.width() / self._picture.whole
        wide = max(LEAST, self._wide * scale)
        left = min(max(0.0, self._middle * scale - wide / 2), self.width() - wide)
        return QRectF(left, 0, wide, self.height() - 1)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(180), theme().px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, theme().px(HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        whole, look = self._picture.whole_picture(), theme()
        if whole is None:
            return
        above, high = look.px(ABOVE), self.height() - look.px(ABOVE) - look.px(BELOW)
        if whole is not self._whole or self._low is None:
            self._whole, self._low = whole, whole.lower(high)
        painter, frame = QPainter(self), self.frame()
        painter.translate(0, above)
        self._low.paint(painter, (), self._picture.negamax, self._picture.moment)
        veil = QColor(look.colour("card"))
        veil.setAlphaF(VEIL)
        for left, right in ((0.0, frame.left()), (frame.right(), float(self.width()))):
            painter.fillRect(QRectF(left, 0, right - left, high), veil)
        painter.setPen(QPen(look.colour("line"), 1))
        painter.drawRect(QRectF(0.5, -0.5, self.width() - 1, high + 1))
        painter.translate(0, -above)
        line = look.px(2)
        painter.setPen(QPen(look.colour("ink"), line))
        painter.drawRect(frame.adjusted(line / 2, line / 2, -line / 2, -line / 2))
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        is_in_frame = self.frame().contains(event.position())
        self._grabbed = self._place(event) - self._middle if is_in_frame else 0.0
        self._pan(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grabbed is not None:
            self._pan(event)
        is_in_frame = self._grabbed is not None or self.frame().contains(event.position())
        self.setCursor(Qt.CursorShape.SizeHorCursor if is_in_frame else Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grabbed = None

    @property
    def _middle(self) -> float:
        """The middle of the part on display."""
        return sum(self._picture.span) / 2

    @property
    def _wide(self) -> float:
        """The width of the part on display."""
        return self._picture.span.end - self._picture.span.first

    def _place(self, event: QMouseEvent) -> float:
        """The place in the record under the pointer."""
        return event.position().x() / max(1, self.width()) * self._picture.whole

    def _pan(self, event: QMouseEvent) -> None:
        middle, half = self._place(event) - (self._grabbed or 0.0), self._wide / 2
        self._picture.zoom_to(middle - half, middle + half)

    def _on_span(self) -> None:
        self.setVisible(self._picture.is_zoomed)
        self.update()
