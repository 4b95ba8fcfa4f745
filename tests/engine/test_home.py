"""The folder of the user, which containers, and users that no list of users has, may lack."""

import importlib
import os

import pytest

import engine


@pytest.mark.parametrize("given", ["", "relative"])
@pytest.mark.parametrize(("found", "home"), [("/home/listed", "/home/listed"), ("~", os.devnull)])
def test_a_home_that_is_not_given_is_that_of_the_list_of_users_or_keeps_nothing(
    monkeypatch: pytest.MonkeyPatch, given: str, found: str, home: str
) -> None:
    monkeypatch.setenv("HOME", given)
    monkeypatch.setattr(os.path, "expanduser", lambda path: os.environ.get("HOME", found))
    importlib.reload(engine)
    assert os.environ["HOME"] == home
