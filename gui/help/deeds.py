"""What a person does that the tour waits for, by name."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction

from engine.result import Result
from gui.analysis import Analysis
from gui.game_record import GameRecord
from gui.tree.path import PathView

ANSWERED, SEARCHED, SEARCHED_BY, PRUNED = "answered", "searched", "searched by {}", "a pruned move"


class Deeds(QObject):
    """Says what has just been done; a command by the name of its action."""

    done = Signal(str)

    def __init__(self, record: GameRecord, analysis: Analysis, path: PathView, parent: QObject) -> None:
        super().__init__(parent)
        self._record, self._path = record, path
        record.changed.connect(self._on_game_changed)
        analysis.finished.connect(self._on_searched)
        path.fact_changed.connect(self._on_path_moved)

    def watch(self, actions: list[QAction]) -> None:
        """Tell of these commands too."""
        for made in actions:
            made.triggered.connect(lambda _=False, made=made: self.done.emit(made.objectName()))

    def _on_game_changed(self) -> None:
        """A move of the person's has been answered, or has ended the game."""
        if self._record.moves and not self._record.computer_to_move:
            self.done.emit(ANSWERED)

    def _on_searched(self, result: Result) -> None:
        if result.complete:
            self.done.emit(SEARCHED)
            self.done.emit(SEARCHED_BY.format(result.job.algorithm))

    def _on_path_moved(self) -> None:
        if self._path.shows_pruned:
            self.done.emit(PRUNED)
