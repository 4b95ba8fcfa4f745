"""A notice before a search that would not end soon, with the choice of a depth, a time, or no limit."""

from collections.abc import Callable

from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from engine.job import Job
from engine.measure.tree_size import depth_in, expected_nodes
from engine.options.catalogue import Limit
from engine.text.numbers import about
from gui.controls.search_actions import SearchActions
from gui.i18n.language import tr
from gui.state.analysis import Analysis
from gui.state.game_record import GameRecord
from gui.style.theme import theme

SECONDS = 10.0
"""The time limit on offer, and about the time that the depth on offer takes."""


class SizeNotice(QFrame):
    """Shown above the path while a search waits for the choice. It disappears with the position, and when any search
    begins."""

    def __init__(self, search: SearchActions, record: GameRecord, analysis: Analysis) -> None:
        super().__init__()
        self._search = search
        self._job: Job | None = None
        self._plies = 1
        self._words = QLabel(wordWrap=True)
        self.depth_button = QPushButton()
        self.seconds_button = QPushButton(tr("Search for {seconds} s", seconds=f"{SECONDS:g}"))
        self.anyway_button = QPushButton(tr("Search anyway"))
        self.cancel_button = QPushButton(tr("Cancel"))
        row = QHBoxLayout()
        for button in (self.depth_button, self.seconds_button, self.anyway_button, self.cancel_button):
            row.addWidget(button)
        row.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 8)
        column.addWidget(self._words)
        column.addLayout(row)
        self.depth_button.clicked.connect(lambda: self._begin(lambda limit: replace(limit, depth=self._plies)))
        self.seconds_button.clicked.connect(lambda: self._begin(lambda limit: replace(limit, seconds=SECONDS)))
        self.anyway_button.clicked.connect(lambda: self._begin(lambda limit: limit))
        self.cancel_button.clicked.connect(self.hide)
        search.doubted.connect(self._show)
        for event in (record.changed, analysis.started, analysis.settings_changed):
            event.connect(self.hide)
        theme().changed.connect(self._restyle)
        self._restyle()
        self.hide()

    def _show(self, job: Job) -> None:
        self._job, self._plies = job, depth_in(job, SECONDS)
        words = tr(
            "This search has not begun, for it would not end soon: about {nodes} nodes, by an estimate from random "
            "games. Limit it for this once?",
            nodes=about(expected_nodes(job)),
        )
        self._words.setText(words)
        self.setAccessibleName(words)
        self.depth_button.setText(tr("Look %n pl(y|ies) ahead", "", self._plies))
        self.show()
        self.depth_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _begin(self, limited: Callable[[Limit], Limit]) -> None:
        job, self._job = self._job, None
        self.hide()
        if job is not None:
            self._search.begin(job, limited(job.limit))

    def _restyle(self) -> None:
        self._words.setFont(theme().font())
