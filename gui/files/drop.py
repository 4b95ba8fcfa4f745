"""Files and texts dropped onto the window: a game is opened, a position loaded; for anything else a sentence says what
can be dropped."""

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QMainWindow

from engine.play.game_file import SUFFIX
from gui.files.menu import Files
from gui.i18n.language import tr


class Drops(QObject):
    """Handles drops onto a window."""

    def __init__(self, window: QMainWindow, files: Files) -> None:
        super().__init__(window)
        self._files = files
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_drop = event.type() == QEvent.Type.Drop
        if not isinstance(event, QDropEvent) or not (is_drop or event.type() == QEvent.Type.DragEnter):
            return False
        event.setDropAction(Qt.DropAction.CopyAction)  # an editor proposes to move a text, and then deletes its own
        event.accept()
        if is_drop:
            self.take(event.mimeData())
        return True

    def take(self, dropped: QMimeData) -> None:
        """Open a single dropped game, or load a text as if it was pasted; otherwise say what is wrong, in place of what
        was said of an earlier drop."""
        self._files.forget()
        urls = dropped.urls()
        if not urls and dropped.hasText():
            self._files.clipboard.take_text(dropped.text())
        elif len(urls) > 1:
            self._files.refuse(tr("Several files were dropped: drop one saved game at a time."))
        elif not urls or Path(urls[0].path()).suffix != SUFFIX:
            self._files.refuse(tr("That is not a saved game: drop a file that ends in {ending}.", ending=SUFFIX))
        elif not urls[0].isLocalFile():
            self._files.refuse(tr("That file is on another machine: save it on this one, and drop it then."))
        else:
            self._files.open(Path(urls[0].toLocalFile()))
