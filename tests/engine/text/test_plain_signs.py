"""What an encoding cannot write is written in plain signs."""

import doctest
from pathlib import Path

import pytest

import engine
from engine.text import plain_signs
from engine.text.plain_signs import ERRORS


def test_the_example_in_the_docstring_holds() -> None:
    assert doctest.testmod(plain_signs) == (0, 1)


def test_every_sign_of_the_engine_has_a_plain_one() -> None:
    """Also those in its docstrings, which the help of its commands shows."""
    texts = [file.read_text(encoding="utf-8") for file in Path(str(engine.__file__)).parent.rglob("*.py")]
    signs = sorted({sign for text in texts for sign in text if not sign.isascii()} - {"✓"})
    assert len(signs) > 10
    assert [sign for sign in signs if b"?" in sign.encode("ascii", ERRORS)] == []


@pytest.mark.parametrize(
    ("encoding", "written"), [("latin-1", b"10\xb96"), ("cp1252", b"10\xb96"), ("ascii", b"10^16")]
)
def test_an_exponent_stays_one(encoding: str, written: bytes) -> None:
    assert "10¹⁶".encode(encoding, ERRORS) == written


def test_what_cannot_be_read_is_an_error_still() -> None:
    with pytest.raises(UnicodeDecodeError):
        b"\xff".decode("utf-8", ERRORS)
