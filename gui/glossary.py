"""The words of the field, each with one sentence that says what it means: for tool tips, and as a page."""

import html
import logging
import tomllib
from functools import cache
from importlib.resources import files

log = logging.getLogger(__name__)


@cache
def meanings() -> dict[str, str]:
    """Word by word, in the file's order; nothing where the file is missing, which is logged."""
    try:
        return tomllib.loads((files("resources") / "glossary.toml").read_text(encoding="utf-8"))
    except OSError:
        log.exception("There is no glossary.")
        return {}


def tip(*words: str) -> str:
    """What these words mean, as rich text for a tool tip. Raises KeyError for a word that the glossary lacks."""
    known = meanings()
    return "".join(f"<p><b>{_title(word)}</b>: {html.escape(known[word])}</p>" for word in words) if known else ""


def page() -> str:
    """The whole glossary as Markdown, by the alphabet."""
    known = sorted(meanings().items(), key=lambda entry: entry[0].casefold())
    return "\n\n".join(f"**{_title(word)}**: {meaning}" for word, meaning in known) or "The glossary is missing."


def _title(word: str) -> str:
    return word[0].upper() + word[1:]
