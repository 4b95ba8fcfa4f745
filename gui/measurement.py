"""The measurement of speedups follows the game, the settings and the search, and changes them where the user asks."""

from msgspec.structs import replace
from PySide6.QtCore import QObject

from engine import registry
from engine.job import Job
from engine.play.game_file import SavedGame
from gui.controls.search_actions import SearchActions
from gui.i18n.language import tr
from gui.ordering.view import OrderingView
from gui.speedup.view import ChartPage, SpeedupView
from gui.state.analysis import Analysis
from gui.state.game_record import GameRecord
from gui.state.mpi import MpiAccess
from gui.tree.icicle import WholeTree
from gui.tree.icicle_colours import Colouring


class Measurement(QObject):
    """Keeps the view's position and settings those of the window. A measurement and a search never run together: the
    one that begins ends the other."""

    def __init__(
        self,
        record: GameRecord,
        analysis: Analysis,
        search: SearchActions,
        mpi: MpiAccess,
        view: SpeedupView,
        threads: int,
        ordering: OrderingView,
        tree: WholeTree,
    ) -> None:
        super().__init__(view)
        self._record, self._analysis, self._mpi, self._view, self._threads = record, analysis, mpi, view, threads
        for changed in (record.changed, analysis.settings_changed):
            changed.connect(self._set_position)
        mpi.changed.connect(self._set_ranks)
        analysis.begun.connect(self._end)
        self._search, self._tree = search, tree
        ordering.begun.connect(self._end)
        ordering.tree_requested.connect(self._show_node_types)
        view.begun.connect(ordering.stop)
        view.begun.connect(search.stop)
        view.preset_requested.connect(self._take_preset)
        view.tasks_requested.connect(self._take_tasks)
        view.depth_requested.connect(self._measure_to_depth)
        self._set_position()

    def _set_position(self) -> None:
        self._view.set_position(self._record.game, self._record.position, self._analysis.settings)

    def _set_ranks(self) -> None:
        self._view.set_ranks(sorted({1, self._threads}) if self._mpi.words else ())

    def _end(self) -> None:
        if self._view.page is ChartPage.RUNNING:
            self._view.cancel(tr("The measurement was cancelled, because the search that began would disturb it."))

    def _take_preset(self, job: Job) -> None:
        """Set up the position of a preset, between two people."""
        self._record.take(SavedGame(*registry.root_of(job), (), 0, frozenset(), self._record.level))

    def _show_node_types(self, job: Job) -> None:
        """Search the position on the board as in a job, with the whole tree in the colours of its nodes' types."""
        self._tree.choices.colours[Colouring.TYPE].trigger()
        settings = self._analysis.settings
        self._analysis.take(settings.like(replace(job, form=settings.form)))
        self._search.search_board()

    def _take_tasks(self, job: Job) -> None:
        """Change the settings to a job's tasks and depth."""
        limit = replace(self._analysis.settings.limit, depth=job.limit.depth)
        self._analysis.change(limit=limit, schedule=job.schedule, split=job.split)

    def _measure_to_depth(self, plies: int) -> None:
        self._analysis.change(limit=replace(self._analysis.settings.limit, depth=plies))
        self._view.measure()
