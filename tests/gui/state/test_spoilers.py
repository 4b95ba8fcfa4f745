"""No spoilers: with the switch on, nothing readable or visible in the window reveals a search result."""

import csv
import io

import pytest
from PySide6.QtCore import QPoint, QRect, QSettings, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtWidgets import QAbstractItemView, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from engine.job import Job
from engine.result import Result, State
from engine.text.numbers import signed
from engine.trace.widths import Gap, Width
from gui.state.spoilers import HIDDEN, WHY_HIDDEN, spoilers
from gui.state.wording import verdict
from gui.style.theme import theme
from gui.tree.icicle_colours import Colouring, Look, _pale
from gui.tree.icicle_painter import IciclePicture, Span
from gui.tree.narration import Telling, narrate
from gui.tree.path_text import tool_tip
from gui.window import Window

LONG = 60_000
COLUMNS = 10
"""The number of columns to read; no table has more."""
ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)


def search(qtbot: QtBot, window: Window) -> Result:
    """The result of a search of X on a1 and O on b1, where X wins, with all values on the board and the path shown."""
    window.play(0)
    window.play(1)
    window.values_action.setChecked(True)
    window.analysis.change(algorithm="alphabeta")
    with qtbot.waitSignal(window.analysis.finished, timeout=LONG) as finished:
        window.think_action.trigger()
    assert finished.args is not None
    result: Result = finished.args[0]
    qtbot.waitUntil(lambda: not window.is_busy, timeout=LONG)
    assert result.trace is not None
    window.replay.go_to_row(result.trace.child_row(0, 2) or 0)
    return result


def said(window: Window) -> str:
    """All readable text: labels, tool tips, names for screen readers, cells of tables, descriptions of pictures."""
    found: list[str] = []
    for widget in window.findChildren(QWidget):
        found += [widget.toolTip(), widget.accessibleName(), widget.accessibleDescription(), widget.statusTip()]
        for name in ("text", "title"):
            if isinstance(text := widget.property(name), str):
                found.append(text)
        if isinstance(widget, QPlainTextEdit):
            found.append(widget.toPlainText())
        if isinstance(widget, QAbstractItemView) and (model := widget.model()) is not None:
            indices = (model.index(row, column) for row in range(model.rowCount()) for column in range(COLUMNS))
            found += [str(index.data(role)) for index in indices if index.isValid() for role in ROLES]
    found += [window.board.square_text(square) for square in range(9)]
    found += [window.board.picture().note, window.board.picture().verdict]
    for row in window.path.rows:
        found += [tool_tip(row, place, False) for place in range(len(row))]
        found += [row.cell(place).text for place in range(len(row))]
    return "\n".join(found)


def spoiling(window: Window, result: Result) -> set[str]:
    """The texts that reveal the result, in the window's wording."""
    game, position, info = window.record.game, window.record.position, result.info
    assert info.best is not None
    assert info.value is not None
    name = game.notation.move_name(info.best)
    worth = verdict(game, position, info.value, result.job.scoring)
    values = {f"{signed(root.value.number)} for X" for root in result.root_moves}
    bounds = {f"{words} {signed(value)}" for words in ("at least", "at most") for value in (-1, 0, 1)}
    return {
        f"{name}  {worth}",
        f"best {name}",
        f"Best move: {name}",
        " ".join(map(game.notation.move_name, info.pv)),
        f"{signed(info.value.number)} for X",
        "X wins",
        "wins in",
        "loses in",
        "window −∞",
        "window: −∞",
        *values,
        *bounds,
    }


def under_boards(window: Window) -> QImage:
    """The texts of the tiles of the path's second row, without their boards."""
    picture = window.path._picture
    measures = picture.measures
    top, high = measures.pitch + measures.height - measures.text + 4, measures.text - 4
    return picture.grab(QRect(measures.left, top, picture.width(), high)).toImage()


def colours(image: QImage) -> int:
    """The number of a picture's pixels in a player's hue or a wash of it; marks have that colour."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    hues = {QColor(theme().colours.x).hue(), QColor(theme().colours.o).hue()}
    step = 2
    pixels = (
        image.pixelColor(QPoint(x, y)) for x in range(0, image.width(), step) for y in range(0, image.height(), step)
    )
    return sum(pixel.saturation() > 15 and any(abs(pixel.hue() - hue) < 12 for hue in hues) for pixel in pixels)


def test_nothing_in_the_window_tells_what_the_search_found(qtbot: QtBot, window: Window) -> None:
    for name in ("text", "figures"):
        window.drawers[name].toggleViewAction().trigger()
    result = search(qtbot, window)
    forbidden = {text.lower() for text in spoiling(window, result)}
    qtbot.waitUntil(lambda: "window −∞" in window.path.accessibleDescription())
    shown = said(window).lower()
    assert {text for text in forbidden if text in shown} >= {"x wins", "wins in", "best a2", "window −∞"}
    window.spoilers_action.trigger()
    hidden = said(window).lower()
    assert {text for text in forbidden if text in hidden} == set()
    assert window.figures.figure("best") == window.figures.figure("pv") == HIDDEN
    assert WHY_HIDDEN.lower() in hidden
    assert window.figures.figure("nodes") == f"{result.info.counters.nodes:,}"
    window.spoilers_action.trigger()
    assert said(window).lower() == shown


def test_the_colours_of_values_go_from_board_and_tree(qtbot: QtBot, window: Window) -> None:
    search(qtbot, window)
    before = [colours(window.board.grab().toImage()), colours(under_boards(window))]
    boards = [cell.favours for row in window.path.rows for cell in map(row.cell, range(len(row)))]
    spoilers().hide(True)
    after = [colours(window.board.grab().toImage()), colours(under_boards(window))]
    assert after[0] < 0.5 * before[0], "only the two stones are left"
    assert after[1] < 0.5 * before[1], "only edges of grey letters are left"
    assert any(player is not None for player in boards)
    assert all(row.cell(place).favours is None for row in window.path.rows for place in range(len(row)))


def test_the_iterations_show_and_copy_what_was_counted_only(qtbot: QtBot, window: Window) -> None:
    """Results are hidden in the cells and in the tool tip of each iteration, also of those that end while results are
    hidden."""
    window.analysis.change(deepen=True)
    search(qtbot, window)
    table, clipboard = window.iterations.table, QGuiApplication.clipboard()
    model = table.model()

    def copied() -> list[dict[str, str]]:
        table.copy()
        return list(csv.DictReader(io.StringIO(clipboard.text())))

    def shown() -> list[list[str]]:
        rows = range(model.rowCount())
        return [[str(model.index(row, column).data()) for column in range(model.columnCount())] for row in rows]

    counted = copied()
    assert all(row["value"] and row["line"] and row["bound"] for row in counted)
    before, found = shown(), {"Window", "Value for X", "Best line"}
    titles = [model.headerData(column, Qt.Orientation.Horizontal) for column in range(model.columnCount())]
    assert found < {*titles}
    spoilers().hide(True)
    for was, row in zip(before, shown(), strict=True):
        for title, value, cell in zip(titles, was, row, strict=True):
            assert cell == (HIDDEN if title in found else value)
            assert value != HIDDEN
    assert {row[name] for row in copied() for name in ("alpha", "beta", "value", "bound", "line")} == {""}
    assert [row["nodes"] for row in copied()] == [row["nodes"] for row in counted]
    tips = [str(model.index(row, 0).data(Qt.ItemDataRole.ToolTipRole)) for row in range(model.rowCount())]
    assert all(tip.count(HIDDEN) == len(found) for tip in tips)
    with qtbot.waitSignal(window.analysis.finished, timeout=LONG):
        window.think_action.trigger()
    assert {row[place] for row in shown() for place, title in enumerate(titles) if title in found} == {HIDDEN}


def test_the_runs_and_the_copied_game_tell_what_was_counted_only(qtbot: QtBot, window: Window) -> None:
    with qtbot.waitSignal(window.analysis.runs_changed, timeout=LONG):
        search(qtbot, window)
    clipboard = QGuiApplication.clipboard()

    def copied_game() -> str:
        window.files.clipboard.copy_game()
        return clipboard.text()

    assert 'best = "a2"' in copied_game()

    def found() -> list[str]:
        window.runs.copy()
        (copied,) = csv.DictReader(io.StringIO(clipboard.text()), delimiter="	")
        cell = window.runs.model().index(0, 2)
        return [copied["value"], cell.data(), cell.data(Qt.ItemDataRole.ToolTipRole)]

    value, cell, tip = found()
    assert value == "1"
    assert cell == "X wins\n"
    assert "X wins" in tip
    spoilers().hide(True)
    value, cell, tip = found()
    assert value == ""
    assert cell == f"{HIDDEN}\n"
    assert "wins" not in tip
    assert "Alpha-beta" in tip
    assert "best" not in copied_game()
    assert 'moves = "a1 b1"' in copied_game()


def test_no_key_leads_along_best_play_on_the_path(qtbot: QtBot, window: Window) -> None:
    """X on a1 and O on b1: c1 is the first move, a2 the first that wins."""
    result = search(qtbot, window)
    assert result.trace is not None
    best, first = (result.trace.child_row(0, move) for move in (result.info.best or 0, 2))
    assert best != first
    for hidden, row in ((False, best), (True, first)):
        spoilers().hide(hidden)
        qtbot.keyClick(window.path, Qt.Key.Key_Home)
        qtbot.keyClick(window.path, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
        assert window.replay.row == row


def test_a_cut_of_the_root_does_not_tell_the_best_move(qtbot: QtBot, window: Window) -> None:
    """The second iteration of MTD(f) asks whether X gets +1, and a2 answers: it is the last move searched."""
    window.drawers["code"].toggleViewAction().trigger()
    window.play(0)
    window.play(1)
    window.analysis.change(algorithm="mtdf")
    with qtbot.waitSignal(window.analysis.finished, timeout=LONG) as finished:
        window.think_action.trigger()
    assert finished.args is not None
    window.analysis.show_other(finished.args[0].earlier[1])
    qtbot.waitUntil(lambda: not window.is_busy, timeout=LONG)
    replay, why, trace = window.replay, window.why, window.replay.trace
    assert trace is not None

    def told() -> dict[str, bool]:
        """The views that tell that the root is cut: at the end, at the moment of the cut, and in the pictures."""
        replay.go_to_end()
        replay.go_to_row(0)
        root, moves = window.path.rows
        states = {moves.state(place) for place in range(len(moves))}
        made = {"tiles": State.PRUNED in states, "frame": root.is_cut, "why": bool(why.note)}
        made |= {"legend of the path": window.path.shows_pruned, "tool tip": "pruned" in window.tree.about.gap(0)}
        why.ask(0, 8)
        made["why it is pruned"] = bool(why.note)
        replay.go(replay.last - 1)
        event = replay.now
        assert event is not None
        telling = Telling(window.record.game, window.analysis.job or Job(), trace, False, spoilers().hidden)
        made |= {"moment": bool(why.note), "event": "cutoff" in narrate(telling, event)}
        made["code"] = "break" in window.code.line
        replay.go(replay.last - 2)
        window.replay_actions.steps["next cutoff"].trigger()
        made["step"] = replay.moment == replay.last - 1
        look = Look(window.record.game, trace, colouring=Colouring.CUT, hidden=spoilers().hidden)
        places = trace.places(Width.MINIMAX)
        picture = IciclePicture(look, places, Span(0, places.whole), (300, 120))
        made["stripes"] = Gap.PRUNED in picture.ended.gaps[1]
        made["colour"] = picture.ended.colours[0, 0] != _pale().rgb()
        return made

    def tick() -> QImage:
        slider = window.transport.timeline
        replay.go(0)
        return slider.grab(QRect(slider.width() - 8, 0, 8, 2)).toImage()

    shown, before = told(), tick()
    assert {name for name, is_told in shown.items() if not is_told} == set()
    window.spoilers_action.trigger()
    assert {name for name, is_told in told().items() if is_told} == set()
    assert tick() != before
    window.spoilers_action.trigger()
    assert told() == shown


def test_a_finished_game_is_not_explained(qtbot: QtBot, window: Window) -> None:
    spoilers().hide(True)
    for move in (0, 1, 4, 2, 8):
        window.play(move)
    qtbot.waitUntil(lambda: not window.review.is_looking, timeout=LONG)
    assert window.review.words
    assert window.review.words not in said(window)


def test_a_search_that_runs_gives_nothing_away_either(qtbot: QtBot, window: Window) -> None:
    spoilers().hide(True)
    for move in (0, 1, 4, 2):
        window.play(move)
    window.analysis.change(speed=100.0)
    window.think_action.trigger()
    qtbot.waitUntil(lambda: (info := window.analysis.info) is not None and info.value is not None, timeout=LONG)
    window.pause_action.trigger()
    qtbot.waitUntil(lambda: window.figures.figure("best") == HIDDEN)
    assert all(row.window is None for row in window.path.rows)
    assert all(row.cell(place).value is None for row in window.path.rows for place in range(len(row)))
    with qtbot.waitSignal(window.analysis.finished, timeout=LONG):
        window.stop_action.trigger()


def test_a_hint_that_is_asked_for_is_given_for_this_position_only(qtbot: QtBot, window: Window) -> None:
    spoilers().hide(True)
    window.play(0)
    window.hint_action.trigger()
    window.hint_action.trigger()
    qtbot.waitUntil(lambda: window.board.picture().hint is not None, timeout=LONG)
    assert window.board.picture().hint == 4
    assert window.board.picture().values == {}
    window.undo_action.trigger()
    assert window.board.picture().hint is None


def test_the_switch_leaves_a_mark_and_is_kept(qtbot: QtBot, window: Window, settings: QSettings) -> None:
    kept = Window(settings)
    qtbot.addWidget(kept)
    kept.show()
    kept.spoilers_action.trigger()
    mark = next(button for button in kept.statusBar().findChildren(QWidget) if button.property("text") == "No spoilers")
    assert mark.isVisible()
    assert not kept.values_action.isEnabled()
    kept.close()
    spoilers().hide(False)
    assert not mark.isVisibleTo(kept)
    again = Window(settings)
    qtbot.addWidget(again)
    assert spoilers().hidden
    assert again.spoilers_action.isChecked()
    again.close()


@pytest.fixture
def settings(tmp_path: object) -> QSettings:
    return QSettings(f"{tmp_path}/plyscope.ini", QSettings.Format.IniFormat)
