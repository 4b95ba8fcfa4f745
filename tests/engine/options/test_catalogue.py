"""All that is said about search options is made from the catalogue.

`python -m tests.engine.options.test_catalogue` renews the README's table of them.
"""

import os
import re
import subprocess
import sys
from enum import Enum
from pathlib import Path

from engine.cli.search_options import ENTRIES, names
from engine.options.catalogue import MAX_INTEGER
from engine.options.option import OptionEntry
from gui.i18n import glossary

ROOT = Path(__file__).parents[3]
README = ROOT / "README.md"
TABLE = re.compile(r"(?<=<!-- options -->\n).*?(?=<!-- /options -->)", re.DOTALL)


def test_the_table_of_the_readme_is_the_catalogue() -> None:
    (found,) = TABLE.findall(README.read_text(encoding="utf-8"))
    assert found == table()


def test_every_word_of_the_catalogue_is_in_the_glossary() -> None:
    words = {entry.option.word for entry in ENTRIES}
    words |= {value.word for entry in ENTRIES for value in entry.option.values.values()}
    assert words - {""} <= glossary.meanings().keys()


def table() -> str:
    """The README's table."""
    rows = [f"| `--{entry.key}` | {_values(entry)} | {_default(entry)} | {_meaning(entry)} |\n" for entry in ENTRIES]
    return "".join(["| option | values | default | meaning |\n", "| --- | --- | --- | --- |\n", *rows])


def _values(entry: OptionEntry) -> str:
    if isinstance(entry.type, type) and issubclass(entry.type, Enum):
        return ", ".join(choice.value for choice in entry.type)
    if entry.meta is None:
        return ""
    ends = {"≥": entry.meta.ge, ">": entry.meta.gt, "≤": entry.meta.le}
    return ", ".join(f"{sign} {end:,}" for sign, end in ends.items() if end is not None and abs(end) < MAX_INTEGER)


def _default(entry: OptionEntry) -> str:
    match entry.default:
        case bool():
            return "on" if entry.default else "off"
        case None:
            return "none"
        case ():
            return "natural"
        case float():
            return f"{entry.default:g}"
    return entry.default or "the game's first" if entry.type is str else f"{entry.default}"


def _meaning(entry: OptionEntry) -> str:
    return entry.option.help.format(names=names(entry)) if "{names}" in entry.option.help else entry.option.help


# A new option

MADE_UP = """    luck: Annotated[
        bool,
        Option(
            option.ORDERING,
            message("Luck"),
            message("Whether there is luck."),
            "With luck.",
            phrase=Phrase(message("lucky"), message("with luck")),
        ),
    ] = False
"""

USED = """
import sys, types
from pathlib import Path
import engine.options

# the catalogue with one entry more
file = Path(engine.options.__path__[0]) / "catalogue.py"
source, before = file.read_text(encoding="utf-8"), "    fail: Annotated["
assert source.count(before) == 1
catalogue = types.ModuleType("engine.options.catalogue")
sys.modules["engine.options.catalogue"] = engine.options.catalogue = catalogue
exec(compile(source.replace(before, sys.argv[1] + before), file, "exec"), catalogue.__dict__)

import msgspec
from PySide6.QtWidgets import QApplication
from engine import cli, registry
from engine.job import Job, JobError, job_from_json
from engine.play.game_file import from_text, to_text
from engine.text.describe import search
from gui.controls.expert import ExpertOptions
from gui.files.storage import set_up, taken_down
from gui.state.analysis import Analysis
from gui.state.game_record import GameRecord

cli.run(["solve", "--help"])
print(search(Job(position="", luck=True)))
try:
    job_from_json('{"position": "", "luck": 3}')
except JobError as error:
    print(error)

app, game, analysis = QApplication([]), registry.game("tictactoe"), Analysis()
expert = ExpertOptions(GameRecord(game), analysis, 2)
expert.open()
expert.field("Luck").click()
asked = analysis.settings.job(game, game.start)
print(expert.field("Luck").toolTip(), asked.luck, msgspec.json.encode(analysis.settings))
saved = taken_down(GameRecord(game), analysis)
analysis.reset_options()
set_up(from_text(to_text(saved)), GameRecord(game), analysis)
print(analysis.settings.luck)
analysis.reset_options()
print(expert.field("Luck").isChecked())
analysis.close()
"""


def test_a_new_option_is_one_entry() -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", USED, MADE_UP],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT), "COLUMNS": "120"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    *help_lines, described, refused, shown, saved, reset = done.stdout.splitlines()
    assert any("--luck" in line and "With luck." in line for line in help_lines)
    assert described == "Minimax · lucky"
    assert refused == "This is not a job: luck must be true or false."
    assert shown.startswith("<p>Whether there is luck.</p> True")
    assert '"luck":true' in shown
    assert saved == "True", "it comes back with a game"
    assert reset == "False"


if __name__ == "__main__":
    README.write_text(TABLE.sub(lambda _: table(), README.read_text(encoding="utf-8")), encoding="utf-8")
