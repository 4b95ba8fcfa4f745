"""Which of a search's options fit together: the registry is asked, its rules are not known here."""

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
"""The fields of a Job that only an expert looks at. One that needs another stands after it."""

USUAL = Job(position="")
"""Where nothing is chosen."""


def refusal(job: Job) -> str:
    """Why a job cannot run, in a sentence; empty where it can."""
    try:
        registry.prepare(job)
    except JobError as error:
        return retold(error)
    return ""


def fitted(job: Job) -> Job:
    """The job with those of its options, and its scoring, that fit together and with the rest. One that cannot run at
    all stays as it is: whoever runs it says why."""
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
    """The job with none of its options chosen."""
    return replace(job, **{name: getattr(USUAL, name) for name in OPTIONS})


def _with(job: Job, **changes: object) -> Job:
    changed = replace(job, **changes)
    return job if changed == job or refusal(changed) else changed
