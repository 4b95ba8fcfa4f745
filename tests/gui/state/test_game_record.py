"""The game on the board: moves, undo and redo, and whose turn it is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import registry
from engine.play.game_file import SavedSearch, from_text, to_text
from engine.play.variations import Line
from engine.rules.bits import each
from engine.rules.contract import legal
from gui.files.pasted_text import pasted
from gui.state.game_record import GameRecord

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


def test_undo_and_redo_go_one_ply_between_two_people() -> None:
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


def test_undo_before_the_computer_answers_takes_back_the_own_move() -> None:
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


def test_another_move_after_undo_keeps_what_was_undone_as_a_variation() -> None:
    record = played(0, 4, 8)
    record.undo()
    record.undo()
    record.play(4)
    assert record.can_redo
    record.undo()
    record.play(2)
    assert not record.can_redo
    assert record.variations.lines == ((0, 2), (0, 4, 8))
    record.undo()
    record.redo()
    assert record.moves == (0, 2), "redo plays again what was taken back"
    record.go((0, 4))
    record.redo()
    assert record.moves == (0, 4, 8)


def test_going_back_and_forth_stays_on_the_variation_that_one_looks_at() -> None:
    record = played(0, 4, 8)
    record.go_to(1)
    record.play(2)
    record.play(3)
    record.go((0, 4))
    record.go_to(0)
    record.go_to(3)
    assert record.moves == (0, 4, 8)
    record.go(())
    assert record.line == (0, 4, 8)
    record.go_to_variation(1)
    assert record.moves == (0, 2)
    record.go_to_variation(1)
    assert record.moves == (0, 4)
    record.go_to_variation(-1)
    assert record.moves == (0, 2)
    with pytest.raises(ValueError, match="No line"):
        record.go((8,))


def test_the_next_variation_follows_and_the_previous_one_goes_before() -> None:
    record = played(0, 4)
    for move in (1, 2, 3):
        record.go_to(1)
        record.play(move)
    order = []
    for step in (1, 1, 1, -1, -1):
        record.go_to_variation(step)
        order.append(record.moves)
    assert order == [(0, move) for move in (2, 1, 4, 1, 2)], "the move that was played last is the main one"


def test_another_line_is_made_the_main_one_and_the_board_stays() -> None:
    record = played(0, 4, 8)
    record.go_to(1)
    record.play(2)
    assert not record.is_main((0, 4))
    record.make_main((0, 4, 8))
    assert record.variations.lines == ((0, 4, 8), (0, 2))
    assert record.moves == (0, 2)


def test_deleted_moves_come_back_by_undo_or_later() -> None:
    record = played(0, 4, 8)
    record.go_to(1)
    record.play(2)
    before = record.variations
    record.delete((0, 2))
    assert (record.moves, record.line, record.is_looking_back) == ((0,), (0, 4, 8), True)
    record.undo()
    assert (record.moves, record.variations, record.can_restore) == ((0, 2), before, False)
    record.delete((0, 4))
    assert record.moves == (0, 2), "the board stays where what it shows is not deleted"
    record.delete((0,))
    assert (record.moves, record.variations.lines) == ((), ((),))
    record.play(5)
    record.undo()
    assert record.moves == (), "after another move undo takes that back"
    record.restore()
    record.restore()
    assert set(record.variations.lines) == {*before.lines, (5,)}
    assert record.moves == (0, 2)
    record.restore()
    record.delete(())
    record.delete((7,))
    assert not record.can_restore


def test_restored_moves_bring_back_their_line_though_it_has_become_longer() -> None:
    record = played(0, 2)
    record.go_to(1)
    record.play(4)
    record.go_to(1)
    record.delete((0, 2))
    record.redo()
    record.play(8)
    record.go_to(1)
    record.play(5)
    record.restore()
    assert (record.moves, record.line) == ((0,), (0, 4, 8))


def test_the_computer_is_to_move_again_where_its_answer_was_deleted() -> None:
    record = played(0, 4, computer=O_ONLY)
    record.delete((0, 4))
    assert record.moves == (0,)
    assert record.computer_to_move


def test_the_computer_waits_where_one_goes_to_a_variation() -> None:
    record = played(0, 4, 8, 2, computer=O_ONLY)
    record.undo()
    record.play(1)
    record.play(3)
    record.go((0, 4, 8))
    assert not record.computer_to_move
    record.go((0, 4))
    record.play(8)
    assert record.computer_to_move
    assert record.next_move == 2, "which is its answer, and to be played again"


ANYTHING = st.tuples(
    st.sampled_from(["play", "play", "undo", "redo", "go", "go to", "variation", "main", "delete", "restore"]),
    st.integers(0, 99),
)


@given(st.lists(ANYTHING, max_size=40), st.sampled_from([NOBODY, O_ONLY]))
@settings(deadline=None)
def test_nothing_that_was_played_is_lost_whatever_one_does(
    actions: list[tuple[str, int]], computer: frozenset[int]
) -> None:
    record, changes = played(computer=computer), []
    record.changed.connect(lambda: changes.append(record.moves))
    alive: set[Line] = {()}
    deleted: list[set[Line]] = []
    just_deleted = False
    for action, number in actions:
        changes.clear()
        path = [(), *(node.path for node in record.variations.nodes())][number % len(alive)]
        match action:
            case "play" if not record.is_over:
                free = [*each(legal(record.position))]
                record.play(free[number % len(free)])
                alive.add(record.moves)
            case "delete":
                record.delete(path)
                if path:
                    deleted.append({it for it in alive if it[: len(path)] == path})
                    alive -= deleted[-1]
            case "undo" | "restore":
                record.undo() if action == "undo" else record.restore()
                if deleted and (just_deleted or action == "restore"):
                    alive |= deleted.pop()
            case "redo":
                record.redo()
            case "go":
                record.go(path)
                assert record.moves == path
            case "go to":
                line = record.line
                record.go_to(number % 10)
                assert record.line == line
            case "variation":
                record.go_to_variation(number % 3 - 1)
            case "main":
                record.make_main(path)
                assert record.is_main(path)
        just_deleted = bool(action == "delete" and path) or (just_deleted and not changes)
        assert {(), *(node.path for node in record.variations.nodes())} == alive
        assert record.line in record.variations.lines
        assert record.line[: len(record.moves)] == record.moves
        assert record.can_restore == bool(deleted)
    saved = record.saved(SavedSearch())
    assert from_text(to_text(saved)) == saved
    names = record.game.notation.move_name
    written = [f"{'(' * node.begins}{names(node.path[-1])}{')' * node.ends}" for node in record.variations.nodes()]
    assert not written or pasted(f"1. {' '.join(written)}", record.game) == (
        record.game,
        record.start,
        record.variations,
    )
    again = played()
    again.take(saved)
    assert (again.variations, again.line, again.moves) == (record.variations, record.line, record.moves)


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
