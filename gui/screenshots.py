"""Paints the window into a file, after a scripted game and searches: the README's pictures."""

import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QEventLoop, QSize, QTimer

from engine import registry
from engine.backends.mpi_job import launch
from engine.control import Control
from engine.prewarm.background import compile_beside
from gui.app import application
from gui.style.theme import theme
from gui.window import Window
from gui.work.runner import wait_for_left_behind
from gui.work.save_file import save_file

SIZE = (1440, 900)
PATIENCE_SECONDS = 60


def save_screenshot(path: Path, size: tuple[int, int] = SIZE, choice: str = "light", scene: str = "lesson") -> None:
    """Paint the window into a PNG file. `choice` is a theme, `scene` one of SCENES.

    Raises ValueError where the size is not possible, the scene cannot be played or the file cannot be written.
    """
    if min(size) < 1 or max(size) > 16_384:
        raise ValueError(f"A picture of {size[0]} x {size[1]} pixels is not possible: choose 1 to 16384 each way.")
    application()
    theme().choose(choice)
    window = Window()
    window.resize(QSize(*size))
    window.show()
    try:
        _check_size(window, size)
        SCENES[scene](window)
        application().processEvents()
        _check_size(window, size)  # what a scene opens may need more
        picture = QBuffer()
        window.grab().save(picture, "PNG")
    finally:
        window.close()
        window.deleteLater()
        wait_for_left_behind()
    try:
        save_file(path, bytes(picture.data().data()))
    except OSError as error:
        raise ValueError(f"The picture cannot be written to {path}: {error.strerror}. Choose another place.") from error


def _check_size(window: Window, size: tuple[int, int]) -> None:
    """Raise ValueError, with a sentence, if the window has not become as small as that."""
    if (least := (window.width(), window.height())) != size:
        raise ValueError(
            f"A window of {size[0]} x {size[1]} pixels is not possible: choose at least {least[0]} x {least[1]}."
        )


def _lesson(window: Window) -> None:
    """X on a1, O to move, the searches of that position side by side, alpha-beta's last: O in the centre, X on b1, O on
    a2, and X wins with c1, so that nothing else need be looked at."""
    window.record.set_computer(frozenset())
    window.play(0)
    window.values_action.setChecked(True)
    _rest(window)
    _search(window, algorithm="minimax", backend="serial")
    _search(window, algorithm="minimax", backend="threads")
    window.speedup.measure()
    _rest(window)
    _search(window, algorithm="alphabeta", backend="serial")
    trace = window.analysis.result.trace if window.analysis.result else None
    window.replay.go_to_row(0)  # the boards of a shorter path than the principal variation are larger
    row: int | None = 0
    for move in (4, 1, 3):
        row = trace.child_row(row, move) if trace is not None and row is not None else None
    if row is not None:
        window.replay.go_to_row(row)


def _ranks(window: Window) -> None:
    """A minimax of 627 million nodes on two MPI ranks, with its first 60 of 132 tasks done."""
    window.mpi.look(launch.choice())
    _wait_until(lambda: not window.mpi.is_checking)
    if window.mpi.reason:
        raise ValueError(window.mpi.reason)
    game = registry.game("mnk:4,4,4")
    window.record.set_computer(frozenset())
    window.record.new(game, game.notation.parse("...x/..../.x../.oo."))
    window.drawers["workers"].show()
    window.analysis.change(algorithm="minimax", backend="mpi", ranks=2, split=2)
    window.think()
    _wait_until(lambda: window.analysis.info is not None and window.analysis.info.tasks_done > 60)


SCENES: dict[str, Callable[[Window], None]] = {"lesson": _lesson, "ranks": _ranks}
"""The scenes played before the picture is painted."""


def _search(window: Window, **settings: str) -> None:
    """Search the position on the board, compiled: at a first start too the picture is the same."""
    window.analysis.change(**settings)
    compile_beside(window.analysis.settings.job(window.record.game, window.record.position), Control())
    window.think()
    _rest(window)


def _rest(window: Window) -> None:
    _wait_until(lambda: not window.is_busy)


def _wait_until(condition: Callable[[], bool]) -> None:
    """Run the event loop until a condition holds. Raises ValueError, with a sentence, after PATIENCE_SECONDS."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > end:
            raise ValueError(f"The searches took more than {PATIENCE_SECONDS} s: try again when less else runs.")
        loop = QEventLoop()
        QTimer.singleShot(20, loop.quit)
        loop.exec()
