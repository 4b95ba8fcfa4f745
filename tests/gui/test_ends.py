"""How the window's program ends, with real signals, a lost display, a crash, and work that cannot be
stopped. No move and no setting is lost."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from gui.files import storage
from gui.help.bug_report import CRASHES, LAST_CRASH, LOG, log_folder, report
from gui.settings import session
from gui.settings.ini_file import open_settings, usual_path
from gui.style.theme import theme
from gui.termination import TerminationSignals
from gui.window import Window
from tests.gui.program import NO_COMPILER, ROOT, Start, how_ended, output, x_server

LATE = """
from gui.files import autosave
from gui.settings import session
autosave.DELAY_MILLISECONDS = session.DELAY_MILLISECONDS = 10**9
Window.warm = lambda self: None
"""
"""Code for a program that saves nothing before its end and compiles nothing."""
ALONE = NO_COMPILER + LATE
"""The same, for one that does not import the compiler beside the window either."""
CHANGE = """
from gui.style.theme import theme
w.record.set_computer(frozenset())
w.play(4)
theme().choose("dark")
say("ready")
"""


def wait_for(word: str, process: "subprocess.Popen[str]") -> None:
    """Read the program's output up to that line."""
    assert process.stdout is not None
    while (line := process.stdout.readline()) != f"{word}\n":
        assert line, how_ended(process)


def is_kept() -> bool:
    game, settings = storage.folder() / "game-1.plyscope", QSettings(str(usual_path()), QSettings.Format.IniFormat)
    return 'moves = "b2"' in game.read_text() and settings.value("theme") == "dark"


def test_a_signal_ends_the_window_as_a_click_does(start: Start) -> None:
    """Whatever the tests' own start ignores, as nohup does. SIGTERM is in the next test but two."""
    process = start(CHANGE, first=LATE, prepare=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL) and None)
    wait_for("ready", process)
    process.send_signal(signal.SIGHUP)
    _, errors = output(process, 128 + signal.SIGHUP)
    assert "Ended by SIGHUP." in errors
    assert is_kept()


def test_an_interrupt_is_one_of_the_signals(qtbot: QtBot) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    signals = TerminationSignals()
    with qtbot.waitSignal(signals.received) as heard:
        signal.raise_signal(signal.SIGINT)
    signals.close()
    signal.signal(signal.SIGINT, before)
    assert heard.args == [signal.SIGINT]


def test_a_second_signal_ends_a_window_that_does_not_listen(start: Start) -> None:
    process = start('say("ready")\nwhile True: pass', first=ALONE)
    wait_for("ready", process)
    for _ in range(200):
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.05)
            break
    assert process.returncode == -signal.SIGTERM


def test_a_signal_that_was_ignored_from_the_start_is_ignored(start: Start) -> None:
    """As under nohup."""
    process = start(
        CHANGE + "w.session._clock.setInterval(0)",
        first=ALONE + "from PySide6.QtGui import QGuiApplication",
        prepare=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN) and None,
    )
    wait_for("ready", process)
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGTERM)
    _, errors = output(process, 128 + signal.SIGTERM)
    assert "Ended by SIGTERM." in errors
    assert is_kept()


BUSY = """
import itertools
for number in itertools.count():
    w.setWindowTitle(str(number))
"""


@pytest.mark.display
@pytest.mark.parametrize("then", ["", BUSY], ids=["Qt finds out", "Xlib finds out"])
def test_where_the_display_is_lost_all_is_kept_and_logged(start: Start, then: str) -> None:
    with x_server() as (address, server):
        process = start(CHANGE + then, first=ALONE, QT_QPA_PLATFORM="xcb", DISPLAY=address)
        wait_for("ready", process)
        server.kill()
        _, errors = output(process, 1)
    assert "The display was lost" in errors
    assert "compiled" not in errors
    assert is_kept()


def test_a_window_closes_though_its_search_cannot_be_stopped(start: Start) -> None:
    stuck = "import threading\nfrom gui.work.search_job import Search\n"
    stuck += "Search.__call__ = lambda *_: threading.Event().wait()\n"
    process = start("w.analysis.started.connect(w.close)\nw.think()", first=ALONE + stuck)
    _, errors = output(process)
    assert "Left behind, for it would not end: the search" in errors


CRASH = "import ctypes\nctypes.string_at(0)"
REPORT = """
from gui.help.bug_report import start_log
from PySide6.QtGui import QGuiApplication
say(w.notice.text)
w.notice.button.click()
say("Segmentation fault" in QGuiApplication.clipboard().text())
w.help.errors.copy_report()
say("Segmentation fault" in QGuiApplication.clipboard().text())
say(start_log())  # as the next start
w.close()
"""


def test_a_crash_is_offered_at_the_next_start_and_stays_in_the_report(start: Start) -> None:
    crashing = [sys.executable, "-P", "-c", "from gui.help.bug_report import start_log\nstart_log()\n" + CRASH]
    crashed = subprocess.run(crashing, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=False)
    assert crashed.returncode == -signal.SIGSEGV
    lines, _ = output(start(REPORT, first=ALONE))
    assert lines[0].startswith("Plyscope crashed when it last ran.")
    assert lines[1:] == ["True", "True", "False", ""], "it is offered once"
    assert "Segmentation fault" in report(None), "it stays in the report"
    assert (log_folder() / CRASHES).read_text() == ""
    assert "ctypes" in (log_folder() / LAST_CRASH).read_text()


LOGGING = """
import faulthandler
from gui.help.bug_report import start_log
print(start_log(), flush=True)
if input() == "crash":
    faulthandler._sigsegv()
"""


def test_a_crash_is_offered_though_another_program_has_started_since() -> None:
    """Of two programs that run, one crashes; a third starts; the other crashes; a fourth starts."""
    running: list[subprocess.Popen[str]] = []

    def begin() -> str:
        """Start a program; returns whether it offers a crash."""
        code = [sys.executable, "-P", "-c", LOGGING]
        environ = os.environ | {"PYTHONPATH": str(ROOT)}
        pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
        running.append(subprocess.Popen(code, env=environ, stdin=pipe, stdout=pipe, stderr=nothing, text=True))
        assert running[-1].stdout is not None
        return running[-1].stdout.readline().strip()

    offers = [begin(), begin()]
    for number in (1, 0):
        running[number].communicate("crash\n", timeout=60)
        assert running[number].returncode == -signal.SIGSEGV
        offers.append(begin())
    for program in running[2:]:
        program.communicate("end\n", timeout=60)
    assert offers == ["False", "False", "True", "True"]


PIPES = """
import os
from gui.help.bug_report import CRASHES, LOG, log_folder, start_log
log_folder().mkdir(parents=True)
for name in (LOG, CRASHES):
    os.mkfifo(log_folder() / name)
    start_log()
    os.unlink(log_folder() / name)
"""


def test_a_pipe_in_the_logs_place_is_not_waited_for() -> None:
    code = [sys.executable, "-P", "-c", PIPES]
    environ = os.environ | {"PYTHONPATH": str(ROOT)}
    ended = subprocess.run(code, env=environ, stderr=subprocess.PIPE, text=True, timeout=60, check=True)
    for name in (LOG, CRASHES):
        assert f"There is no log file: [Errno 22] It is not a file: '{log_folder() / name}'" in ended.stderr, name


# Settings are written when they change


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "Plyscope.ini"


@pytest.fixture
def window(qtbot: QtBot, file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    monkeypatch.setattr(session, "DELAY_MILLISECONDS", 1)
    made = Window(open_settings(file)[0])
    qtbot.addWidget(made)
    made.show()
    yield made
    made.close()
    theme().choose("light")


def test_a_setting_is_written_soon_after_it_was_chosen(qtbot: QtBot, window: Window, file: Path) -> None:
    theme().choose("dark")
    qtbot.waitUntil(lambda: "theme=dark" in file.read_text())
    window.analysis.change(algorithm="pvs")
    qtbot.waitUntil(lambda: "pvs" in file.read_text())
    window.options.expert.open()
    qtbot.waitUntil(lambda: "expert=open" in file.read_text())
    before = QSettings(str(file), QSettings.Format.IniFormat).value("geometry")
    window.resize(900, 700)
    qtbot.waitUntil(lambda: QSettings(str(file), QSettings.Format.IniFormat).value("geometry") != before)


def test_what_the_tour_chooses_is_not_written(qtbot: QtBot, window: Window, file: Path) -> None:
    window.analysis.change(algorithm="pvs")
    qtbot.waitUntil(lambda: "pvs" in file.read_text())
    window.tour.start()
    window.analysis.change(algorithm="mtdf")
    qtbot.waitUntil(lambda: not window.session._clock.isActive())
    assert window.settings is not None
    assert "mtdf" not in window.settings.value("search")
    window.tour.leave()
    assert window.analysis.settings.algorithm == "pvs"
