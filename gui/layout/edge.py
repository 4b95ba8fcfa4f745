"""The tabs at the right edge of the window: each opens and closes a drawer."""

from collections.abc import Iterable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QPaintEvent, QTransform
from PySide6.QtWidgets import QStyle, QStyleOptionToolButton, QStylePainter, QToolBar, QToolButton

from gui.i18n.language import tr


class EdgeTab(QToolButton):
    """A button whose text is read from top to bottom."""

    def __init__(self, action: QAction) -> None:
        super().__init__()
        self.setDefaultAction(action)
        self.setObjectName("edgeTab")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        return super().sizeHint().transposed()

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        option.rect = option.rect.transposed()
        painter = QStylePainter(self)
        painter.setTransform(QTransform(0, 1, -1, 0, self.width(), 0), True)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option)
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
