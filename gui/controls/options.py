"""The options of a search and of the game, with labels; each has an explanation in its tool tip."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QFormLayout,
    QLabel,
    QScrollArea,
    QWidget,
)

from engine import registry
from engine.job import Form
from engine.play.levels import LEVELS, question
from engine.rules.contract import MAX_PLIES, WIN
from gui.controls.expert import ExpertOptions
from gui.i18n import glossary
from gui.i18n.language import tr
from gui.state.analysis import Analysis
from gui.state.game_record import SIDES, GameRecord, side_name
from gui.state.wording import SCORINGS, sight
from gui.style.theme import NOTE, QUIET, theme
from gui.widgets.fields import Box, Decimal, Number, nodes, plies

MAX_DEPTH, MAX_NODES, MAX_SECONDS = MAX_PLIES, 2_000_000_000, 86_400

LimitField = TypeVar("LimitField", Number, Decimal)


class OptionsView(QScrollArea):
    """Fields that show and change the record and the analysis; it stores no values."""

    game_requested = Signal(str)
    """The person requests another game."""
    choice_requested = Signal()
    """The person requests the game dialog."""

    def __init__(self, record: GameRecord, analysis: Analysis, title_of: Callable[[str], str], threads: int) -> None:
        """`threads` is the most threads that a rank may have."""
        super().__init__()
        self._record, self._analysis, self._title_of = record, analysis, title_of
        self._game = _GameBox(self.choice_requested.emit)
        for spec in (spec for specs in registry.offered().values() for spec in specs):
            self._game.addItem(title_of(spec), spec)
        self._game.activated.connect(lambda: self.game_requested.emit(self._game.currentData()))
        self._sides = _choice(
            SIDES, lambda side: record.set_computer(SIDES[side]), {side: side_name(side, record.game) for side in SIDES}
        )
        self._level = _choice(LEVELS, lambda name: record.set_level(LEVELS[name]), {name: tr(name) for name in LEVELS})
        self._sight = QLabel(wordWrap=True)
        self._sight.setForegroundRole(QUIET)
        self._watch = QCheckBox()
        self._watch.clicked.connect(lambda on: analysis.change(watch_answers=on))
        scorings = {scoring: tr(words) for scoring, words in SCORINGS.items()}
        self._scoring = _choice(scorings, lambda scoring: analysis.change(scoring=scoring), scorings)
        self.expert = ExpertOptions(record, analysis, threads)
        self._depth = _limit(Number(), MAX_DEPTH, lambda depth: self._limit_by(depth=depth))
        self._nodes = _limit(Number(), MAX_NODES, lambda nodes: self._limit_by(nodes=nodes))
        self._nodes.setGroupSeparatorShown(True)
        self._depth.set_unit(plies)
        self._nodes.set_unit(nodes)
        self._seconds = _limit(Decimal(), MAX_SECONDS, lambda seconds: self._limit_by(seconds=seconds))
        self._seconds.setSuffix(tr(" s"))
        forms = {Form.MAXMIN: tr("MAX and MIN"), Form.NEGAMAX: tr("negamax")}
        self._view = _choice(forms, lambda form: analysis.change(form=form), forms)

        form = QFormLayout()
        form.setContentsMargins(0, 4, 6, 0)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setVerticalSpacing(6)
        self._labels: list[QLabel] = []
        for name, field, tip, word in (
            (
                tr("Game"),
                self._game,
                tr("The game and its size. The game that is left can be gone on with: choose it again."),
                "",
            ),
            (tr("Computer plays"), self._sides, tr("The sides that the computer plays."), ""),
            (
                tr("Level"),
                self._level,
                tr(
                    "How well the computer plays. Strongest is perfect where it can search to the end of the game. The "
                    "other levels look fewer plies ahead and sometimes make a mistake on purpose; after the game they "
                    "say which."
                ),
                "",
            ),
            (
                tr("Watch it think"),
                self._watch,
                tr("If on, the speed slider also applies to the computer's answers. If off, they come at full speed."),
                "",
            ),
            (
                tr("Scores"),
                self._scoring,
                tr(
                    "The value of a finished game, also in the computer's own searches. Sooner is better: {win} less "
                    "the plies from the position searched until the win, negative for the loser. The computer plays "
                    "the soonest win.",
                    win=WIN,
                ),
                "",
            ),
            (
                tr("Values seen by"),
                self._view,
                tr(
                    "MAX and MIN: all values are X's. Negamax: the values in a row are those of the player who moves "
                    "in it."
                ),
                "negamax",
            ),
            (
                tr("Depth limit"),
                self._depth,
                tr(
                    "Positions at this depth are not searched further; each counts as an estimate, or 0. The "
                    "computer's own moves are not limited by it."
                ),
                "horizon",
            ),
            (
                tr("Node limit"),
                self._nodes,
                tr("The search stops after this number of nodes. The computer's own moves are not limited by it."),
                "",
            ),
            (
                tr("Time limit"),
                self._seconds,
                tr(
                    "The search stops after this many seconds; waiting is not counted. The computer's own moves are "
                    "not limited by it."
                ),
                "",
            ),
        ):
            label = QLabel(name)
            label.setForegroundRole(QUIET)
            for widget in (label, field):
                widget.setToolTip(tip)
            if word:
                label.setToolTip(f"<p>{tip}</p>{glossary.tip(word)}")
            field.setAccessibleName(name)
            label.setBuddy(field)  # a screen reader takes the name of a box from here, not from the line above
            self._labels.append(label)
            form.addRow(label, field)
            if field is self._level:
                form.addRow("", self._sight)
        form.addRow(self.expert)
        inner = QWidget()
        inner.setLayout(form)
        self.setWidget(inner)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its fields have the focus, and scroll it
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        record.changed.connect(self.refresh)
        analysis.settings_changed.connect(self.refresh)
        theme().changed.connect(self._restyle)
        self._restyle()
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Set the font again: Qt's style sheets lose a label's font when an ancestor gets another parent, before a show
        event."""
        super().showEvent(event)
        self._restyle()

    def refresh(self) -> None:
        """Show the present values."""
        settings = self._analysis.settings
        spec = self._record.game.spec
        if self._game.findData(spec) < 0:
            self._game.addItem(self._title_of(spec), spec)
        self._game.setCurrentIndex(self._game.findData(spec))
        for place, side in enumerate(SIDES):
            self._sides.setItemText(place, side_name(side, self._record.game))
        side = next(name for name, players in SIDES.items() if players == self._record.computer)
        self._sides.setCurrentIndex(self._sides.findData(side))
        self._level.setCurrentIndex(self._level.findData(self._record.level.name))
        asked = settings.job(self._record.game, self._record.position)
        self._sight.setText(sight(self._record.level, question(self._record.level, asked)))
        self._watch.setChecked(settings.watch_answers)
        self._scoring.setCurrentIndex(self._scoring.findData(settings.scoring))
        self._view.setCurrentIndex(self._view.findData(settings.form))
        self._depth.setValue(settings.limit.depth or 0)
        self._nodes.setValue(settings.limit.nodes or 0)
        self._seconds.setValue(settings.limit.seconds or 0)

    def _limit_by(self, **limit: Any) -> None:
        self._analysis.change(limit=replace(self._analysis.settings.limit, **limit))

    def _restyle(self) -> None:
        for label in (*self._labels, self._sight):
            label.setFont(theme().font(NOTE + 1))


class _GameBox(Box):
    """The games by their names; instead of a list it opens the game dialog."""

    def __init__(self, open_dialog: Callable[[], object]) -> None:
        super().__init__()
        self._open_dialog = open_dialog

    def showPopup(self) -> None:
        self._open_dialog()


def _choice(values: Iterable[Any], choose: Callable[[Any], object], texts: Mapping[Any, str]) -> Box:
    field, meant = Box(), list(values)
    for value in meant:
        field.addItem(texts[value], value)
    field.activated.connect(lambda place: choose(meant[place]))  # Qt returns the box's own data without their type
    return field


def _limit(field: LimitField, most: int, change: Callable[[Any], None]) -> LimitField:
    """A field in which 0 means no limit."""
    field.setRange(0, most)
    field.setSpecialValueText(tr("none"))
    field.setKeyboardTracking(False)
    field.setStepType(QAbstractSpinBox.StepType.AdaptiveDecimalStepType)
    field.valueChanged.connect(lambda value: change(value or None))
    return field
