"""Files of games and of settings."""

from tests.planted_faults.planting import Fault

FAULTS = (
    Fault(
        "permissions are lost",
        "gui/work/save_file.py",
        "                shutil.copystat(path, aside)\n",
        "                pass\n",
        "tests/gui/work/test_save_file.py",
    ),
    Fault(
        "hard links are broken",
        "gui/work/save_file.py",
        "found.st_nlink > 1 or ",
        "",
        "tests/gui/work/test_save_file.py",
    ),
    Fault(
        "a write-protected file is overwritten",
        "gui/work/save_file.py",
        "if not found.st_mode & WRITE_BITS or not",
        "if not",
        "tests/gui/work/test_save_file.py",
    ),
    Fault(
        "a file that was changed is overwritten",
        "gui/files/menu.py",
        'elif storage.digest(self._path) in ("", self._seen):',
        "elif True:",
        "tests/gui/files/test_files.py",
    ),
    Fault(
        "games of a later date push a new one off the shelf",
        "gui/files/storage.py",
        "key=lambda path: (path.name <= newest, path.name)",
        "key=lambda path: path.name",
        "tests/gui/files/test_files.py",
    ),
    Fault(
        "a search has the usual length of a record",
        "gui/state/search_settings.py",
        "record=self.record,",
        "record=RECORD_ROWS,",
        "tests/gui/settings/test_settings.py::test_the_setting_of_a_records_length_says_how_much_memory_it_takes",
    ),
    Fault(
        "settings are written at the end only",
        "gui/settings/session.py",
        "            self._clock.start()\n",
        "            pass\n",
        "tests/gui/test_ends.py::test_a_setting_is_written_soon_after_it_was_chosen",
    ),
    Fault(
        "the search settings of a file come before its game",
        "gui/files/storage.py",
        "    record.take(game, settle)\n",
        "    settle()\n    record.take(game)\n",
        "tests/gui/files/test_files.py::test_a_file_is_opened_in_one_step",
    ),
    Fault(
        "a game's name is stored only where another one follows",
        "gui/files/menu.py",
        "        self._record.changed.connect(self._show_name)\n",
        "",
        "tests/gui/files",
    ),
    Fault(
        "settings of a replaced write are lost",
        "gui/work/settings_file.py",
        "self._unwritten |= new",
        "self._unwritten = new",
        "tests/gui/work/test_settings_file.py",
    ),
    Fault(
        "settings are written in the window's thread",
        "gui/work/settings_file.py",
        "self._writer.start(self._unwritten.copy())",
        "write(self.path, self._unwritten)",
        "tests/gui/work/test_settings_file.py",
    ),
    Fault(
        "settings that are not written yet are lost at the end",
        "gui/work/settings_file.py",
        "        if self._unwritten:\n",
        "        if False:\n",
        "tests/gui/work/test_settings_file.py",
    ),
    Fault(
        "settings that are nested too deep stop the start",
        "gui/settings/remembered.py",
        "        except Exception:  # whatever it is, the window opens\n",
        "        except (ValueError, KeyError):\n",
        "tests/gui/settings/test_damage.py",
    ),
    Fault(
        "the tree of another iteration than the one that is asked for",
        "engine/cli/tree.py",
        "found = result.earlier[iteration - 1]",
        "found = result.earlier[-1]",
        "tests/engine/trace/test_export.py::test_the_command_line_writes_the_iteration_that_is_asked_for",
    ),
)
