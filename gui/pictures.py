"""The commands that save pictures of the path, the whole tree, the replay and the workers' timeline, and the record as
data. These and other files are written outside the window's thread."""

from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow, QProgressDialog

from engine.job import JobError
from engine.text.numbers import significant
from gui.counters.workers import WorkersView
from gui.i18n.language import localized, mark, tr
from gui.state.replay import Cursor
from gui.state.spoilers import spoilers
from gui.style.theme import theme
from gui.tree.film_dialog import FilmDialog
from gui.tree.icicle import WholeTree
from gui.tree.path import PathView
from gui.tree.why_line import WhyLine
from gui.widgets.actions import action
from gui.widgets.file_dialog import ask_where
from gui.widgets.long_words import WIDE, fitting
from gui.widgets.message_box import refuse
from gui.work.picture_file import Drawing, save_picture
from gui.work.record_file import Record, filters, record_content
from gui.work.runner import Request, Runner
from gui.work.save_file import save_file

KINDS = "SVG (*.svg);;PNG (*.png);;PDF (*.pdf)"
PATIENCE = 1000
"""Milliseconds after which a dialog offers to stop the writing of a record."""
SHOWN_MILLISECONDS = 8000
"""How long the status bar says what was saved."""


class Pictures(QObject):
    """Asks for files and saves pictures. Call `close` before it is deleted."""

    def __init__(
        self,
        window: QMainWindow,
        path: PathView,
        tree: WholeTree,
        why: WhyLine,
        workers: WorkersView,
        cursor: Cursor,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._runner = Runner(mark("saving of a file"), _save, self)
        self._runner.finished.connect(self._on_saved)
        self._runner.failed.connect(self._on_failed)
        self._runner.progressed.connect(self._on_progress)
        self._is_saving = self._is_closing = False
        self._name = ""
        """That of the file that is being written."""
        self._progress: QProgressDialog | None = None
        self._waiting = deque[tuple[Path, Drawing | Record | bytes]]()
        self._path = action(
            window,
            mark("Save the path…"),
            "",
            mark("Save the path as a picture, with the sentences on the event"),
            partial(self._ask, "path", lambda: path.drawing(why.words(), why.lines())),
        )
        self._tree = action(
            window,
            mark("Save the whole tree…"),
            "",
            mark("Save the part of the whole tree on display as a picture"),
            partial(self._ask, "tree", tree.drawing),
        )
        self._replay = action(
            window,
            mark("Save the replay…"),
            "",
            mark("Save the replay as an animated picture for a slide"),
            self._ask_for_film,
        )
        self._timeline = action(
            window,
            mark("Save the timeline…"),
            "",
            mark("Save the workers' timeline as a picture, or as a trace that Perfetto opens"),
            self._ask_for_timeline,
        )
        self._record = action(
            window,
            mark("Save the record…"),
            "",
            mark(
                "Save all recorded nodes as npz or CSV, or the subtree of the current node, if it has at most 2,000 "
                "nodes, as DOT, Gambit's .efg or a nested list"
            ),
            self._ask_for_record,
        )
        tree.choices.add_commands(self._tree, self._record)
        workers.timeline.addAction(self._timeline)
        workers.timeline.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._view, self._cursor, self._workers = tree, cursor, workers
        self._film: FilmDialog | None = None
        self._has_path = lambda: bool(path.rows)
        path.fact_changed.connect(self._refresh)
        tree.shape.changed.connect(self._refresh)
        workers.fact_changed.connect(self._refresh)
        spoilers().changed.connect(self._refresh)
        self._refresh()

    def actions(self) -> tuple[QAction, ...]:
        """The commands, for a menu."""
        return self._path, self._tree, self._replay, self._timeline, self._record

    def save(self, path: Path, content: Drawing | Record | bytes) -> None:
        """Write a picture, or the content of another file, after those before it; the status bar says when it is
        done. The ending of a record's file tells its format; after a second a dialog offers to stop the writing."""
        self._waiting.append((path, content))
        if not self._is_saving:
            self._begin()

    def hold_close(self) -> bool:
        """Whether the window is to stay open for files that are not written yet. It closes when they are or, without
        them, when it is closed again."""
        if self._is_closing or not self._is_saving:
            return False
        self._is_closing = True
        self._say_saving()
        return True

    def close(self) -> None:
        """End the threads. The writing of a record stops; another file is finished if it takes at most two seconds."""
        self._runner.close()
        if self._film is not None:
            self._film.done(QDialog.DialogCode.Rejected)  # it would stop what it saves, and stay
        self._show_saving(False)

    def _begin(self) -> None:
        """Begin to write the first file that waits; without one, close a window that stayed open for them, unless a
        dialog is open: it may say that the game could not be saved."""
        if not self._waiting:
            is_closing, self._is_closing = self._is_closing, False
            if is_closing and QApplication.activeModalWidget() is None:
                self._window.close()
        else:
            path, content = self._waiting.popleft()
            self._show_saving(True)
            if isinstance(content, Record):
                self._offer_stop(path)
            self._name = path.name
            self._say_saving()
            self._runner.start((path, content))

    def _say_saving(self) -> None:
        said = tr("Saving {name} ...", name=self._name)
        if self._is_closing:
            said = tr("The window closes when {name} is saved. Close it again to stop the saving.", name=self._name)
        self._window.statusBar().showMessage(said)

    def _offer_stop(self, path: Path) -> None:
        """Show a dialog after PATIENCE that stops the writing of a record."""
        said = fitting(tr("Saving {name} ...", name=path.name), self._window.font(), theme().px(WIDE))
        self._progress = QProgressDialog(said, tr("Cancel"), 0, 0, self._window)
        self._progress.setWindowTitle(tr("Save the record"))
        self._progress.setMinimumDuration(PATIENCE)
        self._progress.setValue(0)  # it counts from here
        self._progress.canceled.connect(lambda: self._runner.control.stop())

    def _ask(self, name: str, draw: Callable[[], Drawing | None]) -> None:
        """Save what `draw` returns where the user says, `name` being suggested. What is on display may change while the
        user is asked."""
        try:
            drawing = draw()
        except ValueError as error:
            self._refuse(str(error))
            return
        path = ask_where(self._window, tr("Save the picture"), Path(f"{name}.svg"), KINDS)
        if path is not None and drawing is not None:
            self.save(path, drawing)

    def _ask_for_film(self) -> None:
        film = self._view.film()
        if film is not None:
            self._film = FilmDialog(film, self._cursor.moment, self._window)
            self._film.finished.connect(self._forget_film)
            self._film.saved.connect(self._say_saved)
            self._film.open()

    def _ask_for_timeline(self) -> None:
        drawing, trace = self._workers.drawing(), self._workers.trace()
        kinds = ";;".join((KINDS, tr("Trace of Chrome and Perfetto (*.json)")))
        path = ask_where(self._window, tr("Save the timeline"), Path("timeline.svg"), kinds)
        content = trace if path is not None and path.suffix.lower() == ".json" else drawing
        if path is not None and content is not None:
            self.save(path, content)

    def _ask_for_record(self) -> None:
        record = self._view.record()
        if record is None:
            return
        path = ask_where(self._window, tr("Save the record"), Path("tree.npz"), filters(record))
        if path is not None:
            self.save(path, record)

    def _forget_film(self) -> None:
        self._film = None

    def _on_saved(self, path: Path | None) -> None:
        self._show_saving(False)
        self._say_saved(path)
        self._begin()

    def _say_saved(self, path: Path | None) -> None:
        """Say where a file was saved; None if its writing was stopped."""
        said = tr("Stopped: nothing was saved.") if path is None else tr("Saved as {path}", path=path)
        self._window.statusBar().showMessage(said, SHOWN_MILLISECONDS)

    def _on_progress(self, made: object) -> None:
        if self._progress is not None and isinstance(made, int):
            self._progress.setLabelText(tr("{size} MB so far", size=significant(made / 1e6)))

    def _on_failed(self, message: str) -> None:
        self._is_closing = False  # the person is to see why
        self._show_saving(False)
        self._window.statusBar().clearMessage()
        self._refuse(message)
        self._begin()

    def _refuse(self, why: str) -> None:
        refuse(self._window, tr("The file was not saved"), why)

    def _show_saving(self, is_saving: bool) -> None:
        """Show in the pointer whether a file is being written; one is at a time."""
        if not is_saving and self._progress is not None:
            self._progress.deleteLater()
            self._progress = None
        if is_saving != self._is_saving:
            self._is_saving = is_saving
            if is_saving:
                QGuiApplication.setOverrideCursor(Qt.CursorShape.BusyCursor)
            else:
                QGuiApplication.restoreOverrideCursor()
        self._refresh()

    def _refresh(self) -> None:
        self._path.setEnabled(self._has_path() and not self._is_saving)
        has_tree = self._cursor.replay is not None and not self._cursor.is_paused
        self._tree.setEnabled(has_tree and not self._is_saving)
        self._replay.setEnabled(has_tree)
        self._record.setEnabled(has_tree and not self._is_saving and not spoilers().hidden)
        self._timeline.setEnabled(self._workers.has_tasks and not self._is_saving)


def _save(request: Request) -> Path | None:
    """Write a picture, a record or a content; returns its path, None if it was stopped. Raises JobError, with a
    sentence."""
    path, asked = request.asked
    try:
        if isinstance(asked, Drawing):
            save_picture(path, asked)
            return path
        made = record_content(path, asked, request.control, request.publish) if isinstance(asked, Record) else asked
        if made is None:
            return None
        save_file(path, made)
    except ValueError as error:
        raise JobError(localized(error)) from error
    except OSError as error:
        said = tr("{path} cannot be written: {why}. Choose another place.", path=path, why=error.strerror)
        raise JobError(said) from error
    return path
