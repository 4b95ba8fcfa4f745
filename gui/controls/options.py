"""The options of a search and of the game, with labels; each has an explanation in its tool tip."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QWidget,
)

from engine import registry
from engine.job import Job
from engine.options.catalogue import OPTIONS
from engine.options.option import LIMITS, SCORES, VIEW, OptionEntry
from engine.play.levels import LEVELS, question
from gui.controls.expert import ExpertOptions
from gui.controls.form import why_disabled
from gui.controls.option_fields import field_of, texts
from gui.i18n import glossary
from gui.i18n.language import localized, tr
from gui.state.analysis import Analysis
from gui.state.game_record import SIDES, GameRecord, side_name
from gui.state.option_rules import refusal
from gui.state.wording import sight
from gui.style.theme import NOTE, QUIET, theme
from gui.widgets.editors import Show
from gui.widgets.fields import Box
from gui.widgets.form_rows import FormRows
from gui.widgets.scrolled import Scrolled

SHOWN = tuple(entry for entry in OPTIONS if entry.option.group in (SCORES, VIEW, LIMITS))


class OptionsView(Scrolled):
    """Fields that show and change the record and the analysis; it stores no values."""

    game_requested = Signal(str)
    """The person requests another game."""
    choice_requested = Signal()
    """The person requests the game dialog."""

    def __init__(self, record: GameRecord, analysis: Analysis, title_of: Callable[[str], str], threads: int) -> None:
        """`threads` is the most threads that a rank may have."""
        inner = QWidget()
        super().__init__(inner)
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
        self.expert = ExpertOptions(record, analysis, threads)
        self.fields: dict[str, QWidget] = {}
        """The fields of the search options, by their names."""
        self._shows: list[tuple[OptionEntry, Show]] = []
        rows = [self._row(entry) for entry in SHOWN]

        form = FormRows()
        form.setContentsMargins(0, 4, 6, 0)
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
            *rows,
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
        inner.setLayout(form)
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
        for entry, show in self._shows:
            show(entry.value(settings))
            self._offer(entry, asked)

    def _offer(self, entry: OptionEntry, job: Job) -> None:
        """Disable the field of an option that has one value left in a job, with the reason in its tool tip."""
        field, tip = self.fields[localized(entry.option.name)], localized(entry.option.tip)
        why = why_disabled([refusal(entry.changed(job, value)) for value in texts(entry)])
        field.setEnabled(not why)
        field.setAccessibleDescription(why or tip)
        field.setToolTip(f"<p>{tip}</p><p><b>{why}</b></p>" if why else tip)

    def _row(self, entry: OptionEntry) -> tuple[str, QWidget, str, str]:
        """The name, the field, the tip and the glossary's word of a search option."""

        def change(value: Any) -> None:
            self._analysis.change(**entry.changes(self._analysis.settings, value))

        name, (field, show) = localized(entry.option.name), field_of(entry)(change)
        self.fields[name] = field
        self._shows.append((entry, show))
        return name, field, localized(entry.option.tip), entry.option.word

    def _restyle(self) -> None:
        for label in (*self._labels, self._sight):
            label.setFont(theme().font(NOTE + 1))


class _GameBox(Box):
    """The games by their names; instead of a list it opens the game dialog."""

    def __init__(self, open_dialog: Callable[[], object]) -> None:
        super().__init__()
        self._open_dialog = open_dialog
        self.setSizeAdjustPolicy(Box.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)

    def showPopup(self) -> None:
        self._open_dialog()


def _choice(values: Iterable[Any], choose: Callable[[Any], object], texts: Mapping[Any, str]) -> Box:
    field, meant = Box(), list(values)
    for value in meant:
        field.addItem(texts[value], value)
    field.activated.connect(lambda place: choose(meant[place]))  # Qt returns the box's own data without their type
    return field
