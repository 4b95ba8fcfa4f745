"""The File menu: the game's file, the files of earlier games, the clipboard, and pictures of the board.

A game with unsaved moves goes to the unsaved games when another one replaces it, and File > Open recent opens it
again. The user is asked whether to save only when the window is closed and cannot keep the game.
"""

import logging
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QStandardPaths, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QMainWindow

from engine import registry
from engine.play.game_file import SUFFIX, SavedError, SavedGame
from engine.play.levels import STRONGEST
from engine.rules.contract import Game
from gui.board.export import board_drawing
from gui.board.navigation import ply_actions, variation_actions
from gui.board.panel import BoardPanel
from gui.files import storage
from gui.files.autosave import Autosave
from gui.files.clipboard import Clipboard
from gui.files.dialogs import ask_about_change, ask_about_loss
from gui.files.last_games import LastGames
from gui.files.open_recent import OpenRecent
from gui.files.unsaved import UnsavedGames
from gui.files.writer import Content, GameWriter, Written, content_of
from gui.i18n.language import localized, mark, tr
from gui.state.analysis import Analysis
from gui.state.game_record import GameRecord
from gui.state.search_settings import Settings
from gui.widgets.actions import action
from gui.widgets.file_dialog import ask_where
from gui.widgets.message_box import refuse
from gui.work.settings_file import SettingsFile

log = logging.getLogger(__name__)

PICTURES = "PNG (*.png);;SVG (*.svg);;PDF (*.pdf)"


class Files(QObject):
    """Opens and saves the game of a window. `settings` stores the names of files; None stores nothing."""

    failed = Signal(str)
    """One sentence: a game could not be saved."""
    recovered = Signal(str)
    """That sentence, when games can be saved again."""
    given = Signal()
    """The user gives a file to open, or a text to paste: the game on the board is about to be replaced, or a sentence
    says on the board why not."""
    picture_requested = Signal(object, object)
    """The path of a file, and the Drawing that is to be saved in it."""

    def __init__(
        self,
        window: QMainWindow,
        record: GameRecord,
        analysis: Analysis,
        panel: BoardPanel,
        settings: SettingsFile | None,
    ) -> None:
        super().__init__(window)
        self._window, self._record, self._analysis, self._panel = window, record, analysis, panel
        self._settings = settings
        self.last = LastGames(settings)
        self._path: Path | None = None
        self._saved: Content | None = None
        self._seen = ""
        self._given_up: Content | None = None
        """A game that the user closes the window without."""
        self._autosave = Autosave(record, analysis, self)
        self._left = UnsavedGames(self)
        for part in (self._autosave, self._left):
            part.failed.connect(self.failed)
            part.recovered.connect(self.recovered)
        for act in (self._show_name, self._left.write):
            self._autosave.recovered.connect(act)
        self._writer = GameWriter(self)
        self._writer.written.connect(self._on_written)
        self._writer.failed.connect(partial(refuse, window, tr("The game was not saved")))
        self.recent = OpenRecent(window, settings)
        self.recent.chosen.connect(self.open)
        self.clipboard = Clipboard(record, analysis, panel, self._put_in_place)
        self.clipboard.given.connect(self.given)
        analysis.finished.connect(self._on_searched)

    def actions(self) -> tuple[tuple[QAction, ...], ...]:
        """The actions, in groups for a menu."""
        window = self._window
        return (
            (
                action(window, mark("Open…"), "Ctrl+O", mark("Open a game from a file"), self.ask_and_open),
                self.recent.menuAction(),
                action(window, mark("Save"), "Ctrl+S", mark("Save the game in its file"), self.save),
                action(
                    window,
                    mark("Save as…"),
                    "Ctrl+Shift+S",
                    mark("Save the game in another file"),
                    self.ask_and_save,
                ),
            ),
            self.clipboard.actions(),
            (
                action(
                    window,
                    mark("Export board…"),
                    "Ctrl+Shift+E",
                    mark("Save the board as a picture"),
                    self.ask_and_export,
                ),
            ),
        )

    def navigation(self) -> tuple[tuple[QAction, ...], ...]:
        """The actions to navigate in the game and to edit positions, in groups for a menu."""
        edit = action(
            self._window,
            mark("Edit position"),
            "Ctrl+E",
            mark("Put the marks of both players anywhere on the board"),
            self._panel.edit,
            checkable=True,
        )
        self._panel.editing_changed.connect(edit.setChecked)
        return ply_actions(self._window, self._record), variation_actions(self._window, self._record), (edit,)

    @property
    def path(self) -> Path | None:
        """The file of the current game; None while it has none."""
        return self._path

    @property
    def is_saved(self) -> bool:
        """Whether every move of the game is saved in a file."""
        return self._content() == self._saved

    @property
    def resumes(self) -> bool:
        """Whether a start continues the last run's game; otherwise that goes to the unsaved games."""
        return self._settings is None or str(self._settings.value("resume", "yes")) != "no"

    def set_resumes(self, resumes: bool) -> None:
        if self._settings is not None:
            self._settings.set({"resume": "yes" if resumes else "no"})

    def begin(self) -> None:
        """Continue the last run's game or move it to the unsaved games, and save every game from now on."""
        self._go_on()
        if not self.resumes:
            self.new()

    def _go_on(self) -> None:
        """Continue the last run's game, with its file."""
        name = ""
        if self._settings is not None and self._autosave.begin():
            name = str(self._settings.value(self._file_key, ""))
        self._record.leaving.connect(self._on_leaving)
        self._record.changed.connect(self._show_name)
        if not name:
            return
        try:
            game = storage.read(Path(name))
        except SavedError as error:
            log.info("The game has lost its file: %s", error)
            return
        if game.seed not in (None, self._record.seed):
            log.info("The game is not the one in %s.", name)
        else:
            seen = str(self._settings.value(f"{self._file_key}-digest", "")) if self._settings is not None else ""
            self._name(Path(name), content_of(game), seen or storage.digest(Path(name)))
            self._show_name()

    def close(self) -> None:
        self._writer.close()
        self._left.write()
        self._autosave.close()

    # Files

    def choose(self, game: Game) -> None:
        """Continue the last play of this game; start a new one if there is none or it is the current one."""
        left, path = self.last.find(game), self.last.path_of(game)
        self._analysis.drop()
        if left is None or path is None or game == self._record.game:
            self._record.new(game)
            return
        if path.parent == storage.unsaved_folder():
            self._record.take(left)
            self._remove((path,))
        else:
            self._record.take(left, lambda: self._name(path, self._content(), storage.digest(path)))

    def new(self) -> None:
        """Start a new game; the current one goes to the unsaved games."""
        self._analysis.drop()
        self._record.new()

    def practise(self) -> Callable[[], None]:
        """Start a game of tic-tac-toe for practice. Returns a function that restores the current game, its file, its
        search settings and the search on display. Meanwhile these are what a start after a kill continues with."""
        settings = self._analysis.settings

        def begin() -> None:
            rules, usual = registry.game("tictactoe"), Settings(workers=settings.workers, ranks=settings.ranks)
            practice = SavedGame(rules, rules.start, (), 0, frozenset({1}), STRONGEST)
            self._record.take(practice, lambda: self._analysis.take(usual))

        self._autosave.pause()
        bring_back = self._put_in_place(begin)

        def end() -> None:
            self._autosave.resume()
            bring_back()

        return end

    def _put_in_place(self, take: Callable[[], object]) -> Callable[[], None]:
        """Call `take`, which replaces the current game. Returns a function that restores the current game, its file,
        its search settings and the search on display, and discards the other one, but no game that has replaced it."""
        self.finish_saving()
        game, settings = storage.taken_down(self._record, self._analysis), self._analysis.settings
        shown = self._analysis.whole
        path, saved, seen, before = self._path, self._saved, self._seen, set(self._unsaved())
        self._analysis.drop()
        take()
        left, other = set(self._unsaved()) - before, self._record.seed

        def settle() -> None:
            self._name(path, saved, seen)
            self._analysis.take(settings)

        def bring_back() -> None:
            self._analysis.drop()
            if self._record.seed == other:
                self._saved = self._content()  # the other game is not to be saved
            self._record.take(game, settle)
            if shown is None:
                self._analysis.forget()
            else:
                self._analysis.recall(shown)
            self._remove(left)

        return bring_back

    def _remove(self, unsaved: Iterable[Path]) -> None:
        """Remove copies of the current game from the unsaved games, unless there is no other."""
        for path in unsaved if self._autosave.is_on else ():
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                log.warning("A copy of the game stays among the unsaved games: %s", error)

    def ask_and_open(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self._window, tr("Open a game"), str(self._folder()), _filter())
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> None:
        """Open the game in a file; if it cannot be read, the current game stays. An unsaved game is removed from the
        others until it is left."""
        self.given.emit()
        self.finish_saving()
        try:
            game = storage.read(path)
        except SavedError as error:
            refuse(self._window, tr("No game was opened"), localized(error))
            return
        if path.parent == storage.unsaved_folder():
            storage.set_up(game, self._record, self._analysis)
            self._remove((path,))
        else:
            content, digest = content_of(game), storage.digest(path)
            storage.set_up(game, self._record, self._analysis, lambda: self._name(path, content, digest))

    def save(self) -> None:
        """Save the game to its file. Ask for a file if it has none, and what to do if another program has changed the
        file."""
        self.finish_saving()
        if self._path is None:
            self.ask_and_save()
        elif storage.digest(self._path) in ("", self._seen):
            self.save_to(self._path)
        else:
            path = self._path
            elsewhere, over = ask_about_change(self._window, path)
            elsewhere.clicked.connect(self.ask_and_save)
            over.clicked.connect(lambda: self.save_to(path))

    def ask_and_save(self) -> None:
        suggested = self._path or self._folder() / f"{localized(self._record.game.title)}{SUFFIX}"
        if path := ask_where(self._window, tr("Save the game"), suggested, _filter()):
            self.save_to(path)

    def save_to(self, path: Path) -> None:
        """Write the game to a file in the background. The file is the game's when it is written."""
        self._writer.write(path, storage.taken_down(self._record, self._analysis))

    def finish_saving(self) -> bool:
        """Wait until the game is in its file: what follows may leave it, or read the file. Returns whether it is;
        otherwise the reason is on display."""
        return self._writer.finish()

    def hold_close(self) -> bool:
        """Whether the window is to stay open: a game was not written just before, or that on the board, which is not
        saved, cannot be kept for the next start, or games before it cannot be written. Then the user is asked each
        time, until they give them up."""
        return not self.finish_saving() or self._hold_for_game() or self._left.hold_close(self._window)

    def _hold_for_game(self) -> bool:
        content = self._content()
        is_nothing = self._settings is None or not self._record.line or self.is_saved
        if is_nothing or content == self._given_up or self._autosave.keep():
            return False
        elsewhere, lose = ask_about_loss(self._window)
        elsewhere.clicked.connect(self.ask_and_save)
        lose.clicked.connect(lambda: self._close_without(content))
        return True

    def _close_without(self, game: Content) -> None:
        self._given_up = game
        self._window.close()

    def _on_written(self, written: Written) -> None:
        self._name(*written)
        self._show_name()
        self._window.statusBar().showMessage(tr("Saved as {path}", path=written.path), 8000)

    def refuse(self, why: str) -> None:
        """Say on the board why a file or text was refused."""
        self.given.emit()
        self._panel.notice.tell(why)

    def forget(self) -> None:
        """Remove the sentence on the board."""
        self._panel.notice.clear()

    # Pictures

    def ask_and_export(self) -> None:
        suggested = self._folder() / f"{self._path.stem if self._path else 'board'}.png"
        if path := ask_where(self._window, tr("Export the board"), suggested, PICTURES):
            self.export(path)

    def export(self, path: Path) -> None:
        """Save the board as a picture."""
        self.picture_requested.emit(path, board_drawing(self._panel.board.picture()))

    # Names of files

    def _content(self) -> Content:
        return self._record.game, self._record.start, self._record.variations

    @property
    def _file_key(self) -> str:
        """The settings' key for the name of the file: each open window has its own."""
        return "file" if self._autosave.number < 2 else f"file-{self._autosave.number}"

    def _name(self, path: Path | None, saved: Content | None, seen: str = "") -> None:
        """Set the game's file, which holds `saved` and had the digest `seen` when it was read or written."""
        self._path, self._saved, self._seen = path, saved, seen

    def _show_name(self) -> None:
        """Show the file's name in the title, and store it, if the next start continues the game."""
        path = self._path
        self._window.setWindowTitle("Plyscope" if path is None else f"{path.name}[*]")
        self._window.setWindowModified(path is not None and not self.is_saved)
        if self._settings is None:
            return
        if self._autosave.is_on:
            name = "" if path is None else str(path)
            self._settings.set({self._file_key: name, f"{self._file_key}-digest": self._seen})
        if path is not None:
            self.recent.add(path)

    def _on_leaving(self) -> None:
        """Move an unsaved game to the unsaved games, also one whose file was deleted or changed by another program, and
        store the file of the last play of its kind. That of a game without a file of its own, which need not be saved,
        stays."""
        self.finish_saving()
        is_kept = self.is_saved and (self._path is None or storage.digest(self._path) == self._seen)
        path = self._path if is_kept else None
        if self._settings is not None and self._record.line and not is_kept:
            moves = len(self._record.line)
            words = tr("{game}, %n move(s)", "", moves, game=self._record.game.title)
            path = self._left.add(storage.taken_down(self._record, self._analysis), words)
        if self._path is not None or not self.is_saved:
            self.last.remember(self._record.game, None if self._record.is_over else path)
        self._name(None, None)

    def _on_searched(self) -> None:
        found = storage.evaluation(self._analysis)
        if found is not None and self._analysis.game == self._record.game:
            self._record.remember(found)

    def _unsaved(self) -> list[Path]:
        return storage.unsaved() if self._settings is not None else []

    def _folder(self) -> Path:
        """The folder in which a dialog starts."""
        if self._path is not None:
            return self._path.parent
        documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        return Path(documents) if Path(documents).is_dir() else Path.home()


def _filter() -> str:
    """The file filter of a dialog."""
    games, everything = tr("Plyscope games"), tr("All files")
    return f"{games} (*{SUFFIX});;{everything} (*)"
