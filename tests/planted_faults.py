"""Do the tests notice? Plants one fault after the other in a copy of the checkout, and runs the tests that should fail.

    .venv/bin/python -m tests.planted_faults                all of them, which takes some minutes
    .venv/bin/python -m tests.planted_faults stale ends     those of these groups
    .venv/bin/python -m tests.planted_faults --list

A fault is a text in a file, what is put in its place, and the tests to run. It is caught where one of them fails. The
tests are run once without any fault first: then they must pass. Ends with 1 where a fault was missed.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parents[1]
SECONDS = 600
"""For the tests of one fault; what hangs is noticed, too."""


class Fault(NamedTuple):
    group: str
    name: str
    file: str
    text: str
    """Is in the file once."""
    instead: str
    tests: str
    """Arguments of pytest, with spaces between."""


FAULTS = (
    # What is stale
    Fault(
        "stale",
        "a new task does not stop the old one",
        "gui/runner.py",
        "        self.control.stop()\n        self._turn = self._next(task",
        "        self._turn = self._next(task",
        "tests/gui/test_runner.py",
    ),
    Fault(
        "stale",
        "what was stopped before it began is done all the same",
        "gui/runner.py",
        "made = None if turn.control.stopped else self._work(turn)",
        "made = self._work(turn)",
        "tests/gui/test_runner.py",
    ),
    Fault(
        "stale",
        "a dropped search runs on",
        "gui/analysis.py",
        "        if self.is_running:\n            self._runner.control.stop()\n",
        "        if self.is_running:\n",
        "tests/gui/test_stale.py",
    ),
    Fault(
        "stale",
        "the result of an earlier search is shown",
        "gui/analysis.py",
        "return number == self._runner.number and self._job",
        "return self._job",
        "tests/gui/test_stale.py",
    ),
    Fault(
        "stale",
        "an answer for another position is played",
        "gui/opponent.py",
        "elif answer is not None and answer[:2] == (record.game, record.position):",
        "elif answer is not None:",
        "tests/gui/test_stale.py",
    ),
    Fault(
        "stale",
        "an answer is not dropped where the game changes",
        "gui/opponent.py",
        "        self._drop()\n        self._since.restart()",
        "        self._since.restart()",
        "tests/gui/test_stale.py",
    ),
    Fault(
        "stale",
        "a choice for another position is taken",
        "gui/opponent.py",
        "if number != self._runner.number or self._asked is None or choice is None:",
        "if self._asked is None or choice is None:",
        "tests/gui/test_stale.py",
    ),
    Fault(
        "stale",
        "a finished evaluation is overwritten",
        "gui/game_record.py",
        "if known is None or known.end is not End.COMPLETE or found.end is End.COMPLETE:",
        "if True:",
        "tests/gui/test_game_record.py tests/gui/test_stale.py",
    ),
    Fault(
        "stale",
        "a stale measurement is shown",
        "gui/speedup/view.py",
        "        if number != self._runner.number:\n            return\n        if isinstance(experiment, TooLarge):",
        "        if isinstance(experiment, TooLarge):",
        "tests/gui/test_speedup.py tests/gui/test_stale.py",
    ),
    Fault(
        "stale",
        "a search does not end the measurement that it disturbs",
        "gui/window.py",
        "            self.speedup.cancel(",
        "            str(",
        "tests/gui/test_stale.py",
    ),
    Fault(
        "stale",
        "a measurement does not end the search that it disturbs",
        "gui/window.py",
        "        self.speedup.begun.connect(self.search.stop)\n",
        "",
        "tests/gui/test_stale.py",
    ),
    Fault(
        "stale",
        "advice that nobody wants goes on",
        "gui/adviser.py",
        "        if self._looking:\n            self._looker.control.stop()\n",
        "        if self._looking:\n",
        "tests/gui/test_stale.py",
    ),
    Fault(
        "stale",
        "advice on a position that is gone is taken",
        "gui/adviser.py",
        "if number == self._looker.number and self._looking:",
        "if self._looking:",
        "tests/gui/test_stale.py",
    ),
    Fault(
        "stale",
        "values of another position are given",
        "gui/adviser.py",
        "        if (game, position) != (self._game, self._position):\n            return {}\n        return {",
        "        return {",
        "tests/gui/test_stale.py tests/gui/test_hints.py",
    ),
    Fault(
        "stale",
        "a hint is given before all moves are known",
        "gui/adviser.py",
        "if not values or len(values) < count(legal(position)):",
        "if not values:",
        "tests/gui/test_stale.py",
    ),
    # No spoilers
    Fault(
        "spoilers",
        "Shift+Down leads along best play",
        "gui/tree/path.py",
        "if best and not spoilers().hidden:",
        "if best:",
        "tests/gui/test_spoilers.py",
    ),
    Fault(
        "spoilers",
        "the runs' tool tip",
        "gui/counters/runs.py",
        "if value is None or spoilers().hidden:",
        "if value is None:",
        "tests/gui/test_spoilers.py",
    ),
    Fault(
        "spoilers",
        "what is copied of the runs",
        "gui/counters/runs.py",
        "info = spoilers().found(run.info) or run.info",
        "info = run.info",
        "tests/gui/test_spoilers.py",
    ),
    Fault(
        "spoilers",
        "the iterations",
        "gui/counters/iterations.py",
        "    hidden = spoilers().hidden\n    return (\n        str(iteration.depth)",
        "    hidden = False\n    return (\n        str(iteration.depth)",
        "tests/gui/test_spoilers.py",
    ),
    Fault(
        "spoilers",
        "what is copied of the iterations",
        "gui/counters/iterations.py",
        'found = ("",) * 4 if spoilers().hidden else',
        "found =",
        "tests/gui/test_spoilers.py",
    ),
    # Ends
    Fault(
        "ends",
        "signals end the process at once",
        "gui/app.py",
        "    signals = TerminationSignals()\n",
        "    import signal as s\n    signals = TerminationSignals()\n    for n in (2, 15, 1): s.signal(n, s.SIG_DFL)\n",
        "tests/gui/test_ends.py",
    ),
    Fault(
        "ends",
        "a second signal does nothing",
        "gui/termination.py",
        "                signal.signal(number, signal.SIG_DFL)\n",
        "                pass\n",
        "tests/gui/test_ends.py",
    ),
    Fault(
        "ends",
        "a thread that cannot end ends the process",
        "gui/runner.py",
        "            _LEFT_BEHIND.append(self._thread)\n",
        "",
        "tests/gui/test_ends.py",
    ),
    Fault(
        "ends",
        "nothing waits for what compiles",
        "gui/app.py",
        "    if left := [*left_behind(), *running_on]:\n",
        "    if left := []:\n",
        "tests/gui/test_ends.py",
    ),
    Fault(
        "ends",
        "a crash leaves no word",
        "gui/help/report.py",
        '        faulthandler.enable((log_folder() / CRASHES).open("a"))\n',
        "",
        "tests/gui/test_ends.py",
    ),
    Fault(
        "ends",
        "the next start wipes a crash's word",
        "gui/help/report.py",
        "    left.replace(folder / LAST_CRASH)\n",
        "    left.unlink()\n",
        "tests/gui/test_ends.py",
    ),
    Fault(
        "ends",
        "an error that nobody expected is not caught",
        "gui/app.py",
        "    window.help.errors.catch_all()\n",
        "",
        "tests/gui/test_ends.py",
    ),
    Fault(
        "ends",
        "a lost display loses the last move",
        "gui/app.py",
        "    before_lost_display_ends_it(lambda: _end_without_display(window))\n",
        "",
        "tests/gui/test_ends.py",
    ),
    # Files
    Fault(
        "files",
        "permissions are lost",
        "gui/save_file.py",
        "                shutil.copystat(path, aside)\n",
        "                pass\n",
        "tests/gui/test_save_file.py",
    ),
    Fault(
        "files",
        "hard links are broken",
        "gui/save_file.py",
        "found.st_nlink > 1 or ",
        "",
        "tests/gui/test_save_file.py",
    ),
    Fault(
        "files",
        "a write-protected file is overwritten",
        "gui/save_file.py",
        "if not found.st_mode & WRITE_BITS or not",
        "if not",
        "tests/gui/test_save_file.py",
    ),
    Fault(
        "files",
        "a file that was changed is overwritten",
        "gui/files/menu.py",
        'elif shelf.digest(self._path) in ("", self._seen):',
        "elif True:",
        "tests/gui/test_files.py",
    ),
    Fault(
        "files",
        "games of a later date push a new one off the shelf",
        "gui/files/shelf.py",
        "key=lambda path: (path.name <= newest, path.name)",
        "key=lambda path: path.name",
        "tests/gui/test_files.py",
    ),
    Fault(
        "files",
        "settings are written at the end only",
        "gui/settings/session.py",
        "            self._clock.start()\n",
        "            pass\n",
        "tests/gui/test_ends.py",
    ),
    Fault(
        "files",
        "settings that are nested too deep stop the start",
        "gui/kept.py",
        "        except Exception:  # whatever it is, the window opens\n",
        "        except (ValueError, KeyError):\n",
        "tests/gui/test_damage.py",
    ),
    # Figures
    Fault(
        "figures",
        "the limit of time is doubled",
        "engine/backends/slices.py",
        "self._spent >= limit.seconds * 1e9",
        "self._spent >= limit.seconds * 2e9",
        "tests/engine/test_slices.py",
    ),
    Fault(
        "figures",
        "the speed is doubled",
        "engine/control.py",
        "max(self._due, now - MIN_PACE) + granted / self._speed",
        "max(self._due, now - MIN_PACE) + granted / self._speed / 2",
        "tests/engine/test_slices.py",
    ),
    Fault(
        "figures",
        "waiting counts as searching",
        "engine/backends/slices.py",
        "            self._since = time.monotonic_ns()\n            # 2.",
        "            # 2.",
        "tests/engine/test_slices.py",
    ),
    Fault(
        "figures",
        "a level looks 16 times as far",
        "engine/levels.py",
        "depth = min(own.depth or 99, level.depth or 99)",
        "depth = min(own.depth or 99, 16 * (level.depth or 99))",
        "tests/engine/test_levels.py -k sees",
    ),
    Fault(
        "figures",
        "what is said of a limit of nodes and of one of time is swapped",
        "gui/words.py",
        'why = tr("node limit") if result.end is End.NODES else tr("time limit")',
        'why = tr("time limit") if result.end is End.NODES else tr("node limit")',
        "tests/gui/test_counters.py",
    ),
    Fault(
        "figures",
        '"never visited" falls below 0',
        "gui/counters/figures.py",
        "        visited = min(nodes, size)\n",
        "        visited = nodes\n",
        "tests/gui/test_counters.py",
    ),
    Fault(
        "figures",
        "more threads than the machine has",
        "gui/analysis.py",
        "workers=min(self.workers, threads), threads=min(self.threads, threads)",
        "workers=self.workers, threads=self.threads",
        "tests/gui/test_stale.py",
    ),
    Fault(
        "figures",
        "the runs keep their records",
        "gui/analysis.py",
        "self._runs.appendleft(without_trace(result))",
        "self._runs.appendleft(result)",
        "tests/gui/test_stale.py",
    ),
)


@dataclass
class Copy:
    """A copy of the checkout, without what git ignores."""

    folder: Path

    def __post_init__(self) -> None:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        )
        for name in filter(None, os.fsdecode(listed.stdout).split("\0")):
            if (ROOT / name).is_file():
                (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
                (self.folder / name).write_bytes((ROOT / name).read_bytes())

    def fails(self, tests: str) -> bool:
        """Whether a test fails, or does not come to an end."""
        command = [sys.executable, "-m", "pytest", "-n", "0", "-q", "-x", "-p", "no:cacheprovider", *tests.split()]
        environ = os.environ | {"PYTHONPATH": str(self.folder)}
        try:
            ended = subprocess.run(command, cwd=self.folder, env=environ, capture_output=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return True
        if ended.returncode not in (0, 1):
            raise SystemExit(ended.stdout.decode() + ended.stderr.decode())
        return ended.returncode == 1

    def catches(self, fault: Fault) -> bool:
        file = self.folder / fault.file
        before = file.read_text(encoding="utf-8")
        if (found := before.count(fault.text)) != 1:
            raise SystemExit(f"{fault.name}: its text is {found} times in {fault.file}, and should be once.")
        file.write_text(before.replace(fault.text, fault.instead), encoding="utf-8")
        try:
            return self.fails(fault.tests)
        finally:
            file.write_text(before, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", nargs="*", choices=[[], *sorted({fault.group for fault in FAULTS})])
    parser.add_argument("--list", action="store_true", help="say which there are, and plant none")
    chosen = parser.parse_args()
    faults = [fault for fault in FAULTS if not chosen.groups or fault.group in chosen.groups]
    table, missed, console = Table("Group", "File", "Fault", "Tests", "Caught"), 0, Console()
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder))
        for tests in dict.fromkeys(fault.tests for fault in faults):
            if not chosen.list and copy.fails(tests):
                raise SystemExit(f"These fail without a fault: {tests}")
        for fault in faults:
            caught = None if chosen.list else copy.catches(fault)
            missed += caught is False
            console.print(f"{fault.name}: {caught}", highlight=False)
            answer = {None: "", True: "yes", False: "MISSED"}[caught]
            table.add_row(fault.group, fault.file, fault.name, fault.tests, answer)
    console.print(table)
    return min(missed, 1)


if __name__ == "__main__":
    sys.exit(main())
