"""The row of controls: the game, the algorithm, the backend, the search buttons, and the speed.

Where the window is too narrow for one row, there are two.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSpinBox, QToolButton, QVBoxLayout, QWidget

from engine.text.numbers import thousands
from gui.controls.speed import SpeedControl
from gui.i18n.language import tr
from gui.style.theme import theme

BETWEEN_GROUPS = 18


def button(action: QAction) -> QToolButton:
    """A button that shows and triggers an action."""
    made = QToolButton()
    made.setDefaultAction(action)
    made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return made


def count(name: str, most: int, change: Callable[[int], object]) -> QSpinBox:
    """A field for a number from 1 to `most`."""
    made = QSpinBox()
    made.setRange(1, most)
    made.setAccessibleName(name)
    made.setToolTip(tr("{name}: 1 to {most}", name=name, most=thousands(most)))
    made.setKeyboardTracking(False)
    made.valueChanged.connect(change)
    return made


def group(*members: QAction | QWidget) -> QWidget:
    """Buttons and fields that belong together."""
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(4)
    for member in members:
        row.addWidget(button(member) if isinstance(member, QAction) else member)
    return made


class ControlBar(QWidget):
    """Groups side by side; the speed control takes the remaining space."""

    def __init__(self, groups: Sequence[QWidget], speed: SpeedControl) -> None:
        super().__init__()
        self._groups, self._speed = list(groups), speed
        self._rows = [QHBoxLayout(), QHBoxLayout()]
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 4)
        column.setSpacing(6)
        for row in self._rows:
            row.setSpacing(BETWEEN_GROUPS)
            column.addLayout(row)
        self._in_first = -1
        self._arrange()
        theme().changed.connect(self._arrange)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        """The least size of two rows, also while there is one: a wide window must be able to become narrow."""
        half = len(self._groups) // 2
        widths = [member.minimumSizeHint().width() + BETWEEN_GROUPS for member in (*self._groups, self._speed)]
        widest = max(sum(widths[:half]), sum(widths[half:])) - BETWEEN_GROUPS
        return QSize(widest + 24, super().minimumSizeHint().height())

    def _arrange(self) -> None:
        """Put into the first row all groups if they fit beside the speed control, else half of them."""
        members = [*self._groups, self._speed]
        widths = [member.sizeHint().width() + BETWEEN_GROUPS for member in members]
        in_first = len(members) if sum(widths) + 24 <= self.width() else (len(members) - 1) // 2
        if in_first == self._in_first:
            return
        self._in_first = in_first
        for row in self._rows:
            while row.count():
                row.takeAt(0)
        for place, member in enumerate(members):
            self._rows[0 if place < in_first else 1].addWidget(member, 1 if member is self._speed else 0)
        if in_first < len(members):
            self._rows[0].addStretch(1)
