"""Chance in a game that is played: what falls, when, and what undo does with it."""

from collections.abc import Callable, Iterator

import pytest
from pytestqt.qtbot import QtBot

from engine import registry
from engine.play.chance import thrown
from engine.play.game_file import SavedSearch, from_text, to_text
from gui.state.game_record import GameRecord
from gui.state.opponent import Opponent
from gui.state.throws import Throws
from tests.gui.shown import Shown

GAME = registry.game("random-turn:3,3,3")
X_NEXT, O_NEXT = 9, 10
"""The outcomes of the coin."""

Falls = Callable[[GameRecord], int]


@pytest.fixture
def throws() -> Iterator[list[Throws]]:
    """Those that a test makes; closed after it."""
    made: list[Throws] = []
    yield made
    for one in made:
        one.close()


@pytest.fixture
def falls(qtbot: QtBot) -> Falls:
    """Waits until the next outcome has fallen, and returns it."""

    def wait(record: GameRecord) -> int:
        with qtbot.waitSignal(record.changed, timeout=10_000):
            pass
        return record.moves[-1]

    return wait


def played(*moves: int, computer: frozenset[int] = frozenset(), seed: int = 1) -> GameRecord:
    record = GameRecord(GAME)
    record.set_computer(computer)
    record.new(seed=seed, lines=[moves])
    return record


def test_the_coin_falls_by_itself_as_the_seed_says(throws: list[Throws], falls: Falls) -> None:
    for seed in range(6):
        record = played(seed=seed)
        throws.append(Throws(record))
        assert falls(record) == thrown(GAME.start, seed, ())
        record.play(4)
        assert falls(record) == thrown(record.position_before, seed, record.moves[:-1])


def test_a_person_who_takes_a_move_back_meets_the_same_throw(throws: list[Throws], falls: Falls) -> None:
    record = played(X_NEXT, seed=2)
    throws.append(Throws(record))
    record.play(4)
    first = falls(record)
    record.undo()
    assert record.moves == (X_NEXT,)
    record.play(0)
    falls(record)
    record.undo()
    record.play(4)
    assert falls(record) == first


def test_what_was_recorded_falls_again(throws: list[Throws], falls: Falls) -> None:
    """Whatever the seed says."""
    for recorded in (X_NEXT, O_NEXT):
        record = played(X_NEXT, 4, recorded, 0)
        record.go_to(1)
        throws.append(Throws(record))
        record.play(4)
        assert falls(record) == recorded
        assert len(record.variations.lines) == 1


def test_nothing_falls_while_an_earlier_position_is_shown(throws: list[Throws]) -> None:
    record = played(X_NEXT, 4, O_NEXT, 0)
    made = Throws(record)
    throws.append(made)
    assert made._pause.isActive()
    record.go_to(2)
    assert record.at_chance
    assert not made._pause.isActive()
    record.go_to(4)
    assert made._pause.isActive()
    made.close()
    assert not made._pause.isActive()


def test_undo_and_redo_stop_where_somebody_moves() -> None:
    record = played(X_NEXT, 4, O_NEXT, 0, X_NEXT)
    record.undo()
    assert record.moves == (X_NEXT, 4, O_NEXT)
    record.undo()
    assert record.moves == (X_NEXT,)
    assert not record.can_undo
    record.redo()
    assert record.moves == (X_NEXT, 4, O_NEXT)
    record.redo()
    assert record.moves == (X_NEXT, 4, O_NEXT, 0, X_NEXT)
    assert not record.can_redo


def test_undo_against_the_computer_goes_back_to_the_own_move() -> None:
    record = played(O_NEXT, 4, X_NEXT, 0, O_NEXT, 1, O_NEXT, 2, X_NEXT, computer=frozenset({1}))
    record.undo()
    assert record.moves == (O_NEXT, 4, X_NEXT)
    record.redo()
    assert record.moves == (O_NEXT, 4, X_NEXT, 0, O_NEXT, 1, O_NEXT, 2, X_NEXT)


def test_the_computer_does_not_move_for_the_coin() -> None:
    record = played(computer=frozenset({0, 1}))
    assert record.at_chance
    assert not record.computer_to_move
    record.play(X_NEXT)
    assert not record.at_chance
    assert record.computer_to_move
    record.play(4)
    assert not record.computer_to_move


def test_a_paused_game_goes_on_from_a_chance_node_of_the_past(analysis: Shown) -> None:
    both = frozenset({0, 1})
    record = played(X_NEXT, 4, O_NEXT, 0, X_NEXT, computer=both)
    opponent = Opponent(record, analysis)
    record.go_to(2)
    assert (record.at_chance, opponent.is_held) == (True, True)
    opponent.hold()
    assert (record.moves, opponent.is_held) == ((X_NEXT, 4, O_NEXT), False)
    assert opponent.is_thinking
    opponent.close()


def test_a_saved_game_keeps_its_throws() -> None:
    record = played(X_NEXT, 4, O_NEXT, 0, seed=7)
    again = GameRecord(registry.game("tictactoe"))
    again.take(from_text(to_text(record.saved(SavedSearch()))))
    assert (again.game, again.moves, again.seed) == (GAME, (X_NEXT, 4, O_NEXT, 0), 7)
    assert thrown(again.position, again.seed, again.moves) == thrown(record.position, record.seed, record.moves)
