"""What a record is written as is read back by other means, and has the searched value."""

import csv
import io
import json
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine import cli
from engine.backends import solve
from engine.job import RECORD_ROWS, Job
from engine.options.catalogue import Limit
from engine.registry import game
from engine.result import State
from engine.trace import export
from engine.trace.record import Trace
from tests.engine import naive

SEARCH = Job(position="xo./.x./..o", backend="interpreted", record=RECORD_ROWS)
SMALL = (
    SEARCH,
    replace(SEARCH, position="xo./.x./...", algorithm="alphabeta"),
    replace(SEARCH, position="xo./.../...", algorithm="pvs"),
    replace(SEARCH, game="othello:4", position="..../.xo./.ox./....", algorithm="alphabeta", limit=Limit(depth=5)),
    replace(SEARCH, game="connect6:3,3,3", position=".o./.xx/o.x", algorithm="alphabeta"),
    replace(SEARCH, game="random-turn:3,3,3", position="xox/xo./o..", algorithm="expectiminimax"),
)
"""Searches of up to SMALL nodes: exhaustive, with cutoffs, with repeated moves, with passes and estimates, with sides
that move again, with chance nodes."""


def recorded(job: Job) -> Trace:
    trace = solve(job).trace
    assert trace is not None
    return trace


def induced(tokens: Iterator[str]) -> tuple[float, float] | None:
    """The payoffs of the game tree that comes next in an .efg file, by backward induction; None: it has no outcome."""
    kind, _ = next(tokens), next(tokens)
    if kind == "t":
        if next(tokens) == "0":
            return None
        _, _, first, second, _ = (next(tokens) for _ in range(5))
        return float(first.rstrip(",")), float(second)
    player = 0 if kind == "c" else int(next(tokens))
    assert [next(tokens) for _ in range(3)][1:] == ['""', "{"]
    moves, chances = 0, list[Fraction]()
    while next(tokens) != "}":
        moves += 1
        if kind == "c":
            chances.append(Fraction(next(tokens)))
    assert next(tokens) == "0"
    below = [induced(tokens) for _ in range(moves)]
    if kind == "c":
        assert sum(chances) == 1
        outcomes = [payoffs or (0.0, 0.0) for payoffs in below]
        first, second = (
            sum(float(chance) * payoffs[side] for chance, payoffs in zip(chances, outcomes, strict=True))
            for side in (0, 1)
        )
        return first, second
    found = [payoffs for payoffs in below if payoffs is not None]
    return max(found, key=lambda payoffs: payoffs[player - 1], default=None)


def minimax(tree: Any, is_max: bool = True) -> float:
    if not isinstance(tree, list):
        return tree
    return (max if is_max else min)(minimax(child, not is_max) for child in tree)


@pytest.mark.parametrize("job", SMALL, ids=lambda job: job.algorithm + job.game)
def test_small_formats_have_the_value_and_the_moves(job: Job) -> None:
    rules, result = game(job.game), solve(job)
    trace, value = result.trace, result.info.value
    assert trace is not None
    assert value is not None
    text = export.efg(rules, result)
    head, _, body = text.partition("\n\n")
    assert head.startswith(f'EFG 2 R "{job.game}, {rules.notation.format(trace.root)}, {job.algorithm}" ')
    assert re.fullmatch(r'EFG 2 R ".*" \{ "\S+" "\S+" \}\n".*"', head)
    tokens = iter(re.findall(r'"(?:[^"\\]|\\.)*"|\S+', body))
    mover = rules.notation.mover(trace.root)
    payoffs = induced(tokens)
    assert payoffs is not None
    assert payoffs[mover] == -payoffs[1 - mover] == pytest.approx(value.number, abs=1e-5)
    assert not list(tokens)
    if rules.chance:
        with pytest.raises(ValueError, match="no place for probabilities"):
            export.nested(rules, result)
    else:
        assert minimax(json.loads(export.nested(rules, result))) == pytest.approx(value.number)
    dot = export.dot(rules, result)
    assert f", {job.algorithm}: values are " in dot.splitlines()[1]
    chance_nodes = sum(map(trace.at_chance, range(len(trace))))
    assert dot.count("shape=diamond") == chance_nodes
    assert bool(chance_nodes) == bool(rules.chance)
    assert len(re.findall(r"^  n\d+ \[", dot, re.M)) == len(trace)
    assert len(re.findall(r"^  n\d+ -> n\d+ \[", dot, re.M)) == len(trace) - 1
    unseen = sum(
        child.state is not State.DONE for row in range(len(trace)) for child in trace.path_nodes(row)[-1].children
    )
    assert len(re.findall(r"^  n\d+ -> m", dot, re.M)) == unseen


@given(job=naive.interrupted())
def test_the_columns_of_any_record(job: Job) -> None:
    trace = recorded(job)
    rules, text, data = game(job.game), io.StringIO(), io.BytesIO()
    export.write_csv(rules, trace, text)
    export.write_npz(rules, trace, data)
    lines = list(csv.DictReader(io.StringIO(text.getvalue())))
    data.seek(0)
    columns = np.load(data)
    assert len(lines) == len(columns["value"]) == len(trace)
    assert str(columns["position"]) == job.position
    for row in range(0, len(trace), 1 + len(trace) // 20):
        line, found, record = lines[row], trace.found(row), trace.rows[row]
        assert int(line["row"]) == row
        assert int(line["end"]) == columns["end"][row] == trace.end(row)
        assert int(line["parent"]) == columns["parent"][row] == trace.parent(row)
        moves = [rules.notation.move_name(move) for move in trace.moves(row)]
        assert int(line["ply"]) == len(moves)
        assert line["move"] == (moves[-1] if moves else "")
        assert line["bound"] == (str(found.bound) if found else "")
        assert export.REASONS[columns["reason"][row]] == line["reason"]
        assert (line["value"] == "") == (line["reason"] == "open")
        if found:
            assert float(line["value"]) == columns["value"][row] == pytest.approx(found.number)
        assert float(line["alpha"]) == (-np.inf if record["alpha"] == -32_000 else record["alpha"] / trace.unit)


def test_a_large_subtree_is_refused_and_a_line_names_a_smaller_one(tmp_path, capsys) -> None:
    wanted = f"tree --algorithm alphabeta --nested {tmp_path / 'tree.json'}"
    for line, why in (("", "18,297 nodes"), ("--line 'b2,j9'", "no node 'j9'")):
        assert cli.run([*wanted.split(), *line.replace("'", "").split()]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert why in err
        assert err.count("\n") == 1
    assert cli.run([*wanted.split(), "--line", "a1 b2 b1 c1", "--csv", str(tmp_path / "tree.csv")]) == 0
    assert capsys.readouterr().out == f"18,297 nodes of alphabeta: {tmp_path / 'tree.csv'}, {tmp_path / 'tree.json'}\n"
    rows = list(csv.DictReader((tmp_path / "tree.csv").open()))
    assert len(rows) == 18_297
    (row,) = (row for row in rows if row["ply"] == "4" and line_to(rows, row) == ["a1", "b2", "b1", "c1"])
    assert minimax(json.loads((tmp_path / "tree.json").read_text())) == int(row["value"])


@pytest.mark.parametrize("kind", ["csv", "dot", "efg", "nested"])
def test_the_output_takes_one_text_instead_of_a_file(kind: str, tmp_path, capsys, monkeypatch) -> None:
    """A file of the name "-" was written, and committed."""
    monkeypatch.chdir(tmp_path)
    search = f"tree --position xo./.x./..o --algorithm alphabeta --{kind}".split()
    assert cli.run([*search, "tree.txt"]) == 0
    told = capsys.readouterr().out.partition(":")[0]
    assert cli.run([*search, "-"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == (tmp_path / "tree.txt").read_text().splitlines()
    assert err == f"{told}\n"
    assert [file.name for file in tmp_path.iterdir()] == ["tree.txt"]
    for wrong, more in (
        ("takes one of them", ["--npz", "-"]),
        ("print their answer", ["--json"]),
        ("print their answer", ["--why", "a1"]),
    ):
        assert cli.run([*search, "-", *more]) == 2
        assert wrong in capsys.readouterr().err
    assert cli.run([*search[:-1], "--npz", "-"]) == 2
    assert capsys.readouterr().err == "- is the output, which takes no .npz here: name a file for it.\n"


def test_the_command_line_says_why_a_line_is_pruned(capsys) -> None:
    search = "tree --position x../.../... --algorithm alphabeta --json --why"
    assert cli.run([*search.split(), "b1 c1"]) == 2
    assert "searched" in capsys.readouterr().err
    trace = recorded(Job(position=naive.X_ON_A1, algorithm="alphabeta", record=RECORD_ROWS))
    row = next(row for row in range(len(trace)) if trace.unsearched.moves[row])
    assert cli.run([*search.split(), str(row)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["row"], len(told["pruned"])) == (row, trace.unsearched.moves[row])
    assert cli.run([*search.split(), " ".join([*told["moves"], told["pruned"][-1]])]) == 0
    assert json.loads(capsys.readouterr().out) == told
    for beyond in ("2338", "9" * 5_000):
        assert cli.run([*search.split(), beyond]) == 2
        said = f"There is no node {beyond}: the nodes of this record have the numbers 0 to 2,337.\n"
        assert capsys.readouterr().err == said


def test_the_command_line_compares_two_algorithms(capsys) -> None:
    search = "tree --position x../.../... --algorithm alphabeta"
    assert cli.run([*search.split(), "--color", "search"]) == 2
    assert "--compare" in capsys.readouterr().err
    assert cli.run([*search.split(), "--compare", "Minimax"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "2,338 nodes of alphabeta",
        "59,705 nodes of minimax: 2,338 visited by both, 0 by alphabeta only, 57,367 by minimax only",
    ]
    assert cli.run([*search.split(), "--compare", "minimax", "--json"]) == 0
    told = {"algorithm": "minimax", "nodes": 59_705, "both": 2_338, "only_first": 0, "only_second": 57_367}
    told |= {"unknown_first": 0, "unknown_second": 0}
    assert json.loads(capsys.readouterr().out)["compare"] == told


@pytest.mark.parametrize("search", ["mtdf", "alphabeta --deepen"])
def test_the_command_line_writes_the_iteration_that_is_asked_for(capsys, tmp_path, search: str) -> None:
    """Their nodes are those of the whole search; without a number it is the last, and is named."""
    start = f"tree --position xo./.x./... --algorithm {search}".split()
    file, seen = tmp_path / "tree.csv", list[int]()
    assert cli.run([*start, "--csv", str(file)]) == 0
    name, count = start[4], int(capsys.readouterr().out.split("iteration ")[1].split(" ")[0])
    last = file.read_text()
    for number in range(1, count + 1):
        assert cli.run([*start, "--csv", str(file), "--iteration", str(number)]) == 0
        seen.append(len(file.read_text().splitlines()) - 1)
        said = f"{seen[-1]:,} nodes of {name}, iteration {number} ({sum(seen):,} nodes with those before it): {file}"
        assert capsys.readouterr().out == f"{said}\n"
        assert cli.run([*start, "--dot", "-", "--iteration", str(number)]) == 0
        assert f", iteration {number}: values are" in capsys.readouterr().out.splitlines()[1]
    assert count > 1
    assert file.read_text() == last
    assert cli.run([*start, "--csv", str(file), "--iteration", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["nodes"], told["iteration"], told["so_far"]) == (seen[0], 1, seen[0])
    single = ["tree", "--algorithm", "pvs", "--iteration", "2"]
    for wrong, asked in (("There is no iteration 9", [*start, "--iteration", "9"]), ("has one iteration", single)):
        assert cli.run([*asked, "--csv", str(file)]) == 2
        assert wrong in capsys.readouterr().err


@given(data=st.data())
def test_a_stopped_search_has_unknown_leaves(data: st.DataObject) -> None:
    nodes = data.draw(st.integers(2, 400))
    result = solve(replace(SEARCH, position=naive.X_ON_A1, limit=Limit(nodes=nodes)))
    rules = game("tictactoe")
    for line in export.efg(rules, result).splitlines()[3:]:
        assert line.startswith("p ") or re.fullmatch(r't ".*" (0|\d+ "" \{ -?\d, -?\d \})', line)
    assert all(leaf in (None, -1, 0, 1) for leaf in flat(json.loads(export.nested(rules, result))))


def test_a_game_for_gambit_says_where_nodes_are_missing() -> None:
    """Backward induction then gives another value than the search."""
    job = Job(game="connect-four:4,4", position="..../xo.x/xo.o/xoox", record=45, backend="interpreted")
    whole, cut = solve(replace(job, record=200)), solve(job)
    assert whole.trace is not None
    comments = [export.efg(game(job.game), result).splitlines()[1] for result in (whole, cut)]
    assert comments[0] == '"The moves that a search visited."'
    assert f"first 45 of {len(whole.trace)} nodes" in comments[1]


def test_a_subtree_without_a_record_is_refused_with_a_sentence() -> None:
    result = solve(replace(SEARCH, record=0))
    for write in export.SUBTREES.values():
        with pytest.raises(ValueError, match="no recorded node"):
            write(game("tictactoe"), result, 0)


def line_to(rows: list[dict[str, str]], row: dict[str, str]) -> list[str]:
    """The moves from the root to a row of a CSV file."""
    return [] if row["ply"] == "0" else [*line_to(rows, rows[int(row["parent"])]), row["move"]]


def flat(tree: Any) -> Iterator[object]:
    if not isinstance(tree, list):
        yield tree
        return
    for child in tree:
        yield from flat(child)
