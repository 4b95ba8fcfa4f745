"""A game in which each side places two stones a turn, on the board: its rounds, its players, its computer."""

import pytest
from pytestqt.qtbot import QtBot

from engine import registry
from engine.play.levels import LEVELS
from engine.result import Value
from engine.rules.bits import each
from engine.rules.contract import legal
from gui.board.hint_text import Advised, why
from gui.board.panel import BoardPanel
from gui.board.picture import Hint, Overlays, game_picture
from gui.board.wording import game_in_words
from gui.state.analysis import Analysis
from gui.state.game_record import GameRecord
from gui.state.opponent import Opponent
from tests.gui.board.test_panel import words

SPEC = "connect6:4,4,4"


@pytest.fixture
def record() -> GameRecord:
    made = GameRecord(registry.game(SPEC))
    made.set_computer(frozenset())
    for move in (5, 0, 1, 6, 9, 2, 3):
        made.play(move)
    return made


def test_a_round_is_a_turn_of_each_player(panel: BoardPanel, record: GameRecord) -> None:
    assert words(panel) == ["start", "1. b2", "a1", "b1", "2. c2", "b3", "c1", "d1"]
    record.go_to(5)
    record.play(15)
    assert words(panel) == ["start", "1. b2", "a1", "b1", "2. c2", "b3", "d4", "(2. … c1", "d1)"]


def test_the_last_player_may_be_the_next_too(record: GameRecord) -> None:
    record.go_to(2)
    assert (record.last_mover, record.mover) == (1, 1)
    assert game_in_words(record).endswith("O to move again, last move O on a1")
    record.go_to(3)
    assert (record.last_mover, record.mover) == (1, 0)
    assert game_in_words(record).endswith("X to move, last move O on b1")
    record.go_to(0)
    assert record.last_mover is None


def test_the_moves_of_best_play_have_their_players(record: GameRecord, panel: BoardPanel) -> None:
    record.go_to(2)
    shown = Overlays({}, frozenset(), Hint(move=1, line=(1, 6, 9, 2, 3)), "")
    picture = game_picture(record, shown, panel.board._motion, True, None, None)
    assert picture.line_players == (1, 0, 0, 1, 1)


def test_a_loss_is_refuted_by_the_other_side(record: GameRecord) -> None:
    """c2 loses to b1, which X plays after O's second stone on a4."""
    game = record.game
    position = game.notation.parse("x..x/xx.o/xooo/....")
    square = {game.notation.move_name(move): move for move in each(legal(position))}
    lost = tuple(square[name] for name in ("c2", "a4", "b1", "c1"))
    values = {move: Value(0) for move in square.values()} | {square["c2"]: Value(-96)}
    told = why(Advised(game, position, values, lambda move: lost if move == square["c2"] else (move,)))
    assert told == "b1 draws, as do other moves; but c2, for example, loses to b1, in 4 plies."


@pytest.mark.usefixtures("interpreted")
def test_the_computer_places_both_of_its_stones(qtbot: QtBot, record: GameRecord) -> None:
    """And one undo takes back both, and the person's."""
    analysis = Analysis()
    computer = Opponent(record, analysis)
    record.new()
    record.set_computer(frozenset({1}))
    record.set_level(LEVELS["Beginner"])
    with qtbot.waitSignal(record.changed, timeout=60_000, check_params_cb=lambda: len(record.moves) == 3):
        record.play(5)
    assert (record.mover, record.computer_to_move) == (0, False)
    record.play(next(each(legal(record.position))))
    assert (record.mover, len(record.moves)) == (0, 4), "the person has a second stone"
    record.undo()
    record.undo()
    assert record.moves == ()
    computer.close()
    analysis.close()
