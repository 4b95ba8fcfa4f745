"""The hint at the very first start: what to click, and the tour. After the first move it never appears again."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QPushButton

from gui.board.panel import BoardPanel
from gui.help.tour import Tour
from gui.i18n.language import mark, tr
from gui.state.game_record import GameRecord
from gui.work.settings_file import SettingsFile

WORDS = mark("Click a square: the computer answers.")
PLAYED = "played"
"""The settings' key that is set once a move was played."""


class Welcome(QObject):
    """One line for a new person. Without settings nobody is new."""

    def __init__(self, record: GameRecord, settings: SettingsFile | None, parent: QObject) -> None:
        super().__init__(parent)
        self._record, self._settings = record, settings
        record.changed.connect(self._on_changed)

    @property
    def words(self) -> str:
        """What to click; empty after the first move ever, or where it is not the person's turn."""
        known = self._settings is None or self._settings.contains(PLAYED)
        return "" if known or self._record.moves or self._record.computer_to_move else tr(WORDS)

    def _on_changed(self) -> None:
        if self._record.moves and self._settings is not None:
            self._settings.set({PLAYED: True})


class Invitation(QPushButton):
    """The button that starts the tour: shown with the welcome until the tour was taken, and not while a position is
    edited."""

    def __init__(self, welcome: Welcome, tour: Tour, record: GameRecord, panel: BoardPanel) -> None:
        super().__init__(tr("Or take the two-minute tour"))
        self._welcome, self._tour, self._panel = welcome, tour, panel
        self.setToolTip(tr("A short tour of the window; Esc leaves it"))
        self.clicked.connect(tour.start)
        record.changed.connect(self._show)
        tour.changed.connect(self._show)
        panel.editing_changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        is_new = bool(self._welcome.words) and not self._tour.is_known
        self.setVisible(is_new and not self._tour.is_on and self._panel.draft is None)
