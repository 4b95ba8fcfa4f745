"""The version of this program."""

import tomllib
from importlib.metadata import version as installed
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def version() -> str:
    """The version in the checkout's project file, which need not be installed; else that of the installed package."""
    if PROJECT.exists():
        return str(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"])
    return installed("plyscope")
