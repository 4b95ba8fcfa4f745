"""What ranks and their launcher say to each other survives the way, and nothing else is taken for it."""

from typing import Any, get_args, get_origin

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.backends.ranks import stream

KINDS = get_args(stream.Line)

PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    int: st.integers(-(1 << 63), (1 << 63) - 1),
    float: st.floats(allow_nan=False, allow_infinity=False),
}


def values(kind: Any) -> st.SearchStrategy[Any]:
    """Any value of a type that a record has."""
    if kind in PLAIN:
        return PLAIN[kind]
    if get_origin(kind) is tuple:
        return st.lists(values(get_args(kind)[0]), max_size=3).map(tuple)
    if len(get_args(kind)) > 1:
        return st.one_of(*map(values, get_args(kind)))
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return st.builds(kind, **{field.name: values(field.type) for field in msgspec.structs.fields(kind)})
    return st.from_type(kind)


@pytest.mark.parametrize("kind", KINDS)
@settings(deadline=None, derandomize=True, max_examples=40)
@given(data=st.data())
def test_every_record_is_read_as_it_was_written(kind: type, data: st.DataObject) -> None:
    record = data.draw(values(kind))
    line = stream.encode(record)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert stream.decode(line) == record


@pytest.mark.parametrize("kind", KINDS)
@settings(deadline=None, derandomize=True, max_examples=20)
@given(data=st.data())
def test_a_line_that_is_cut_off_says_nothing(kind: type, data: st.DataObject) -> None:
    line = stream.encode(data.draw(values(kind))).rstrip()
    assert stream.decode(line[: data.draw(st.integers(0, len(line) - 1))]) is None


@settings(deadline=None, derandomize=True)
@given(st.binary())
@example(b"\xff\xfe")
@example(b'{"type":"colour"}')
@example(b'{"type":"hello","hosts":1}')
@example(b"[1, 2]")
@example(b"null")
def test_other_lines_say_nothing(line: bytes) -> None:
    assert stream.decode(line) is None
