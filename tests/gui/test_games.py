"""Every game in the window: chosen, drawn, played to its end by mouse and by keys, set up, written and pasted."""

import random
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QRectF, QSettings, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionViewItem, QWidget
from pytestqt.qtbot import QtBot

import engine.games
from engine import registry
from engine.options.choices import Scoring
from engine.result import Value
from engine.rules.bits import each, first
from engine.rules.board_view import RegionState
from engine.rules.contract import Game, Position, is_over, legal, play
from engine.text.numbers import signed
from gui.board.draft import REGION, Draft
from gui.board.geometry import lay_out
from gui.board.hint_text import Advised, why
from gui.board.painter import COUNT, verdict_room
from gui.board.panel import BoardPanel
from gui.board.spelling import names
from gui.board.wording import SquareValue, margin_in_words, parts_in_words, position_in_words
from gui.controls.game_dialog import GameDialog
from gui.files import storage
from gui.state.game_record import GameRecord
from gui.state.option_rules import refusal
from gui.state.wording import scores, state_of_play
from gui.state.wording import verdict as worth
from gui.style.colours import PALETTES, Colours, contrast
from gui.style.theme import theme
from gui.widgets.board_painter import SMALL, Frame, drawn_image, paint_surface, rim
from gui.widgets.drawing import Board, composed, mini_board
from gui.window import Window
from tests.gui.exposed import expose
from tests.gui.shown import Shown

SPECS = [specs[0] for specs in registry.offered().values()]
OFFERED = [spec for specs in registry.offered().values() for spec in specs]
SEED = 5

each_game = pytest.mark.parametrize("spec", SPECS)


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[Window]:
    """A window in which two people play, without animation."""
    made = opened(qtbot)
    yield made
    made.close()


def opened(qtbot: QtBot, settings: QSettings | None = None) -> Window:
    made = Window(settings)
    qtbot.addWidget(made)
    made.resize(1200, 900)
    made.record.set_computer(frozenset())
    made.board.set_motion(False)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def record() -> GameRecord:
    """A game between two people."""
    made = GameRecord(registry.game("tictactoe"))
    made.set_computer(frozenset())
    return made


@pytest.fixture
def panel(qtbot: QtBot, record: GameRecord) -> Iterator[BoardPanel]:
    """The board of `record` with all around it, without animation, and without the searches that a window begins."""
    made = BoardPanel(record)
    made.board.set_motion(False)
    made.board.chosen.connect(record.play)
    expose(qtbot, made, 420, 800)
    yield made
    made.close()


def random_line(game: Game, start: Position | None = None, seed: int = SEED) -> list[int]:
    """The moves of a random game, to its end."""
    dice, position, moves = random.Random(seed), game.start if start is None else start, []
    while not is_over(position):
        moves.append(dice.choice(list(each(legal(position)))))
        position = play(position, moves[-1])
    return moves


def positions(game: Game, seed: int = SEED) -> list[Position]:
    found = [game.start]
    for move in random_line(game, seed=seed):
        found.append(play(found[-1], move))
    return found


def click(qtbot: QtBot, shown: Window | BoardPanel, square: int) -> None:
    middle = shown.board.square_rect(square).center().toPoint()
    qtbot.mouseClick(shown.board, Qt.MouseButton.LeftButton, pos=middle)


def test_every_game_is_played_to_its_end_by_clicks(qtbot: QtBot, record: GameRecord, panel: BoardPanel) -> None:
    for spec in SPECS:
        game = registry.game(spec)
        record.new(game)
        for move in random_line(game):
            square = game.view.square_of(move)
            if record.at_chance:
                record.play(move)
            else:
                click(qtbot, panel, 0 if square is None else square)
            assert record.last_move == move, spec
        assert record.is_over, spec
        assert not panel.board.grab().isNull()
        said = panel.board.picture().verdict
        winner = record.winner
        assert said.startswith("Draw" if winner is None else game.notation.players[winner]), spec
        click(qtbot, panel, 0)
        assert record.is_over, f"{spec}: nothing more can be played"


def test_every_game_is_played_to_its_end_by_keys(qtbot: QtBot, record: GameRecord, panel: BoardPanel) -> None:
    for spec in SPECS:
        game = registry.game(spec)
        record.new(game)
        for move in random_line(game, seed=SEED + 1):
            if record.at_chance:
                record.play(move)
                continue
            square = game.view.square_of(move)
            if square is not None:
                qtbot.keyClicks(panel.board, game.view.square_name(square))
                assert panel.board.focus_square == square, spec
            qtbot.keyClick(panel.board, Qt.Key.Key_Space)
            assert record.last_move == move, spec
        assert record.is_over, spec


def test_the_arrow_keys_reach_every_square(qtbot: QtBot, record: GameRecord, panel: BoardPanel) -> None:
    for spec in SPECS:
        record.new(registry.game(spec))
        view, seen = record.game.view, set()
        for row in range(view.rows):
            qtbot.keyClick(panel.board, Qt.Key.Key_Home)
            for _ in range(view.rows):
                qtbot.keyClick(panel.board, Qt.Key.Key_Up)
            for _ in range(row):
                qtbot.keyClick(panel.board, Qt.Key.Key_Down)
            for _ in range(view.columns):
                seen.add(panel.board.focus_square)
                qtbot.keyClick(panel.board, Qt.Key.Key_Right)
        assert seen == set(range(len(view.squares))), spec


def test_legal_moves_are_marked_where_not_every_empty_square_is_one(record: GameRecord, panel: BoardPanel) -> None:
    for spec in SPECS:
        record.new(registry.game(spec))
        record.set_computer(frozenset())
        game, marked = record.game, panel.board.picture().moves
        moves = {game.view.square_of(move) for move in each(legal(game.start))}
        assert marked == (moves if game.view.shows_moves else frozenset()), spec
        record.set_computer(frozenset({0, 1}))
        assert not panel.board.picture().moves, "they are the person's to choose from"


@pytest.mark.parametrize("spec", OFFERED)
def test_every_position_can_be_set_up_and_is_read_as_written(spec: str) -> None:
    game = registry.game(spec)
    for position in positions(game):
        assert game.notation.parse(game.notation.format(position)) == position
        draft = Draft(game, position)
        assert (draft.position, draft.obstacle) == (position, "")
        assert draft.text.split("/") == game.notation.format(position).split("/")


def test_a_position_on_the_clipboard_comes_onto_any_games_board(window: Window) -> None:
    for spec in SPECS:
        game = registry.game(spec)
        text = game.notation.format(positions(game)[4])
        window.choose_game(spec)
        window.files.clipboard.take_text(text)
        assert window.record.position == positions(game)[4]
        if " " in text:  # rows alone belong to the usual game of such a board
            window.choose_game("tictactoe")
            window.files.clipboard.take_text(text)
            assert (window.record.game, window.record.position) == (game, positions(game)[4])


def test_a_position_is_said_in_words(record: GameRecord, panel: BoardPanel) -> None:
    for game in map(registry.game, SPECS):
        for position in positions(game):
            cells, regions = game.notation.cells(position), game.view.regions(position)
            words = position_in_words(game, cells, regions, state_of_play(game, position))
            assert words.count("Row ") == game.view.rows
            for player, name in enumerate(game.notation.players):
                assert words.count(f" {name},") + words.count(f" {name};") >= min(1, cells.count(player))
        record.new(game)
        words = position_in_words(game, game.notation.cells(game.start), game.view.regions(game.start), "")
        assert panel.board.accessibleDescription().startswith(words[: words.index(";")]), game.spec


@each_game
@pytest.mark.parametrize("size", [34, 64, 220])
def test_small_boards_show_every_mark(qapp: QApplication, spec: str, size: int) -> None:
    game = registry.game(spec)
    looks = {mini_board(game, position, size, 1.0).toImage().cacheKey() for position in positions(game)}
    assert len(looks) == len(set(positions(game)))
    first, last = positions(game)[0], positions(game)[-1]
    before, after = (mini_board(game, position, size, 1.0).toImage() for position in (first, last))
    assert before != after


@each_game
@pytest.mark.parametrize("size", [34, 64])
def test_a_board_drawn_on_the_one_before_is_no_other(qapp: QApplication, spec: str, size: int) -> None:
    game = registry.game(spec)
    for before, after in pairwise(positions(game)):
        drawn = []
        for board in (Board(after), Board(after, before)):
            composed.cache_clear()
            drawn.append(composed(game, board, size, 1.0, theme().colours.name).picture.toImage())
        assert drawn[0] == drawn[1], after


def test_heavy_lines_of_a_small_board_stand_where_thin_ones_do(qapp: QApplication) -> None:
    """Squares 5 pixels wide, from pixel 2 on: lines have their middles in pixels 17 and 32, where hairlines are."""
    frame = Frame(registry.game("ultimate").view, unit=45, left=2, top=2, margin=2, pixel=1)
    image = drawn_image((49, 49), 1, lambda painter: paint_surface(painter, frame, SMALL))
    solid = [image.pixelColor(x, 4).alpha() for x in range(49)]
    assert [x for x, alpha in enumerate(solid) if alpha == max(solid)] == [16, 17, 18, 31, 32, 33]


def test_the_board_can_be_exported_in_both_kinds(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    for number, spec in enumerate(SPECS):
        game = registry.game(spec)  # kernels are compiled for the review of a finished game
        window.record.new(game, lines=[tuple(random_line(game)[:-1])])
        for kind in ("png", "svg"):
            file = tmp_path / f"{number}.{kind}"
            window.files.export(file)
            qtbot.waitUntil(file.exists)
            assert file.stat().st_size > 1000


# Discs


def test_a_click_anywhere_in_a_column_drops_a_disc_there(qtbot: QtBot, record: GameRecord, panel: BoardPanel) -> None:
    record.new(registry.game("connect-four"))
    click(qtbot, panel, 3)
    click(qtbot, panel, 3)
    click(qtbot, panel, 24)
    assert record.moves == (38, 31, 24)
    panel.board._point_at(3)
    assert panel.board.picture().preview == 17
    assert panel.board.picture().cells[38] == 0


def test_a_column_is_typed_by_its_letter_or_its_number(qtbot: QtBot, record: GameRecord, panel: BoardPanel) -> None:
    record.new(registry.game("connect-four"))
    for typed, square in (("d", 38), ("4", 31), ("a", 35), ("7", 41)):
        qtbot.keyClicks(panel.board, typed)
        assert panel.board.focus_square == square
        qtbot.keyClick(panel.board, Qt.Key.Key_Space)
    assert record.moves == (38, 31, 35, 41)
    assert "d" not in names(registry.game("tictactoe"), registry.game("tictactoe").start)


def test_a_disc_falls_and_can_be_there_at_once(qtbot: QtBot, record: GameRecord, panel: BoardPanel) -> None:
    record.new(registry.game("connect-four"))
    panel.board.set_motion(True)
    click(qtbot, panel, 3)
    assert panel.board.is_moving
    assert [change.square for change in panel.board.picture().fresh] == [38]
    qtbot.waitUntil(lambda: not panel.board.is_moving)
    panel.board.set_motion(False)
    click(qtbot, panel, 3)
    assert not panel.board.is_moving


@pytest.mark.parametrize("colours", PALETTES.values(), ids=PALETTES)
def test_discs_are_seen_on_what_they_lie_on(qapp: QApplication, colours: Colours) -> None:
    felt, card = QColor(colours.felt), QColor(colours.card)
    assert contrast(QColor(colours.black), felt) >= 3
    assert contrast(QColor(colours.white), felt) >= 3
    assert contrast(QColor(colours.plate), card) >= 3
    for name in (colours.red, colours.yellow):
        edge = rim(QColor(name), colours)
        assert contrast(edge, card) >= 3, name


# Othello: passes, discs that turn over, counts


def before_a_pass(game: Game) -> list[int]:
    """Moves that lead to a position in which the side to move must pass."""
    for seed in range(200):
        line, position = random_line(game, seed=seed), game.start
        for ply, move in enumerate(line):
            if game.view.square_of(move) is None:
                return line[:ply]
            position = play(position, move)
    raise AssertionError("No game with a pass was found.")


def test_a_pass_is_announced_and_made_by_a_button_a_key_or_a_click(qtbot: QtBot, window: Window) -> None:
    window.choose_game("othello:6")
    game = window.record.game
    line = before_a_pass(game)
    for move in line:
        window.record.play(move)
    player, other = window.record.mover, 1 - window.record.mover
    names = game.notation.players
    assert not window.record.is_over
    assert window.board.picture().verdict == f"{names[player]} must pass"
    assert "press Enter" in window.board.picture().note
    assert window.pass_action.isEnabled()
    for make in (
        window.pass_action.trigger,
        lambda: qtbot.keyClick(window.board, Qt.Key.Key_Return),
        lambda: click(qtbot, window, 0),
    ):
        make()
        assert window.record.mover == other
        assert len(window.record.moves) == len(line) + 1
        assert window.board.picture().note == f"{names[player]} had no move and passed"
        assert not window.pass_action.isEnabled()
        window.record.undo()
        assert window.record.moves == tuple(line), "it waits to be passed again"
    assert window.pass_action.isEnabled()
    window.record.redo()
    moves = window.board_panel.moves.model()
    last = moves.index(moves.rowCount() - 1, 0)
    assert moves.data(last).endswith("pass")
    assert moves.data(last, Qt.ItemDataRole.ToolTipRole) == f"{names[player]} passes"


def test_discs_that_a_move_turns_are_shown_beforehand_and_turn_over(
    qtbot: QtBot, record: GameRecord, panel: BoardPanel
) -> None:
    record.new(registry.game("othello:8"))
    view = record.game.view
    square = next(each(legal(record.position)))
    panel.board._point_at(square)
    (turned,) = panel.board.picture().turning
    assert panel.board.picture().cells[turned] == 1
    panel.board.set_motion(True)
    click(qtbot, panel, square)
    assert [change.square for change in panel.board.picture().fresh] == [square, turned]
    qtbot.waitUntil(lambda: not panel.board.is_moving)
    assert panel.board.picture().cells[turned] == 0
    assert view.counts
    assert parts_in_words(record.game, panel.board.picture().cells, ()) == ["Black: 4", "White: 1"]


def test_beside_counts_there_is_room_for_whose_turn_it_is(record: GameRecord, panel: BoardPanel) -> None:
    """In a window of 1024 x 680 the board has 194 x 268 pixels."""
    record.new(registry.game("othello:8"))
    picture = panel.board.picture()
    for width, height in ((194, 268), (280, 360), (500, 600)):
        layout = lay_out(picture.game.view, QSizeF(width, height), 1.0)
        room, font = verdict_room(layout, picture), layout.fonts()[0]
        assert room.width() - 2 * COUNT * room.height() >= QFontMetricsF(font).horizontalAdvance(picture.verdict)
        assert QRectF(0, 0, width, height).contains(room)


def test_where_the_margin_counts_it_is_said(window: Window) -> None:
    """With empty squares left, the counts of discs beside the verdict give another margin."""
    game = registry.game("othello:4,discs")
    for seed, note in (5, ""), (7, "including 1 empty square for Black"):
        window.record.new(game, lines=[tuple(random_line(game, seed=seed))])
        cells = game.notation.cells(window.record.position)
        margin = abs(cells.count(0) - cells.count(1)) + cells.count(None)
        winner = game.notation.players[0 if cells.count(0) > cells.count(1) else 1]
        assert state_of_play(game, window.record.position) == f"{winner} wins by {margin}"
        assert margin_in_words(game, window.record.position) == note
        assert note in window.board.picture().note
    value = SquareValue.of(-6, game.start)
    assert (value.sign, value.few_words) == ("−", "by 6")
    assert (value.words, value.of_player("Black")) == ("loses by 6", "Black loses by 6")


def test_an_estimate_of_a_margin_is_no_win(qapp: QApplication) -> None:
    game = registry.game("othello:8,discs")
    move = first(legal(game.start))
    for number in (1.76, 2):
        value = Value(number, is_estimate=True)
        said = worth(game, game.start, value, Scoring.TEXTBOOK, proven=False)
        assert said == f"undecided, {signed(number)} for Black"
        told = why(Advised(game, game.start, {move: value}, lambda move: (move,), 4))
        assert "Nothing is proven" in told


def test_where_the_margin_counts_sooner_is_not_better(analysis: Shown) -> None:
    analysis.change(scoring=Scoring.SOONEST)
    for spec, scoring, said in (
        ("tictactoe", "soonest", "sooner is better"),
        ("othello:4,discs", "textbook", "margin"),
    ):
        game = registry.game(spec)
        job = analysis.settings.job(game, game.start)
        assert job.scoring == scoring
        assert said in scores(job)
        assert not refusal(job)


def test_who_is_to_move_is_chosen_where_the_discs_do_not_say_it(record: GameRecord, panel: BoardPanel) -> None:
    record.new(registry.game("othello:6"))
    panel.edit()
    draft = panel.draft
    assert draft is not None
    assert panel.editor._mover.isVisible()
    assert panel.editor._mover.text() == "Black to move"
    panel.editor._mover.click()
    assert draft.position == record.game.notation.parse(draft.text)
    assert record.game.notation.mover(draft.position) == 1
    panel.take()
    assert panel.board.picture().verdict == "White to move"


# Ultimate tic-tac-toe: small boards


def test_the_active_board_is_seen_and_said(record: GameRecord, panel: BoardPanel) -> None:
    record.new(registry.game("ultimate"))
    game = record.game
    record.play(first(legal(game.start)))
    regions = game.view.regions(record.position)
    assert [region.state for region in regions] == [RegionState.ACTIVE]
    assert "the next move is on a1 to c3" in panel.board.accessibleDescription()
    position = positions(game)[-1]
    words = parts_in_words(game, game.notation.cells(position), game.view.regions(position))
    assert any("won by" in part for part in words)


def test_the_active_board_of_a_draft_is_the_one_that_is_clicked_or_any(
    qtbot: QtBot, record: GameRecord, panel: BoardPanel
) -> None:
    record.new(registry.game("ultimate"))
    panel.edit()
    draft = panel.draft
    assert draft is not None
    draft.take_brush(0)
    draft.brush_over(8)  # c1 leads to the upper right board
    assert draft.text.endswith(" any")
    panel.editor._brushes.button(3).click()
    assert draft.brush == REGION
    click(qtbot, panel, 8)
    assert draft.text.endswith(" 3")
    assert draft.position is not None
    click(qtbot, panel, 0)
    assert (draft.position, draft.text[-2:]) == (None, " 1"), "nothing has sent there"
    click(qtbot, panel, 0)
    assert draft.text.endswith(" any")


# Choosing


def ask(window: Window) -> GameDialog:
    window.game_action.trigger()
    (dialog,) = (found for found in window.findChildren(GameDialog) if found.isVisible())
    return dialog


def pick(dialog: GameDialog, name: str) -> None:
    dialog.games.setCurrentRow(list(registry.offered()).index(name))


@pytest.mark.usefixtures("as_before")
def test_the_dialog_shows_every_game_with_a_picture_and_a_sentence(qtbot: QtBot, window: Window) -> None:
    dialog = ask(window)
    assert dialog.games.count() == len(registry.games())
    for row in range(dialog.games.count()):
        item = dialog.games.item(row)
        assert not item.data(Qt.ItemDataRole.DecorationRole).isNull()
        assert item.data(Qt.ItemDataRole.StatusTipRole).endswith(".")
    assert dialog.game == window.record.game, "it begins with the one on the board"
    assert not dialog.sizes.isVisible(), "which has one size"
    pick(dialog, "connect-four")
    assert dialog.sizes.isVisible()
    theme().choose("contrast dark")
    view, option, pixel = dialog.games, QStyleOptionViewItem(), QPixmap(100, 100)
    option.rect, option.state = pixel.rect(), QStyle.StateFlag.State_MouseOver
    painter = QPainter(pixel)
    view.itemDelegate().paint(painter, option, view.indexFromItem(view.item(0)))
    painter.end()
    assert contrast(theme().colour("dim"), pixel.toImage().pixelColor(50, 4)) >= 7, "pointed at, it can be read"
    qtbot.keyClick(dialog.games, Qt.Key.Key_Return)
    assert window.record.game.spec == "connect-four:7,6"


def test_a_long_sentence_on_a_game_is_shown_to_its_end(qtbot: QtBot) -> None:
    around = QWidget()
    qtbot.addWidget(around)
    dialog = GameDialog(registry.game("tictactoe"), lambda _: None, around)
    dialog.show()
    view, item, option = dialog.games, dialog.games.item(0), QStyleOptionViewItem()
    delegate, index = view.itemDelegate(), view.indexFromItem(item)
    option.font, usual = view.font(), delegate.sizeHint(option, index)
    sentences = [" ".join(["Enclose discs of the other side to flip them."] * 6 + [end]) for end in ("", "The end.")]
    pictures = []
    for sentence in sentences:
        item.setData(Qt.ItemDataRole.StatusTipRole, sentence)
        size = delegate.sizeHint(option, index)
        assert size.width() == usual.width()
        assert size.height() > usual.height()
        picture = QPixmap(size)
        option.rect = picture.rect()
        painter = QPainter(picture)
        delegate.paint(painter, option, index)
        painter.end()
        pictures.append(picture.toImage())
    assert pictures[0] != pictures[1], "the last words are seen"


def test_a_size_of_ones_own_is_a_game_or_says_why_not(window: Window) -> None:
    tictactoe = window.record.game
    for typed, says, spec in (
        ("6,5,4", "6 × 5, 4 in a row: 30 squares", "mnk:6,5,4"),
        ("1,1,1", "1 × 1, 1 in a row: 1 square", "mnk:1,1,1"),
        ("9 x 8, 4 in a row", "1 to 64 squares", ""),
        ("4,3,5", "5 in a row do not fit on 4 × 3: choose 1 to 4", ""),
        ("", "A size is COLUMNS,ROWS,K", ""),
    ):
        window.record.new(tictactoe, lines=[(0,)])
        dialog = ask(window)
        pick(dialog, "mnk")
        dialog.sizes.setEditText(typed)
        assert says in dialog.answer.text()
        assert dialog.ok.isEnabled() == bool(spec), typed
        if spec:
            dialog.ok.click()
            assert window.record.game.spec == spec
        else:
            dialog.reject()
            assert window.record.moves == (0,), typed


def test_the_options_name_the_game_and_open_the_dialog(window: Window) -> None:
    assert window.options._game.currentText() == "Tic-tac-toe"
    window.options._game.showPopup()
    (dialog,) = (found for found in window.findChildren(GameDialog) if found.isVisible())
    dialog.reject()
    window.choose_game("mnk:6,5,4")
    assert window.options._game.currentText() == "6 × 5, 4 in a row"
    window.choose_game("connect-four")
    assert [window.options._sides.itemText(place) for place in range(2)] == ["Yellow", "Red"]


def test_each_game_goes_on_where_it_was_left(qtbot: QtBot, tmp_path: Path) -> None:
    settings = QSettings(str(tmp_path / "plyscope.ini"), QSettings.Format.IniFormat)
    window = opened(qtbot, settings)
    window.choose_game("connect-four")
    for move in (38, 31, 24):
        window.play(move)
    window.choose_game("tictactoe")
    window.play(4)
    assert len(storage.unsaved()) == 1
    window.close()
    second = opened(qtbot, settings)
    assert second.record.moves == (4,)
    dialog = ask(second)
    pick(dialog, "connect-four")
    assert dialog.answer.text() == "Connect Four, 7 × 6: the game with 3 moves goes on"
    dialog.ok.click()
    assert second.record.moves == (38, 31, 24)
    assert len(storage.unsaved()) == 1, "tic-tac-toe is there now"
    second.choose_game("tictactoe")
    assert second.record.moves == (4,)
    second.choose_game("tictactoe")
    assert second.record.moves == (), "what is on the board is begun anew"
    second.close()


# A new game is one file

GAME = '''
"""Stones fill a row of five; who puts down the last one wins."""

from typing import NamedTuple

from engine.rules import contract as rules
from engine.rules.bits import count, each
from engine.rules.board_view import BoardView, Shape, Surface

NAME, ALIASES, SIZES = "last-stone", (), ()
BOARD = 31


class Row(NamedTuple):
    mine: int
    theirs: int


@rules.legal.register
def _legal(position: Row) -> int:
    return BOARD & ~(position.mine | position.theirs)


@rules.play.register
def _play(position: Row, move: int) -> Row:
    return Row(position.theirs, position.mine | 1 << move)


@rules.is_over.register
def _is_over(position: Row) -> bool:
    return position.mine | position.theirs == BOARD


@rules.utility.register
def _utility(position: Row) -> int:
    return -1


@rules.plies_bound.register
def _plies_bound(position: Row) -> int:
    return 5 - count(position.mine | position.theirs)


@rules.move_promise.register
def _move_promise(position: Row, move: int) -> int:
    return 0


@rules.key.register
def _key(position: Row) -> int:
    return position.mine << 5 | position.theirs


@rules.transformed.register
def _transformed(position: Row, symmetry: int) -> Row:
    return position


rules.declare(Row, rules.Traits(moves=5, plies=5, widest=5), (lambda position: 0,))


class Notation:
    columns, rows, players = 5, 1, ("Ann", "Bob")

    def move_name(self, move):
        return "abcde"[move] + "1"

    def mover(self, position):
        return count(position.mine | position.theirs) % 2

    def cells(self, position):
        sides = position if self.mover(position) == 0 else position[::-1]
        return tuple(next((p for p, stones in enumerate(sides) if stones >> s & 1), None) for s in range(5))

    def winning_line(self, position):
        return ()

    def widths(self, position, plies):
        return None

    def format(self, position):
        return "".join("." if cell is None else "xo"[cell] for cell in self.cells(position))

    def parse(self, text):
        if len(text) != 5 or set(text) - set("xo."):
            raise ValueError("Five squares.")
        x, o = (sum(1 << i for i, glyph in enumerate(text) if glyph == stone) for stone in "xo")
        if count(x) - count(o) not in (0, 1):
            raise ValueError("They alternate.")
        return Row(x, o) if count(x) == count(o) else Row(o, x)


def game(sizes=""):
    return rules.Game(
        NAME, "Last stone", Row(0, 0), Notation(),
        BoardView(5, 1, (Shape.DISC, Shape.DISC), ("black", "white"), Surface.FELT), ((0, 1, 2, 3, 4),),
        (rules.Evaluation("none", "None", "Nothing."),), "Who fills the row wins.",
    )
'''


@pytest.fixture
def own_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A game's file in a folder of its own, named nowhere else."""
    (tmp_path / "last_stone.py").write_text(GAME)
    engine.games.__path__.append(str(tmp_path))
    monkeypatch.setattr(registry, "games", registry._made_once(registry.games.__wrapped__))
    yield "last-stone"
    engine.games.__path__.remove(str(tmp_path))
    sys.modules.pop("engine.games.last_stone")


def test_a_new_game_is_one_file(qtbot: QtBot, own_game: str) -> None:
    window = opened(qtbot)
    dialog = ask(window)
    pick(dialog, own_game)
    dialog.ok.click()
    assert window.record.game.title == "Last stone"
    for square in (2, 0, 1, 4, 3):
        assert window.board.picture().verdict == ("Ann to move", "Bob to move")[window.record.mover]
        click(qtbot, window, square)
    assert window.record.moves == (2, 0, 1, 4, 3)
    assert window.board.picture().verdict == "Ann wins"
    assert window.board_panel.draft is None
    window.board_panel.edit()
    assert [window.board_panel.editor._brushes.button(place).text() for place in range(2)] == ["Ann", "Bob"]
    window.board_panel.leave()
    assert window.board.square_text(0) == "a1: Bob"
    window.close()
