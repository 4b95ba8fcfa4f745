"""The tabs at the right edge of the window: each opens and closes a drawer."""

from collections.abc import Iterable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QPaintEvent, QTransform
from PySide6.QtWidgets import QStyle, QStyleOptionToolButton, QStylePainter, QToolBar, QToolButton

from gui.i18n.language import tr
from gui.style.theme import theme

EDGE = 3
"""The least space in pixels at 100 % before and after a text."""


class EdgeTab(QToolButton):
    """A button whose text is read from top to bottom."""

    def __init__(self, action: QAction) -> None:
        super().__init__()
        self.setDefaultAction(action)
        self.setObjectName("edgeTab")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    @property
    def shown_text(self) -> str:
        """The text as far as the tab has room for it. The style would keep the padding of a tab in a low window, and
        shorten the text."""
        room = self.height() - 2 * theme().px(EDGE)
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room)

    def sizeHint(self) -> QSize:
        return super().sizeHint().transposed()

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        option.rect, option.text = option.rect.transposed(), ""
        painter = QStylePainter(self)
        painter.setTransform(QTransform(0, 1, -1, 0, self.width(), 0), True)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option)
        painter.setPen(theme().colour("ink" if self.isChecked() else "dim"))
        painter.drawText(option.rect, Qt.AlignmentFlag.AlignCenter, self.shown_text)
        painter.end()


def edge_tabs(actions: Iterable[QAction]) -> QToolBar:
    """A bar with a tab for each of these actions."""
    bar = QToolBar(tr("Drawers"))
    bar.setObjectName("edge")
    bar.setMovable(False)
    bar.setOrientation(Qt.Orientation.Vertical)
    for action in actions:
        bar.addWidget(EdgeTab(action))
    return bar
