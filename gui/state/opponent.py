"""The computer as a player: it searches when it is to move, and plays the move that its level chooses from the result.

A search for a move uses the algorithm and the backend that the controls show, without their limits, and no deeper than
the level allows. Where that tree is too large, it uses iterative deepening (see `engine.play.levels`). The search stays
on display after the move. Where a person replays a recorded move, the recorded answer follows without a search. What a
level needs besides, such as the fastest win, is searched on a thread of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from engine.play.levels import Choice, Level, answer, question
from engine.result import Result
from engine.rules.contract import Game, Position
from gui.i18n.language import mark, tr
from gui.state.analysis import Analysis
from gui.state.game_record import GameRecord
from gui.state.search_settings import FIELDS
from gui.work.runner import Request, Runner
from gui.work.search_job import Search

VISIBLE_PAUSE, WATCHED_PAUSE = 450, 900
"""Milliseconds from a person's move to the computer's answer, at least; and from the computer's move to its own next
one."""


@dataclass(frozen=True)
class _Question:
    """A finished search that a level is to choose a move from."""

    result: Result
    level: Level
    seed: int


class Opponent(QObject):
    """Plays the computer's sides of the record. Call `close` before it is deleted."""

    changed = Signal()
    """`words` has changed."""
    chosen = Signal()
    """The choice of a move after the current search is known."""
    message = Signal(str)
    """A sentence for the person: why the computer does not move by itself."""
    failed = Signal(str)

    def __init__(self, record: GameRecord, analysis: Analysis, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._record, self._analysis = record, analysis
        self._since = QElapsedTimer()
        self._since.start()
        self._held = self._compiling = False
        self._answer: tuple[Game, Position, Choice] | None = None
        self._choice: tuple[Result, Choice | None] | None = None
        self._choices: dict[tuple[int, ...], Choice] = {}
        self._seed, self._plies = record.seed, 0
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self._play)
        self._next = QTimer(self, singleShot=True, interval=0)
        """Until the move that was played is painted."""
        self._next.timeout.connect(self.move)
        self._asked: tuple[Game, Position] | None = None
        self._search = Search()
        self._runner = Runner(mark("choice of a move"), self._choose, self)
        self._runner.progressed.connect(self._on_compiling)
        self._runner.finished.connect(self._on_chosen)
        self._runner.failed.connect(self._on_failed)
        record.changed.connect(self._on_changed)
        analysis.finished.connect(self._on_finished)

    @property
    def is_thinking(self) -> bool:
        """Whether the computer is finding its move."""
        clocks = self._next, self._pause
        coming = self._analysis.is_searching or self._asked is not None or any(clock.isActive() for clock in clocks)
        return self._record.computer_to_move and coming

    @property
    def is_watched(self) -> bool:
        """Whether the computer plays both sides of an unfinished game."""
        return len(self._record.computer) == 2 and not self._record.is_over

    @property
    def is_held(self) -> bool:
        """Whether a game of the computer against itself is paused."""
        return self._held and self.is_watched

    @property
    def words(self) -> str:
        """A sentence: that the person has to wait, or how to steer a game of the computer against itself."""
        if self._compiling or not self.is_watched:
            return tr("compiling, the first time only…") if self._compiling else ""
        return tr("the game is paused · P resumes it") if self._held else tr("P pauses the game")

    @property
    def choice(self) -> Choice | None:
        """The computer's choice after the current search; None while unknown, or where the search was not for a
        move."""
        return self._choice[1] if self._choice is not None and self._choice[0] is self._analysis.result else None

    @property
    def mistakes(self) -> Mapping[int, Choice]:
        """The deliberate mistakes of the game on the board, though another move was better, by their ply."""
        moves = self._record.moves
        choices = {ply: self._choices.get(moves[: ply + 1]) for ply in range(len(moves))}
        return {ply: choice for ply, choice in choices.items() if choice is not None and choice.best is not None}

    def move(self, paused: bool = False) -> None:
        """Search for the computer's move now, at full speed unless a person watches."""
        record, settings = self._record, self._analysis.settings
        self._next.stop()
        self._pause.stop()
        job = question(record.level, settings.job(record.game, record.position))
        self._analysis.think(
            record.game,
            record.position,
            paused,
            full_speed=not (paused or settings.watch_answers),
            **{name: getattr(job, name) for name in FIELDS},
        )

    def hold(self) -> None:
        """Pause a game of the computer against itself, or resume it. At a chance node of the past, the recorded outcome
        falls again."""
        record = self._record
        self._held = self.is_watched and not self._held
        if self._held:
            self._pause.stop()
        elif self._answer is not None:
            self._pause.start(0)
        elif self.is_watched and record.at_chance:
            if record.is_looking_back and record.next_move is not None:
                record.play(record.next_move)
        elif self.is_watched and not self.is_thinking:
            self.move()
        self.changed.emit()

    def close(self) -> None:
        self._next.stop()
        self._pause.stop()
        self._runner.close()

    def _on_changed(self) -> None:
        self._drop()
        self._since.restart()
        record, plies = self._record, len(self._record.moves)
        if record.seed != self._seed:
            self._seed, self._plies = record.seed, 0
            self._choices.clear()
        # After an undo in such a game the computer does not replay the moves at once.
        self._held = self.is_watched and (self._held or plies < self._plies or record.is_looking_back)
        self._plies = plies
        if not record.computer_to_move or self._held:
            return
        if record.next_move is None or self.is_watched:
            self._next.start()
        else:
            self._pause.start(VISIBLE_PAUSE)

    def _drop(self) -> None:
        """Drop the search for an earlier position."""
        self._next.stop()
        self._pause.stop()
        self._answer = self._asked = None
        self._compiling = False
        self._runner.drop()

    def _on_finished(self, result: Result) -> None:
        game, position = self._record.game, self._record.position
        if not self._record.computer_to_move or not self._analysis.is_of(game, position):
            return
        self._drop()
        if result.info.best is None:
            self.message.emit(
                tr("The search was stopped before a move was found: press Think to let the computer move.")
            )
            return
        self._asked, self._choice = (game, position), (result, None)
        self._runner.start(_Question(result, self._record.level, self._record.seed))

    def _choose(self, request: Request) -> Choice | None:
        """Choose the move; runs on the runner's thread."""
        asked: _Question = request.asked
        return answer(asked.level, asked.result, asked.seed, lambda job: self._search(replace(request, asked=job)))

    def _on_compiling(self, compiling: bool) -> None:
        self._compiling = compiling
        self.changed.emit()

    def _on_chosen(self, choice: Choice) -> None:
        assert self._asked is not None
        self._answer, self._asked = (*self._asked, choice), None
        if self._choice is not None:
            self._choice = self._choice[0], choice
            self.chosen.emit()
        if not self._held:
            pause = WATCHED_PAUSE if self.is_watched else VISIBLE_PAUSE
            self._pause.start(max(0, pause - self._since.elapsed()))

    def _on_failed(self, reason: str) -> None:
        self._asked = None
        self.failed.emit(reason)

    def _play(self) -> None:
        """Play the chosen move, or the recorded one."""
        record, answer = self._record, self._answer
        if not record.computer_to_move:
            return
        if answer is None and record.next_move is not None:
            record.play(record.next_move)
        elif answer is not None and answer[:2] == (record.game, record.position):
            choice = answer[2]
            self._choices[(*record.moves, choice.move)] = choice
            record.play(choice.move)
