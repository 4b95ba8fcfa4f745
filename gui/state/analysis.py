"""The current search: its settings, its newest snapshot, its result, and the earlier runs. Analysis owns this state;
views show it.

While a search runs, `moved` is emitted at most 30 times a second, for pictures, and `counted` 5 times a second, for
text that must stay readable. Neither is emitted while nothing changes. The result comes with `shown`, for pictures, and
once these are painted with `counted` and `finished`: all at once would keep the window from answering for too long.

The search on display changes with `started`. A search at full speed is shown SHOWN_MILLISECONDS after it has begun, or
with its result: most are over sooner, and nothing flickers.
"""

from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from engine import registry
from engine.control import FULL_SPEED, Control
from engine.job import Job
from engine.result import Result, Snapshot
from engine.rules.contract import Game, Position
from gui.i18n.language import localized
from gui.state.option_rules import EXPERT, refusal
from gui.state.runs import Runs
from gui.state.search_settings import AT_ONCE, Settings
from gui.work.runner import Runner
from gui.work.search_job import Search, as_run

PICTURE_MILLISECONDS = 33
TEXT_MILLISECONDS = 200
SHOWN_MILLISECONDS = 100
NICENESS = 5
"""Priority of the search's threads: where they use all cores, the window's thread still comes first."""


class Phase(Enum):
    """The phase of a search."""

    IDLE = "idle"
    COMPILING = "compiling"
    RUNNING = "running"
    PAUSED = "paused"


class Root(NamedTuple):
    """What a search begins with."""

    game: Game
    position: Position
    job: Job
    settings: Settings


class Analysis(QObject):
    """Runs searches and stores their results. Call `close` before it is deleted."""

    settings_changed = Signal()
    phase_changed = Signal()
    begun = Signal()
    """A search has begun. It may not be shown yet."""
    started = Signal()
    """Another search is on display: one that runs, or one that is over, whose result follows with `shown`."""
    moved = Signal()
    counted = Signal()
    """More is known of the search on display, or all."""
    answered = Signal()
    """`so_far` is known, for which `ask_result` has asked."""
    shown = Signal(object)
    """The Result that is now on display: the current search has ended, or an earlier one is recalled. `counted`
    follows."""
    finished = Signal(object)
    """The Result of the current search, which has ended; `shown` and `counted` come before."""
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = self._begun_with = Settings()
        self._phase = self._last_phase = Phase.IDLE
        self._is_searching = False
        self._coming: Root | None = None
        """The search that is not shown yet."""
        self._game: Game | None = None
        self._position: Position | None = None
        self._job: Job | None = None
        self._info: Snapshot | None = None
        self._result: Result | None = None
        self._so_far: Result | None = None
        self._whole: Result | None = None
        """The search that `result` is of; it is `result` itself unless that is one of its `earlier` ones."""
        self._follows_speed = True
        self._runs = Runs(self)
        self.runs_changed = self._runs.changed
        """The list of runs has changed."""
        self._counted: Snapshot | None = None
        self._runner = Runner("search", Search(), self, NICENESS)
        self._runner.progressed.connect(self._on_progress)
        self._runner.finished.connect(self._on_finished)
        self._runner.failed.connect(self._on_failed)
        self._pictures = self._clock(PICTURE_MILLISECONDS, self._on_picture_clock)
        self._texts = self._clock(TEXT_MILLISECONDS, self._on_text_clock)
        self._patience = self._clock(SHOWN_MILLISECONDS, self._show_coming)
        self._patience.setSingleShot(True)
        self._ended: tuple[Result, bool] | None = None
        """A result that is shown and not told of, and whether its search was not dropped."""
        self._after_painting = self._clock(0, self._tell_end)
        self._after_painting.setSingleShot(True)

    @property
    def settings(self) -> Settings:
        return self._settings

    @property
    def is_searching(self) -> bool:
        """Whether a search is running, paused or waiting for its kernels to be compiled, on display or not yet; until
        `finished`."""
        return self._is_searching or self._ended is not None

    @property
    def phase(self) -> Phase:
        """The phase of the search on display."""
        return self._phase

    @property
    def is_running(self) -> bool:
        """Whether the search on display is running, paused or waiting for its kernels to be compiled."""
        return self._phase is not Phase.IDLE

    @property
    def is_over(self) -> bool:
        """Whether the search on display is over: its result is known, or follows `started` at once."""
        return self._job is not None and not self.is_running

    @property
    def is_held_back(self) -> bool:
        """Whether the speed setting makes the current search wait between nodes."""
        return self.is_running and self._runner.control.held_back

    @property
    def game(self) -> Game | None:
        """The game of the search on display; None before the first."""
        return self._game

    @property
    def position(self) -> Position | None:
        """The root of the search on display; None before the first."""
        return self._position

    def is_of(self, game: Game, position: Position) -> bool:
        """Whether the search on display is of that position of that game (positions of two games may be equal)."""
        return (self._game, self._position) == (game, position)

    @property
    def job(self) -> Job | None:
        return self._job

    @property
    def info(self) -> Snapshot | None:
        """The newest snapshot of the current search."""
        return self._info

    @property
    def result(self) -> Result | None:
        """The result of the current search; None while it runs."""
        return self._result

    @property
    def so_far(self) -> Result | None:
        """What the running search had found and recorded when it was asked; None if it was not, and when it has
        ended."""
        return self._so_far

    @property
    def changes_wait(self) -> bool:
        """Whether the running search began with other settings than the present ones, which the next search takes."""
        at_once = {name: getattr(self._settings, name) for name in AT_ONCE}
        return self.is_running and replace(self._begun_with, **at_once) != self._settings

    @property
    def whole(self) -> Result | None:
        """The search whose result, or whose result after an earlier iteration, is on display; None while one runs."""
        return self._whole

    @property
    def runs(self) -> tuple[Result, ...]:
        """The last searches, newest first; the older ones without their records."""
        return self._runs.all

    def change(self, **settings: Any) -> None:
        """Change some settings. The speed takes effect at once, the rest with the next search."""
        self.take(replace(self._settings, **settings))

    def take(self, settings: Settings) -> None:
        """Replace all settings, with the same effects as `change`."""
        before, self._settings = self._settings, settings
        if settings.speed != before.speed and self._follows_speed:
            self._runner.control.set_speed(settings.speed)
        if settings != before:
            self.settings_changed.emit()

    def refusal(self, game: Game, position: Position, **settings: Any) -> str:
        """One sentence on why a search with these changes of the settings cannot run; empty where it can."""
        return refusal(replace(self._settings, **settings).job(game, position))

    def reset_options(self) -> None:
        """Give every expert option its default."""
        self.change(**{entry.key: entry.default for entry in EXPERT})

    def think(
        self, game: Game, position: Position, paused: bool = False, full_speed: bool = False, **settings: Any
    ) -> None:
        """Search a position with the settings, some of them replaced for this search only. A running search is stopped
        and its result discarded. At full speed, no speed setting slows the search down, not even one that is chosen
        while it runs."""
        self._tell_end()
        job = as_run(replace(self._settings, **settings).job(game, position))
        self._coming, self._is_searching = Root(game, position, job, self._settings), True
        self._follows_speed = not full_speed
        self._runner.start(job, Control(FULL_SPEED if full_speed else self._settings.speed, paused))
        self.begun.emit()
        if self.is_running or self._runner.control.held_back:
            self._show_coming()
        elif not self._patience.isActive():
            self._patience.start()

    def recall(self, run: Result) -> None:
        """Put an earlier search on display again. Nothing happens while a search runs."""
        if self._is_searching or run is self._result:
            return
        self._tell_end()
        self._take_root(*registry.root_of(run.job), run.job)
        self._forget_dropped()
        self.show_other(run)

    def show_other(self, result: Result) -> None:
        """Put another result of the search on display, which it had after one of its iterations. Nothing happens while
        a search runs."""
        if self._is_searching or result is self._result:
            return
        self._info = self._result = None
        self.started.emit()
        self._show(result)
        self.counted.emit()

    def forget(self) -> None:
        """Put no search on display. Nothing happens while one runs."""
        if not self._is_searching:
            self._tell_end()
            self._forget_dropped()
            self._show_none()

    def _forget_dropped(self) -> None:
        """Do not show the result of a dropped search when it comes."""
        self._runner.drop()
        self._coming = None

    def _show_none(self) -> None:
        self._job = self._info = self._result = self._so_far = self._whole = None
        self.started.emit()

    def _take_root(self, game: Game, position: Position, job: Job) -> None:
        """Put another search on display, of which nothing is known yet."""
        self._game, self._position, self._job = game, position, job
        self._info = self._counted = self._result = self._so_far = self._whole = None

    def _take_coming(self) -> bool:
        """Put the search on display that is not shown yet; returns whether there is one."""
        coming, self._coming = self._coming, None
        self._patience.stop()
        if coming is None:
            return False
        self._take_root(coming.game, coming.position, coming.job)
        self._begun_with = coming.settings
        return True

    def _show_coming(self) -> None:
        """Show the search that runs, if it is not shown yet."""
        if self._is_searching and self._take_coming():
            self._phase = Phase.PAUSED if self._runner.control.paused else Phase.RUNNING
            self._pictures.start()
            self._texts.start()
            self.started.emit()  # before the phase: until then the cursor has the record of the search before
            self._tell_phase()

    def pause(self) -> None:
        self._show_coming()
        if self._phase is Phase.RUNNING:
            self._runner.control.pause()
            self._enter(Phase.PAUSED)

    def resume(self) -> None:
        if self._phase is Phase.PAUSED:
            self._runner.control.resume()
            self._enter(Phase.RUNNING)

    def step(self, nodes: int | None = None) -> None:
        """Pause, and visit that many nodes more; None: go on to the next event of the search, see
        `engine.backends.events`."""
        self._show_coming()
        if self._phase in (Phase.RUNNING, Phase.PAUSED):
            if nodes is None:
                self._runner.control.step_event()
            else:
                self._runner.control.step(nodes)
            self._enter(Phase.PAUSED)

    def ask_result(self) -> None:
        """Ask the running search for its result so far, which comes with `answered`."""
        self._runner.control.ask_result(self._runner.publish)

    def stop(self) -> None:
        """End the search. Its result so far comes with `finished`."""
        self._runner.control.stop()

    def drop(self) -> None:
        """End the search because the board has another position. It is over at once. What it found stays on display,
        and its result comes as after `stop`."""
        if self._is_searching:
            self._runner.control.stop()
            self._rest()
            self._tell_phase()

    def drop_other(self, game: Game, position: Position) -> None:
        """End the search that runs, unless it is of that position of that game."""
        root = (self._game, self._position) if self._coming is None else self._coming[:2]
        if root != (game, position):
            self.drop()

    def close(self) -> None:
        for clock in (self._pictures, self._texts, self._patience, self._after_painting):
            clock.stop()
        self._runs.close()
        self._runner.close()

    def _clock(self, milliseconds: int, tick: Callable[[], None]) -> QTimer:
        clock = QTimer(self)
        clock.setInterval(milliseconds)
        clock.timeout.connect(tick)
        return clock

    def _enter(self, phase: Phase) -> None:
        self._phase = phase
        self._tell_phase()

    def _tell_phase(self) -> None:
        if self._phase is not self._last_phase:
            self._last_phase = self._phase
            self.phase_changed.emit()

    def _rest(self) -> None:
        """Become idle. The signal is emitted later, so that no control is switched off and on where another search
        follows at once."""
        for clock in (self._pictures, self._texts, self._patience):
            clock.stop()
        self._phase, self._is_searching = Phase.IDLE, False

    def _on_progress(self, news: bool | Result) -> None:
        """The search compiles its kernels, or does so no more, or answers with its result so far."""
        if not self._is_searching:
            return
        if isinstance(news, Result):
            self._so_far = news
            self.answered.emit()
        else:
            self._show_coming()
            paused = self._runner.control.paused
            self._enter(Phase.COMPILING if news else Phase.PAUSED if paused else Phase.RUNNING)

    def _on_finished(self, result: Result | None) -> None:
        """The search has ended, or a dropped search has delivered what it found."""
        was_running, was_shown = self._is_searching, self._coming is None
        self._rest()
        if result is None:
            self._coming = None
            if was_shown:
                self._show_none()
                self._tell_phase()
            return
        if self._take_coming():
            self.started.emit()
        self._runs.add(result)
        self._show(result)
        self._ended = result, was_running
        self._after_painting.start()

    def _tell_end(self) -> None:
        """Tell of the end of the search, if it is shown and not told of."""
        if self._ended is None:
            return
        (result, was_running), self._ended = self._ended, None
        self._after_painting.stop()
        self.counted.emit()
        self.finished.emit(result)
        self._tell_phase()
        if result.failure and was_running:
            self.failed.emit(localized(result.failure))

    def _show(self, result: Result) -> None:
        self._result, self._info, self._so_far = result, result.info, None
        if result.iteration is None:
            self._whole = result
        self.shown.emit(result)

    def _on_failed(self, message: str) -> None:
        """The search has failed. The failure of a dropped search is not told: it has ended without a result."""
        if not self._is_searching:
            self._on_finished(None)
            return
        self._show_coming()
        self._on_picture_clock()  # what was counted since its last tick, or before its first
        self._on_text_clock()
        self._so_far = None
        self._rest()
        self._tell_phase()
        self.failed.emit(message)

    def _on_picture_clock(self) -> None:
        newest = self._runner.latest()
        if newest is not None and newest is not self._info:
            self._info = newest
            self.moved.emit()

    def _on_text_clock(self) -> None:
        if self._info is not self._counted:
            self._counted = self._info
            self.counted.emit()
