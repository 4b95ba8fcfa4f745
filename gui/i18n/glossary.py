"""The glossary: the words of the field, each with one sentence, for tool tips and as a page."""

import html
import logging
import tomllib
from functools import cache
from pathlib import Path

from gui.i18n.language import RESOURCES, resource, tr

log = logging.getLogger(__name__)

GLOSSARY = "glossary.toml"


@cache
def meanings() -> dict[str, str]:
    """The meanings by word, in the file's order, in the present language where it has them; empty if the file is
    missing, which is logged."""
    return {**_read(RESOURCES / GLOSSARY), **_read(resource(GLOSSARY))}


def _read(path: Path) -> dict[str, str]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        log.exception("There is no glossary.")
        return {}


def tip(*words: str) -> str:
    """The meanings of these words as rich text for a tool tip. Raises KeyError for a word that is not in the
    glossary."""
    known = meanings()
    return "".join(f"<p><b>{_title(word)}</b>: {html.escape(known[word])}</p>" for word in words) if known else ""


def page() -> str:
    """The whole glossary as Markdown, in alphabetical order."""
    known = sorted(meanings().items(), key=lambda entry: entry[0].casefold())
    return "\n\n".join(f"**{_title(word)}**: {meaning}" for word, meaning in known) or tr("The glossary is missing.")


def _title(word: str) -> str:
    shown = tr(word)
    return shown[0].upper() + shown[1:]
