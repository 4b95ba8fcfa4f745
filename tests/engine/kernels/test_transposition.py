"""The transposition table: keys distinguish positions, symmetries fold them, and the table changes no value."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.backends import interpreted, memory_limit, solve
from engine.backends.allocate import make_aids
from engine.backends.local import ONE_ENTRY, drive
from engine.control import Control
from engine.job import Job, JobError
from engine.kernels import depth_first, subtree
from engine.kernels.transposition import ENTRY_BYTES, SearchAids, fill, new_table, probe, slot_of, store
from engine.kernels.worker_memory import STATE_TYPE
from engine.options.catalogue import MAX_TABLE, Limit
from engine.options.choices import Order, Parallel, Replacement, Scoring
from engine.prepare import prepare
from engine.registry import game
from engine.result import INFINITY, Result, Snapshot, in_wins
from engine.rules.bits import each
from engine.rules.contract import (
    UNIT,
    WIN,
    Position,
    Traits,
    declare,
    evaluate,
    is_over,
    key,
    legal,
    play,
    plies_bound,
    transformed,
    utility,
)
from tests.engine import naive
from tests.engine.naive import EMPTY

SPECS = ["tictactoe", "mnk:4,4,3", "mnk:4,4,4", "mnk:5,4,4", "mnk:3,4,3", "mnk:7,6,4", "mnk:8,8,5", "mnk:4,16,4"]


def searched(**asked: object) -> Snapshot:
    way = {"position": EMPTY, "algorithm": "alphabeta", "deepen": True, "limit": Limit(depth=9), "record": 1}
    return solve(Job(**(way | asked))).info  # type: ignore[arg-type]


def test_no_two_positions_of_3_x_3_share_a_key_and_765_are_distinct(reachable: list[Position]) -> None:
    """5,478 and 765: the counts of issue 6."""
    symmetries = range(len(game("tictactoe").symmetries))
    assert len({key(position) for position in reachable}) == len(reachable) == 5_478
    assert len({min(key(transformed(position, symmetry)) for symmetry in symmetries) for position in reachable}) == 765


@pytest.mark.parametrize("spec", ["mnk:4,4,4", "mnk:7,6,4"])
def test_no_two_positions_of_a_larger_board_share_a_key(spec: str) -> None:
    """Exact on 16 squares, hashed on 42: all positions up to some ply, and those of random games."""
    seen, edge = {game(spec).start}, {game(spec).start}
    while len(seen) < 10_000:
        edge = {play(position, move) for position in edge for move in each(legal(position))}
        seen |= edge
    assert len({key(position) for position in seen}) == len(seen)


@pytest.mark.parametrize("spec", SPECS)
@given(data=st.data())
def test_turning_is_a_group_action_that_keeps_the_game(spec: str, data: st.DataObject) -> None:
    position = data.draw(naive.positions(spec))
    symmetries = game(spec).symmetries
    one, other = (data.draw(st.integers(0, len(symmetries) - 1)) for _ in range(2))
    both = symmetries.index(tuple(symmetries[other][square] for square in symmetries[one]))
    assert transformed(position, 0) == position
    assert transformed(transformed(position, one), other) == transformed(position, both)
    found = transformed(position, one)
    assert (utility(found), plies_bound(found)) == (utility(position), plies_bound(position))
    assert {symmetries[one][move] for move in each(legal(position))} == {*each(legal(found))}
    if not is_over(position):
        assert evaluate(found, 0) == evaluate(position, 0)
        for move in each(legal(position)):
            assert transformed(play(position, move), one) == play(found, symmetries[one][move])


@pytest.mark.parametrize("spec", SPECS)
@given(data=st.data())
def test_an_estimate_is_that_of_the_twin_and_less_than_a_win(spec: str, data: st.DataObject) -> None:
    position = data.draw(naive.positions(spec))
    assert evaluate(position, 0) == naive.estimate(position)
    assert abs(evaluate(position, 0)) < naive.UNIT


@pytest.mark.parametrize(("columns", "rows", "count"), [(3, 3, 8), (4, 3, 4), (1, 3, 2), (1, 1, 1)])
def test_a_board_has_as_many_symmetries_as_it_should(columns: int, rows: int, count: int) -> None:
    symmetries = game(f"mnk:{columns},{rows},1").symmetries
    assert len(symmetries) == len({*symmetries}) == count
    assert symmetries[0] == tuple(range(columns * rows))


def test_a_table_has_a_power_of_two_of_entries_and_at_least_one() -> None:
    for size, entries in ((0.0, 1), (ONE_ENTRY, 1), (3 * ONE_ENTRY, 2), (1.0, (1 << 20) // ENTRY_BYTES)):
        assert len(new_table(size)) == 2 * entries
        assert fill(new_table(size)) == 0.0


@pytest.mark.parametrize("replacement", Replacement)
def test_a_larger_table_needs_fewer_nodes_and_folding_fewer_still(replacement: Replacement) -> None:
    asked = {"replacement": replacement}
    sizes = [0.0, ONE_ENTRY, 256 * ONE_ENTRY, 1.0]
    order = (Order.DOMAIN,)
    nodes = [searched(table=size, order=order, **asked).counters.nodes for size in sizes]
    assert nodes == sorted(nodes, reverse=True)
    assert searched(table=1.0, fold=True, order=order, **asked).counters.nodes < nodes[-1]


@pytest.mark.parametrize("parallel", Parallel)
def test_what_is_counted_of_a_table_adds_up(parallel: Parallel) -> None:
    info = searched(table=1.0, backend="threads", workers=2, parallel=parallel)
    assert info.counters.probes > info.counters.hits > info.counters.table_cutoffs > 0
    assert info.counters.nodes == sum(worker.counters.nodes for worker in info.workers)
    assert info.table_fill is not None
    assert 0 < info.table_fill < 1


def test_the_entries_in_use_are_counted_after_a_search() -> None:
    """A sample of this table has none of its entries in use: one for each probe that found none."""
    order = (Order.TABLE,)
    job = Job(position="x../.../...", algorithm="pvs", deepen=True, table=16.0, fold=True, order=order, record=10_000)
    result = solve(replace(job, backend="interpreted"))
    used = [(one.info.table_fill or 0) * 2**20 for one in (*filter(None, result.earlier), result)]
    assert used == [1, 6, 17, 43, 73, 122, 158, 170]
    assert used[-1] == result.info.counters.probes - result.info.counters.hits


def aids_of(**asked: Any) -> SearchAids:
    """The search aids of a search with a table, for the interpreter."""
    aids = make_aids(prepare(Job(position=EMPTY, algorithm="alphabeta", **asked)))
    assert aids is not None
    return aids._replace(state=np.zeros(1, STATE_TYPE))


def look_up(
    aids: SearchAids, position: Position, left: int, alpha: int = -INFINITY, beta: int = INFINITY
) -> int | None:
    """The table's value for a position; None where it has none that applies."""
    known, value, *_ = probe(aids, position, left, alpha, beta)
    return value if known else None


def keep(
    aids: SearchAids,
    position: Position,
    left: int,
    value: int,
    alpha: int = -INFINITY,
    beta: int = INFINITY,
    move: int = -1,
) -> None:
    _, _, _, found, symmetry = probe(aids, position, left, alpha, beta)
    store(aids, found, symmetry, left, alpha, beta, value, move)


def test_an_entry_that_was_searched_deeper_stays_for_the_same_search_only() -> None:
    """In a table with one entry."""
    aids = aids_of(table=ONE_ENTRY, replacement=Replacement.DEEPER)
    one = game("tictactoe").start
    other = play(one, 0)
    keep(aids, one, 5, 1)
    keep(aids, other, 4, 2)
    assert (look_up(aids, one, 5), look_up(aids, other, 4)) == (1, None)
    keep(aids, other, 5, 2)
    assert (look_up(aids, one, 5), look_up(aids, other, 5)) == (None, 2)
    keep(aids, other, 3, 3)
    assert look_up(aids, other, 3) == 3, "what is newer is known of the position itself"
    aids = aids._replace(depth=1)
    keep(aids, one, 1, 4)
    assert look_up(aids, one, 1) == 4, "an entry of an earlier search gives way"


def test_a_value_counts_where_its_plies_and_its_bound_are_enough() -> None:
    aids = aids_of(table=1.0)
    exact, low, high = islice(each_position(), 3)
    keep(aids, exact, 4, 1, move=7)
    assert [look_up(aids, exact, left) for left in (3, 4, 5)] == [None, 1, None]
    assert {probe(aids, exact, left, 0, 1)[2] for left in (3, 5)} == {7}, "its best move is worth trying anyway"
    keep(aids, low, 4, 2, 0, 2, move=7)
    assert [look_up(aids, low, 4, *window) for window in ((0, 1), (0, 2), (0, 3))] == [2, 2, None]
    assert probe(aids, low, 4, 0, 3)[2] == 7
    keep(aids, high, 4, 0, 0, 2, move=7)
    assert [look_up(aids, high, 4, *window) for window in ((0, 2), (1, 2), (-1, 2))] == [0, 0, None]
    assert probe(aids, high, 4, 0, 2)[2] == -1, "where all moves failed low none is known to be best"
    aids = aids._replace(state=np.zeros(1, STATE_TYPE))
    for position, left in ((exact, 4), (exact, 5), (play(exact, 8), 4)):
        look_up(aids, position, left)
    assert [int(aids.state[0][name]) for name in ("table_cutoffs", "unsettled")] == [1, 1]


@pytest.mark.parametrize("asked", [{}, {"algorithm": "pvs"}, {"limit": Limit(depth=6)}], ids=str)
def test_probes_and_hits_are_counted_as_they_are_made(
    asked: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the state of each search of the job. A job's counters leave out the searches that only complete its line."""
    found: dict[int, tuple[Any, Counter[str]]] = {}

    def watched(aids: SearchAids, position: Position, *rest: int) -> Any:
        words = aids.table[slot_of(aids.mask, key(position)) :][:2]
        answer = probe(aids, position, *rest)
        _, made = found.setdefault(aids.state.ctypes.data, (aids.state, Counter()))
        made["probes"] += 1
        made["hits"] += int(words[1] != 0 and words[0] ^ words[1] == key(position))
        made["table_cutoffs"] += int(answer[0])
        return answer

    for module in (depth_first, subtree):
        monkeypatch.setattr(module, "probe", watched)
    job = Job(**{"position": "x../.o./...", "algorithm": "alphabeta"} | asked, table=1.0)  # type: ignore[arg-type]
    counters = solve(replace(job, backend="interpreted")).info.counters
    for state, made in found.values():
        assert {name: int(state[0][name]) for name in made} == made
    assert sum(made["hits"] for _, made in found.values()) >= counters.hits > counters.table_cutoffs > 0


class Detour(NamedTuple):
    """A game with passes, as a graph of positions: node 3 is reached after two moves or after four."""

    node: int


CHILDREN = {0: (1, 2), 1: (4, 7), 2: (9, 3), 3: (6,), 4: (6,), 7: (8,), 8: (3,), 6: (), 9: ()}
LOST, PROMISING = 6, 8
"""The side to move has lost at LOST; 9 is a draw. Only PROMISING has an estimate."""

declare(
    Detour,
    Traits(moves=2, plies=9, widest=2, passes=True),
    (lambda position: UNIT // 2 if position.node == PROMISING else 0,),
)
is_over.register(Detour)(lambda position: not CHILDREN[position.node])
legal.register(Detour)(lambda position: (1 << len(CHILDREN[position.node])) - 1)
play.register(Detour)(lambda position, move: Detour(CHILDREN[position.node][move]))
utility.register(Detour)(lambda position: -int(position.node == LOST))
plies_bound.register(Detour)(lambda position: 9)
key.register(Detour)(lambda position: position.node)


def test_a_value_of_an_earlier_iteration_does_not_count() -> None:
    """To depth 3, node 3 is searched two plies below the root, with one ply left: it wins at ply 3. To depth 5 a cutoff
    leaves that path out, and node 3 again has one ply left, at ply 4: it wins at ply 5."""
    found = {}
    for table in (0.0, 1.0):
        job = Job(position=EMPTY, algorithm="alphabeta", scoring=Scoring.SOONEST, deepen=True, table=table)
        detour = prepare(job)._replace(position=Detour(0))
        *_, result = drive(detour, Control(), interpreted.run_slice, plies=0, workers=1)
        assert isinstance(result, Result)
        found[table] = [(done.depth, done.value.number) for done in result.info.iterations]
    assert found[1.0] == found[0.0]
    assert found[0.0][-1] == (5, WIN - 5)


def each_position() -> Iterator[Position]:
    """Positions of 3 x 3 with one stone."""
    return (play(game("tictactoe").start, move) for move in range(9))


def test_a_folded_positions_move_is_turned_with_it() -> None:
    """A position without a symmetry of its own is looked up in all eight views; each move is returned in the view of
    the lookup."""
    symmetries = game("tictactoe").symmetries
    position = game("tictactoe").notation.parse("xo./.../...")
    for seen, looked, move in product(range(8), range(8), each(legal(position))):
        aids = aids_of(table=0.01, fold=True)
        keep(aids, transformed(position, seen), 4, 1, move=symmetries[seen][move])
        assert look_up(aids, transformed(position, looked), 4) == 1
        assert probe(aids, transformed(position, looked), 3, 0, 1)[2] == symmetries[looked][move]
    assert look_up(aids_of(table=0.01), transformed(position, 1), 4) is None


def test_a_table_larger_than_the_memory_is_refused_with_the_figure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a container of 400 MiB: a limit by the machine's free memory alone would be larger, and the program would be
    killed."""
    (tmp_path / "memory.max").write_text(f"{400 << 20}\n")
    monkeypatch.setattr(memory_limit, "CGROUP", tmp_path)
    with pytest.raises(JobError, match=r"^There is no memory for a table of 256 MiB: 144 MiB are free\. Choose"):
        searched(table=256.0, limit=Limit(depth=2))
    with pytest.raises(JobError, match=r"rows of a record, 154 MiB: 144 MiB are free\. Choose"):
        searched(record=20_000_000, deepen=False)
    assert searched(table=100.0, limit=Limit(depth=2)).counters.nodes


def test_a_table_larger_than_the_machine_is_refused() -> None:
    with pytest.raises(JobError, match=r"There is no memory for a table of .* MiB are free"):
        searched(table=min(MAX_TABLE, 4.0 * memory_limit.available() / memory_limit.MEBIBYTE))


def test_without_a_table_nothing_is_counted_of_it() -> None:
    info = searched(order=(Order.DOMAIN,))
    assert (info.counters.probes, info.counters.hits, info.counters.table_cutoffs, info.table_fill) == (0, 0, 0, None)


@pytest.mark.parametrize("name", ["alphabeta", "pvs"])
def test_a_record_with_a_table_and_an_order_can_be_walked(name: str) -> None:
    """At every row; a move that is searched once more has its rows side by side."""
    for position, order in product(("x../.o./...", "x../.o./..x"), ((Order.TABLE, Order.KILLERS), (Order.RANDOM,))):
        job = Job(position=position, algorithm=name, table=1.0, order=order, record=20_000, limit=Limit(depth=5))
        result = solve(job)
        naive.assert_true(result)
        trace, counters = result.trace, result.info.counters
        assert trace is not None
        naive.assert_consistent(trace, name, ordered=True)
        rows = naive.rows_of(trace)
        counted = naive.counted(trace.root, rows)
        assert (counted.nodes, counted.terminals) == (counters.nodes, counters.terminals)
        assert (counted.cutoffs, counted.pruned, counted.depth) == (counters.cutoffs, counters.pruned, counters.depth)
        assert [row.why for row in rows].count(naive.BY_TABLE) == counters.table_cutoffs
        for row in range(len(trace)):
            path_nodes = trace.path_nodes(row)
            assert [node.move for node in path_nodes[:-1]] == list(trace.moves(row))
            assert path_nodes[-1].best.number == in_wins(rows[row].value, prepare(job).unit)
