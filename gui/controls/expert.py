"""The expert options of a search: ordering, window, deepening, table, horizon, and the sharing of work.

Options that do not fit the rest are disabled, with the reason in the tool tip; their values are stored until they fit
again.
"""

from collections.abc import Iterator
from itertools import groupby

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from engine.options.catalogue import OPTIONS
from engine.options.option import TASKS
from engine.text.describe import options
from gui.controls.form import OptionsForm
from gui.controls.option_fields import texts
from gui.i18n.language import localized, tr
from gui.state.analysis import Analysis
from gui.state.game_record import GameRecord
from gui.style.steps import Steps
from gui.style.theme import NOTE, QUIET, theme
from gui.widgets.elided import ElidedLabel

SHOWN = tuple(entry for entry in OPTIONS if entry.option.group.is_expert or entry.option.group is TASKS)


class ExpertOptions(QWidget):
    """A section that can be opened, and a short text of the options in force beside its title."""

    opened = Signal(bool)
    """The section was opened (True) or closed."""

    def __init__(self, record: GameRecord, analysis: Analysis, threads: int) -> None:
        """`threads` is the most threads that a rank may have."""
        super().__init__()
        self._record, self._analysis = record, analysis
        self._fold = QToolButton()
        self._fold.setText(tr("Expert"))
        self._fold.setCheckable(True)
        self._fold.setArrowType(Qt.ArrowType.RightArrow)
        self._fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._fold.setToolTip(tr("Move ordering, windows, deepening, table, horizon and parallel search"))
        self._fold.toggled.connect(self._unfold)
        self._fold.toggled.connect(self.opened)
        self._summary = ElidedLabel("")
        self._summary.setForegroundRole(QUIET)
        self._reset = QPushButton(tr("Reset"))
        self._reset.setToolTip(tr("Set all of these options to their defaults"))
        self._reset.clicked.connect(lambda: analysis.reset_options())
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.addWidget(self._fold)
        head.addWidget(self._summary, 1)
        head.addWidget(self._reset)
        self._form = OptionsForm(self._reset)
        self._form.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        column.addLayout(head)
        column.addWidget(self._form)
        self._threads = threads
        self._building: Steps | None = None
        record.changed.connect(self.refresh)
        analysis.settings_changed.connect(self.refresh)
        theme().changed.connect(self._restyle)
        self._restyle()
        self.refresh()

    @property
    def is_open(self) -> bool:
        return self._fold.isChecked()

    def open(self, on: bool = True) -> None:
        """Open or close the section."""
        self._fold.setChecked(on)

    def field(self, name: str) -> QWidget:
        """The field of that name. Raises StopIteration where there is none."""
        self._build().finish()
        return self._form.field(name)

    def refresh(self) -> None:
        """Show the values, and which others are possible."""
        settings = self._analysis.settings
        job = settings.job(self._record.game, self._record.position)
        found = options(job)
        self._summary.setText(" · ".join(localized(phrase.short) for phrase in found))
        self._summary.setToolTip("\n".join(localized(phrase.full) for phrase in found))
        self._reset.setVisible(not settings.is_usual)
        if self.is_open:
            self._form.show_settings(settings, job)

    # Building

    def _build(self) -> Steps:
        """Start to build the form, if that has not begun: most people never open it."""
        if self._building is None:
            self._building = Steps(self)
            self._building.start(self._build_parts())
        return self._building

    def _build_parts(self) -> Iterator[None]:
        """Build one group a step: its heading, its fields, then its switches."""
        for title, group in groupby(SHOWN, lambda entry: entry.option.group.title):
            self._form.heading(localized(title))
            entries, change = list(group), self._analysis.change
            for entry in sorted(entries, key=lambda entry: entry.type is bool and not texts(entry)):
                self._form.option(entry, change, self._threads if entry.key == "threads" else None)
            for entry in entries:
                if entry.is_list:
                    self._form.switches(entry, change)
            self._form.restyle()
            self.refresh()
            yield

    def _unfold(self, on: bool) -> None:
        self._fold.setArrowType(Qt.ArrowType.DownArrow if on else Qt.ArrowType.RightArrow)
        self._form.setVisible(on)
        if on:
            self._build()
        self.refresh()

    def _restyle(self) -> None:
        self._summary.setFont(theme().font(NOTE + 1))
        self._form.restyle()
        self.refresh()
