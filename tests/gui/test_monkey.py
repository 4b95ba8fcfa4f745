"""A monkey at the window: clicks, keys, menus and sizes in any order, by the thousand, on a real search.

Longer by hand: PLYSCOPE_MONKEY_ACTIONS=50000 PLYSCOPE_MONKEY_SEED=7 python -m pytest tests/gui/test_monkey.py -s -n 0
"""

import gc
import logging
import os
import random
import statistics
import time
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QEventLoop, QPoint, Qt, QThread, QThreadPool, QTimer
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QPushButton,
    QSlider,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gui.style.theme import theme
from gui.widgets.actions import entries
from gui.widgets.card import Card
from gui.window import Window
from gui.work.garbage import collected_later

SEED = int(os.environ.get("PLYSCOPE_MONKEY_SEED", "1"))
ACTIONS = int(os.environ.get("PLYSCOPE_MONKEY_ACTIONS", "200"))
BETWEEN = 1
"""Milliseconds between two actions, for the event loop."""
SETTLED = 120
"""The number of actions after which every lasting thread exists."""
ALONE = "PYTEST_XDIST_WORKER" not in os.environ
GAP, GAP_YARDSTICKS = 0.05, 17 if ALONE else 30
"""The seconds for which the window's thread may be busy between events, for any action; or, on a machine that is slower
at the moment, the number of yardsticks that usually take that long. Beside other test processes large work becomes
slower than the yardstick does: a zoom takes 11 of them on an idle machine, and up to 20 in the whole suite."""
OFTEN, RUNS = 5, 3
"""An action done so many times must be within the limit by its median. One done less often is done again, in so many
runs, and must be within it once: what is the window's own comes again, what is the machine's does not."""
BUTTONS = 50
"""The yardstick restyles that many buttons. That takes 3 ms on an idle machine, and becomes slower as all of Qt's work
does beside another test process."""
MEASURED = 5
"""The number of runs in each measurement of the yardstick: the machine's speed varies."""
NOT_FOR_MONKEYS = {"Quit", "Open log folder", "MPI"}
"""Actions that end the test, or start other programs."""
GAMES = ("tictactoe", "mnk:4,4,4")
"""Games whose kernels other tests need: those of others would be compiled in vain, for the test ends before."""
KEYS = [Qt.Key(ord(letter)) for letter in "ABCHVT1234.[] "] + [
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Home,
    Qt.Key.Key_Return,
    Qt.Key.Key_Tab,
    Qt.Key.Key_Escape,
    Qt.Key.Key_Backspace,
]


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[Window]:
    theme().choose("light")
    with collected_later("the monkey"):  # as the program does at its start
        made = Window()
    made.quit_action.setEnabled(False)  # in an open menu, a key or a click may reach it
    qtbot.addWidget(made)
    made.resize(1280, 800)
    made.show()
    yield made
    made.close()
    gc.unfreeze()
    theme().set_motion(True)
    theme().set_zoom(1.0)
    theme().choose("light")


def test_a_monkey_breaks_nothing_and_the_window_keeps_answering(
    qtbot: QtBot, window: Window, caplog: pytest.LogCaptureFixture
) -> None:
    yardstick = Yardstick()
    qtbot.addWidget(yardstick)
    monkeys = [Monkey(window, yardstick, random.Random(SEED))]
    with qtbot.captureExceptions() as caught:
        monkeys[0].act(min(SETTLED, ACTIONS))
        threads = threads_running()
        monkeys[0].act(max(0, ACTIONS - SETTLED))
        print(account(monkeys), threads, threads_running())
        while (slow := slow_kinds(monkeys)) and len(monkeys) < RUNS:
            monkeys.append(Monkey(window, yardstick, random.Random(SEED)))
            monkeys[-1].act(ACTIONS)
            print(account(monkeys))
    story = f"seed {SEED}, at last: {', '.join(monkeys[-1].story[-12:])}"
    assert not caught, f"{''.join(traceback.format_exception(*caught[0]))} after {story}"
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR], story
    assert not {kind: all_ for kind, all_ in slow.items() if len(all_) > 1}, story
    assert threads_running() <= threads + made_once(window), story


class Monkey:
    """Acts on a window at random, and measures how long its thread was busy with each action."""

    def __init__(self, window: Window, yardstick: "Yardstick", dice: random.Random) -> None:
        self._window, self._yardstick, self._dice = window, yardstick, dice
        self.story: list[str] = []
        self.busy: dict[int, tuple[float, float]] = {}
        """The longest time for which the thread was busy after each action, by its place in the story: yardsticks, and
        seconds."""
        self._unit = yardstick.seconds()
        self._tricks: list[tuple[int, Callable[[], str]]] = [
            (40, self._click_the_board),
            (30, self._press_a_key),
            (40, self._trigger_an_action),
            (20, self._click_somewhere),
            (12, self._click_a_button),
            (8, self._use_a_field),
            (8, self._resize),
            (4, self._float_a_card),
            (4, self._choose_a_game),
            (8, self._close_a_dialog),
        ]

    def act(self, times: int) -> None:
        """Do that many actions, with the event loop running in between."""
        loop, left = QEventLoop(), times
        beat, timer, closer = QTimer(), QTimer(), QTimer()
        last = time.thread_time()

        def listen() -> None:
            nonlocal last
            if self.story:
                self._note(time.thread_time() - last)
            last = time.thread_time()

        def tick() -> None:
            nonlocal left
            if left == 0:
                loop.quit()
                return
            left -= 1
            self.story.append("?")
            (trick,) = self._dice.choices([it for _, it in self._tricks], [weight for weight, _ in self._tricks])
            self.story[-1] = trick.__name__
            self.story[-1] = trick()
            assert self._window.isVisible(), f"the window was closed by the last of {self.story[-40:]}"

        beat.timeout.connect(listen)
        timer.timeout.connect(tick)
        closer.timeout.connect(partial(close_what_blocks, self._dice))
        beat.start(BETWEEN)
        timer.start(BETWEEN)
        closer.start(20)
        loop.exec()
        beat.stop()
        timer.stop()
        closer.stop()

    def _note(self, seconds: float) -> None:
        if seconds > GAP:
            self._unit = statistics.median(self._yardstick.seconds() for _ in range(MEASURED))
        place = len(self.story) - 1
        self.busy[place] = max(self.busy.get(place, (0.0, 0.0)), (seconds / self._unit, seconds))

    def _click_the_board(self) -> str:
        square = self._dice.randrange(len(self._window.record.game.notation.cells(self._window.record.position)))
        place = self._window.board.square_rect(square).center().toPoint()
        QTest.mouseClick(self._window.board, Qt.MouseButton.LeftButton, pos=place)
        return "click on the board"

    def _press_a_key(self) -> str:
        key = self._dice.choice(KEYS)
        QTest.keyClick(QApplication.focusWidget() or self._window, key)
        return f"key {key.name}"

    def _trigger_an_action(self) -> str:
        made = self._dice.choice([made for _, made in entries(self._window) if is_for_monkeys(made)])
        made.trigger()
        return f"action {made.objectName() or made.text()}"

    def _click_somewhere(self) -> str:
        found = [widget for widget in self._window.findChildren(QWidget) if is_to_click(widget)]
        widget = self._dice.choice(found)
        place = QPoint(self._dice.randrange(widget.width()), self._dice.randrange(widget.height()))
        click = QTest.mouseDClick if self._dice.random() < 0.2 else QTest.mouseClick
        name = f"{click.__name__} on {type(widget).__name__} {widget.accessibleName()}"
        click(widget, Qt.MouseButton.LeftButton, pos=place)
        return name

    def _click_a_button(self) -> str:
        buttons = [button for button in self._window.findChildren(QAbstractButton) if is_to_click(button)]
        button = self._dice.choice(buttons)
        name = button.text()
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        return f"button {name}"

    def _use_a_field(self) -> str:
        fields = [field for field in self._window.findChildren(QWidget) if is_field(field)]
        if not fields:
            return "no field"
        field = self._dice.choice(fields)
        field.setFocus()
        QTest.keyClick(field, self._dice.choice((Qt.Key.Key_Up, Qt.Key.Key_Down)))
        return f"field {field.accessibleName()}"

    def _resize(self) -> str:
        self._window.resize(self._dice.randint(400, 1700), self._dice.randint(300, 1100))
        return "resize"

    def _float_a_card(self) -> str:
        card = self._dice.choice(self._window.findChildren(Card))
        card.setFloating(not card.isFloating())
        return "float a card"

    def _choose_a_game(self) -> str:
        self._window.choose_game(self._dice.choice(GAMES))
        return "choose a game"

    def _close_a_dialog(self) -> str:
        for dialog in self._window.findChildren(QDialog):
            dialog.close()
        return "close the dialogs"


def by_kind(monkeys: list[Monkey]) -> dict[str, list[tuple[float, float]]]:
    """How long the thread was busy after each action of a kind, in yardsticks and in seconds, ascending."""
    kinds: dict[str, list[tuple[float, float]]] = {}
    for monkey in monkeys:
        for place, busy in monkey.busy.items():
            kinds.setdefault(monkey.story[place], []).append(busy)
    return {kind: sorted(all_) for kind, all_ in kinds.items()}


def slow_kinds(monkeys: list[Monkey]) -> dict[str, list[tuple[float, float]]]:
    """The kinds of action that are over the limit: a frequent one by its median, a rare one each time."""
    return {
        kind: all_
        for kind, all_ in by_kind(monkeys).items()
        if (judged := all_[len(all_) // 2 if len(all_) >= OFTEN else 0])[0] >= GAP_YARDSTICKS and judged[1] >= GAP
    }


def account(monkeys: list[Monkey]) -> str:
    """The slowest actions, and how often each was done."""
    rows = sorted(((all_[-1], kind, all_) for kind, all_ in by_kind(monkeys).items()), reverse=True)[:15]
    return "\nyardsticks      ms  median ms   times\n" + "\n".join(
        f"{worst[0]:10.1f}  {1000 * worst[1]:6.1f}  {1000 * all_[len(all_) // 2][1]:9.1f}  {len(all_):6}  {kind}"
        for worst, kind, all_ in rows
    )


class Yardstick(QWidget):
    """Never shown."""

    def __init__(self) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        for _ in range(BUTTONS):
            column.addWidget(QPushButton("a button"))
        self.grab()

    def seconds(self) -> float:
        """The seconds that this thread takes for the yardstick."""
        begun = time.thread_time()
        self.setStyleSheet(theme().style_sheet() + " " * (not self.styleSheet().endswith(" ")))
        return time.thread_time() - begun


def close_what_blocks(dice: random.Random) -> None:
    """Close dialogs that ask for files and sizes: the monkey never answers."""
    if (modal := QApplication.activeModalWidget()) is not None:
        modal.close()
    elif (popup := QApplication.activePopupWidget()) is not None and dice.random() < 0.3:
        popup.close()


def is_for_monkeys(made: QAction) -> bool:
    return made.isEnabled() and made.objectName() not in NOT_FOR_MONKEYS and "…" not in made.text()


def is_to_click(widget: QWidget) -> bool:
    """Whether a widget can be seen and clicked, and neither ends the test nor starts other programs."""
    made = widget.actions()
    named = isinstance(widget, QAbstractButton) and widget.text() in NOT_FOR_MONKEYS
    holds = any(action.objectName() in NOT_FOR_MONKEYS for action in made)  # a menu: the click may hit any of them
    seen = widget.isVisible() and widget.isEnabled() and widget.rect().isValid()
    return seen and not named and not holds and (not made or is_for_monkeys(made[0]))


def is_field(widget: QWidget) -> bool:
    return widget.isVisible() and widget.isEnabled() and isinstance(widget, QComboBox | QAbstractSpinBox | QSlider)


def made_once(window: Window) -> int:
    """The number of threads that may still start after many actions: Qt's pool, and OpenMP's for each searching
    thread."""
    searching = len(window.findChildren(QThread))
    return QThreadPool.globalInstance().maxThreadCount() + searching * (os.cpu_count() or 1)


def threads_running() -> int:
    """The threads of this process, Qt's and OpenMP's included; 0 where the system does not tell."""
    tasks = Path("/proc/self/task")
    return len(list(tasks.iterdir())) if tasks.exists() else 0
