"""The program itself, in a process of its own, and an X server for it."""

import os
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from gui.help.bug_report import CRASHES, log_folder

ROOT = Path(__file__).parents[2]

PROGRAM = """
import gc, os, sys, traceback
gc.disable()  # as main.py
from PySide6.QtCore import QTimer
from gui.app import application, open_window
from gui.window import Window
from gui.work.runner import Runner

app = application()

def say(*words):
    print(*words, flush=True)

def window():
    return next(top for top in app.topLevelWidgets() if isinstance(top, Window))

def fail(why):
    print(why, file=sys.stderr, flush=True)
    os._exit(3)

def act():
    try:
        w = window()
        for runner in w.findChildren(Runner):
            runner.failed.connect(fail)
{act}
    except BaseException:
        traceback.print_exc()
        os._exit(3)

{first}
QTimer.singleShot(0, act)
sys.exit(open_window())
"""

NO_COMPILER = "import gui.app\ngui.app.load_compiler = lambda: None\n"
"""Code for a program that searches nothing. numba, which it does not import, takes a third of its time."""

Start = Callable[..., "subprocess.Popen[str]"]


@contextmanager
def starter() -> Iterator[Start]:
    """Starts the window's program with some initial code. It ends at once if a search fails, and at the latest with the
    context."""
    started: list[subprocess.Popen[str]] = []

    def program(
        act: str, first: str = "", prepare: Callable[[], None] | None = None, **environ: str
    ) -> "subprocess.Popen[str]":
        code = PROGRAM.format(first=first, act="\n".join(f"        {line}" for line in act.strip().splitlines()))
        started.append(
            subprocess.Popen(
                [sys.executable, "-P", "-c", code],
                env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)} | environ,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                preexec_fn=prepare,
            )
        )
        return started[-1]

    yield program
    for process in started:
        process.kill()
        process.communicate()


def output(process: "subprocess.Popen[str]", code: int = 0) -> tuple[list[str], str]:
    """The lines of stdout and the text of stderr, once the program has ended with the exit code `code`."""
    out, errors = process.communicate(timeout=300)
    assert process.returncode == code, errors
    for unexpected in ("Not expected", "Ignored in", "Logging error", "Fatal"):
        assert unexpected not in errors, errors
    return out.split("\n"), errors


def how_ended(process: "subprocess.Popen[str]") -> str:
    """The exit code of a program that has ended, its stderr, and the traceback of a crash."""
    _, errors = process.communicate(timeout=300)
    crash = log_folder() / CRASHES
    return f"The program ended with {process.returncode}: {errors}{crash.read_text() if crash.exists() else ''}"


@contextmanager
def x_server() -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """The address and the process of an X server of our own, which chooses a free number and prints it when ready."""
    read, write = os.pipe()
    with subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "800x600x24", "-nolisten", "tcp"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    ) as server:
        os.close(write)
        try:
            assert select.select([read], [], [], 30)[0], "Xvfb did not start within 30 s."
            yield f":{os.read(read, 16).decode().strip()}", server
        finally:
            os.close(read)
            server.terminate()
