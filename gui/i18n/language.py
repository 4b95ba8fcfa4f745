"""The window's language: the translations that there are, the present one, and the functions for every
text that a person sees: `tr` for the window's own, `localized` for the engine's.

A translation is a file `plyscope_<code>.qm` in resources/translations, such as `plyscope_de.qm` or `plyscope_pt_BR.qm`;
`gui/i18n/update_translations.py` makes and renews it. Pages and tables lie beside it: `help_de.md`, `glossary_de.toml`,
`tour_de.toml`. The texts in the code are English. A widget takes its texts when it is made, so another language begins
with the next start.
"""

import logging
import re
from collections.abc import Callable
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar, cast

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from engine.messages import FIELD, Message

log = logging.getLogger(__name__)

SYSTEM, ENGLISH = "system", "en"
PREFIX = "plyscope_"
RESOURCES = Path(str(files("resources")))
FOLDER = RESOURCES / "translations"
MOST = 2**31
"""Qt's numbers end below it."""
PLURAL = re.compile(r"\((?:(\w*)\|(\w+)|s)\)")

_choice, _code, _folder = SYSTEM, ENGLISH, FOLDER
_caches: list[Any] = []
"""Those of texts, which depend on the language."""

F = TypeVar("F", bound=Callable[..., Any])


def tr(text: str, comment: str = "", n: int = -1, /, **fields: object) -> str:
    """A text in the present language, with {fields} filled in, each localized: `tr("Save {name}?", name=name)`.

    The text is a literal in this call, or `mark`ed, so that lupdate finds it; it is a whole sentence or a whole label.
    `comment` explains the text to translators, and distinguishes equal texts. With a number `n` a language uses its
    plural form; English has it in the text: `tr("{count} node(s), {plies} pl(y|ies)", "", n, count=...)`.
    """
    template = translated(text, comment) if n < 0 else _counted(text, comment, n)
    if not fields:
        return template
    text, parts = _parts(template)
    for name, after in parts:
        field = fields.get(name, f"{{{name}}}")
        text += (field if type(field) is str else localized(field)) + after
    return text


def cached(make: F, most: int = 4096) -> F:
    """A decorator: a cache of so many texts in the present language, or pictures of them, which `install` empties. A
    jump within a search has sixty texts."""
    made = lru_cache(maxsize=most)(make)
    _caches.append(made)
    return cast(F, made)


@cached
def translated(text: str, comment: str) -> str:
    """A text in the present language."""
    return QCoreApplication.translate("", text, comment or None)


def _counted(text: str, comment: str, n: int) -> str:
    """The same, in the form for a number."""
    alike = n if n < MOST else n % 1_000_000 + 1_000_000  # no plural form depends on more than the last six digits
    template = QCoreApplication.translate("", text, comment or None, alike)
    if alike != n:
        template = template.replace(str(alike), str(n))  # in place of %n
    return PLURAL.sub(lambda form: form[1] or "" if n == 1 else form[2] or "s", template)


@lru_cache(maxsize=1024)
def _parts(template: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The text of a template up to its first field, and of each field the name and the text after it."""
    first, *parts = FIELD.split(template)
    return first, tuple(zip(parts[::2], parts[1::2], strict=True))


def localized(what: object) -> str:
    """A message or an error of the engine in the present language; any other text unchanged. Sentences of the engine
    are shown through this function."""
    text = str(what)
    return tr(text.template, **text.fields) if isinstance(text, Message) else text


def mark(text: str) -> str:
    """The text itself, marked for lupdate: for texts made before the language is known, and shown through `tr`."""
    return text


def resource(name: str) -> Path:
    """The file of a page or table in the present language, such as help_de.md for help.md, beside the translation; the
    English one where there is none."""
    stem, suffix = Path(name).stem, Path(name).suffix
    own = _folder / f"{stem}_{_code}{suffix}"
    return own if own.is_file() else RESOURCES / name


def choice() -> str:
    """The person's choice: SYSTEM, ENGLISH or the code of a translation."""
    return _choice


def choose(choice: str) -> None:
    """Set the language from the next start on."""
    global _choice
    _choice = choice


def translations(folder: Path = FOLDER) -> dict[str, Path]:
    """The files of all translations, by the codes of their languages."""
    return {file.stem.removeprefix(PREFIX): file for file in sorted(folder.glob(f"{PREFIX}*.qm"))}


def names(folder: Path = FOLDER) -> dict[str, str]:
    """The name of each choice; a language has its own name for itself."""
    own = {code: QLocale(code).nativeLanguageName().capitalize() or code for code in translations(folder)}
    return {SYSTEM: tr("System language"), ENGLISH: "English", **own}


def install(chosen: str, folder: Path = FOLDER) -> list[QTranslator]:
    """Set the choice, and load its translation with Qt's own; returns what was installed: nothing for English.

    A language without a translation is logged, and the texts stay English. The numbers in fields are English in every
    language, as all other numbers are.
    """
    global _code, _folder
    for cache in _caches:
        cache.cache_clear()
    choose(chosen)
    QLocale.setDefault(QLocale(ENGLISH))
    _code, _folder = ENGLISH, folder
    found = translations(folder)
    if chosen not in (SYSTEM, ENGLISH, *found):
        log.warning("There is no translation for the language %r: the texts stay English.", chosen)
    code = _spoken(QLocale.system().uiLanguages() if chosen == SYSTEM else [chosen], found)
    if not code:
        return []
    own = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    installed = []
    for name, where in ((f"qtbase_{code}", own), (found[code].name, str(folder))):
        translator = QTranslator(QCoreApplication.instance())
        if translator.load(name, where) and QCoreApplication.installTranslator(translator):
            installed.append(translator)
            _code = code
        else:
            log.warning("The translation %s in %s cannot be read.", name, where)
    return installed


def _spoken(wanted: list[str], found: dict[str, Path]) -> str:
    """The first of the wanted languages that has a translation; empty where English is wanted before it."""
    for name in wanted:
        language = name.replace("-", "_")
        for code in (language, language.partition("_")[0]):
            if code in found:
                return code
        if language.partition("_")[0] == ENGLISH:
            return ""
    return ""
