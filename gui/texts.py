"""For translators: `python -m gui.texts de` makes or renews resources/translations/plyscope_de.ts, and packs it.

What is translated there already stays. The file is edited with Qt Linguist, or as text; the same command then packs it
into plyscope_de.qm, which the next start takes up.
"""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import PySide6

from engine import registry
from engine.job import End, RankState, Schedule
from engine.levels import LEVELS
from engine.phrases import ORDERS
from gui.controls.options import GAMES
from gui.glossary import meanings
from gui.language import FOLDER, PREFIX

CODE = Path(__file__).parent


def of_the_engine() -> Iterable[str]:
    """What the engine calls things: games, algorithms, levels and choices; and the words of the glossary."""
    for algorithm in registry.algorithms().values():
        yield from (algorithm.title, algorithm.summary)
    yield from (registry.game(spec).title for spec in GAMES)
    yield from LEVELS
    yield from (choice.value for kind in (Schedule, End, RankState) for choice in kind)
    yield from (words for phrase in ORDERS.values() for words in phrase)
    yield from meanings()


def renew(translation: Path) -> None:
    """Put every text into a .ts file; made if it is missing. Raises CalledProcessError."""
    code = translation.stem.removeprefix(PREFIX)
    with TemporaryDirectory() as folder:
        engine = Path(folder) / "engine.py"
        engine.write_text("".join(f"mark({json.dumps(text)})\n" for text in dict.fromkeys(of_the_engine())))
        options = ("-silent", "-locations", "none", "-no-obsolete", "-tr-function-alias", "QT_TR_NOOP+=mark")
        languages = ("-source-language", "en", "-target-language", code)
        _run("lupdate", *sorted(CODE.rglob("*.py")), engine, *options, *languages, "-ts", translation)


def pack(translation: Path) -> Path:
    """Make the .qm file that the program reads from a .ts file. Raises CalledProcessError."""
    packed = translation.with_suffix(".qm")
    _run("lrelease", "-silent", translation, "-qm", packed)
    return packed


def _run(tool: str, *arguments: object) -> None:
    subprocess.run([Path(PySide6.__path__[0]) / tool, *map(str, arguments)], check=True)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for code in sys.argv[1:]:
        renew(FOLDER / f"{PREFIX}{code}.ts")
        print(pack(FOLDER / f"{PREFIX}{code}.ts"))
