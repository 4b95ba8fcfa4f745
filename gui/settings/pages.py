"""Every setting, in chapters: its name, its explanation, and the functions that read and set it at its owner.

Nothing is stored here: menus and cards use the same owners, so that all show the same values.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import SignalInstance

from engine.backends.mpi_job import launch
from engine.job import RECORD
from engine.options.catalogue import MAX_WORKERS, OPTIONS
from engine.options.option import LIMITS, MACHINE, SCORES, SEARCH, TASKS, VIEW, OptionEntry
from engine.play.levels import LEVELS, STRONGEST
from engine.text.numbers import significant
from engine.trace.index import INDEX_BYTES, TAPE_BYTES
from gui.controls.option_fields import field_of
from gui.files.menu import Files
from gui.i18n import language
from gui.i18n.language import localized, tr
from gui.settings.view_menu import THEMES
from gui.state.analysis import Analysis
from gui.state.game_record import SIDES, GameRecord, side_name
from gui.state.mpi import MpiAccess, found
from gui.state.search_settings import Settings
from gui.state.spoilers import spoilers
from gui.style.theme import MAX_ZOOM, MIN_ZOOM, SYSTEM, theme
from gui.widgets.editors import Field, button, choice, count, line, number, switch


@dataclass(frozen=True, eq=False)
class Setting:
    """One setting."""

    name: str
    tip: str
    field: Field
    value: Callable[[], Any] = lambda: None
    """The present value."""
    take: Callable[[Any], object] = lambda _: None
    """Sets the value. Raises ValueError, with a sentence, where it is not possible."""
    usual: Any = None
    says: Callable[[], str] = lambda: ""
    """The setting's present state in words, shown below the tip."""
    affects: "tuple[Setting, ...]" = ()
    """The settings whose values a change of this one may replace."""


@dataclass(frozen=True)
class Chapter:
    title: str
    settings: tuple[Setting, ...]


@dataclass(frozen=True)
class Owners:
    """The owners of the settings; the theme, the spoilers' switch and the language are global objects."""

    record: GameRecord
    analysis: Analysis
    mpi: MpiAccess
    files: Files
    show_keys: Callable[[], object]
    threads: int
    """The number of threads that may be used."""

    @property
    def changes(self) -> tuple[SignalInstance, ...]:
        """The signals of an owner whose value may have changed."""
        own = self.record.changed, self.analysis.settings_changed, self.mpi.changed
        return *own, theme().changed, spoilers().changed


def chapters(owners: Owners) -> tuple[Chapter, ...]:
    """All settings."""
    backend = _backend(owners.analysis, owners.mpi)
    ranks = _of(owners.analysis, "ranks", tr("Ranks"), tr("The number of MPI ranks."), count(launch.most_ranks))
    return (
        Chapter(tr("Appearance"), (*_look(), _spoilers(), _language())),
        Chapter(tr("Search"), _search(owners.analysis, backend, ranks, owners.threads)),
        Chapter(tr("Limits"), _limits(owners.analysis)),
        Chapter(tr("Opponent"), _opponent(owners.record, owners.analysis)),
        Chapter(tr("Games and files"), _files(owners.files)),
        Chapter(tr("MPI ranks"), _launch(owners.mpi, (ranks, backend))),
        Chapter(
            tr("Keys"),
            (
                Setting(
                    tr("Keys"),
                    tr("The keys of all commands. A window of their own lists them and changes them."),
                    button(tr("Choose keys…"), owners.show_keys),
                ),
            ),
        ),
    )


def _look() -> tuple[Setting, ...]:
    return (
        Setting(
            tr("Theme"),
            tr("The colours: light, dark or as set in the system; colour-blind safe; high contrast."),
            choice({name: tr(title) for name, (title, _) in THEMES.items()}),
            lambda: theme().choice,
            lambda name: theme().choose(name),
            SYSTEM,
        ),
        Setting(
            tr("Zoom"),
            tr("The size of text and pictures."),
            number(round(MIN_ZOOM * 100), round(MAX_ZOOM * 100), unit=" %"),
            lambda: round(theme().zoom * 100),
            lambda percent: theme().set_zoom(percent / 100),
            100,
        ),
        Setting(
            tr("Reduce motion"),
            tr("Marks and values appear at once, without animation."),
            switch(),
            lambda: not theme().motion,
            lambda reduced: theme().set_motion(not reduced),
            False,
        ),
    )


def _spoilers() -> Setting:
    return Setting(
        tr("No spoilers"),
        tr("Hides what searches find: values, best moves, best play."),
        switch(),
        lambda: spoilers().hidden,
        lambda hidden: spoilers().hide(hidden),
        False,
    )


def _language() -> Setting:
    return Setting(
        tr("Language"),
        tr("The language of the window, after a restart."),
        choice(language.names()),
        language.choice,
        language.choose,
        language.SYSTEM,
    )


def _backend(analysis: Analysis, mpi: MpiAccess) -> Setting:
    """The setting for the backend. While MPI is being checked it can be chosen: it is replaced if the check fails."""

    def run_on(backend: str) -> None:
        if backend == "mpi" and not (mpi.words or mpi.is_checking):
            raise ValueError(mpi.reason)
        analysis.change(backend=backend)

    (entry,) = (entry for entry in OPTIONS if entry.key == "backend")
    return replace(_option(analysis, entry), take=run_on)


def _search(analysis: Analysis, backend: Setting, ranks: Setting, threads: int) -> tuple[Setting, ...]:
    found = {entry.key: entry for entry in OPTIONS if entry.option.group in (SEARCH, MACHINE, TASKS, SCORES, VIEW)}
    most = {"workers": threads, "threads": threads}
    made = {key: _option(analysis, entry, threads, most.get(key)) for key, entry in found.items()}
    made["backend"] = backend
    first = [made.pop(key) for key in ("algorithm", "backend", "workers")]
    return (*first, ranks, *made.values())


def _option(analysis: Analysis, entry: OptionEntry, threads: int = MAX_WORKERS, most: int | None = None) -> Setting:
    """The setting for a search option; a number is at most `most`, where that is given."""
    return Setting(
        localized(entry.option.name),
        localized(entry.option.tip),
        field_of(entry, most),
        lambda: entry.value(analysis.settings),
        lambda value: analysis.change(**entry.changes(analysis.settings, value)),
        entry.value(Settings().within(threads)),
    )


def _of(analysis: Analysis, key: str, name: str, tip: str, field: Field) -> Setting:
    """The setting for another field of the analysis' settings."""
    return Setting(
        name,
        tip,
        field,
        lambda: getattr(analysis.settings, key),
        lambda value: analysis.change(**{key: value}),
        getattr(Settings(), key),
    )


def _limits(analysis: Analysis) -> tuple[Setting, ...]:
    def memory() -> str:
        millions = analysis.settings.record / 1e6
        return tr(
            "A record of that length takes {shown} MB; while a search runs, {tape} MB for each of its threads.",
            shown=significant(millions * (TAPE_BYTES + INDEX_BYTES)),
            tape=significant(millions * TAPE_BYTES),
        )

    limits = (_option(analysis, entry) for entry in OPTIONS if entry.option.group is LIMITS)
    return *limits, replace(_option(analysis, RECORD), says=memory)


def _opponent(record: GameRecord, analysis: Analysis) -> tuple[Setting, ...]:
    return (
        Setting(
            tr("Computer plays"),
            tr("The sides that the computer plays, in this game and the next."),
            choice({players: side_name(side, record.game) for side, players in SIDES.items()}),
            lambda: record.computer,
            record.set_computer,
            SIDES["second"],
        ),
        Setting(
            tr("Level"),
            tr(
                "How well the computer plays. Strongest is perfect where it can search to the end of the game. The "
                "other levels look fewer plies ahead and sometimes make a mistake on purpose."
            ),
            choice({level: tr(name) for name, level in LEVELS.items()}),
            lambda: record.level,
            record.set_level,
            STRONGEST,
        ),
        _of(
            analysis,
            "watch_answers",
            tr("Watch the computer think"),
            tr("If on, the speed slider also applies to the computer's answers. If off, they come at full speed."),
            switch(),
        ),
    )


def _files(files: Files) -> tuple[Setting, ...]:
    return (
        Setting(
            tr("Continue the last game"),
            tr(
                "At the start, the last game is on the board. If off, a new game begins, and the last one is "
                "under File › Open recent."
            ),
            switch(),
            lambda: files.resumes,
            files.set_resumes,
            True,
        ),
    )


def _launch(mpi: MpiAccess, affects: tuple[Setting, ...]) -> tuple[Setting, ...]:
    def part(key: str, name: str, tip: str, empty: str, says: Callable[[], str] = lambda: "") -> Setting:
        return Setting(
            name,
            tip,
            line(empty),
            lambda: getattr(launch.choice(), key),
            lambda text: mpi.look(launch.choice()._replace(**{key: text})),
            getattr(launch.usual(), key),
            says,
            affects,
        )

    return (
        part(
            "template",
            tr("Launch command"),
            tr("The command that starts the ranks, such as srun -n {ranks}. If empty, mpiexec is used."),
            "mpiexec -n {ranks}",
            lambda: mpi.reason or found(mpi.words),
        ),
        part(
            "hosts",
            tr("Hosts"),
            tr("Names of machines, separated by commas. In a launch command, {hosts} stands for them."),
            tr("this machine"),
        ),
    )
