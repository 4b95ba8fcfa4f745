"""Which search options fit together. The registry has the rules; this module only asks it."""

from functools import lru_cache

from msgspec.structs import replace

from engine import registry
from engine.job import Job, JobError
from gui.i18n.language import retold

OPTIONS = (
    "table",
    "fold",
    "replacement",
    "fail",
    "form",
    "evaluate",
    "evaluation",
    "deepen",
    "aspiration",
    "order",
    "seed",
    "parallel",
)
"""The fields of a Job that are expert options. An option that needs another one stands after it."""

USUAL = Job(position="")
"""A job with every option at its default."""


def refusal(job: Job) -> str:
    """One sentence on why a job cannot run; empty where it can."""
    try:
        registry.prepare(job)
    except JobError as error:
        return retold(error)
    return ""


@lru_cache
def fitted(job: Job) -> Job:
    """The job without those of its options that do not fit the rest; its scoring, too, is the default where it does not
    fit. A job that cannot run at all is returned unchanged: running it gives the reason."""
    made = plain(job)
    if refusal(made):
        made = replace(made, scoring=USUAL.scoring)
    if refusal(made):
        return job
    for name in OPTIONS:
        if name == "order":
            for order in job.order:
                made = _with(made, order=(*made.order, order))
        else:
            made = _with(made, **{name: getattr(job, name)})
    return made


def plain(job: Job) -> Job:
    """The job with every expert option at its default."""
    return replace(job, **{name: getattr(USUAL, name) for name in OPTIONS})


def _with(job: Job, **changes: object) -> Job:
    changed = replace(job, **changes)
    return job if changed == job or refusal(changed) else changed
