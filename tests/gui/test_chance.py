"""A game of chance in the window: its algorithm, the coin on the board, values that are averages, and its tree."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from engine import registry
from engine.measure.presets import PRESETS
from engine.play.game_file import SavedSearch, from_text, to_text
from gui.board.wording import SquareValue, game_in_words, pass_in_words, standing
from gui.speedup.plan_page import PlanPage
from gui.state.wording import verdict
from gui.tree.node_link_painter import Symbol
from gui.window import Window

SPEC = "random-turn:3,3,3"
GAME = registry.game(SPEC)
X = 9
"""The outcome after which X moves."""


@pytest.fixture
def coin(window: Window) -> Window:
    """The window with the game, before the coin has fallen."""
    window.board.set_motion(False)
    window.choose_game(SPEC)
    return window


def buttons(window: Window) -> list[str]:
    return [made.text() for made in window.modes.algorithms.values() if made.isVisible()]


def test_the_algorithms_are_those_for_the_game(coin: Window) -> None:
    assert buttons(coin) == ["Expectiminimax"]
    assert coin.modes.algorithms["expectiminimax"].isChecked()
    assert coin.analysis.settings.algorithm == "minimax", "the choice for other games stays"
    assert coin.analysis.settings.job(GAME, GAME.start).algorithm == "expectiminimax"
    coin.choose_game("tictactoe")
    assert buttons(coin) == ["Minimax", "Alpha-beta", "PVS", "MTD(f)"]
    assert coin.modes.algorithms["minimax"].isChecked()


def test_nobody_moves_before_the_coin_has_fallen(qtbot: QtBot, coin: Window) -> None:
    record, board = coin.record, coin.board
    assert standing(record) == "The coin decides"
    assert not any(map(board.is_playable, range(9)))
    qtbot.mouseClick(board, Qt.MouseButton.LeftButton, pos=board.square_rect(4).center().toPoint())
    assert record.moves == ()
    assert [player.property("toMove") for player in coin.board_panel.players.sides] == [False, False]
    coin.hints.want_values(True)
    coin.hints.want_hint()
    assert coin.hints.words == ""
    coin.hints.want_values(False)
    with qtbot.waitSignal(record.changed, timeout=10_000):
        pass
    side, player = record.mover, GAME.notation.players[record.mover]
    assert standing(record) == f"{player} to move"
    assert pass_in_words(record) == f"The coin: >{player}"
    assert game_in_words(record).endswith(f"{player} to move. The coin: >{player}")
    assert [player.property("toMove") for player in coin.board_panel.players.sides] == [side == 0, side == 1]
    assert board.is_playable(4)
    coin.play(4)
    assert standing(record) == "The coin decides"
    assert not board.is_playable(0)


@pytest.mark.usefixtures("interpreted")
def test_a_search_shows_averages(qtbot: QtBot, coin: Window) -> None:
    """On the strip, in the figures, on the squares and in the hint; a diamond for each chance node."""
    coin.record.new(start=GAME.notation.parse("xox/xo./o.. o"))
    with qtbot.waitSignal(coin.analysis.finished, timeout=60_000):
        coin.think_action.trigger()
    found = coin.analysis.info
    assert found is not None
    assert found.value is not None
    assert verdict(GAME, coin.record.position, found.value, coin.analysis.job.scoring) == "O wins"
    assert coin.board_panel.value.text == "−1"
    with qtbot.waitSignal(coin.tree.links.drawn, timeout=60_000):
        coin.tree.choices.pictures[True].trigger()
    coin.tree.links.grab()
    qtbot.waitUntil(lambda: Symbol.CHANCE in coin.tree.links.symbols, timeout=60_000)
    assert {Symbol.MAX, Symbol.MIN, Symbol.BAR} & coin.tree.links.symbols == {Symbol.MAX, Symbol.MIN}
    coin.hints.want_values(True)
    qtbot.waitUntil(lambda: coin.hints.words == "O wins, but only with b3", timeout=60_000)
    values = coin.board.picture().values
    assert {square: (value.sign, value.few_words) for square, value in values.items()} == {
        5: ("±", "+0.50"),
        7: ("+", ""),
        8: ("±", "+0.50"),
    }
    coin.record.new(start=GAME.notation.parse("xox/xo./o.. x"))
    with qtbot.waitSignal(coin.analysis.finished, timeout=60_000):
        coin.think_action.trigger()
    assert coin.board_panel.value.text == "+0.25"
    assert coin.board_panel.value._share(coin.analysis.info.value) == 0.625
    qtbot.waitUntil(lambda: coin.hints.words.startswith("+0.25 for X on average"), timeout=60_000)
    for _ in range(3):
        coin.hints.want_hint()
    qtbot.waitUntil(lambda: "is best: +0.25 for X on average." in coin.hints.why, timeout=60_000)


def test_the_value_of_a_coin_is_kept_without_a_move(qtbot: QtBot, coin: Window) -> None:
    """While an earlier position is shown; and in a saved game."""
    coin.record.new(start=GAME.notation.parse("xox/xo./o.."), lines=[(X,)])
    coin.record.go_to(0)
    with qtbot.waitSignal(coin.analysis.finished, timeout=60_000):
        coin.think_action.trigger()
    assert coin.board_panel.value.text == "−0.38"
    known = coin.record.evaluation(coin.record.position)
    assert known is not None
    assert (known.best, known.value, known.is_estimate) == ("", -0.375, False)
    text = to_text(coin.record.saved(SavedSearch()))
    assert from_text(text).evaluations == (known,)
    start = coin.board_panel.moves.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert start == "The start. By expectiminimax: +0.38 for O on average, 95 nodes"


@pytest.mark.parametrize(
    ("score", "sign", "few", "shortest", "words"),
    [
        (1, "+", "", "+", "X wins"),
        (-1, "−", "", "−", "X loses"),
        (0.25, "±", "+0.25", "+.25", "+0.25 for X on average"),
        (0, "±", "0", "±0", "0 for X on average"),
    ],
)
def test_the_value_of_a_square_is_an_average(score: float, sign: str, few: str, shortest: str, words: str) -> None:
    value = SquareValue.of(score, GAME.start)
    assert (value.sign, value.few_words, value.shortest, value.of_player("X")) == (sign, few, shortest, words)
    assert value.winner(0) == (None if sign == "±" else 0 if score > 0 else 1)


def test_the_computer_plays_a_game_of_chance_to_its_end(qtbot: QtBot, coin: Window) -> None:
    coin.record.new(start=GAME.notation.parse("xo./.x./..o"))
    coin.record.set_computer(frozenset({0, 1}))
    qtbot.waitUntil(lambda: coin.record.is_over, timeout=60_000)
    moves = coin.record.moves
    assert all((move >= X) == (ply % 2 == 0) for ply, move in enumerate(moves))
    qtbot.waitUntil(lambda: not coin.review.is_looking, timeout=60_000)
    assert "changed the outcome" not in coin.review.words


def test_a_measurement_offers_the_algorithms_for_its_position(qtbot: QtBot) -> None:
    page = PlanPage()
    qtbot.addWidget(page)
    page.set_job(None, "", 0)
    for number, preset in enumerate(PRESETS, start=1):
        page.position.setCurrentIndex(number)
        game = registry.game(preset.job.game)
        offered = {name for name, box in page.algorithms.items() if not box.isHidden()}
        assert offered == {name for name in registry.algorithms() if registry.is_for(name, game)}
        plan = page.plan()
        assert plan is not None
        assert {mode.algorithm for mode in plan.modes} == (
            {"expectiminimax"} if game.chance else {"minimax", "alphabeta"}
        )
