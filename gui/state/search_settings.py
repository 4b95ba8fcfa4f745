"""The settings of searches, as the controls show and change them."""

from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from engine import registry
from engine.control import FULL_SPEED
from engine.job import MAX_RECORD_ROWS, RECORD_ROWS, Job
from engine.options.catalogue import MAX_WORKERS, Options
from engine.options.choices import Form
from engine.rules.contract import Game, Position
from gui.state.option_rules import EXPERT, fitted


class Settings(Options, frozen=True, kw_only=True):
    """Search settings, as the controls show them: the options of a search with the window's own defaults, and more."""

    workers: Annotated[int, Meta(ge=1, le=MAX_WORKERS)] = 2
    """Threads on this machine."""
    form: Form = Form.MAXMIN
    ranks: Annotated[int, Meta(ge=1, le=MAX_WORKERS)] = 2
    """MPI ranks; `threads` are those of each."""
    speed: Annotated[float, Meta(gt=0)] = FULL_SPEED
    """Nodes a second."""
    record: Annotated[int, Meta(ge=1, le=MAX_RECORD_ROWS)] = RECORD_ROWS
    """The greatest length of a record in nodes."""
    watch_answers: bool = False
    """Whether the speed setting slows down the computer's own searches too."""

    def within(self, threads: int) -> "Settings":
        """The same settings, with at most that many threads."""
        return replace(self, workers=min(self.workers, threads), threads=min(self.threads, threads))

    def like(self, job: Job) -> "Settings":
        """These settings changed so that they ask for `job`. Fields that a job does not have are unchanged, and so is
        the scoring: a search that is repeated takes the job's for itself alone."""
        counts = {"threads": {"workers": job.workers}, "mpi": {"ranks": job.workers, "threads": job.threads}}
        backend = job.backend if job.backend in registry.COMPILED else USUAL.backend
        own: dict[str, Any] = {
            name: getattr(job, name) for name in FIELDS if name not in ("scoring", "workers", "threads")
        }
        return replace(self, **own | {"backend": backend} | counts.get(job.backend, {}))

    @property
    def is_usual(self) -> bool:
        """Whether every expert option has its default."""
        return all(entry.value(self) == entry.default for entry in EXPERT)

    def job(self, game: Game, position: Position) -> Job:
        """The Job of these settings for a position. Options that do not fit the rest are left out."""
        return fitted(self.asked(game, position))

    def asked(self, game: Game, position: Position) -> Job:
        """The Job with every option, whether it fits or not."""
        own: dict[str, Any] = {
            "workers": {"threads": self.workers, "mpi": self.ranks}.get(self.backend, 1),
            "threads": self.threads if self.backend == "mpi" else 1,
        }
        return Job(
            game=game.spec,
            position=game.notation.format(position),
            record=self.record,
            **{name: getattr(self, name) for name in FIELDS} | own,
        )


FIELDS = Options.__struct_fields__
"""The settings that a job has as well."""
USUAL = Settings()
AT_ONCE = ("speed", "form", "watch_answers")
"""The fields of Settings that take effect at once. All others take effect with the next search."""
