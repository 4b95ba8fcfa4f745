"""Which search options fit together. The registry has the rules; this module only asks it."""

from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from engine import registry
from engine.job import Job, JobError
from engine.options.catalogue import OPTIONS
from engine.options.option import OptionEntry
from engine.prepare import prepare
from gui.i18n.language import localized

EXPERT = tuple(entry for entry in OPTIONS if entry.option.group.is_expert)
"""The options that are left out where they do not fit."""

USUAL = Job(position="")
"""A job with every option at its default."""


def refusal(job: Job) -> str:
    """One sentence on why a job cannot run; empty where it can."""
    try:
        prepare(job)
    except JobError as error:
        return localized(error)
    return ""


@lru_cache
def fitted(job: Job) -> Job:
    """The job without those of its options that do not fit the rest; its scoring, too, is the default where it does not
    fit, and its algorithm one that is meant for the game. A job that cannot run at all is returned with that algorithm,
    otherwise unchanged: running it gives the reason."""
    job = replace(job, algorithm=registry.suited(job.algorithm, registry.game(job.game)))
    made = plain(job)
    if refusal(made):
        made = replace(made, scoring=USUAL.scoring)
    if refusal(made):
        return job
    before = None
    while made != before:  # an option may need one that stands after it
        before = made
        for entry in EXPERT:
            wanted = entry.value(job)
            if entry.is_list:
                for each in wanted:
                    made = _with(made, entry, tuple(one for one in wanted if one == each or one in entry.value(made)))
            else:
                made = _with(made, entry, wanted)
    return made


def plain(job: Job) -> Job:
    """The job with every expert option at its default."""
    return replace(job, **{entry.key: entry.default for entry in EXPERT})


def _with(job: Job, entry: OptionEntry, value: Any) -> Job:
    changed = entry.changed(job, value)
    return job if changed == job or refusal(changed) else changed
