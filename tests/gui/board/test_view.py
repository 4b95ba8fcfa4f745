"""The board: a person plays on it by mouse and keys, and it shows exactly the record's state."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QSizeF, Qt
from PySide6.QtGui import QColor, QCursor, QEnterEvent, QHelpEvent, QImage, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from engine import registry
from engine.games import mnk, tictactoe
from engine.rules import board_view
from engine.rules.bits import first
from engine.rules.contract import Game, legal
from gui.board import painter as picture_module
from gui.board.draft import Draft
from gui.board.geometry import lay_out
from gui.board.painter import inked, paint
from gui.board.view import BoardWidget
from gui.board.wording import SquareValue
from gui.state.game_record import GameRecord
from gui.state.wording import state_of_play
from gui.style.colours import PALETTES, contrast
from gui.style.theme import theme
from gui.widgets.board_painter import WASH
from tests.gui.exposed import expose

MakeBoard = Callable[..., tuple[BoardWidget, GameRecord]]

X_WINS = (0, 1, 4, 3, 8)
"""a1 b1 b2 a2 c3: X has the diagonal."""
DRAWN = (4, 0, 2, 6, 3, 5, 1, 7, 8)
LOSES, DRAWS, WINS = SquareValue(-1), SquareValue(0), SquareValue(1)


def game(sizes: str) -> Game:
    return mnk.game(sizes) if sizes else tictactoe.game()


@pytest.fixture
def make_board(qtbot: QtBot) -> MakeBoard:
    """A function for a visible board without animation, for two people, with some moves played."""

    def make(sizes: str = "", moves: tuple[int, ...] = (), size: tuple[int, int] = (320, 420)) -> tuple:
        record = GameRecord(game(sizes))
        record.set_computer(frozenset())
        view = BoardWidget(record)
        qtbot.addWidget(view)
        view.set_motion(False)
        for move in moves:
            record.play(move)
        view.resize(*size)
        QCursor.setPos(view.screen().geometry().bottomRight())  # another test may have left it over the board
        with qtbot.waitExposed(view):
            view.show()
        return view, record

    return make


@pytest.fixture(params=PALETTES)
def each_theme(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    theme().choose(request.param)
    yield request.param
    theme().choose("system")


def centre(view: BoardWidget, square: int) -> QPoint:
    return view.square_rect(square).center().toPoint()


def click(qtbot: QtBot, view: BoardWidget, square: int, button: Qt.MouseButton = Qt.MouseButton.LeftButton) -> None:
    qtbot.mouseClick(view, button, pos=centre(view, square))


def hover(view: BoardWidget, square: int) -> None:
    point, buttons = view.square_rect(square).center(), Qt.MouseButton.NoButton
    QApplication.sendEvent(
        view,
        QMouseEvent(
            QEvent.Type.MouseMove, point, view.mapToGlobal(point), buttons, buttons, Qt.KeyboardModifier.NoModifier
        ),
    )


def seen(view: BoardWidget) -> QImage:
    return view.grab().toImage()


def heard(view: BoardWidget) -> list[int]:
    """A list that collects the moves of `chosen`."""
    moves: list[int] = []
    view.chosen.connect(moves.append)
    return moves


@pytest.mark.parametrize("sizes", ["", "7,6,4", "8,8,5", "16,4,4", "4,16,4"])
def test_a_click_in_the_middle_of_a_square_chooses_it(qtbot: QtBot, make_board: MakeBoard, sizes: str) -> None:
    view, record = make_board(sizes)
    chosen = heard(view)
    squares = range(record.game.notation.columns * record.game.notation.rows)
    for square in squares:
        click(qtbot, view, square)
    assert chosen == list(squares)
    assert record.moves == (), "the board never plays by itself"


def test_the_whole_board_and_its_texts_are_inside_the_view(qapp: QApplication) -> None:
    for columns, rows in ((3, 3), (7, 6), (8, 8), (16, 4), (4, 16), (64, 1), (1, 64)):
        view = board_view.BoardView(columns, rows)
        for width, height in ((250, 330), (320, 420), (600, 760), (900, 300), (200, 900)):
            for ratio in (1.0, 1.25, 2.0):
                layout = lay_out(view, QSizeF(width, height), ratio)
                first, last = layout.rect(0), layout.rect(columns * rows - 1)
                assert layout.side > 0
                assert first.left() >= 0
                assert first.top() >= layout.gutter - ratio
                assert last.right() <= width
                assert all(last.bottom() <= line.top() and line.bottom() <= height for line in layout.lines)
                assert layout.side * ratio == pytest.approx(round(layout.side * ratio)), "whole device pixels"


@pytest.mark.parametrize("size", [(0, 0), (1, 1), (0, 300), (300, 0), (20, 20), (60, 40)])
@pytest.mark.parametrize("sizes", ["", "8,8,5", "16,4,4"])
def test_no_size_is_too_small(qapp: QApplication, make_board: MakeBoard, sizes: str, size: tuple[int, int]) -> None:
    view, record = make_board(sizes, moves=(0, 1))
    view.show_values({3: SquareValue(5, 3), 4: DRAWS}, frozenset({5}))
    view.show_hint(3)
    view.resize(*size)
    view.render(QImage(8, 8, QImage.Format.Format_ARGB32))
    view.square_at(QPointF(0, 0))
    assert lay_out(record.game.view, QSizeF(*size), 1.0).side >= 0


def test_a_taken_square_gives_nothing_and_no_hand(qtbot: QtBot, make_board: MakeBoard) -> None:
    view, _ = make_board(moves=(0,))
    chosen = heard(view)
    hover(view, 4)
    assert view.cursor().shape() == Qt.CursorShape.PointingHandCursor
    hover(view, 0)
    assert view.cursor().shape() == Qt.CursorShape.ArrowCursor
    click(qtbot, view, 0)
    assert chosen == []


def test_a_board_that_comes_up_under_the_pointer_knows_it(make_board: MakeBoard) -> None:
    view, _ = make_board()
    point = view.square_rect(4).center()
    QApplication.sendEvent(view, QEnterEvent(point, point, view.mapToGlobal(point)))
    assert view.picture().preview == 4


def test_the_hand_goes_when_the_square_under_it_is_taken(make_board: MakeBoard) -> None:
    view, record = make_board()
    hover(view, 4)
    record.play(4)
    assert view.cursor().shape() == Qt.CursorShape.ArrowCursor
    assert view.picture().preview is None


def test_it_listens_only_when_a_person_may_move(qtbot: QtBot, make_board: MakeBoard) -> None:
    view, record = make_board()
    chosen = heard(view)
    view.set_interactive(False)
    click(qtbot, view, 4)
    view.set_interactive(True)
    record.set_computer(frozenset({0}))
    click(qtbot, view, 4)
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert chosen == []
    record.set_computer(frozenset({1}))
    click(qtbot, view, 4)
    assert chosen == [4]


def test_a_finished_game_takes_no_move(qtbot: QtBot, make_board: MakeBoard) -> None:
    view, _ = make_board(moves=X_WINS)
    chosen = heard(view)
    click(qtbot, view, 2)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert chosen == []


def test_a_press_that_leaves_its_square_is_taken_back(qtbot: QtBot, make_board: MakeBoard) -> None:
    view, _ = make_board()
    chosen = heard(view)
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=centre(view, 0))
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=centre(view, 1))
    click(qtbot, view, 2, Qt.MouseButton.RightButton)
    assert chosen == []


def test_the_preview_is_the_side_to_move_and_goes_with_the_pointer(make_board: MakeBoard) -> None:
    view, _ = make_board(moves=(0,))
    before = seen(view)
    hover(view, 4)
    assert view.picture().preview == 4
    assert view.picture().mover == 1
    assert seen(view) != before
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert seen(view) == before


def test_a_whole_game_by_the_keyboard(qtbot: QtBot, make_board: MakeBoard) -> None:
    view, record = make_board()
    view.chosen.connect(record.play)
    key = Qt.Key
    assert view.focus_square == 4
    for keys in (
        (key.Key_Space,),  # X b2
        (key.Key_Up, key.Key_Home, key.Key_Return),  # O a1
        (key.Key_End, key.Key_Enter),  # X c1
        (key.Key_A, key.Key_3, key.Key_Space),  # O a3: stops X's diagonal
        (key.Key_A, key.Key_1, key.Key_Down, key.Key_Space),  # X a2
        (key.Key_End, key.Key_Space),  # O c2
        (key.Key_Up, key.Key_Left, key.Key_Space),  # X b1
        (key.Key_Down, key.Key_Down, key.Key_Down, key.Key_Space),  # O b3: the edge stops the focus
        (key.Key_Right, key.Key_Right, key.Key_Space),  # X c3
    ):
        for one in keys:
            qtbot.keyClick(view, one)
    assert record.moves == DRAWN
    assert view.picture().verdict == "Draw"


def test_a_key_stops_at_the_boards_edge(qtbot: QtBot, make_board: MakeBoard) -> None:
    """The focus does not reappear on the other side, or in the next row."""
    view, _ = make_board("4,3,3")
    key = Qt.Key
    for one, squares in (
        (key.Key_Left, (4, 4)),
        (key.Key_Up, (0, 0)),
        (key.Key_Right, (1, 2, 3, 3)),
        (key.Key_Down, (7, 11, 11)),
        (key.Key_Home, (8, 8)),
        (key.Key_End, (11, 11)),
    ):
        for square in squares:
            qtbot.keyClick(view, one)
            assert view.focus_square == square


def test_a_typed_name_finds_its_square_even_with_two_digits(qtbot: QtBot, make_board: MakeBoard) -> None:
    view, record = make_board("4,16,4")
    for typed, names in (("b12", ("b1", "b12")), ("d3", ("d3",)), ("D16", ("d1", "d16")), ("zc2", ("c2",))):
        found = []
        for letter in typed:
            before = view.focus_square
            qtbot.keyClicks(view, letter)
            if view.focus_square != before:
                found.append(record.game.notation.move_name(view.focus_square))
        assert tuple(found) == names


def test_the_focus_is_seen_once_the_keyboard_is_used(qtbot: QtBot, make_board: MakeBoard) -> None:
    view, _ = make_board()
    view.activateWindow()
    view.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(view.hasFocus)
    click(qtbot, view, 0)
    assert view.picture().focus is None
    unfocused = seen(view)
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.picture().focus == 1
    assert seen(view) != unfocused


def test_keys_that_mean_nothing_here_belong_to_the_window(make_board: MakeBoard) -> None:
    view, _ = make_board(moves=(4,))
    assert not view.is_playable(view.focus_square)
    for key, modifier in (
        (Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier),
        (Qt.Key.Key_F1, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier),
    ):
        event = _key_event(key, modifier)
        view.keyPressEvent(event)
        assert not event.isAccepted()


def test_values_are_shown_for_the_side_to_move(make_board: MakeBoard, each_theme: str) -> None:
    view, _ = make_board(moves=(0,))
    view.show_values({square: DRAWS if square == 4 else LOSES for square in range(1, 8)}, frozenset({8}))
    image = seen(view)
    x, o, draw = (theme().colour(name) for name in ("x", "o", "draw"))
    for square, colour in ((1, x), (4, draw)):
        assert _alike(_at_corner(image, view, square), _washed(colour, _ground())), (
            "O loses is a win of X, in X's colour"
        )
    view.show_values({1: WINS})
    assert _alike(_at_corner(seen(view), view, 1), _washed(o, _ground()))
    view.show_hint(1, line=(1, 4))
    assert _alike(_at_corner(seen(view), view, 1), _ground()), "a number of the line is no value"
    assert view.square_text(1) == "b1: O wins"


def test_every_state_of_a_square_looks_different(make_board: MakeBoard) -> None:
    view, _ = make_board(moves=(0,))
    looks = []
    for values, unknown in (
        (None, frozenset()),
        ({}, frozenset({4})),
        ({4: WINS}, frozenset()),
        ({4: DRAWS}, frozenset()),
        ({4: LOSES}, frozenset()),
        ({4: SquareValue(3, 5)}, frozenset()),
        ({4: SquareValue(3, 6)}, frozenset()),
    ):
        view.show_values(values, unknown)
        looks.append(seen(view))
    assert all(one != other for i, one in enumerate(looks) for other in looks[:i])


def test_values_are_for_empty_squares_only(make_board: MakeBoard) -> None:
    view, _ = make_board(moves=(0,))
    before = seen(view)
    view.show_values({0: WINS}, frozenset({0}))
    assert seen(view) == before


def test_values_and_hint_go_with_their_position(make_board: MakeBoard) -> None:
    view, record = make_board(moves=(0,))
    view.show_values({4: DRAWS}, frozenset({5}))
    view.show_hint(4)
    assert seen(view) != _fresh_look(make_board, (0,))
    record.play(4)
    assert seen(view) == _fresh_look(make_board, (0, 4))
    record.undo()
    assert seen(view) == _fresh_look(make_board, (0,))


def test_values_given_by_who_hears_of_the_change_first_are_kept(qtbot: QtBot) -> None:
    record = GameRecord(tictactoe.game())
    views: list[BoardWidget] = []
    record.changed.connect(lambda: views[0].show_values({1: LOSES}, frozenset({2})))
    views.append(BoardWidget(record))
    qtbot.addWidget(views[0])
    record.play(0)
    assert views[0].picture().values == {1: LOSES}
    assert views[0].picture().unknown == {2}


def test_a_score_of_sooner_is_better_tells_the_plies() -> None:
    assert SquareValue.soonest(99).words == "wins in 1"
    assert SquareValue.soonest(96).words == "wins in 4"
    assert SquareValue.soonest(-98).words == "loses in 2"
    assert SquareValue.soonest(-98).few_words == "in 2"
    assert SquareValue.soonest(99).sign == "+"
    assert SquareValue.soonest(0).words == "draw"
    assert SquareValue.soonest(0).few_words == ""


def test_the_shortest_text_of_a_value_tells_an_estimate() -> None:
    near = [SquareValue(value, proven=False).shortest for value in (0.05, -0.12, 0, 1.76, -2)]
    assert near == ["+.05", "−.12", "≈0", "+1.8", "−2.0"]
    assert [SquareValue(value, 3).shortest for value in (4, 0, -4)] == ["+", "=", "−"]
    assert SquareValue(-12, None, True, 12).shortest == "−12"


@pytest.mark.parametrize("columns", [3, 6, 8])
def test_plies_never_stand_beside_a_sign_like_a_value(
    make_board: MakeBoard, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    """ "+3" was read as a value, where the path says +1."""
    written: list[str] = []
    monkeypatch.setattr(picture_module, "write", lambda painter, box, text: written.append(text))
    view, _ = make_board(f"{columns},{columns},3")
    view.show_values({0: SquareValue(1, 3), 1: SquareValue(-1, 4), 2: SquareValue(0), 3: SquareValue(1, 13)})
    view.grab()
    assert {"+", "−", "="} <= {*written}
    assert ("wins in 3" if columns == 3 else "in 3") in written
    assert not [text for text in written if text[:1] in "+−" and len(text) > 1]


def test_a_tool_tip_names_the_square_and_says_what_it_is_worth(make_board: MakeBoard) -> None:
    view, _ = make_board(moves=(0,))
    view.show_values({1: SquareValue(-3, 6), 2: SquareValue(8, 1), 4: DRAWS}, frozenset({5}))
    assert [view.square_text(square) for square in (0, 1, 2, 4, 5, 8)] == [
        "a1: X",
        "b1: O loses in 6 plies",
        "c1: O wins in 1 ply",
        "b2: draw",
        "c2: value not known yet",
        "c3: empty",
    ]
    point = centre(view, 4)
    QApplication.sendEvent(view, QHelpEvent(QEvent.Type.ToolTip, point, view.mapToGlobal(point)))
    assert QToolTip.text() == "b2: draw"
    QToolTip.hideText()


def test_what_is_said_below_the_board(make_board: MakeBoard) -> None:
    view, record = make_board()
    assert state_of_play(record.game, record.position) == "X to move"
    record.play(0)
    assert state_of_play(record.game, record.position) == "O to move"
    won, _ = make_board(moves=X_WINS)
    assert won.picture().verdict == "X wins"
    before = seen(view)
    view.set_note("a draw, but only with the centre")
    assert seen(view) != before


def test_the_position_can_be_heard(make_board: MakeBoard) -> None:
    view, record = make_board(moves=(0,))
    assert view.accessibleName() == "Board: Tic-tac-toe, O to move, last move X on a1"
    empty = "empty, empty, empty"
    assert view.accessibleDescription() == f"Row 1: X, empty, empty; Row 2: {empty}; Row 3: {empty}; O to move"
    record.play(2)
    assert view.accessibleDescription().startswith("Row 1: X, empty, O; ")
    assert view.accessibleDescription().endswith("; X to move")


def test_another_game_on_the_same_record(qtbot: QtBot, make_board: MakeBoard) -> None:
    view, record = make_board("8,8,5", moves=(63,))
    chosen = heard(view)
    click(qtbot, view, 62)
    hover(view, 61)
    record.new(tictactoe.game())
    assert view.focus_square == 4
    assert view.picture().preview is None
    click(qtbot, view, 8)
    assert chosen == [62, 8]


@pytest.mark.parametrize(
    ("squares", "columns", "lines"),
    [
        ((0, 4, 8), 3, [(0, 8)]),
        ((2, 4, 6), 3, [(2, 6)]),
        ((0, 1, 2, 3, 6), 3, [(0, 2), (0, 6)]),
        ((0, 2, 4, 6, 8), 3, [(0, 8), (2, 6)]),
        ((1, 2, 3, 4, 5), 7, [(1, 5)]),
        ((3, 4, 5, 6, 13, 20, 27), 7, [(3, 6), (6, 27)]),
    ],
)
def test_winning_lines_are_found_in_their_squares(
    squares: tuple[int, ...], columns: int, lines: list[tuple[int, int]]
) -> None:
    assert board_view.runs(squares, columns) == lines


def test_a_new_mark_is_drawn_then_rests(qtbot: QtBot, make_board: MakeBoard) -> None:
    view, record = make_board()
    view.set_motion(True)
    record.play(4)
    assert view.is_moving
    assert view.picture().drawn < 1
    qtbot.waitUntil(lambda: not view.is_moving)
    assert view.picture().drawn == 1
    record.undo()
    assert not view.is_moving, "what is taken back is simply gone"


def test_the_winning_line_follows_the_last_mark(qtbot: QtBot, make_board: MakeBoard) -> None:
    view, record = make_board(moves=X_WINS[:-1])
    view.set_motion(True)
    record.play(X_WINS[-1])
    assert view.picture().struck == 0
    qtbot.waitUntil(lambda: view.picture().drawn == 1 and view.picture().struck > 0)
    qtbot.waitUntil(lambda: not view.is_moving)
    assert view.picture().struck == 1


def test_the_text_alone_looks_as_it_does_in_the_whole_picture(make_board: MakeBoard) -> None:
    view, _ = make_board(moves=X_WINS)
    view.set_note("thinking…")
    layout = view._layout()
    painted = []
    for part in (view.rect(), layout.text):
        image = QImage(view.size(), QImage.Format.Format_RGB32)
        image.fill(theme().colour("card"))
        painter = QPainter(image)
        paint(painter, layout, view.picture(), part)
        painter.end()
        painted.append(image)
    whole, text = painted
    assert text != whole, "the board itself is left out"
    assert text.copy(layout.text) == whole.copy(layout.text)


def test_nothing_moves_that_is_not_seen(make_board: MakeBoard) -> None:
    view, record = make_board()
    view.set_motion(True)
    record.play(0)
    view.hide()
    assert not view.is_moving
    record.play(1)
    assert not view.is_moving
    view.show()
    record.play(2)
    view.set_motion(False)
    assert not view.is_moving
    assert view.picture().drawn == 1


def test_text_on_a_wash_is_legible(each_theme: str) -> None:
    for name in ("x", "o", "draw", "red", "yellow", "black", "white"):
        for ground in ("card", "ground"):
            wash = _washed(theme().colour(name), theme().colour(ground))
            asked = theme().colours.readable
            assert _contrast(inked(name), wash) >= asked - 0.01, (name, ground)
            assert _contrast(theme().text_colour(name), theme().colour(ground)) >= asked - 0.01, (name, ground)
        assert _contrast(theme().on(name), theme().colour(name)) >= 4.5, name


@pytest.mark.usefixtures("each_theme")
def test_an_unknown_value_is_legible_on_felt(qtbot: QtBot) -> None:
    record = GameRecord(registry.game("othello:6"))
    record.set_computer(frozenset())
    view = BoardWidget(record)
    expose(qtbot, view, 640, 760)
    view.show_values({}, frozenset(range(36)))
    square = min(view.picture().unknown)
    image, place = seen(view), view.square_rect(square).toRect().adjusted(8, 8, -8, -8)
    felt = theme().colour("felt")
    xs, ys = range(place.left(), place.right()), range(place.top(), place.bottom())
    assert max(_contrast(image.pixelColor(x, y), felt) for x in xs for y in ys) >= 4.5


def test_a_draft_is_drawn_on_the_board_of_its_own_game(make_board: MakeBoard) -> None:
    """While the editor is open the game may change below it."""
    view, _ = make_board()
    larger = mnk.game("4,4,4")
    view.edit(Draft(larger, larger.start))
    assert view.picture().game == larger
    assert not view.grab().isNull()
    view.edit(None)


def test_another_theme_is_taken_up_at_once(make_board: MakeBoard) -> None:
    view, _ = make_board(moves=(0,))
    theme().choose("light")
    light = seen(view)
    theme().choose("dark")
    assert seen(view) != light
    theme().choose("system")


def _key_event(key: Qt.Key, modifier: Qt.KeyboardModifier) -> QKeyEvent:
    event = QKeyEvent(QEvent.Type.KeyPress, key, modifier)
    event.ignore()
    return event


def _fresh_look(make_board: MakeBoard, moves: tuple[int, ...]) -> QImage:
    view, _ = make_board(moves=moves)
    return seen(view)


def _at_corner(image: QImage, view: BoardWidget, square: int) -> QColor:
    """The colour near the corner of a square, inside its wash and beside its text."""
    rect = view.square_rect(square)
    return image.pixelColor((rect.topLeft() + QPointF(rect.width(), rect.height()) * 0.2).toPoint())


def _ground() -> QColor:
    """The colour behind the board in the test's window."""
    return QApplication.palette().window().color()


def _washed(colour: QColor, ground: QColor) -> QColor:
    """The colour of a wash of a colour on a ground."""
    pairs = zip(_channels(colour), _channels(ground), strict=True)
    return QColor.fromRgbF(*(own * WASH + below * (1 - WASH) for own, below in pairs))


def _alike(one: QColor, other: QColor) -> bool:
    """Whether two colours are equal but for rounding."""
    return all(abs(a - b) < 1.5 / 255 for a, b in zip(_channels(one), _channels(other), strict=True))


def _channels(colour: QColor) -> tuple[float, float, float]:
    return colour.redF(), colour.greenF(), colour.blueF()


def _contrast(one: QColor, other: QColor) -> float:
    """The contrast by WCAG 2.1: from 1 (equal) to 21."""
    low, high = sorted(_luminance(colour) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: QColor) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in _channels(colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("spec", ["connect-four:7,6", "othello:8"])
def test_in_strong_contrast_the_playable_squares_are_seen(make_board: MakeBoard, each_theme: str, spec: str) -> None:
    view, record = make_board()
    record.new(registry.game(spec))
    offered = record.game.view.square_of(first(legal(record.position)))
    assert offered is not None
    square, picture = view.square_rect(offered), view.grab().toImage()
    dot, ground = (
        picture.pixelColor(square.center().toPoint() - QPoint(round(at), 0)) for at in (0, square.width() / 5)
    )
    assert dot != ground
    assert contrast(dot, ground) >= 3 or "contrast" not in each_theme
