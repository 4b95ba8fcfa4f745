"""The controls over the tree: the algorithms, the modes, the strong button that begins, pauses and resumes, Step and
Stop."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QToolButton, QWidget

from gui.controls.bar import beside, group
from gui.controls.modes import Modes
from gui.controls.search_actions import SearchActions
from gui.i18n.language import tr
from gui.state.analysis import Analysis, Phase
from gui.style.theme import TEXT, theme


class ThinkButton(QToolButton):
    """Shows the action Pause while a search runs, else Think, which is Resume while one is paused."""

    def __init__(self, search: SearchActions, analysis: Analysis) -> None:
        super().__init__()
        self._search, self._analysis = search, analysis
        self.setObjectName("strong")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        analysis.phase_changed.connect(self._show)
        theme().changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        is_running = self._analysis.phase is Phase.RUNNING
        for made in self.actions():
            self.removeAction(made)  # a button of two actions has an arrow
        self.setDefaultAction(self._search.pause_action if is_running else self._search.think_action)
        metrics = QFontMetrics(theme().font(TEXT, QFont.Weight.DemiBold))  # its own has no style sheet at first
        widest = max(map(metrics.horizontalAdvance, (tr("Think"), tr("Pause"), tr("Resume"))))
        self.setMinimumWidth(widest + theme().px(36))


def header(modes: Modes, search: SearchActions, analysis: Analysis) -> tuple[QWidget, ...]:
    """The controls from left to right."""
    steps = group(search.step_action, search.stop_action)
    think = beside(ThinkButton(search, analysis), steps)
    return group(*modes.algorithms.values()), modes.buttons, think, modes.waiting
