"""`plyscope speedup`: what it measures, prints and saves."""

import csv
import os
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine import cli
from engine.cli import speedup as module
from engine.cli.speedup import numbers
from engine.job import Job, JobError
from engine.measure.experiment import Experiment, Mode, Run, Timing
from engine.measure.machine import Machine
from engine.measure.speedup_files import from_json, to_json
from engine.options.catalogue import Limit
from engine.text.speedup_report import to_markdown


def test_a_measurement_is_printed_saved_and_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, saved, page = (str(tmp_path / name) for name in ("runs.csv", "runs.json", "page.md"))
    line = "speedup --position xo./.x./... --algorithms minimax,alpha-beta --workers 1,2 --repeats 5 --seed 7"
    assert cli.run([*line.split(), "--csv", table, "--json", saved, "--report", page]) == 0
    printed = capsys.readouterr().out
    for words in (
        "Minimax ",
        "  serial  ",
        "  2 threads  ",
        "waited",
        "useful",
        "No verdict on Minimax, 1 thread:",
        "No verdict on Minimax, 2 threads:",
    ):
        assert words in printed
    experiment = from_json(Path(saved).read_bytes())
    assert [timing.mode for timing in experiment.timings[:3]] == [
        Mode("minimax"),
        Mode("minimax", "threads", 1),
        Mode("minimax", "threads", 2),
    ]
    assert (experiment.rounds, experiment.seed) == (5, 7)
    assert experiment.machine is not None
    assert len(list(csv.DictReader(Path(table).read_text().splitlines()))) == 6 * 5
    written = Path(page).read_text()
    assert "Minimax on 2 threads: no verdict, for the search is too small for threads" in written
    assert not re.search(r"\d%", printed + written), "a space is between a number and its %"
    assert f"| Minimax | serial | {experiment.timings[0].nodes:,} |" in written
    other = str(tmp_path / "other.json")
    elsewhere = replace(experiment, machine=Machine(cores=8, processor="AMD EPYC 7763"))
    Path(other).write_bytes(to_json(replace(elsewhere, job=replace(elsewhere.job, limit=Limit(depth=2)))))
    assert cli.run([*line.split(), "--expect", "1.8", "--compare", other, "--json", saved, "--report", page]) == 0
    printed = capsys.readouterr().out
    assert "on AMD EPYC 7763, 8 cores" in printed
    assert "The other measurement is of another depth." in printed
    assert "Expected before the runs: 1.80× on 2 workers." in printed
    assert "Expected before the runs: 1.80× on 2 workers." in Path(page).read_text()
    assert "| speedup there, AMD EPYC 7763, 8 cores |" in Path(page).read_text()
    compared = from_json(Path(saved).read_bytes()).compared
    assert compared is not None
    assert compared.timings == experiment.timings


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="This system has no device that is always full.")
def test_a_measurement_is_printed_and_saved_though_one_disk_is_full(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = "speedup --position xo./.x./... --algorithms minimax --workers 1 --repeats 1"
    saved = [tmp_path / "runs.csv", tmp_path / "page.md"]
    files = ["--csv", str(saved[0]), "--json", "/dev/full", "--report", str(saved[1])]
    assert cli.run([*line.split(), *files]) == 1
    said = capsys.readouterr()
    assert "  1 thread  " in said.out
    assert said.err == "This failed: /dev/full: No space left on device.\n"
    assert all(file.stat().st_size for file in saved)


def test_weak_scaling_is_measured_for_minimax_in_a_fixed_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WEAK_SECONDS", 0.05)
    page = tmp_path / "page.md"
    line = "speedup --weak --workers 2 --repeats 1 --depth 15"  # the kernels of other tests
    assert cli.run([*line.split(), "--report", str(page)]) == 0
    printed = capsys.readouterr().out
    assert "mnk:4,4,4 ..../..../..../...." in printed
    assert "each run has 0.05 s" in printed
    assert "Alpha-beta" not in printed.partition("One round")[0]
    assert "predicted" not in printed.lower(), "there is no speedup of tasks to explain"
    assert "Weak scaling: every run has 0.05 s" in page.read_text()


@pytest.mark.parametrize("rounds", [1, 5])
def test_only_several_rounds_have_intervals(rounds: int, capsys: pytest.CaptureFixture[str]) -> None:
    modes = Mode("minimax"), Mode("minimax", "threads", 2)
    timings = tuple(Timing(mode, (Run(1.0, 1.5, 100, 1.0),) * rounds) for mode in modes)
    experiment = Experiment(Job(position="xo./.x./..."), timings, {})
    module._print(experiment)
    method, printed = to_markdown(experiment).partition("## Method")[2], capsys.readouterr().out
    assert ("intervals of 95 %" in printed) == ("holds 95 %" in method) == ("1.00 to 1.00" in method) == (rounds > 1)
    assert ("One round, without intervals" in printed) == ("1 round. " in method) == (rounds == 1)


def test_a_search_that_is_mostly_start_up_is_called_too_short(capsys: pytest.CaptureFixture[str]) -> None:
    runs = {"serial": Run(2.0, 2.0, 100, 2.0), "mpi": Run(1.0, 5.0, 100, 2.0)}
    timings = tuple(Timing(mode, (runs[mode.backend],) * 5) for mode in (Mode("minimax"), Mode("minimax", "mpi", 2)))
    module._print(Experiment(Job(position="xo./.x./..."), timings, {}))
    assert "Minimax, 2 ranks: start-up takes 80 % of the time from call to answer" in capsys.readouterr().out


@pytest.mark.usefixtures("again")
def test_a_game_of_chance_is_measured_and_its_tables_fit_into_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game of test_chance.py, which has its kernels."""
    monkeypatch.setenv("COLUMNS", "80")
    asked = ["--game", "stakes", "--position", "1 0 3 0 0", "--depth", "3", "--workers", "2", "--repeats", "1"]
    assert cli.run(["speedup", *asked]) == 0
    printed = capsys.readouterr().out
    assert {"Expectiminimax", "predicted", "slower", "core", "waiting", "start"} <= {*printed.split()}
    assert "…" not in printed


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("speedup --workers many", "1-4 or 1,2,8"),
        ("speedup --workers ,", "1-4 or 1,2,8"),
        ("speedup --workers 0", "Choose numbers from 1 to"),
        ("speedup --threads 2", "give numbers of ranks with --ranks"),
        ("speedup --weak --algorithms alphabeta", "choose minimax"),
        ("speedup --algorithms ,", "Algorithms are such as minimax,alphabeta, not ','."),
        ("speedup --algorithms chess", "no algorithm 'chess'"),
        ("speedup --csv /", "/ is a folder: name a file in it."),
        ("speedup --csv -", "- is the output, which takes no .csv here: name a file for it."),
        ("speedup --json /no/such/runs.json", "there is no folder /no/such"),
        ("speedup --report /proc/page.md", "/proc/page.md cannot be written"),
        ("speedup --expect inf", "--expect"),
        ("speedup --expect nan", "--expect"),
        ("speedup --position xxx/oo./...", "The game is over"),
        ("speedup --compare /no/such/file", "file could not be opened: No such file"),
        ("speedup --compare .", ". could not be opened: Is a directory"),
        ("speedup --compare=", "the name of the file is empty"),
    ],
)
def test_what_cannot_be_measured_is_one_sentence(line: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(line.split()) != 0
    error = capsys.readouterr().err
    assert why in error
    assert error.count("\n") == 1


def test_an_algorithm_by_two_names_is_measured_once() -> None:
    """Of a mode that was measured twice, the file would be refused."""
    assert module._modes("minimax,min-max,minimax", "2", "", "1") == (Mode("minimax"), Mode("minimax", "threads", 2))


def test_no_number_of_threads_is_one_in_each_rank() -> None:
    assert module._modes("minimax", "", "2", "") == (Mode("minimax"), Mode("minimax", "mpi", 2))


def test_numbers_of_workers_are_lists_and_ranges() -> None:
    assert numbers("1-4", 8) == (1, 2, 3, 4)
    assert numbers("8, 1,2-3", 8) == (1, 2, 3, 8)
    assert numbers("", 8) == ()
    for text in (",", " ", "1-9", "-3", "a", "1-", "4-1", "4.5", "9" * 10):
        with pytest.raises(JobError):
            numbers(text, 8)
