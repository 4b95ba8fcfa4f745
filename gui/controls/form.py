"""A form over the settings of a search: choices, switches and fields in rows, under headings.

Options that do not fit the rest are disabled, with the reason in the tool tip.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QFont, QStandardItemModel
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QWidget

from engine import registry
from engine.job import Job
from engine.options.option import OptionEntry
from engine.text.describe import text
from gui.controls.option_fields import field_of, is_number, texts
from gui.i18n import glossary
from gui.i18n.language import localized
from gui.state.option_rules import refusal
from gui.state.search_settings import Settings
from gui.style.theme import NOTE, QUIET, theme
from gui.widgets.fields import Box
from gui.widgets.focus_ring import INSIDE, want_ring
from gui.widgets.form_rows import FormRows

SHORTEST = 8
"""The least width of a box in characters; in a narrow card the list below it shows the rest."""

WhyNot = Callable[[Job, Settings], str]
"""Returns one sentence on why an option is not available; empty where it is."""


@dataclass(frozen=True, eq=False)
class _Entry:
    """One option in the form."""

    field: QWidget
    label: QLabel | None
    tip: str
    show: Callable[[Settings], object]
    why_not: WhyNot


class OptionsForm(QWidget):
    """The rows, which store no values: `show_settings` fills them in."""

    def __init__(self, before: QWidget) -> None:
        """`before` precedes the first row in Tab order."""
        super().__init__()
        self._last = before
        self._entries: list[_Entry] = []
        self._shown = Settings()
        self._headings: list[QLabel] = []
        self._form = FormRows()
        self.setLayout(self._form)

    def field(self, name: str) -> QWidget:
        """The field of that name. Raises StopIteration where there is none."""
        return next(entry.field for entry in self._entries if entry.field.accessibleName() == name)

    def show_settings(self, settings: Settings, job: Job) -> None:
        """Show the values, and which others are possible; `job` is the job of these settings."""
        self._shown = settings
        for entry in self._entries:
            with QSignalBlocker(entry.field):
                entry.show(settings)
            why = entry.why_not(job, settings)
            entry.field.setEnabled(not why)
            entry.field.setAccessibleDescription(why or entry.tip)
            for widget in filter(None, (entry.field, entry.label)):
                widget.setToolTip(f"<p>{entry.tip}</p><p><b>{why}</b></p>" if why else f"<p>{entry.tip}</p>")

    def heading(self, text: str) -> None:
        """Add a heading above the rows that follow."""
        label = QLabel(text)
        self._headings.append(label)
        self._form.addRow(label)

    def option(self, entry: OptionEntry, change: Callable[..., object], most: float | None = None) -> None:
        """Add the row of an option; `change` takes the changed fields of Settings. A number is at most `most`, where
        that is given."""
        option, listed = entry.option, texts(entry)
        name, tip, word = localized(option.name), localized(option.tip), option.word

        def take(value: Any) -> None:
            change(**entry.changes(self._shown, value))

        def idle(job: Job, _: Settings) -> str:
            return localized(option.idle(job) or "")

        def refused(job: Job, settings: Settings) -> str:
            asked = entry.changed(job, entry.value(job) or 1)
            return idle(job, settings) or localized(option.refused(asked, registry.algorithm(job.algorithm)) or "")

        if entry.is_list:
            bases = {value: listed[value] for value in listed if option.values[value].tip is None}
            first = next(iter(bases))

            def base(values: tuple[Any, ...]) -> Any:
                return next((value for value in values if value in bases), first)

            self.choice(
                name,
                tip,
                bases,
                lambda settings: base(entry.value(settings)),
                lambda value: take(_based(entry, entry.value(self._shown), value)),
                lambda job, value: entry.changed(job, _based(entry, entry.value(job), value)),
                idle,
                word,
            )
        elif listed:
            box = self.choice(name, tip, listed, entry.value, take, entry.changed, idle, word)
            box.other = lambda value: localized(text(entry, value))
        elif is_number(entry):
            field, show = field_of(entry, most)(take)
            self.add(name, tip, field, lambda settings: show(entry.value(settings)), refused, word)
        else:
            self.switch(name, tip, entry.value, take, lambda job: entry.changed(job, True), idle, word)

    def switches(self, entry: OptionEntry, change: Callable[..., object]) -> None:
        """Add a switch for each value with an own one, of an option that takes several."""
        for value, each in entry.option.values.items():
            if each.tip is not None:
                self.switch(
                    localized(each.text or ""),
                    localized(each.tip),
                    lambda settings, value=value: value in entry.value(settings),
                    lambda on, value=value: change(
                        **entry.changes(self._shown, _with(entry, entry.value(self._shown), value, on))
                    ),
                    lambda job, value=value: entry.changed(job, _with(entry, entry.value(job), value, True)),
                    word=each.word,
                )

    def choice(
        self,
        name: str,
        tip: str,
        texts: dict[Any, str],
        value: Callable[[Settings], Any],
        choose: Callable[[Any], object],
        changed: Callable[[Job, Any], Job],
        why_not: WhyNot = lambda *_: "",
        word: str = "",
    ) -> "ChoiceBox":
        """Add a box; an entry is disabled where the registry refuses the job after `changed`."""
        box = ChoiceBox(texts)
        box.chosen = choose

        def why(job: Job, settings: Settings) -> str:
            return why_not(job, settings) or box.offer(lambda entry: refusal(changed(job, entry)))

        self.add(name, tip, box, lambda settings: box.show_value(value(settings)), why, word)
        return box

    def switch(
        self,
        name: str,
        tip: str,
        value: Callable[[Settings], bool],
        choose: Callable[[bool], object],
        changed: Callable[[Job], Job],
        why_not: WhyNot = lambda *_: "",
        word: str = "",
    ) -> None:
        """Add a check box, disabled where the registry refuses the job after `changed`."""
        box = QCheckBox(name)
        box.clicked.connect(choose)
        want_ring(box, INSIDE)

        def why(job: Job, settings: Settings) -> str:
            return why_not(job, settings) or refusal(changed(job))

        self.add(name, tip, box, lambda settings: box.setChecked(value(settings)), why, word)

    def add(
        self,
        name: str,
        tip: str,
        field: QWidget,
        show: Callable[[Settings], object],
        why_not: WhyNot,
        word: str = "",
    ) -> None:
        """Add a row of the form; `word` is the glossary's word for its name."""
        label = None if isinstance(field, QCheckBox) else QLabel(name)
        field.setAccessibleName(name)
        if label is None:
            self._form.addRow(field)
        else:
            label.setBuddy(field)
            label.setForegroundRole(QUIET)
            self._form.addRow(label, field)
        self.setTabOrder(self._last, field)
        self._last = field
        tip = f"{tip}{glossary.tip(word)}" if word else tip
        for widget in filter(None, (field, label)):
            widget.setToolTip(f"<p>{tip}</p>")
        self._entries.append(_Entry(field, label, tip, show, why_not))

    def restyle(self) -> None:
        """Apply the theme's fonts and sizes."""
        look = theme()
        for label in (entry.label for entry in self._entries if entry.label is not None):
            label.setFont(look.font(NOTE + 1))
        for heading in self._headings:
            heading.setFont(look.font(NOTE + 1, QFont.Weight.DemiBold))


def _based(entry: OptionEntry, values: tuple[Any, ...], base: Any) -> tuple[Any, ...]:
    """The values with that base; the first base is the default and left out."""
    known = entry.option.values
    rest = tuple(value for value in values if known[value].tip is not None)
    return rest if base == next(iter(known)) else (base, *rest)


def _with(entry: OptionEntry, values: tuple[Any, ...], value: Any, on: bool) -> tuple[Any, ...]:
    """The values with or without that one, in the order of the catalogue."""
    wanted = {*values, value} if on else {*values} - {value}
    return tuple(each for each in entry.option.values if each in wanted)


class ChoiceBox(Box):
    """A box of several values, some of which may be disabled."""

    def __init__(self, texts: dict[Any, str]) -> None:
        super().__init__()
        self._values = list(texts)
        self.addItems(list(texts.values()))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(SHORTEST)
        self.chosen: Callable[[Any], object] = lambda _: None
        self.other: Callable[[Any], str] = str
        """Returns the text of a value that is not in the list."""
        self.activated.connect(lambda place: self.chosen(self._values[place]))

    def show_value(self, value: Any) -> None:
        if value not in self._values:
            self._values.append(value)
            self.addItem(self.other(value))
        self.setCurrentIndex(self._values.index(value))

    def offer(self, why_not: Callable[[Any], str]) -> str:
        """Enable the values with no reason against them; returns the reason against the others where one value alone is
        left."""
        model, reasons = self.model(), [why_not(value) for value in self._values]
        if isinstance(model, QStandardItemModel):
            for place, why in enumerate(reasons):
                model.item(place).setEnabled(not why)
                model.item(place).setToolTip(why)
        return why_disabled(reasons)


def why_disabled(reasons: Sequence[str]) -> str:
    """Why to disable a field, from the reasons against each of its values: the first of them where one value alone is
    left, else empty."""
    return next(filter(None, reasons), "") if reasons.count("") < 2 else ""
