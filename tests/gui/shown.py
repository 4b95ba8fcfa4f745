"""An analysis that is given a search's results: views are tested on real results, without a thread."""

from engine import registry
from engine.job import Job
from engine.result import Result, Snapshot
from gui.state.analysis import Analysis, Phase


class Shown(Analysis):
    """Emits given results with the signals of a real search, in their order."""

    def begin(self, job: Job, phase: Phase = Phase.RUNNING) -> None:
        self._game = registry.game(job.game)
        self._position = self._game.notation.parse(job.position)
        self._job, self._info, self._result, self._whole, self._phase = job, None, None, None, phase
        self.started.emit()

    def tell(self, info: Snapshot) -> None:
        self._info = info
        self.moved.emit()
        self.counted.emit()

    def end(self, result: Result) -> None:
        self._phase = Phase.IDLE
        self._runs.add(result)
        self._show(result)
        self.counted.emit()
        self.finished.emit(result)
        self.runs_changed.emit()
