"""The game on the board: moves, undo and redo, and whose turn it is."""

import pytest

from engine import registry
from gui.game_record import GameRecord

NOBODY: frozenset[int] = frozenset()
O_ONLY, X_ONLY, BOTH = frozenset({1}), frozenset({0}), frozenset({0, 1})


def played(*moves: int, computer: frozenset[int] = NOBODY) -> GameRecord:
    record = GameRecord(registry.game("tictactoe"))
    record.set_computer(computer)
    for move in moves:
        record.play(move)
    return record


def test_a_new_game_is_empty_and_x_is_to_move() -> None:
    record = played()
    assert (record.moves, record.mover, record.is_over, record.winner) == ((), 0, False, None)
    assert not record.can_undo
    assert not record.can_redo


def test_undo_takes_back_one_ply_between_two_people_and_redo_plays_it_again() -> None:
    record = played(0, 4, 8)
    record.undo()
    assert record.moves == (0, 4)
    record.redo()
    assert record.moves == (0, 4, 8)


def test_undo_takes_back_a_whole_round_against_the_computer() -> None:
    record = played(0, 4, computer=O_ONLY)
    record.undo()
    assert record.moves == ()
    record.redo()
    assert record.moves == (0, 4)


def test_undo_before_the_computer_has_answered_takes_back_the_own_move_only() -> None:
    record = played(0, 4, 8, computer=O_ONLY)
    assert record.computer_to_move
    record.undo()
    assert record.moves == (0, 4)


def test_the_computers_opening_cannot_be_taken_back() -> None:
    record = played(0, computer=X_ONLY)
    assert not record.can_undo
    record.play(4)
    record.play(8)
    record.undo()
    assert record.moves == (0,)


def test_another_move_after_undo_forgets_what_was_undone_and_the_same_move_keeps_it() -> None:
    record = played(0, 4, 8)
    record.undo()
    record.undo()
    record.play(4)
    assert record.can_redo
    record.undo()
    record.play(2)
    assert not record.can_redo


def test_a_won_game_names_its_winner_and_takes_no_move() -> None:
    record = played(0, 3, 1, 4, 2)
    assert (record.is_over, record.winner) == (True, 0)
    with pytest.raises(ValueError, match="c3 cannot be played"):
        record.play(8)


@pytest.mark.parametrize("move", [0, -1, 9])
def test_a_move_that_is_not_legal_is_refused_and_changes_nothing(move: int) -> None:
    record = played(0)
    with pytest.raises(ValueError, match="cannot be played"):
        record.play(move)
    assert record.moves == (0,)


def test_undo_steps_by_plies_when_the_computer_plays_both_sides() -> None:
    record = played(0, 4, 8, computer=BOTH)
    record.undo()
    assert record.moves == (0, 4)


def test_a_new_game_can_begin_with_another_board() -> None:
    record = played(0, 4)
    record.new(registry.game("mnk:4,4,3"))
    assert record.game.spec == "mnk:4,4,3"
    assert record.moves == ()
