"""For translators: `python -m gui.i18n.update_translations de` makes or renews resources/translations/plyscope_de.ts,
and packs it.

Existing translations stay. The file is edited with Qt Linguist, or as text; the same command then packs it
into plyscope_de.qm, which the next start loads.
"""

import json
import subprocess
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import PySide6
from PySide6.QtCore import QLocale

import engine
from engine import registry
from engine.options.choices import Schedule
from engine.play.levels import LEVELS
from engine.result import End, RankState
from gui.i18n.glossary import meanings
from gui.i18n.language import FOLDER, PREFIX

CODE = Path(__file__).parents[1], Path(engine.__path__[0])


def of_the_engine() -> Iterable[str]:
    """The engine's names of algorithms, levels and choices, and the words of the glossary."""
    for algorithm in registry.algorithms().values():
        yield from (algorithm.title, algorithm.summary)
    yield from LEVELS
    yield from (choice.value for kind in (Schedule, End, RankState) for choice in kind)
    yield from meanings()


def sources() -> list[Path]:
    """The source files whose texts are translated: the window's and the engine's."""
    return [file for folder in CODE for file in sorted(folder.rglob("*.py"))]


def renew(translation: Path) -> None:
    """Put every text into a .ts file, which is made if it is missing. Raises CalledProcessError."""
    code = translation.stem.removeprefix(PREFIX)
    with TemporaryDirectory() as folder:
        names = Path(folder) / "names.py"
        names.write_text("".join(f"mark({json.dumps(text)})\n" for text in dict.fromkeys(of_the_engine())))
        options = ("-silent", "-locations", "none", "-no-obsolete")
        aliases = ("-tr-function-alias", "QT_TR_NOOP+=mark,QT_TR_NOOP+=message")
        languages = ("-source-language", "en", "-target-language", code)
        _run("lupdate", *sources(), names, *options, *aliases, *languages, "-ts", translation)


def pack(translation: Path) -> Path:
    """Make the .qm file that the program reads from a .ts file. Raises CalledProcessError."""
    packed = translation.with_suffix(".qm")
    _run("lrelease", "-silent", translation, "-qm", packed)
    return packed


def _run(tool: str, *arguments: object) -> None:
    subprocess.run([Path(PySide6.__path__[0]) / tool, *map(str, arguments)], check=True)


def language(code: str) -> str:
    """The code of a language that Qt knows. Raises ArgumentTypeError for any other."""
    if QLocale(code).language() is QLocale.Language.C:
        raise ArgumentTypeError(f"Qt knows no language {code!r}: give a code such as de or pt_BR.")
    return code


if __name__ == "__main__":
    parser = ArgumentParser(prog="python -m gui.i18n.update_translations", description=__doc__)
    parser.add_argument("code", nargs="+", type=language, help="a language: de, pt_BR")
    codes = parser.parse_args().code
    FOLDER.mkdir(exist_ok=True)
    for code in codes:
        renew(FOLDER / f"{PREFIX}{code}.ts")
        print(pack(FOLDER / f"{PREFIX}{code}.ts"))
