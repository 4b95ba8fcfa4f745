"""Messages of the engine are English and store their parts, and every refusal is a message."""

import ast
import pickle
from pathlib import Path

import pytest
from msgspec.json import decode

import engine
from engine.backends.mpi_job.protocol import Error, encode
from engine.job import Job, JobError
from engine.messages import Message, message
from engine.play.game_file import SavedError, from_text
from engine.prepare import prepare


def test_a_text_is_filled_and_knows_its_template() -> None:
    text = message("{a} of {a} in {b}", a=message("{n} rows", n=3), b=4)
    assert text == "3 rows of 3 rows in 4"
    assert text.template == "{a} of {a} in {b}"
    inner = text.fields["a"]
    assert isinstance(inner, Message)
    assert inner.template == "{n} rows"


def test_what_is_not_filled_and_what_fills_are_not_read_as_fields() -> None:
    assert message("Say {ranks}.") == "Say {ranks}."
    assert message("{command} must say {ranks}.", command="{hosts}") == "{hosts} must say {ranks}."


def test_an_error_keeps_it_also_where_it_is_wrapped_and_pickled() -> None:
    error = pickle.loads(pickle.dumps(JobError(str(ValueError(message("no {x}", x=1))))))
    text = str(error)
    assert isinstance(text, Message)
    assert (text, text.template, text.fields) == ("no 1", "no {x}", {"x": "1"})


def test_a_rank_sends_it_as_plain_text() -> None:
    assert decode(encode(Error(1, message("no {x}", x=1))))["text"] == "no 1"


def test_it_comes_through_from_where_it_was_made() -> None:
    with pytest.raises(JobError) as refused:
        prepare(Job(position="xxx/ooo/..."))
    assert isinstance(str(refused.value), Message)
    with pytest.raises(SavedError) as damaged:
        from_text('plyscope = 1\n[game]\nrules = "mnk:9,9,9"')
    assert isinstance(str(damaged.value), Message)
    with pytest.raises(SavedError) as nameless:
        from_text("plyscope = 1")
    text = str(nameless.value)
    assert isinstance(text, Message)
    assert isinstance(text.fields["why"], Message)


def test_everything_that_the_engine_refuses_is_said_so() -> None:
    folder = Path(engine.__path__[0])
    for file in sorted(folder.rglob("*.py")):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if file.parent.name != "cli" and isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                if call.func.id in ("JobError", "SavedError", "ValueError", "_BrokenOff"):
                    assert isinstance(call.args[0], ast.Call | ast.Attribute | ast.Name), (
                        f"{file.name}, line {call.lineno}: make the sentence with message(...)."
                    )
