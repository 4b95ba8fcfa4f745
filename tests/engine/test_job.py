"""Jobs go through JSON and come back, and one that cannot run is refused with a sentence that names the field."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.backends import run, solve
from engine.job import MAX_RECORD_ROWS, MAX_WORKERS, Job, JobError, Limit, Schedule, Scoring, checked, job_from_json
from engine.result import Counters
from tests.engine.naive import EMPTY

LIMITS = st.builds(
    Limit,
    depth=st.none() | st.integers(1, 99),
    nodes=st.none() | st.integers(1, 10**12),
    seconds=st.none() | st.floats(1e-3, 1e6),
)
JOBS = st.builds(
    Job,
    game=st.sampled_from(["tictactoe", "mnk:4,4,4"]),
    position=st.text(),
    algorithm=st.text(),
    backend=st.sampled_from(["serial", "threads"]),
    workers=st.integers(1, MAX_WORKERS),
    schedule=st.sampled_from(Schedule),
    split=st.integers(1, 8),
    scoring=st.sampled_from(Scoring),
    limit=LIMITS,
    record=st.integers(0, MAX_RECORD_ROWS),
)

BAD_FIELDS = [
    ({"workers": 0}, "workers must be at least 1"),
    ({"workers": -3}, "workers must be at least 1"),
    ({"workers": MAX_WORKERS + 1}, "workers must be at most 1024"),
    ({"workers": "two"}, "workers must be a whole number"),
    ({"workers": 1.5}, "workers must be a whole number"),
    ({"workers": True}, "workers must be a whole number"),
    ({"split": 0}, "split must be at least 1"),
    ({"split": 9}, "split must be at most 8"),
    ({"record": -1}, "record must be at least 0"),
    ({"record": 10**12}, f"record must be at most {MAX_RECORD_ROWS}"),
    ({"schedule": "random"}, "schedule must be one of static, cyclic, dynamic"),
    ({"scoring": "money"}, "scoring must be one of textbook, soonest"),
    ({"position": 3}, "position must be a text"),
    ({"limit": {"depth": 0}}, "depth must be at least 1"),
    ({"limit": {"nodes": 0}}, "nodes must be at least 1"),
    ({"limit": {"nodes": 1.5}}, "nodes must be a whole number"),
    ({"limit": {"seconds": 0}}, "seconds must be more than 0"),
    ({"limit": {"seconds": -1.0}}, "seconds must be more than 0"),
    ({"limit": {"seconds": "soon"}}, "seconds must be a number"),
]


@given(job=JOBS)
def test_a_job_comes_back_from_json_as_it_was(job: Job) -> None:
    assert job_from_json(msgspec.json.encode(job)) == checked(job) == job


@pytest.mark.parametrize(("fields", "reason"), BAD_FIELDS, ids=str)
def test_a_bad_field_in_json_is_refused_by_name(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(JobError) as refused:
        job_from_json(msgspec.json.encode({"position": EMPTY} | fields))
    assert str(refused.value) == f"This is no job: {reason}."


@pytest.mark.parametrize(("fields", "reason"), BAD_FIELDS, ids=str)
def test_a_job_with_a_bad_field_is_refused_before_it_runs(fields: dict[str, Any], reason: str) -> None:
    """Also where the job was not made from JSON."""
    limit = {"limit": Limit(**fields["limit"])} if "limit" in fields else {}
    with pytest.raises(JobError) as refused:
        run(Job(**({"position": EMPTY} | fields | limit)))
    assert str(refused.value) == f"The search cannot run: {reason}."


def test_a_limit_of_seconds_that_is_no_number_is_refused() -> None:
    with pytest.raises(JobError, match="seconds must be more than 0"):
        run(Job(position=EMPTY, limit=Limit(seconds=float("nan"))))


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "{}", '{"position": null}', "\xff"])
def test_what_is_no_job_is_refused_with_one_sentence(text: str) -> None:
    with pytest.raises(JobError, match="This is no job: ") as refused:
        job_from_json(text)
    assert "\n" not in str(refused.value)


def test_a_job_is_small_in_json() -> None:
    """Limits that are not set are left out."""
    assert msgspec.to_builtins(Job(position=EMPTY))["limit"] == {}


def test_a_record_larger_than_the_memory_is_refused_with_one_sentence() -> None:
    """1,024 workers with 100 million rows each: over a terabyte."""
    with pytest.raises(JobError, match="no memory for 1024 x 100,000,000 rows"):
        solve(Job(position=EMPTY, backend="threads", workers=MAX_WORKERS, record=MAX_RECORD_ROWS))


def test_counters_add_up_and_the_deeper_of_two_depths_stays() -> None:
    assert Counters(1, 2, 3, 4, 5, 6) + Counters(10, 20, 30, 40, 50, 4) == Counters(11, 22, 33, 44, 55, 6)


def test_records_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Job(position=EMPTY).workers = 2  # type: ignore[misc]
