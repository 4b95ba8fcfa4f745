"""Jobs go through JSON and come back, and one that cannot run is refused with a sentence that names the field."""

import codecs
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.backends import run, solve
from engine.job import MAX_RECORD_ROWS, Job, JobError, checked, decoded, job_from_json, job_to_json
from engine.options.catalogue import MAX_INTEGER, MAX_WORKERS, Limit
from engine.options.choices import Schedule, Scoring
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
    ({"workers": 0}, "workers must be a whole number from 1 to 1,024"),
    ({"workers": -3}, "workers must be a whole number from 1 to 1,024"),
    ({"workers": MAX_WORKERS + 1}, "workers must be a whole number from 1 to 1,024"),
    ({"workers": "two"}, "workers must be a whole number from 1 to 1,024"),
    ({"workers": 1.5}, "workers must be a whole number from 1 to 1,024"),
    ({"workers": True}, "workers must be a whole number from 1 to 1,024"),
    ({"split": 0}, "split must be a whole number from 1 to 8"),
    ({"split": 9}, "split must be a whole number from 1 to 8"),
    ({"record": -1}, "record must be a whole number from 0 to 100,000,000"),
    ({"record": 10**12}, f"record must be a whole number from 0 to {MAX_RECORD_ROWS:,}"),
    ({"schedule": "random"}, "schedule must be one of static, cyclic, dynamic"),
    ({"scoring": "money"}, "scoring must be one of textbook, soonest"),
    ({"position": 3}, "position must be text"),
    ({"limit": {"depth": 0}}, "depth must be a whole number, at least 1"),
    ({"limit": {"nodes": 0}}, f"nodes must be a whole number from 1 to {MAX_INTEGER:,}"),
    ({"limit": {"nodes": 1.5}}, f"nodes must be a whole number from 1 to {MAX_INTEGER:,}"),
    ({"limit": {"seconds": 0}}, "seconds must be a number, more than 0"),
    ({"limit": {"seconds": -1.0}}, "seconds must be a number, more than 0"),
    ({"limit": {"seconds": "soon"}}, "seconds must be a number, more than 0"),
]


@given(job=JOBS)
def test_a_job_comes_back_from_json_as_it_was(job: Job) -> None:
    assert job_from_json(msgspec.json.encode(job)) == checked(job) == job


@pytest.mark.parametrize(("fields", "reason"), BAD_FIELDS, ids=str)
def test_a_bad_field_in_json_is_refused_by_name(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(JobError) as refused:
        job_from_json(msgspec.json.encode({"position": EMPTY} | fields))
    assert str(refused.value) == f"This is not a job: {reason}."


@pytest.mark.parametrize(("fields", "reason"), BAD_FIELDS, ids=str)
def test_a_job_with_a_bad_field_is_refused_before_it_runs(fields: dict[str, Any], reason: str) -> None:
    """Also where the job was not made from JSON."""
    limit = {"limit": Limit(**fields["limit"])} if "limit" in fields else {}
    with pytest.raises(JobError) as refused:
        run(Job(**({"position": EMPTY} | fields | limit)))
    assert str(refused.value) == f"The search cannot run: {reason}."


def test_a_limit_of_seconds_that_is_no_number_is_refused() -> None:
    with pytest.raises(JobError, match="seconds must be a number, more than 0"):
        run(Job(position=EMPTY, limit=Limit(seconds=float("nan"))))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "truncated"),
        (b"{", "truncated"),
        (b"[]", "it must be an object"),
        (b"3", "it must be an object"),
        (b"{}", "position is missing"),
        (b'{"position": null}', "position must be text"),
        (b'{"position": "", "algoritm": "pvs"}', "there is no field algoritm"),
        (b'{"position": "", "limit": {"dpeth": 3}}', "there is no field dpeth"),
        (b'{"position": "", "evaluate": 1}', "evaluate must be true or false"),
        (b'{"position": "\xfc"}', "it is no text in UTF-8"),
        (b"\xff", "it is no text in UTF-8"),
        (b'{"position": "", "order": ' + b"[" * 50_000, "order must be one of"),
        (b'{"position": "", "seed": ' + b"9" * 5_000 + b"}", "seed must be a whole number from -9,223"),
        (b'{"position": "", "limit": {"nodes": ' + b"9" * 30 + b"}}", "nodes must be a whole number from"),
    ],
)
def test_what_is_no_job_is_refused_with_the_reason(text: bytes, reason: str) -> None:
    with pytest.raises(JobError, match=f"^This is not a job: .*(?:{reason})") as refused:
        job_from_json(text)
    assert not {"\n", "`", "$"} & set(str(refused.value))


def test_a_depth_beyond_every_game_and_every_word_goes_through_json() -> None:
    job = Job(position=EMPTY, limit=Limit(depth=1 << 70))
    assert job_from_json(job_to_json(job)).limit.depth == (1 << 63) - 1
    assert job_to_json(Job(position=EMPTY)) == msgspec.json.encode(Job(position=EMPTY))


def test_a_byte_order_mark_before_a_job_is_passed_over() -> None:
    """Some editors write one."""
    assert job_from_json(codecs.BOM_UTF8 + b'{"position": ""}') == job_from_json('\ufeff{"position": ""}')


@given(job=JOBS, data=st.data())
def test_a_damaged_job_is_a_job_or_a_sentence_and_never_an_accident(job: Job, data: st.DataObject) -> None:
    try:
        found = job_from_json(damaged(msgspec.json.encode(job), data))
    except JobError as refused:
        sentence = str(refused)
    else:
        sentence = ""
        assert job_from_json(msgspec.json.encode(found)) == found
    assert "\n" not in sentence


PIECES = st.binary(max_size=6) | st.sampled_from([b"9" * 5_000, b"-1e999", b"[" * 50_000, b'{"a":' * 50_000, b"\0"])


def damaged(text: bytes, data: st.DataObject) -> bytes:
    """The text with a part replaced: by a few bytes, or by some that are difficult for parsers."""
    start, end = sorted((data.draw(st.integers(0, len(text))), data.draw(st.integers(0, len(text)))))
    return text[:start] + data.draw(PIECES) + text[end:]


@pytest.mark.parametrize("text", [b"[" * 50_000, b'{"a":' * 50_000])
def test_json_that_is_nested_too_deeply_is_an_error_of_value(text: bytes) -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        decoded(text, msgspec.json.Decoder(dict[str, Any] if text.startswith(b"{") else list[Any]))


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
