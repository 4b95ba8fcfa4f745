"""Which language the window speaks: the translations that are there, and the one that is in force.

A translation is a file `plyscope_<code>.qm` in resources/translations, such as `plyscope_de.qm` or `plyscope_pt_BR.qm`.
The texts in the code are English. A widget takes its texts when it is made, so another language begins with the next
start.
"""

import logging
from importlib.resources import files
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

log = logging.getLogger(__name__)

SYSTEM, ENGLISH = "system", "en"
PREFIX = "plyscope_"
FOLDER = Path(str(files("resources") / "translations"))

_choice = SYSTEM


def choice() -> str:
    """What the person chose: SYSTEM, ENGLISH or the code of a translation."""
    return _choice


def choose(choice: str) -> None:
    """Speak so from the next start on."""
    global _choice
    _choice = choice


def translations(folder: Path = FOLDER) -> dict[str, Path]:
    """The files of all translations, by the codes of their languages."""
    return {file.stem.removeprefix(PREFIX): file for file in sorted(folder.glob(f"{PREFIX}*.qm"))}


def names(folder: Path = FOLDER) -> dict[str, str]:
    """What each choice is called, each language by its own name."""
    own = {code: QLocale(code).nativeLanguageName().capitalize() or code for code in translations(folder)}
    return {SYSTEM: "As the system has it", ENGLISH: "English", **own}


def install(chosen: str, folder: Path = FOLDER) -> list[QTranslator]:
    """Choose, and load the translation for it, with Qt's own; gives what was installed: nothing for English.

    A language that has no translation is logged, and the texts stay English.
    """
    choose(chosen)
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
        else:
            log.warning("The translation %s in %s cannot be read.", name, where)
    return installed


def _spoken(wanted: list[str], found: dict[str, Path]) -> str:
    """The first language wanted that there is a translation for; empty where English is wanted before."""
    for name in wanted:
        language = name.replace("-", "_")
        for code in (language, language.partition("_")[0]):
            if code in found:
                return code
        if language.partition("_")[0] == ENGLISH:
            return ""
    return ""
