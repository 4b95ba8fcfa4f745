"""The speed of a search: from one node a second to full speed. Ten steps of the slider are a power of ten."""

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProxyStyle,
    QSlider,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QWidget,
)

from engine.control import FULL_SPEED
from engine.text.numbers import thousands
from gui.i18n.language import mark, tr
from gui.style.theme import NOTE, QUIET, theme
from gui.widgets.actions import first_key
from gui.widgets.focus_ring import want_ring

STEPS_A_DECADE = 10
DECADES = 6
TIP = mark("How fast the search runs: slow enough to watch, or at full speed")
FULL = DECADES * STEPS_A_DECADE + 1
"""The slider's last position: no speed limit."""


def speed_at(position: int) -> float:
    """Nodes a second at a position of the slider."""
    return FULL_SPEED if position >= FULL else float(round(10 ** (position / STEPS_A_DECADE)))


def position_of(speed: float) -> int:
    """The slider's position for a speed."""
    return FULL if speed >= FULL_SPEED else round(math.log10(max(1.0, speed)) * STEPS_A_DECADE)


class SpeedControl(QWidget):
    """A slider and its speed in words."""

    changed = Signal(float)
    """Nodes a second."""

    def __init__(self) -> None:
        super().__init__()
        self._slider = QSlider(Qt.Orientation.Horizontal)
        self._slider.setStyle(_GoesWhereClicked(self._slider))
        self._slider.setRange(0, FULL)
        self._slider.setValue(FULL)
        self._slider.setPageStep(STEPS_A_DECADE)
        self._slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # as buttons: a click does not take the focus
        self._slider.setAccessibleName(tr("Speed of the search"))
        want_ring(self._slider)
        self._slider.valueChanged.connect(self._on_moved)
        self._label = QLabel()
        self._label.setForegroundRole(QUIET)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._slider)
        row.addWidget(self._label, 1)
        theme().changed.connect(self._restyle)
        self._restyle()
        self._on_moved(FULL)

    def name_keys(self, slower: QAction, faster: QAction) -> None:
        """Name the present keys of these actions in the tool tip."""

        def say() -> None:
            keys = " / ".join(key for key in (first_key(slower), first_key(faster)) if key)
            self._slider.setToolTip(f"{tr(TIP)} ({keys})" if keys else tr(TIP))

        for made in (slower, faster):
            made.changed.connect(say)
        say()

    def set_speed(self, speed: float) -> None:
        self._slider.setValue(position_of(speed))

    def speed(self) -> float:
        return speed_at(self._slider.value())

    def nudge(self, steps: int) -> None:
        """Change the speed by that many fifths of a power of ten, up or down."""
        self._slider.setValue(self._slider.value() + steps * STEPS_A_DECADE // 5)

    def _on_moved(self, position: int) -> None:
        speed = speed_at(position)
        if speed >= FULL_SPEED:
            text = tr("full speed")
        else:
            text = tr("{count} node(s) / s", "", int(speed), count=thousands(int(speed)))
        self._label.setText(text)
        self._slider.setAccessibleDescription(text)
        self.changed.emit(speed)

    def _restyle(self) -> None:
        self._label.setFont(theme().font(NOTE + 1))
        self._label.setMinimumWidth(self._label.fontMetrics().horizontalAdvance("1,000,000 nodes / s"))
        self._slider.setFixedWidth(theme().px(130))


class _GoesWhereClicked(QProxyStyle):
    """A click beside a slider's handle moves it there, not by a page."""

    def __init__(self, slider: QSlider) -> None:
        super().__init__("Fusion")
        self.setParent(slider)

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returnData: QStyleHintReturn | None = None,
    ) -> int:
        if hint is QStyle.StyleHint.SH_Slider_AbsoluteSetButtons:
            return Qt.MouseButton.LeftButton.value
        return super().styleHint(hint, option, widget, returnData)
