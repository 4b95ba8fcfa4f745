"""The computer as a player: its levels, games against itself, undo, and the review after the game."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QComboBox, QLabel
from pytestqt.qtbot import QtBot

from engine import registry
from engine.options.catalogue import Limit
from engine.options.choices import Scoring
from engine.play.levels import LEVELS, Level
from gui.state import opponent as module
from gui.state.analysis import Analysis
from gui.state.game_record import GameRecord
from gui.state.opponent import Opponent
from gui.state.review import Reviewer
from gui.state.spoilers import spoilers
from gui.state.wording import played
from gui.window import Window
from gui.work.kernels import Kernels

LONG = 60_000
"""Milliseconds: with a cold cache a search is compiled first."""
NOBODY, O_ONLY, BOTH = frozenset[int](), frozenset({1}), frozenset({0, 1})
CARELESS = Level("Careless", "a careless player", depth=4, chance=1.0, size=2)


class Table:
    """A game with its opponent and its review, without a window."""

    def __init__(self, qtbot: QtBot) -> None:
        self._qtbot = qtbot
        self.record = GameRecord(registry.game("tictactoe"))
        self.analysis = Analysis()
        self.opponent = Opponent(self.record, self.analysis)
        self.review = Reviewer(self.record, self.opponent, Kernels())

    def set_up(self, computer: frozenset[int], level: Level, seed: int = 1) -> None:
        self.record.set_computer(NOBODY)
        self.record.set_level(level)
        self.record.new(seed=seed)
        self.record.set_computer(computer)

    def play(self, *moves: int) -> None:
        for move in moves:
            self.record.play(move)
            self.settle()

    def begin(self, move: int) -> None:
        """Play a move and wait until the computer searches for its answer."""
        self.record.play(move)
        self._qtbot.waitUntil(lambda: self.analysis.is_running, timeout=LONG)

    def settle(self) -> None:
        """Wait until the computer has moved, and has judged a game that is over."""
        self._qtbot.waitUntil(lambda: not self.opponent.is_thinking and not self.review.is_looking, timeout=LONG)

    def finished(self) -> AbstractContextManager[object]:
        """A context that ends when a search has."""
        return self._qtbot.waitSignal(self.analysis.finished, timeout=LONG)

    def close(self) -> None:
        for part in (self.opponent, self.review, self.analysis):
            part.close()


@pytest.fixture
def table(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setattr(module, "VISIBLE_PAUSE", 0)
    monkeypatch.setattr(module, "WATCHED_PAUSE", 0)
    made = Table(qtbot)
    yield made
    made.close()


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
def test_the_search_on_display_sees_as_far_as_the_level(table: Table, algorithm: str) -> None:
    table.analysis.change(algorithm=algorithm)
    table.set_up(O_ONLY, LEVELS["Casual"])
    table.play(0)
    assert len(table.record.moves) == 2
    assert len(table.analysis.runs) == 1, "what a level asks besides is on nobody's display"
    assert table.analysis.runs[0].job.limit.depth == 2


def test_what_is_set_for_analysis_does_not_limit_the_answer(table: Table) -> None:
    table.analysis.change(algorithm="alphabeta", limit=Limit(depth=1, nodes=9, seconds=0.001), evaluate=False)
    table.set_up(O_ONLY, LEVELS["Strongest"])
    table.play(0)
    run = table.analysis.runs[0]
    assert (run.job.algorithm, run.job.limit, run.job.evaluate, run.complete) == ("alphabeta", Limit(), True, True)
    assert table.record.moves == (0, 4)
    with table.finished():
        table.analysis.think(table.record.game, table.record.position)
    assert table.analysis.job is not None
    assert table.analysis.job.limit.depth == 1, "a search that a person asks for"


def test_moves_taken_back_and_played_again_are_answered_and_kept(table: Table) -> None:
    for seed in range(3):
        table.set_up(O_ONLY, LEVELS["Beginner"], seed)
        table.play(0)
        table.play(next(square for square in (8, 7) if square not in table.record.moves))
        played = table.record.moves
        table.record.undo()
        table.record.undo()
        assert table.record.moves == ()
        table.play(0)
        assert table.record.moves == played[:2]
        assert table.record.can_redo, "the same move and the same answer keep what comes after them"
        table.record.redo()
        assert table.record.moves == played


def test_a_recorded_answer_is_played_again_and_not_sought(table: Table) -> None:
    table.set_up(O_ONLY, LEVELS["Strongest"])
    table.play(0)
    answer = table.record.moves[1]
    table.record.undo()
    table.play(1)
    table.record.go((0, answer))
    table.record.go_to(0)
    table.settle()
    assert table.record.moves == (), "nobody asked the computer"
    searches = len(table.analysis.runs)
    table.record.set_level(LEVELS["Beginner"])
    table.play(0)
    assert table.record.moves == (0, answer)
    assert len(table.analysis.runs) == searches
    table.record.delete((0, answer))
    table.settle()
    assert len(table.record.moves) == 2
    assert len(table.analysis.runs) == searches + 1, "without a recorded answer it looks for one"


def test_a_mistake_made_on_purpose_is_told_after_the_game_and_not_before(table: Table) -> None:
    table.set_up(O_ONLY, CARELESS)
    table.play(0)
    while not table.record.is_over:
        assert table.review.words == ""
        free = [square for square in range(9) if square not in table.record.moves]
        lines = table.record.game.notation.lines
        own = sum(1 << move for move in table.record.moves[::2])
        wins = [square for square in free if any(line & ~(own | 1 << square) == 0 for line in lines)]
        table.play((wins or free)[0])
    assert table.opponent.mistakes
    assert "a careless player" in table.review.words
    table.record.undo()
    assert table.review.words == "", "a game that goes on again is not judged"


def test_the_move_that_gave_the_game_away_is_named(table: Table) -> None:
    table.set_up(NOBODY, LEVELS["Strongest"])
    table.play(0, 1, 4, 2, 8)
    assert table.review.words == "O's 1st move, b1, lost the game: b2 would have drawn."
    table.record.new()
    assert table.review.words == ""


def test_perfect_is_faultless_against_itself_and_stops_at_the_end(table: Table) -> None:
    table.set_up(BOTH, LEVELS["Strongest"])
    table.settle()
    assert table.record.is_over
    assert table.record.winner is None
    assert not table.opponent.mistakes
    assert table.review.words == "No move changed the outcome: it was a draw all along."
    assert not table.opponent.is_watched
    assert table.opponent.words == ""


def test_a_game_of_the_computer_against_itself_is_paused_and_goes_on(table: Table) -> None:
    table.record.changed.connect(lambda: table.opponent.hold() if len(table.record.moves) == 2 else None)
    table.set_up(BOTH, LEVELS["Club"])
    table.settle()
    assert table.opponent.is_held
    assert len(table.record.moves) == 2
    assert table.opponent.words == "the game is paused · P resumes it"
    table.opponent.hold()
    table.settle()
    assert table.record.is_over


def test_taking_back_a_move_pauses_a_game_which_goes_on_as_before(table: Table) -> None:
    table.set_up(BOTH, LEVELS["Casual"])
    table.settle()
    played = table.record.moves
    table.record.undo()
    table.record.undo()
    table.settle()
    assert table.record.moves == played[:-2]
    assert table.opponent.is_held
    table.record.redo()
    assert table.record.moves == played[:-1]
    table.opponent.hold()
    table.settle()
    assert table.record.moves == played


def test_pausing_means_nothing_where_a_person_plays(table: Table) -> None:
    table.set_up(O_ONLY, LEVELS["Strongest"])
    table.opponent.hold()
    table.play(0)
    assert len(table.record.moves) == 2


def test_another_level_in_the_middle_of_a_search_begins_it_anew(table: Table) -> None:
    table.analysis.change(speed=20.0, watch_answers=True)
    table.set_up(O_ONLY, LEVELS["Strongest"])
    table.begin(0)
    table.record.set_level(LEVELS["Beginner"])
    table.opponent.move()
    assert table.analysis.job is not None
    assert table.analysis.job.limit.depth == 1
    table.analysis.change(speed=1e9)
    table.settle()
    assert len(table.record.moves) == 2


def test_a_slow_speed_holds_no_answer_back_unless_one_wants_to_watch(table: Table) -> None:
    table.analysis.change(speed=1.0)
    table.set_up(O_ONLY, LEVELS["Strongest"])
    held: list[bool] = []
    table.analysis.started.connect(lambda: table.analysis.change(speed=2.0))
    table.analysis.started.connect(lambda: held.append(table.analysis.is_held_back))
    table.play(0)
    assert len(table.record.moves) == 2, "59,705 nodes, and not one a second"
    assert held == [False], "not even by a speed that is chosen while it runs, however soon it ends"
    table.analysis.change(watch_answers=True)
    table.begin(8)
    assert table.analysis.is_held_back
    table.analysis.change(speed=1e9)
    table.settle()
    assert len(table.record.moves) == 4


@pytest.mark.parametrize("scoring", Scoring)
@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
def test_the_search_on_display_is_the_one_that_think_would_make(table: Table, algorithm: str, scoring: Scoring) -> None:
    """One scale: the scores of the options are the computer's too."""
    table.analysis.change(algorithm=algorithm, scoring=scoring)
    table.set_up(O_ONLY, LEVELS["Strongest"])
    table.play(0)
    answered = table.analysis.runs[0].job
    assert answered == table.analysis.settings.job(table.record.game, table.record.game.notation.parse("x../.../..."))


def test_it_does_not_play_about_though_all_won_moves_are_worth_1(table: Table) -> None:
    game = table.record.game
    table.set_up(NOBODY, LEVELS["Strongest"])
    table.record.new(start=game.notation.parse("xox/.o./x.."))
    table.record.set_computer(O_ONLY)
    table.settle()
    assert table.record.winner == 1
    result = table.analysis.result
    assert result is not None
    assert result.job.scoring == Scoring.TEXTBOOK
    assert result.info.best == 3
    assert table.record.moves == (7,), "b3, which wins at once"
    said = played(game, table.analysis.position, result, table.opponent.choice)
    assert said == "O plays b3: no move wins sooner"


def test_where_a_level_plays_another_move_than_the_best_that_is_said(qtbot: QtBot) -> None:
    window = Window()
    qtbot.addWidget(window)
    game = registry.game("tictactoe")
    window.record.set_computer(NOBODY)
    window.record.set_level(CARELESS)
    window.record.new(game, game.notation.parse("xx./oo./x.."), seed=1)
    window.record.set_computer(O_ONLY)
    qtbot.waitUntil(lambda: bool(window.record.moves), timeout=LONG)
    (made,) = window.record.moves
    assert made != 5, "this level never takes the win"
    assert window.figures.figure("best").startswith(("c1", "c2"))
    assert window.figures.note("best") == f"O plays {game.notation.move_name(made)} instead"
    spoilers().hide(True)
    assert window.figures.note("best") == ""
    spoilers().hide(False)
    window.close()


def test_the_options_say_how_far_the_strongest_sees(qtbot: QtBot) -> None:
    window = Window()
    qtbot.addWidget(window)

    def said() -> set[str]:
        return {label.text() for label in window.options.findChildren(QLabel)}

    assert "perfect here: it sees to the end of the game" in said()
    window.record.set_computer(NOBODY)
    window.choose_game("mnk:7,7,5")
    for algorithm in ("minimax", "alphabeta"):
        window.analysis.change(algorithm=algorithm)
        assert "perfect only where 5,000,000 nodes see the end of the game" in said()
    window.record.set_level(LEVELS["Beginner"])
    assert "looks 1 ply ahead" in said()
    window.analysis.change(algorithm="minimax")
    window.record.set_level(LEVELS["Strong"])
    assert "looks 6 plies ahead, or as far as 5,000,000 nodes allow" in said()
    window.close()


def test_in_the_window_the_level_is_kept_and_the_end_explained(qtbot: QtBot, tmp_path: Path) -> None:
    kept = QSettings(str(tmp_path / "plyscope.ini"), QSettings.Format.IniFormat)
    first, second = Window(kept), None
    qtbot.addWidget(first)
    first.resize(1024, 680)
    first.show()
    field = next(box for box in first.options.findChildren(QComboBox) if box.accessibleName() == "Level")
    assert [field.itemText(entry) for entry in range(field.count())] == [*LEVELS]
    field.setCurrentIndex(1)
    field.activated.emit(1)
    assert first.record.level is LEVELS["Casual"]
    first.record.set_computer(NOBODY)
    for move in (0, 1, 4, 2, 8):
        first.play(move)
    qtbot.waitUntil(lambda: not first.review.is_looking, timeout=LONG)
    label = next(label for label in first.findChildren(QLabel) if label.accessibleName() == "After the game")
    assert label.text() == "O's 1st move, b1, lost the game: b2 would have drawn."
    qtbot.waitUntil(lambda: label.height() >= label.heightForWidth(label.width()) > 0)
    first.undo_action.trigger()
    assert not label.isVisible()
    first.close()
    second = Window(kept)
    qtbot.addWidget(second)
    assert second.record.level is LEVELS["Casual"]
    second.close()


def test_a_game_of_the_computer_with_itself_is_paused_by_a_key(qtbot: QtBot) -> None:
    window = Window()
    qtbot.addWidget(window)
    assert not window.hold_action.isEnabled()
    window.record.set_computer(BOTH)
    assert window.hold_action.isEnabled()
    window.hold_action.trigger()
    assert window.opponent.is_held
    assert window.hold_action.text() == "Resume game"
    window.hold_action.trigger()
    assert window.hold_action.text() == "Pause game"
    window.close()
