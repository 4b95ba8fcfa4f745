"""The command line prints what the engine found, refuses impossible requests in one sentence, and stops when told
to."""

import io
import json
import os
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from rich.console import Console

import main
from engine import cli, registry
from engine.backends import solve
from engine.cli import progress
from engine.cli.bench import SEARCHES, SECOND
from engine.cli.solve import without_options
from engine.cli.summary import summary
from engine.cores import cores
from engine.job import Job
from engine.measure import perft, tree_size
from engine.measure.speedup import Progress, measure
from engine.measure.tree_size import is_long
from engine.options.catalogue import Limit
from engine.options.choices import Order
from engine.play.recommended import recommended
from engine.registry import game
from engine.result import Bound, End, Result, Value, in_wins
from engine.rules.bits import each
from engine.rules.contract import UNIT, Position, is_over, legal, play
from gui.display import why_no_painting
from tests.engine import naive

PROGRAM = Path(main.__file__)

FULL_3X3 = [1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872]
"""Paths of tic-tac-toe by length; they add up to the 549,946 nodes of minimax."""

COUNTERS = {"nodes", "terminals", "horizon", "cutoffs", "pruned", "depth", "probes", "hits", "table_cutoffs"}
SOLVE_FIELDS = COUNTERS | {"game", "position", "algorithm", "backend", "workers", "scoring", "value", "best", "pv"}
SOLVE_FIELDS |= {"value_depth", "root_moves", "seconds", "per_worker", "complete", "end", "trace_truncated", "bound"}


OTHELLO = game("othello:8").notation.format(game("othello:8").start)


@pytest.fixture
def answer(capsys):
    """A function that runs a command line, which must succeed, and reads the JSON that it prints."""

    def run(line: str):
        capsys.readouterr()
        code = cli.run([*line.split(), "--json"])
        out, err = capsys.readouterr()
        assert (code, err) == (0, "")
        return json.loads(out)

    return run


def start(line: str, **options) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, str(PROGRAM), *line.split()], **options)


IMPATIENT = """
import sys
from engine.cli import progress
import main
progress.PATIENCE = 0.1
sys.argv[0] = "plyscope"
main.run_and_exit()
"""
"""Code: the program, whose progress is seen early, and which need not search long for that."""


def start_impatient(line: str, **options) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-c", IMPATIENT, *line.split()]
    return subprocess.Popen(command, cwd=PROGRAM.parent, stdout=subprocess.PIPE, **options)


SCREENS = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}


def without_display() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in SCREENS}


# Results.


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("--algorithm minimax", (549_946, 255_168, 0, 0, 9)),
        ("--algorithm alphabeta --backend interpreted", (18_297, 7_330, 4_237, 6_930, 9)),
        ("--algorithm minimax --backend threads --workers 2", (549_946, 255_168, 0, 0, 9)),
        ("--algorithm minimax --backend threads --workers 3 --split 2 --schedule cyclic", (549_946, 255_168, 0, 0, 9)),
        ("--algorithm alphabeta", (18_297, 7_330, 4_237, 6_930, 9)),
        ("--algorithm minimax --position x../.../...", (59_705, 27_732, 0, 0, 8)),
        ("--algorithm alphabeta --position x../.../...", (2_338, 929, 624, 1_126, 8)),
        ("--algorithm alphabeta --backend interpreted --game mnk:3,3,3", (18_297, 7_330, 4_237, 6_930, 9)),
    ],
)
def test_solve_counts_what_is_known(answer, line, counts):
    found = answer(f"solve {line}")
    assert tuple(found[name] for name in ("nodes", "terminals", "cutoffs", "pruned", "depth")) == counts
    assert found["value"] == 0
    assert found["complete"]


def test_names_are_read_as_people_write_them_and_printed_as_they_are(answer):
    found = answer("solve --game 4,4,4 --algorithm Alpha-Beta --backend Interpreted --order Killers --depth 2")
    assert (found["game"], found["algorithm"], found["backend"]) == ("mnk:4,4,4", "alphabeta", "interpreted")


def test_solve_names_no_best_move_where_the_value_is_only_an_upper_bound(answer, capsys):
    """The last iteration failed low: that it went on with the best move before it proves nothing of that move."""
    how = "--algorithm alphabeta --backend interpreted --deepen --aspiration 0.1 --nodes 400"
    line = f"solve --position .../.../.x. {how}"
    found = answer(line)
    assert (found["value"], found["bound"], found["best"], found["pv"]) == (0, "upper", None, [])
    for one in found["iterations"]:
        assert bool(one["pv"]) == (one["alpha"] is None or one["value"] > one["alpha"])
    assert cli.run(line.split()) == 0
    said = capsys.readouterr().out
    assert "at most 0 for O, so far" in said
    assert not re.search(r"^.* line +b2", said, re.MULTILINE)


def test_solve_says_all_that_was_promised(answer):
    found = answer("solve --position x../.../... --backend threads --workers 2")
    assert set(found) >= SOLVE_FIELDS
    assert (found["game"], found["position"], found["scoring"]) == ("tictactoe", "x../.../...", "textbook")
    assert (found["backend"], found["workers"], found["trace_truncated"]) == ("threads", 2, False)
    assert found["best"] == found["pv"][0] == "b2"
    assert {move["move"] for move in found["root_moves"]} == {"b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"}
    assert len(found["per_worker"]) == 2
    assert all(set(worker) == COUNTERS | {"busy", "ran", "cpu", "tasks"} for worker in found["per_worker"])
    assert sum(worker["nodes"] for worker in found["per_worker"]) == found["nodes"]
    tasks = [task for worker in found["per_worker"] for task in worker["tasks"]]
    assert sorted(task["moves"][0] for task in tasks) == sorted(move["move"] for move in found["root_moves"])
    assert all(0 <= task["start"] <= task["end"] for task in tasks)


def test_root_moves_are_exact_in_minimax_and_bounds_in_alpha_beta(answer):
    exact = answer("solve --position x../.../...")["root_moves"]
    bounded = answer("solve --position x../.../... --algorithm alphabeta")["root_moves"]
    assert {move["bound"] for move in exact} == {"exact"}
    assert {move["bound"] for move in bounded} == {"exact", "upper"}
    for true, found in zip(exact, bounded, strict=True):
        assert found["value"] == true["value"] if found["bound"] == "exact" else found["value"] >= true["value"]


def test_what_alpha_beta_cut_short_is_worth_something_at_most():
    result = solve(Job(position="x../.../...", algorithm="alphabeta"))
    drawn = printed(result)
    assert "at most" in drawn
    assert "at least" not in drawn
    assert " line " in drawn
    failed_low = replace(result, info=replace(result.info, value=Value(0, Bound.UPPER)))
    assert " line " not in printed(failed_low), "no move is known to be worth so much"


def printed(result: Result) -> str:
    """The summary of a search of X on a1."""
    lines = Console(width=100, file=io.StringIO(), record=True, highlight=False)
    lines.print(summary(game("tictactoe"), game("tictactoe").notation.parse("x../.../..."), result))
    return lines.export_text()


@pytest.mark.parametrize("command", ["solve", "tree --csv -"])
def test_threads_take_every_core_and_a_scheme_its_depth_unless_told_otherwise(command, monkeypatch):
    asked, found = [], solve(Job(position="xox/oox/.xo", record=9))
    module = sys.modules[f"engine.cli.{command.split()[0]}"]
    monkeypatch.setattr(module, "finish", lambda job: asked.append(job) or found)
    for options in ("", "--parallel ybw", "--workers 1 --split 3"):
        assert cli.run([*command.split(), "--backend", "threads", *options.split()]) == 0
    assert [(job.workers, job.split) for job in asked] == [(cores(), 1), (cores(), 2), (1, 3)]


@pytest.mark.parametrize(
    ("ends", "rows", "code", "files"),
    [
        ([End.STOPPED], 0, 143, []),
        ([End.STOPPED, End.COMPLETE], 9, 143, []),
        ([End.COMPLETE, End.STOPPED], 9, 143, ["a.csv"]),
        ([End.FAILED], 0, 1, []),
        ([End.COMPLETE, End.FAILED], 9, 1, ["a.csv"]),
    ],
)
def test_a_tree_whose_search_was_stopped_or_failed_says_so_by_the_exit_code(
    capsys, monkeypatch, tmp_path, ends, rows, code, files
):
    """A signal in the first of two searches ends the command: the second does not begin."""
    found, left = solve(Job(position="xox/oox/.xo", record=rows)), [*ends]
    module = sys.modules["engine.cli.tree"]
    monkeypatch.setattr(module, "finish", lambda job: replace(found, end=left.pop(0), failure="Rank 1 ended."))
    monkeypatch.setattr(progress, "_stopped_by", signal.SIGTERM)
    compare = ["--compare", "alphabeta"] if len(ends) > 1 else []
    assert cli.run(["tree", "--csv", str(tmp_path / "a.csv"), *compare]) == code
    assert left == ends[2 if files else 1 :]
    assert [path.name for path in tmp_path.iterdir()] == files
    err = capsys.readouterr().err
    assert ("Nothing was written" in err) == (not files)
    assert ("Rank 1 ended.\n" in err) == (End.FAILED in ends)


def test_sooner_is_better_where_it_is_asked_for(answer):
    found = answer("solve --position xx./oo./... --scoring soonest")
    assert (found["best"], found["value"]) == ("c1", 99)


def test_shares_in_percent_are_written_in_one_way(capsys):
    line = "solve --algorithm alphabeta --table 1 --fold --record 1"
    assert cli.run(line.split()) == 0
    assert re.search(r"table +461 hits in 866 probes \(53 %\), 0\.62 % full", capsys.readouterr().out)


def test_a_finished_game_has_a_value_and_no_move(answer):
    found = answer("solve --position xxx/oo./...")
    assert (found["value"], found["best"], found["pv"], found["nodes"]) == (-1, None, [], 1)


@pytest.mark.parametrize(
    ("line", "end"), [("--depth 3", "horizon"), ("--nodes 1000", "nodes"), ("--deepen --seconds 0.000001", "seconds")]
)
def test_a_limit_ends_the_search_and_is_said(answer, line, end):
    found = answer(f"solve {line}")
    assert (found["complete"], found["end"]) == (False, end)


def test_a_depth_beyond_every_game_is_no_limit(answer):
    assert answer(f"solve --depth {10**30}")["complete"]


@pytest.mark.parametrize(("rows", "truncated"), [(59_705, False), (1_000, True)])
def test_a_record_says_whether_it_was_cut_short(answer, rows, truncated):
    found = answer(f"solve --position x../.../... --record {rows}")
    assert (found["trace_truncated"], found["nodes"]) == (truncated, 59_705)


def test_the_text_says_whose_value_it_is(capsys):
    assert cli.run(["solve", "--position", "xo./.x./...", "--scoring", "soonest"]) == 0
    text = capsys.readouterr().out
    assert "X wins in 4 plies (−96 for O)" in text
    assert "O to move" in text


# perft, bench, tour.


@pytest.mark.parametrize(
    ("position", "own", "of_max"),
    [("xx./.o./o..", "(+1 for X)", "(+1 for MAX, X)"), ("xo./.x./...", "(−1 for O)", "(+1 for MAX, X)")],
)
def test_the_form_says_whether_the_value_is_that_of_max(capsys, position, own, of_max):
    """MAX is the first player, also where the other moves."""
    for form, whose in (("negamax", own), ("maxmin", of_max)):
        assert cli.run(["solve", "--position", position, "--form", form]) == 0
        assert whose in capsys.readouterr().out


def test_the_values_of_max_are_the_negative_ones_where_the_other_moves(answer):
    line = "solve --position xo./.x./... --algorithm mtdf"
    own, of_max = answer(line), answer(f"{line} --form maxmin")
    other = {"exact": "exact", "lower": "upper", "upper": "lower"}
    assert (own["value"], of_max["value"]) == (-1, 1)
    for mine, theirs in zip(own["root_moves"], of_max["root_moves"], strict=True):
        assert (theirs["move"], theirs["value"]) == (mine["move"], -mine["value"])
        assert theirs["bound"] == other[mine["bound"]]
    for mine, theirs in zip(own["iterations"], of_max["iterations"], strict=True):
        ends = [None if mine[end] is None else -mine[end] for end in ("value", "beta", "alpha")]
        assert [theirs["value"], theirs["alpha"], theirs["beta"]] == ends


@pytest.mark.parametrize("evaluation", ["threats", "lines"])
def test_the_evaluation_of_a_horizon_leaf_is_a_choice(answer, evaluation):
    line = "solve --game connect-four --position 33 --algorithm alphabeta --depth 3 --table 0.1 --backend interpreted"
    found = answer(f"{line} --evaluation {evaluation}")
    root = game("connect-four").notation.parse("33")
    which = ["threats", "lines"].index(evaluation)
    assert found["value"] == in_wins(naive.value_by(root, 3, which), UNIT)


def test_perft_counts_tic_tac_toe(answer):
    found = answer("perft --depth 9")
    assert found == {"game": "tictactoe", "position": ".../.../...", "counts": FULL_3X3, "complete": True}


@pytest.mark.parametrize(("depth", "counts"), [(0, [1]), (1, [1, 9]), (2, [1, 9, 72]), (11, [*FULL_3X3, 0, 0])])
def test_perft_stops_at_its_depth_and_goes_on_in_zeros(answer, depth, counts):
    assert answer(f"perft --depth {depth}")["counts"] == counts


@pytest.mark.parametrize(
    ("spec", "position", "depth"),
    [
        ("tictactoe", "x../.o./...", 7),
        ("tictactoe", "xxx/oo./...", 3),
        ("tictactoe", "xox/oox/.xo", 2),
        ("mnk:4,2,3", "..../....", 8),
        ("mnk:8,8,5", "/".join(["........"] * 8), 2),
    ],
)
def test_perft_counts_what_walking_every_path_counts(answer, spec, position, depth):
    def walk(at: Position, left: int) -> list[int]:
        below = [0] * left
        if left and not is_over(at):
            for move in each(legal(at)):
                below = [sum(pair) for pair in zip(below, walk(play(at, move), left - 1), strict=True)]
        return [1, *below]

    found = answer(f"perft --game {spec} --position {position} --depth {depth}")
    assert found["counts"] == walk(game(spec).notation.parse(position), depth)


def test_bench_ends_with_the_sum_of_its_nodes_and_it_is_always_the_same(capsys, monkeypatch):
    """With the kernels of others: no other test has that of the last search, and those of 4 x 4 record."""
    shared = tuple(replace(job, record=int(job.game == "mnk:4,4,4")) for job in SEARCHES[:-1])
    monkeypatch.setattr(sys.modules["engine.cli.bench"], "SEARCHES", shared)
    signatures = set()
    for _ in range(2):
        assert cli.run(["bench"]) == 0
        *lines, last = capsys.readouterr().out.splitlines()
        nodes = [int(line.partition(" nodes ")[0].split()[-1].replace(",", "")) for line in lines]
        assert {549_946, 18_297, 59_705, 2_338} <= set(nodes)
        assert all(line.endswith("nodes/s") for line in lines)
        assert last == f"signature {sum(nodes)}"
        signatures.add(last)
    assert len(signatures) == 1


SECOND_NODES = [7_107, 13_563, 7_103, 18_003, 7_324, 25_567, 2_112, 18_297, 18_014, 18_598, 22_532, 549_946, 11_837]
"""The nodes of the second list of searches. They change only where a search is meant to change."""


def test_the_second_signature_covers_what_the_first_leaves_out(capsys, monkeypatch):
    """With the kernels of others, which record."""
    monkeypatch.setattr(sys.modules["engine.cli.bench"], "SECOND", tuple(replace(job, record=1) for job in SECOND))
    assert cli.run(["bench", "--second"]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert [int(line.partition(" nodes ")[0].split()[-1].replace(",", "")) for line in lines] == SECOND_NODES
    assert last == f"signature {sum(SECOND_NODES)}"
    chosen = {order for job in SECOND for order in job.order}
    assert {job.algorithm for job in SECOND} == set(registry.algorithms())
    assert chosen >= {Order.KILLERS, Order.HISTORY, Order.TABLE, Order.DOMAIN, Order.RANDOM}
    assert {job.backend for job in SECOND} == {"serial", "mpi"}


def test_the_tour_compares_every_mode(capsys):
    assert cli.run(["tour"]) == 0
    text = capsys.readouterr().out
    for words in ("Minimax", "Alpha-beta", "serial", "1 thread", "549,946", "18,297", "531,649", "textbook"):
        assert words in text


# Refusals.


@pytest.mark.parametrize(
    "line",
    [
        "slove",
        "--colour",
        "--theme dark",
        "--theme blue --screenshot a.png",
        "--theme system --screenshot a.png",
        "--screenshot a.png --size 3",
        "--screenshot a.png --size 0x0",
        "--screenshot a.png solve",
        "solve extra",
        "solve --fast",
        "solve --algorithm",
        "solve --algorithm magic",
        "solve --game chess",
        "solve --game mnk:9,9,3",
        "solve --game mnk:3,3,4",
        "solve --game mnk:a,b,c",
        "solve --position xxx",
        "solve --position xx./.../...",
        "solve --position xxx/ooo/...",
        "solve --position xxy/.../...",
        "solve --position ..../..../....",
        "solve --backend gpu",
        "solve --workers 2",
        "solve --workers 0",
        "solve --workers -1",
        "solve --backend threads --workers 0",
        "solve --backend threads --workers 1025",
        "solve --backend threads --workers many",
        "solve --backend threads --schedule fair",
        "solve --backend threads --split 0",
        "solve --backend threads --split 9",
        "solve --backend threads --split 6 --game mnk:8,8,5",
        "solve --scoring chess",
        "solve --order ,",
        "solve --depth 0",
        "solve --depth 2.5",
        "solve --nodes 0",
        "solve --nodes -5",
        "solve --seconds 0",
        "solve --seconds -1",
        "solve --seconds nan",
        "solve --seconds inf",
        "solve --seconds soon",
        "solve --record -1",
        f"solve --record {10**30}",
        "solve --timeline -",
        "solve --timeline /nowhere/at/all",
        "solve --game=-3,3,3",
        "--screenshot picture.svg",
        "tree --csv both --npz both",
        "tree --dot both --efg both",
        "tree --algorithm alphabeta --csv - --why 1",
        "perft",
        "perft --depth -1",
        "perft --depth deep",
        "perft --depth 3 --position xxx/ooo/...",
        "bench --json",
    ],
)
def test_what_cannot_be_done_is_refused_with_one_sentence(capsys, line):
    assert cli.run(line.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.endswith((".\n", "?\n"))
    assert not {"Traceback", "Usage", "╭", "`$"} & set(err.split())


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("tree --line b2 --csv f", "--line has no effect without a path or a subtree: leave it out, or add --dot,"),
        ("tree --line b2 --why 3", "--line has no effect without a path or a subtree"),
        ("tree --line b2 --svg f.svg", "--line has no effect without a path or a subtree"),
        ("tree --picture path --csv f", "--picture has no effect without a picture: leave it out, or add --svg,"),
        ("tree --picture path --animate f.gif", "--picture has no effect without a picture"),
        ("tree --color cut --csv f", "--color has no effect without a picture of the whole tree"),
        ("tree --color cut --svg f.svg --picture path", "--color has no effect without a picture of the whole tree"),
        ("tree --size 9x9 --csv f", "--size has no effect without a picture or a replay"),
        ("tree --length 10 --csv f", "--length has no effect without a replay: leave it out, or add --animate."),
        ("solve --hosts a", "--hosts has no effect without MPI ranks: leave it out, or add --backend mpi."),
        ("solve --backend threads --launcher x", "--launcher has no effect without MPI ranks"),
        ("speedup --chart parts", "--chart has no effect without a picture of one chart"),
        ("speedup --chart speedup --pdf f.pdf", "--chart has no effect without a picture of one chart"),
        ("speedup --log --csv f", "--log has no effect without a picture: leave it out, or add --png, --svg or --pdf."),
        ("--size 9x9 solve", "--size has no effect without a picture: leave it out, or add --screenshot FILE"),
        ("--theme light bench", "--theme has no effect without a picture"),
    ],
)
def test_an_option_that_nothing_uses_is_refused(capsys: pytest.CaptureFixture[str], line: str, sentence: str) -> None:
    assert cli.run(line.split()) == 2
    assert capsys.readouterr().err.startswith(sentence)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("tree --csv=", "Invalid value for '--csv': the name of the file is empty."),
        ("solve --timeline=", "Invalid value for '--timeline': the name of the file is empty."),
        ("--screenshot=", "Invalid value for '--screenshot': the name of the file is empty."),
        ("tree --csv a.svg", "The file is a CSV: choose a name with .csv instead of a.svg."),
        ("tree --nested a.CSV", "The file is a JSON: choose a name with .json instead of a.CSV."),
        ("speedup --report a.csv", "The file is an MD: choose a name with .md instead of a.csv."),
        ("tree --csv f --record 0", "Without a record there is no tree to write: give --record a greater number."),
        ("tree --dot f --efg tests/../f", "f would be written twice: give each its own name."),
        ("solve --timeline a.png", "The file is a JSON: choose a name with .json instead of a.png."),
    ],
)
def test_a_file_is_named_and_its_name_tells_no_wrong_kind(
    capsys: pytest.CaptureFixture[str], line: str, sentence: str
) -> None:
    assert cli.run(line.split()) == 2
    assert capsys.readouterr().err == f"{sentence}\n"


def test_the_program_itself_refuses_without_a_traceback():
    ended = subprocess.run(
        [sys.executable, PROGRAM, "solve", "--workers", "0"], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == "The search cannot run: workers must be a whole number from 1 to 1,024.\n"


# Behaviour.


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_the_help_of_every_number_has_its_range_and_its_default(name, capsys, monkeypatch):
    """A seed has no range; what must be given has no default."""
    monkeypatch.setenv("COLUMNS", "200")
    assert cli.run([name, "--help"]) == 0
    rows = re.split(r"\n. [* ]*--", capsys.readouterr().out)[1:]
    numbers = [row for row in rows if re.match(r"\S+ +(?:D|MIB|N|S|SECONDS|T|WINS) ", row)]
    assert len(numbers) == {"solve": 10, "tree": 12, "play": 1, "perft": 1, "speedup": 8}.get(name, 0)
    for row in numbers:
        assert re.search(r"\[[^ ]*x[<>]=?\d[^ ]*\]|1 to |as --workers|^seed", row), "no range"
        assert "default: " in row or "required" in row


def test_help_and_version_need_neither_numba_nor_qt(tmp_path):
    """Nor do they look for garbage among all objects, which stay alive, not even at the end."""
    probe = (
        f"import gc, sys; sys.path.insert(0, {str(PROGRAM.parent)!r}); import main\n"
        "for line in ('--help', 'solve -h', '--version'):\n"
        "    sys.argv[1:] = line.split()\n"
        "    assert main.main() == 0, line\n"
        "    assert not {'numba', 'PySide6'} & set(sys.modules), f'slow imports by {line}'\n"
        "    print('end of', line)\n"
        "assert not gc.get_stats()[2]['collections']\n"
        "garbage = type('Garbage', (), {'__del__': lambda _: print('collected')})()\n"
        "garbage.itself = garbage"
    )
    ended = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    for words in re.split("end of .*\n", ended.stdout)[:3]:
        assert "plyscope" in words
    assert "collected" not in ended.stdout


def test_no_process_is_started_to_ask_numba_about_variables_of_ours():
    probe = (
        "import sys; sys.addaudithook(lambda event, _: event != 'subprocess.Popen' or sys.exit('a process'))\n"
        "from engine.jit.environment import check_environment\n"
        "check_environment()"
    )
    theirs = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    ended = subprocess.run(
        [sys.executable, "-c", probe], cwd=PROGRAM.parent, env=theirs, capture_output=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, b"")


@pytest.mark.parametrize(("number", "where"), [(signal.SIGINT, "serial"), (signal.SIGTERM, "threads")])
def test_a_signal_ends_a_long_search_which_prints_what_was_finished(number, where):
    line = f"solve --game mnk:4,4,4 --depth 15 --algorithm minimax --backend {where} --json"
    found = told_to_end(line, b"nodes/s", number)
    assert (found["complete"], found["end"]) == (False, "stopped")
    assert found["nodes"] > 0


def told_to_end(line, word, number):
    """Run a command on a terminal, send it a signal once its progress shows `word`, and read the JSON that it
    prints."""
    ours, theirs = os.openpty()
    # Under a parent that ignores SIGHUP, such as nohup, children would ignore it too.
    heard = {"preexec_fn": lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL) and None}
    process = start_impatient(line, stderr=theirs, **heard)
    os.close(theirs)
    try:
        said, end = b"", time.monotonic() + 90
        while word not in said and time.monotonic() < end:
            if select.select([ours], [], [], 1)[0]:
                said += os.read(ours, 4096)
        assert word in said
        process.send_signal(number)
        out, _ = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    assert process.returncode == 128 + number
    return json.loads(out)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_compilation_at_once(capsys, monkeypatch, number):
    def compile_long(*_):
        signal.raise_signal(number)
        raise AssertionError("It compiles on.")

    monkeypatch.setattr("engine.backends.local.load_kernels", compile_long)
    assert cli.run(["solve", "--json"]) == 128 + number
    found = json.loads(capsys.readouterr().out)
    assert (found["end"], found["nodes"], found["value"]) == ("stopped", 0, None)
    monkeypatch.setattr("engine.measure.perft.load_kernel", compile_long)
    assert cli.run(["perft", "--depth", "3", "--json"]) == 128 + number
    assert json.loads(capsys.readouterr().out)["counts"][:2] == [1, 9]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_a_file_is_written_leaves_no_part_of_it(tmp_path, monkeypatch, number):
    def interrupted(game, trace, lines):
        lines.write("row")
        signal.raise_signal(number)
        raise AssertionError("It writes on.")

    before = {name: signal.signal(name, handler) for name, handler in HANDLERS.items()}
    try:
        monkeypatch.setattr("engine.trace.export.write_csv", interrupted)
        line = f"tree --position xox/xo./... --backend interpreted --csv {tmp_path / 'tree.csv'}"
        monkeypatch.setattr(sys, "argv", ["plyscope", *line.split()])
        assert main.main() == 128 + number
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
    assert not list(tmp_path.iterdir())


HANDLERS = {
    signal.SIGINT: signal.default_int_handler,
    signal.SIGTERM: signal.SIG_DFL,
    signal.SIGHUP: signal.SIG_DFL,
}
"""Those that a program has at its start."""


def test_a_signal_ends_a_long_count_which_prints_what_was_counted():
    found = told_to_end("perft --game mnk:4,4,4 --depth 16 --json", b"counting", signal.SIGHUP)
    assert not found["complete"]
    assert found["counts"][:2] == [1, 16]
    assert 0 < found["counts"][4] <= 16 * 15 * 14 * 13
    assert found["counts"][16] < 10**12


def test_a_count_that_was_stopped_says_at_least(capsys, monkeypatch):
    def counting(*_):
        yield [1, 9, 17, 56]
        os.kill(os.getpid(), signal.SIGTERM)
        yield [1, 9, 33, 112]
        raise AssertionError("It goes on.")

    monkeypatch.setattr(perft, "load_kernel", lambda _: None)
    monkeypatch.setattr(perft, "counting", counting)
    assert cli.run(["perft", "--depth", "3"]) == 128 + signal.SIGTERM
    out, err = capsys.readouterr()
    assert err == ""
    assert "Tic-tac-toe, .../.../..., stopped" in out
    assert "at least" in out
    assert "112" in out


@pytest.mark.parametrize(("whole", "rounds"), [(0, 0), (1, 1), (2, 2)])
def test_a_tour_that_is_stopped_shows_its_whole_rounds(capsys, monkeypatch, whole, rounds):
    def until(job, chosen, control, least):
        for message in measure(job, chosen, control, least=least):
            if isinstance(message, Progress) and message.total and message.done == whole * len(chosen):
                os.kill(os.getpid(), signal.SIGTERM)
            yield message

    monkeypatch.setattr(sys.modules["engine.cli.tour"], "measure", until)
    assert cli.run(["tour"]) == 128 + signal.SIGTERM
    out, err = capsys.readouterr()
    if rounds:
        assert err == ""
        assert f"Medians of {rounds} interleaved run{'s' if rounds > 1 else ''}," in out
        assert "549,946" in out
    else:
        assert (out, err.count("\n")) == ("", 1)
        assert "nothing to compare" in err


def test_a_search_whose_ranks_failed_ends_with_1_and_its_result(capsys, monkeypatch):
    found = solve(Job(position="x../.../..."))
    failed = msgspec.structs.replace(found, end=End.FAILED, failure="Rank 1 ended.")
    monkeypatch.setattr(sys.modules["engine.cli.solve"], "finish", lambda job: failed)
    assert cli.run(["solve", "--json"]) == 1
    out, err = capsys.readouterr()
    assert (json.loads(out)["nodes"], json.loads(out)["end"], err) == (59_705, "failed", "Rank 1 ended.\n")


@pytest.mark.parametrize("line", ["solve", "--help"])
def test_a_reader_who_goes_away_hears_no_complaint(line):
    process = start(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    with process.stderr as errors:
        assert errors.read() == b""
    process.wait()


def shell(words, **environment):
    """Run a line of sh, in which {plyscope} is the program. Returns its exit code, stdout and stderr."""
    line = words.format(plyscope=shlex.join([sys.executable, str(PROGRAM)]))
    screenless = without_display() | environment
    ended = subprocess.run(["sh", "-c", line], env=screenless, capture_output=True, text=True, timeout=100, check=False)
    return ended.returncode, ended.stdout, ended.stderr


@pytest.mark.parametrize(
    "words",
    [
        "{plyscope} solve >&-",
        "cd $(mktemp -d) && rmdir $PWD && {plyscope} solve",
        "NUMBA_THREADING_LAYER=nope {plyscope} solve --backend threads",
        "NUMBA_THREADING_LAYER_PRIORITY=nope {plyscope} solve --backend threads",
    ],
)
def test_what_the_surroundings_forbid_is_said_in_one_sentence(words):
    code, out, err = shell(words)
    assert code in (1, 2)
    assert out == ""
    assert err.count("\n") == 1
    assert err.endswith(".\n")
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("solve", "NUMBA_DISABLE_JIT", "1"),
        ("perft --depth 2", "NUMBA_NUM_THREADS", "many"),
        ("solve", "NUMBA_NUM_THREADS", "0"),
        ("solve", "NUMBA_OPT", "x"),
        ("perft --depth 2", "NUMBA_CPU_NAME", "nonsense"),
    ],
)
def test_a_variable_that_numba_would_refuse_is_told_before_it_is_loaded(line, name, value, monkeypatch, capsys):
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    monkeypatch.setenv(name, value)
    assert cli.run(line.split()) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), err.endswith(".\n")) == ("", 1, True)
    assert name in err
    assert "numba" not in sys.modules


@pytest.mark.parametrize("line", ["a.plyscope", ""])
def test_a_folder_that_is_gone_is_told_of_whatever_is_asked(line, tmp_path, monkeypatch, capsys):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    monkeypatch.setattr(sys, "argv", ["plyscope", *line.split()])
    assert main.main() == 1
    assert capsys.readouterr() == ("", "The working folder is gone: change to another one.\n")


@pytest.mark.parametrize("name", ["a" * 300, "a" * 300 + ".plyscope", "/", "pipe.plyscope", "folder.plyscope"])
def test_what_can_be_no_saved_game_is_refused_in_one_sentence(name, tmp_path, monkeypatch, capsys):
    os.mkfifo(tmp_path / "pipe.plyscope")
    (tmp_path / "folder.plyscope").mkdir()
    monkeypatch.chdir(tmp_path)
    for variable in SCREENS:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(sys, "argv", ["plyscope", name])
    assert main.main() in (1, 2)
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), err.endswith(".\n")) == ("", 1, True)


@pytest.mark.parametrize(("name", "value"), [("NUMBA_DISABLE_JIT", "1"), ("NUMBA_NUM_THREADS", "0")])
def test_no_window_opens_where_nothing_could_be_searched(name, value, monkeypatch, capsys):
    monkeypatch.setattr(main, "why_no_window", lambda: None)
    monkeypatch.setattr(sys, "argv", ["plyscope"])
    monkeypatch.setenv(name, value)
    assert main.main() == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert name in err


def test_streams_that_are_not_needed_may_be_closed():
    code, out, err = shell("{plyscope} solve --json <&- 2>&-")
    assert (code, json.loads(out)["nodes"], err) == (0, 549_946, "")


def test_a_closed_input_ends_a_game(capsys, monkeypatch):
    """Python then has no sys.stdin."""
    monkeypatch.setattr(sys, "stdin", None)
    assert cli.run(["play"]) == 0
    out, err = capsys.readouterr()
    assert ("X to move" in out, err) == (True, "")


def test_a_complaint_that_nobody_can_read_is_not_printed_elsewhere():
    assert shell("{plyscope} solve --workers 0 2>&-") == (2, "", "")


@pytest.mark.parametrize(
    ("words", "shown", "optimize"), [("--help", "speedup", "2"), ("solve --position x../.../...", "-1", "0")]
)
def test_without_utf_8_there_is_the_same_answer(words, shown, optimize):
    """A value of -1 keeps its sign. The help, here without docstrings too, names nothing None."""
    less = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C", "PYTHONOPTIMIZE": optimize}
    code, out, err = shell(f"{{plyscope}} {words}", **less)
    assert (code, err) == (0, "")
    assert shown in out
    assert "?" not in out
    assert "None" not in out


@pytest.mark.parametrize("width", [20, 30, 79])
def test_figures_are_wrapped_in_a_narrow_terminal_and_never_cut(width):
    game = registry.game("tictactoe")
    job = Job(position=".../.../...", backend="threads", workers=2)
    lines = Console(width=width, file=io.StringIO(), record=True, highlight=False)
    found = solve(job)
    lines.print(summary(game, game.start, found))
    text = lines.export_text()
    assert "…" not in text
    assert all(len(line) <= width for line in text.splitlines())
    assert "549,946" in text
    _, workers = text.split("worker", 1)
    figures = [f"{worker.counters.nodes:,}" for worker in found.info.workers]
    assert {"nodes", "tasks", "busy", "idle", *figures} <= {*workers.split()}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Only Linux can be without a display.")
def test_without_a_display_it_says_so_tours_and_paints_the_window(tmp_path):
    """In any folder."""
    ended = subprocess.run(
        [sys.executable, PROGRAM],
        env=without_display(),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr.startswith("There is no display")
    assert "549,946" in ended.stdout
    assert "never visited" in " ".join(ended.stdout.split())
    if why_no_painting() is None:
        assert "plyscope.png" in "".join(ended.stdout.split())
        assert (tmp_path / "plyscope.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("options", [{}, {"evaluation": "squares"}, {"fold": True}, {"evaluate": False}, {"seed": 5}])
def test_what_has_no_effect_alone_goes_with_the_recommended_search(options: dict[str, Any]) -> None:
    """An evaluation alone had Othello searched by minimax, without a horizon and without an end."""
    job = Job(game="othello:8", position=OTHELLO, **options)
    assert without_options(job) == replace(recommended("othello:8", OTHELLO), **options)
    for way in ({"limit": Limit(3)}, {"table": 1.0}, {"algorithm": "pvs"}):
        assert without_options(told := replace(job, **way)) == told


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--fold", ["--fold has no effect. There is no table: choose a size first."]),
        ("--parallel ybw", ["--parallel has no effect. A serial search has only one worker: choose threads or MPI."]),
        ("--no-evaluate --depth 9", []),
        ("--seed 3", ["--seed has no effect. Only the random order uses a seed."]),
        ("--backend threads --schedule static --record 9", []),
    ],
)
def test_an_option_without_an_effect_is_told_of(
    capsys: pytest.CaptureFixture[str], options: str, told: list[str]
) -> None:
    assert cli.run(["solve", *options.split()]) == 0
    assert capsys.readouterr().err.splitlines() == told


def test_a_tree_of_a_game_of_chance_needs_no_algorithm(capsys: pytest.CaptureFixture[str]) -> None:
    options = "--game random-turn:3,3,3 --backend interpreted --dot -"
    assert cli.run(["tree", *options.split(), "--position", "xox/xo./o.. o"]) == 0
    assert capsys.readouterr().err == "40 nodes of expectiminimax\n"


def test_an_estimate_and_what_is_not_known_are_no_exact_values(answer: Any) -> None:
    found = answer("solve --game connect-four --depth 2 --algorithm alphabeta --table 0.1 --backend interpreted")
    assert (found["bound"], found["is_estimate"]) == ("exact", True)
    known = answer("solve --position xo./.../...")
    assert (known["value"], known["bound"], known["is_estimate"]) == (1, "exact", False)
    nothing = answer("solve --game mnk:4,4,4 --nodes 1 --depth 15 --algorithm minimax")
    assert (nothing["value"], nothing["bound"], nothing["is_estimate"]) == (None, None, None)


def test_a_search_that_may_not_end_is_warned_of_in_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_long(Job(game="mnk:7,7,5", position="/".join(["......."] * 7), algorithm="alphabeta"))
    assert not is_long(Job(game="mnk:4,4,4", position="..../..../..../....", algorithm="alphabeta"))
    monkeypatch.setattr(tree_size, "LONG_SECONDS", 0.0)
    assert cli.run(["solve"]) == 0
    warning = capsys.readouterr().err
    assert warning == "This may take very long: about 500,000 nodes, by an estimate; try --depth 9.\n"
    for limit in ("--nodes 100", "--seconds 1"):
        assert cli.run(["solve", *limit.split()]) == 0
        assert capsys.readouterr().err == ""


@pytest.mark.parametrize("module", ["typer", "gui.window"])
def test_ctrl_c_ends_the_start_without_a_word(module: str) -> None:
    """Before Qt is loaded, and after that."""
    probe = (
        "import os, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(name, *_):\n"
        f"        if name == {module!r}:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder)\n"
        f"sys.path.insert(0, {str(PROGRAM.parent)!r})\n"
        "import main\n"
        "main.run_and_exit()"
    )
    ended = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")
