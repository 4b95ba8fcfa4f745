"""The page of a measurement: its chart, the verdict, and what can be done with it."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from engine.measure.experiment import START_SHARE, Experiment
from engine.measure.models import FARTHEST
from engine.measure.speedup import WEAK_SECONDS
from engine.text.numbers import thousands
from gui.i18n.language import tr
from gui.speedup.kinds import KINDS, Kind
from gui.speedup.new_chart import new_chart
from gui.speedup.parts import PartsChart
from gui.speedup.words import errors_in_words, in_words, verdicts
from gui.style.theme import NOTE, theme
from gui.widgets.flow import Flow
from gui.widgets.scrolled import Scrolled

if TYPE_CHECKING:
    from gui.speedup.chart import Chart


class ResultPage(QWidget):
    """Shows an Experiment. The buttons do nothing by themselves."""

    def __init__(self, menu: QMenu) -> None:
        super().__init__()
        self._experiment: Experiment | None = None
        self._verdict = QLabel(wordWrap=True, textFormat=Qt.TextFormat.RichText)
        self._verdict.setToolTip(
            tr(
                "In brackets: the interval that holds the true median nineteen times in twenty (bootstrap).\n"
                "The limit of the tasks: all nodes divided by those of the busiest worker, with the chosen schedule "
                "and the same time for every node. Starting and controlling the workers takes time as well.\n"
                "No verdict: the interval is wider than the effect, or the workers did not have their cores.\n"
                "Too small: starting the threads costs more than {share} % of a serial run.",
                share=round(100 * START_SHARE),
            )
        )
        self.kinds = QComboBox()
        self.kinds.setAccessibleName(tr("Chart"))
        self.kinds.setMinimumContentsLength(8)
        self.kinds.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for number, kind in enumerate(KINDS):
            self.kinds.addItem(tr(kind.name))
            self.kinds.setItemData(number, tr(kind.hint), Qt.ItemDataRole.ToolTipRole)
        self.kinds.currentIndexChanged.connect(self._draw)
        self.log_axes = QCheckBox(tr("Log axes"))
        self.log_axes.setToolTip(
            tr(
                "Powers of two at equal distances. The speedup is predicted for up to {workers} workers.",
                workers=thousands(FARTHEST),
            )
        )
        self.log_axes.toggled.connect(self._draw)
        self.save = _button(tr("Save…"), tr("The chart as a picture, a page to hand in, or every run as a table"))
        self.again = _button("", "")
        self.scaling = _button("", "")
        self.preset = _button(tr("Try a 4 × 4 position"), tr("Set up a position that is large enough for threads"))
        self.kinds.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        top = QWidget()
        head = Flow(top, 4, 4)
        head.setContentsMargins(0, 0, 0, 0)
        for control in (self.kinds, self.log_axes, self.save):
            head.addWidget(control)
        bottom = QWidget()
        row = Flow(bottom, 4, 4)
        row.setContentsMargins(0, 0, 0, 0)
        for button in (self.again, self.scaling, more_button(menu), self.preset):
            row.addWidget(button)
        self._shown, self._parts = QStackedLayout(), PartsChart()
        self._scrolled_parts = Scrolled(self._parts)
        self._shown.addWidget(self._scrolled_parts)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(top)
        column.addLayout(self._shown, 1)
        column.addWidget(self._verdict)
        column.addWidget(bottom)
        theme().changed.connect(self._restyle)
        self._restyle()

    @property
    def kind(self) -> Kind:
        """The kind of the chart that is shown."""
        return KINDS[self.kinds.currentIndex()]

    @property
    def is_weak(self) -> bool:
        """Whether weak scaling is shown: `scaling` measures the other one."""
        return self._experiment is not None and self._experiment.fixed_time is not None

    def show_experiment(self, experiment: Experiment) -> None:
        self._experiment = experiment
        if self.is_weak:
            self.scaling.setText(tr("Strong scaling"))
            self.scaling.setToolTip(tr("How much sooner more workers have searched this position"))
        else:
            self.scaling.setText(tr("Weak scaling"))
            self.scaling.setToolTip(
                tr(
                    "How much more of this position more workers search in the same time: minimax, {seconds} s a run",
                    seconds=f"{WEAK_SECONDS:g}",
                )
            )
        self._draw()

    @cached_property
    def chart(self) -> "Chart":
        """The chart, made for the first figure: it adds seventy objects of pyqtgraph's, which every change of theme
        restyles."""
        chart = new_chart()
        self._shown.addWidget(chart)
        self.setTabOrder(self.save, chart)
        return chart

    def _draw(self) -> None:
        if self._experiment is None:
            return
        figure = self.kind.figure
        if figure is not None:
            self.chart.show_figure(figure(self._experiment, self.log_axes.isChecked()))
            self.chart.setAccessibleDescription(in_words(self._experiment))
        self._parts.show_experiment(self._experiment)
        self.log_axes.setEnabled(figure is not None)
        self._shown.setCurrentWidget(self._scrolled_parts if figure is None else self.chart)
        dim, predicts = theme().colours.dim, self.kind is KINDS[0]
        said = [*verdicts(self._experiment, dim), *(errors_in_words(self._experiment, dim) if predicts else ())]
        self._verdict.setText("<br>".join(said))
        self.preset.setVisible(self._experiment.too_small)

    def _restyle(self) -> None:
        self._verdict.setFont(theme().font(NOTE + 1))
        self._draw()


def more_button(menu: QMenu) -> QPushButton:
    """A button that opens a menu."""
    made = _button(tr("More"), "")
    made.setMenu(menu)
    return made


def add_action(menu: QMenu, text: str, hint: str, act: Callable[[], object]) -> QAction:
    """A menu entry with a tip that does something."""
    made = menu.addAction(text, lambda: act())
    made.setToolTip(hint)
    return made


def _button(text: str, hint: str) -> QPushButton:
    made = QPushButton(text)
    made.setToolTip(hint)
    return made
