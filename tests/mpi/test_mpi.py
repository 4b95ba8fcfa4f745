"""A search on MPI ranks finds the same as a local search, and reports and obeys in the same way."""

import json
import os
import platform
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, product
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from engine import cli
from engine.backends import run, solve, tapes
from engine.backends.mpi_job import protocol
from engine.backends.snapshot import root_moves
from engine.control import FULL_SPEED, MIN_PACE, Control
from engine.job import Job
from engine.kernels.worker_memory import OPEN
from engine.options.catalogue import Limit
from engine.options.choices import Parallel, Schedule, Scoring
from engine.prepare import prepare
from engine.result import INFINITY, Counters, End, RankState, Result, Snapshot, State
from engine.transfer import TransferKind
from tests.engine import naive
from tests.engine.naive import EMPTY, TEXTBOOK, X_ON_A1
from tests.mpi.follow import ENDLESS, HANGS, MPIEXEC, Search, begun, ending, launched, replica_of, until

pytestmark = pytest.mark.mpi

ROOT = Path(__file__).parents[2]
EARLY = "x../.o./..x"
"""Six plies are left."""


def dealt(**asked: Any) -> list[Job]:
    """A job for every algorithm and every pair of a number of ranks, a schedule and a split that is not given; one
    number has threads inside."""
    ranks: list[dict[str, Any]] = [{"workers": 1}, {"workers": 2}, {"workers": 3}, {"workers": 2, "threads": 2}]
    pairs = [*product(enumerate(ranks), enumerate(Schedule))]
    jobs = [
        Job(**{"backend": "mpi", "algorithm": name, "schedule": way, "split": 1 + (place + number) % 3} | few | asked)
        for name, ((place, few), (number, way)) in product(TEXTBOOK, pairs)
    ]
    return list(dict.fromkeys(jobs))


def every_other(jobs: list[Job]) -> list[Job]:
    """Half of the jobs: each set of the other options once, with one algorithm or the other."""
    half = len(jobs) // 2
    assert [job.algorithm for job in jobs] == [TEXTBOOK[0]] * half + [TEXTBOOK[1]] * half
    return [jobs[place + half * ((place // 2 + place) % 2)] for place in range(half)]


FULL = every_other(dealt(position=EMPTY))
SOONEST = every_other(dealt(position=EARLY, scoring=Scoring.SOONEST, split=2))
RECORDED = every_other(dealt(position=X_ON_A1, record=60_000, schedule=Schedule.CYCLIC))
"""59,705 nodes: what minimax visits after x on a1, the figure of issue 3."""
SHORT_RECORD = every_other(dealt(position=X_ON_A1, record=929, schedule=Schedule.DYNAMIC, split=2))
TWO_STONES = [
    Job(
        game="connect6:3,3,3",
        position="xoo/.../...",
        algorithm="alphabeta",
        backend="mpi",
        workers=workers,
        split=split,
        schedule=schedule,
        record=1_000,
    )
    for (workers, split), schedule in zip(
        product((2, 3), (1, 2, 3)), cycle((Schedule.CYCLIC, Schedule.DYNAMIC)), strict=False
    )
]
"""Sides that move twice in a row: a bound is turned between ranks where the side changes."""
CHANCE = [
    Job(
        game="random-turn:3,3,3",
        position=position,
        algorithm="expectiminimax",
        backend="mpi",
        workers=workers,
        split=split,
        record=10_000,
    )
    for (workers, split), position in zip(
        ((1, 2), (2, 1), (3, 2), (2, 3), (3, 4)), cycle(("xo./.x./..o", "xo./.x./..o o")), strict=False
    )
]
"""Chance nodes above the tasks and at them: the outcomes of one come from several ranks."""
STOPPED_AT_CHANCE = [
    replace(CHANCE[0], workers=2, split=3, limit=Limit(nodes=1_500)),
    replace(CHANCE[0], workers=1, split=1, limit=Limit(nodes=3_600)),
]
DEEP = every_other(
    [
        Job(position=EMPTY, algorithm=name, backend="mpi", workers=3, split=2, limit=Limit(depth=depth))
        for name, depth in product(TEXTBOOK, (1, 2, 5, 8, 9))
    ]
)
FEW_NODES = every_other(
    [
        Job(position=X_ON_A1, algorithm=name, backend="mpi", workers=workers, split=split, limit=Limit(nodes=nodes))
        for name, workers, (split, nodes) in product(TEXTBOOK, (1, 3), ((1, 1), (3, 12), (1, 1_001), (3, 50_000)))
    ]
)
ENOUGH_NODES = [
    Job(position="x../.o./...", backend="mpi", workers=3, schedule=schedule, split=3, limit=Limit(nodes=7_400))
    for schedule in Schedule
]
"""Minimax visits 7,332, of which 50 are above the tasks."""
OVER = [
    Job(position=position, algorithm=name, backend="mpi", workers=2)
    for name, position in product(TEXTBOOK, ("xxx/oo./...", "xox/xox/oxo"))
]
ONE_MOVE = [Job(position="xox/oxo/ox.", algorithm=name, backend="mpi", workers=3, split=2) for name in TEXTBOOK]


HELD_BACK = Job(position=X_ON_A1, algorithm="alphabeta", backend="mpi", workers=2)
SPLIT_AND_HELD_BACK = replace(HELD_BACK, split=2)
"""Searched at 2,500 nodes a second."""
WAITING = Job(
    **ENDLESS | {"limit": Limit(depth=15, nodes=100_000, seconds=30.0)},
    algorithm="alphabeta",
    parallel=Parallel.YBW,
    split=2,
)
"""One rank uses all nodes in the eldest brother. The other waits for it with the second."""
WITHOUT_BOUND = Job(
    position=X_ON_A1, backend="mpi", workers=2, parallel=Parallel.YBW, split=3, limit=Limit(seconds=10.0)
)


@pytest.fixture(scope="module")
def searches(tmp_path_factory: pytest.TempPathFactory) -> dict[Job, Search]:
    """All the jobs above, searched in one launch of three ranks."""
    jobs = [
        *FULL,
        *SOONEST,
        *RECORDED,
        *TWO_STONES,
        *CHANCE,
        *STOPPED_AT_CHANCE,
        *SHORT_RECORD,
        *DEEP,
        *FEW_NODES,
        *ENOUGH_NODES,
        *OVER,
        *ONE_MOVE,
        WAITING,
        WITHOUT_BOUND,
    ]
    for job in (TWO_STONES[0], CHANCE[0]):
        solve(replace(job, backend="serial", workers=1, split=1))  # else each rank would compile these games
    commands: dict[Job, tuple[str, ...]] = dict.fromkeys(jobs, ())
    commands |= dict.fromkeys((HELD_BACK, SPLIT_AND_HELD_BACK), ("speed 2500",))
    return launched(commands, tmp_path_factory.mktemp("jobs"))


def without_times(result: Result) -> tuple[Any, ...]:
    info = result.info
    return info.counters, info.value, info.best, info.pv, result.root_moves, result.end


# Results.


def test_results_are_true_however_the_tasks_are_dealt(searches: dict[Job, Search]) -> None:
    """The lowest of the best moves wins: on the empty board all nine draw."""
    for job in FULL + SOONEST + RECORDED + TWO_STONES + CHANCE + ONE_MOVE + OVER:
        naive.assert_true(searches[job].result)


def test_minimax_finds_and_counts_what_serial_does(searches: dict[Job, Search]) -> None:
    """549,946 nodes: the count of issue 3."""
    for job in FULL + SOONEST + RECORDED:
        if job.algorithm == "minimax":
            serial = solve(Job(position=job.position, scoring=job.scoring))
            assert without_times(searches[job].result) == without_times(serial)
            assert job.position != EMPTY or serial.info.counters.nodes == 549_946


def test_one_rank_with_alphabeta_does_what_serial_does(searches: dict[Job, Search]) -> None:
    for job in FULL + SOONEST:
        if job.algorithm == "alphabeta" and job.workers == 1:
            serial = solve(Job(position=job.position, scoring=job.scoring, algorithm="alphabeta"))
            assert without_times(searches[job].result) == without_times(serial)


def test_every_task_has_its_worker_its_nodes_and_its_time(searches: dict[Job, Search]) -> None:
    for job in FULL:
        result = searches[job].result
        tasks, workers = len(result.tasks), [task.worker for task in result.tasks]
        assert result.info.tasks_done == tasks
        assert 0 < tasks <= result.info.tasks == (9, 9 * 8, 9 * 8 * 7)[job.split - 1]
        assert all(0 <= task.start <= task.end for task in result.tasks)
        assert all(len(task.moves) == job.split for task in result.tasks)
        assert set(workers) <= set(range(job.workers * job.threads))
        if job.algorithm == "minimax":
            ranks = [worker // job.threads for worker in workers]
            if job.schedule is Schedule.CYCLIC:
                assert ranks == [task % job.workers for task in range(tasks)]
            if job.schedule is Schedule.STATIC:
                assert ranks == sorted(ranks)
                assert {ranks.count(rank) for rank in range(job.workers)} <= {
                    tasks // job.workers,
                    -(-tasks // job.workers),
                }


def test_the_record_of_minimax_is_that_of_serial_row_for_row(searches: dict[Job, Search]) -> None:
    serial = solve(Job(position=X_ON_A1, record=60_000)).trace
    assert serial is not None
    for job in RECORDED:
        if job.algorithm == "minimax":
            trace = searches[job].result.trace
            assert trace is not None
            assert trace.rows.tolist() == serial.rows.tolist()
            assert not trace.truncated


def test_expectiminimax_finds_and_records_what_serial_does(searches: dict[Job, Search]) -> None:
    for job in CHANCE:
        serial, found = solve(replace(job, backend="serial", workers=1, split=1)), searches[job].result
        assert without_times(found) == without_times(serial)
        assert found.trace is not None
        assert serial.trace is not None
        assert found.trace.rows.tolist() == serial.trace.rows.tolist()


def test_a_chance_node_that_is_not_finished_has_no_value(searches: dict[Job, Search]) -> None:
    """Though some of its outcomes have one: the root, and nodes above the tasks."""
    for job in STOPPED_AT_CHANCE:
        found = searches[job].result
        assert found.end is End.NODES
        assert 0 < found.info.tasks_done < found.info.tasks
        assert found.info.value is None
        assert found.trace is not None
        finished = naive.rows_of(found.trace)
        for row in range(len(found.trace)):
            if found.trace.at_chance(row) and finished[row].why != OPEN:
                below = found.trace.children(row)
                assert len(below) == 2
                values = [found.trace.above(child, finished[child].value) for child in below]
                assert finished[row].value == int(sum(values) / 2)


def test_a_record_of_ranks_that_share_a_bound_is_consistent(searches: dict[Job, Search]) -> None:
    for job in RECORDED + TWO_STONES:
        trace = searches[job].result.trace
        assert trace is not None
        assert len(trace) == searches[job].result.info.counters.nodes
        if job.algorithm == "alphabeta":
            naive.assert_consistent(trace, job.algorithm, job.split)


def test_a_record_that_is_full_says_so_and_the_counters_go_on(searches: dict[Job, Search]) -> None:
    for job in SHORT_RECORD:
        result = searches[job].result
        naive.assert_true(result)
        assert result.trace is not None
        assert result.trace.truncated
        assert 1 <= len(result.trace) <= 929
        assert result.trace.visited == result.info.counters.nodes


def test_a_task_of_a_rank_knows_its_worker_and_its_rows(searches: dict[Job, Search]) -> None:
    """Its rows in the record are those that its worker has sent."""
    for job in RECORDED + SHORT_RECORD:
        said, result = searches[job]
        naive.assert_rows_of_tasks(result)
        assert result.trace is not None
        words = result.trace.rows.view(np.int64)
        sent = [(line.worker, line.rows) for line in said if isinstance(line, protocol.Rows)]
        for task in result.tasks:
            rows = words[task.first_row : task.end_row].tobytes()
            assert not rows or (task.worker, rows) in sent


def test_a_limit_of_depth_leaves_a_horizon(searches: dict[Job, Search]) -> None:
    for job in DEEP:
        result = searches[job].result
        naive.assert_true(result)
        assert result.info.counters.depth == job.limit.depth
        assert result.end is (End.COMPLETE if job.limit.depth == 9 else End.HORIZON)


def test_a_limit_of_nodes_holds_for_all_ranks_together(searches: dict[Job, Search]) -> None:
    """Taking a task may visit the positions above it, so a few nodes may be left over. After x on a1 alpha-beta visits
    2,338, the figure of issue 3, and minimax 59,705."""
    for job in FEW_NODES:
        result = searches[job].result
        assert job.limit.nodes is not None
        assert result.info.counters.nodes <= job.limit.nodes
        assert result.end is (End.COMPLETE if job.algorithm == "alphabeta" and job.limit.nodes == 50_000 else End.NODES)
        assert sum((worker.counters for worker in result.info.workers), Counters()) == result.info.counters


def test_a_limit_of_nodes_that_suffices_ends_no_search(searches: dict[Job, Search]) -> None:
    """A rank that has searched its tasks leaves the nodes that it did not need to the others. A node above the tasks
    of several ranks counts once."""
    for job in ENOUGH_NODES:
        assert searches[job].result.complete


def test_a_limit_of_nodes_ends_ranks_that_wait_for_the_eldest_brother(searches: dict[Job, Search]) -> None:
    result = searches[WAITING].result
    assert result.end is End.NODES
    assert result.info.seconds < 30.0
    assert result.info.counters.nodes <= 100_000


def test_ranks_learn_of_eldest_brothers_where_they_share_no_bound(searches: dict[Job, Search]) -> None:
    """A younger brother waits for the eldest, which another rank may have."""
    result, alone = searches[WITHOUT_BOUND].result, solve(Job(position=X_ON_A1))
    assert result.complete
    assert (result.info.value, result.info.pv) == (alone.info.value, alone.info.pv)
    assert result.info.counters == alone.info.counters
    assert TransferKind.BOUND not in {transfer.kind for transfer in result.transfers}


def test_of_a_finished_game_there_is_a_value_and_no_move(searches: dict[Job, Search]) -> None:
    for job in OVER:
        info = searches[job].result.info
        assert (info.best, info.pv, info.counters.nodes) == (None, (), 1)


def test_the_lines_of_several_ranks_may_come_in_any_order(searches: dict[Job, Search]) -> None:
    """Those of one rank come in the order in which it says them."""
    for number, job in enumerate(FULL + SOONEST + RECORDED + FEW_NODES):
        said, result = searches[job]
        replica, rest = replica_of(job), random.Random(number)
        queues = [[line for line in said if rank_of(line, job) == rank] for rank in range(-1, job.workers)]
        while queues := [queue for queue in queues if queue]:
            replica.take(rest.choice(queues).pop(0))
        info = replica.snapshot()
        assert (info.counters, info.value, info.best) == (
            result.info.counters,
            result.info.value,
            result.info.best,
        )
        assert info.tasks_done == result.info.tasks_done
        assert root_moves(replica.state) == result.root_moves
        assert tapes.tasks(replica.state) == result.tasks
        if job in RECORDED:
            record = tapes.trace(replica.state)
            assert record is not None
            assert result.trace is not None
            assert record.rows.tolist() == result.trace.rows.tolist()


def test_what_a_record_of_ranks_says_of_any_position_is_so(searches: dict[Job, Search]) -> None:
    for job in RECORDED + TWO_STONES + SHORT_RECORD:
        trace = searches[job].result.trace
        assert trace is not None
        for row in range(0, len(trace), max(1, len(trace) // 30)):
            assert not naive.wrong(job, trace.path_nodes(row), 9)


def rank_of(line: protocol.Line, job: Job) -> int:
    """The rank that a line is from; -1 where the line does not say it."""
    if isinstance(line, protocol.Done | protocol.Started | protocol.Rows):
        return line.worker // job.threads
    return getattr(line, "rank", -1)


# Progress and control.


def test_a_launched_search_does_what_serial_does_and_tells_of_its_ranks(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command line prints what it finds."""
    results, command = list[Result](), sys.modules["engine.cli.solve"]
    finish = command.finish
    monkeypatch.setattr(command, "finish", lambda job: results.append(finish(job)) or results[0])
    line = f"solve --backend mpi --workers 2 --split 2 --position {X_ON_A1} --record 60000 --json"
    assert cli.run(line.split()) == 0
    printed, (result,) = json.loads(capsys.readouterr().out), results
    serial = solve(Job(position=X_ON_A1, record=60_000))
    naive.assert_true(result)
    assert without_times(result) == without_times(serial)
    assert result.trace is not None
    assert serial.trace is not None
    assert result.trace.rows.tolist() == serial.trace.rows.tolist()
    assert len(result.info.workers) == len(result.info.ranks) == 2
    for rank in result.info.ranks:
        assert (rank.host, rank.state) == (platform.node(), RankState.ENDED)
        assert rank.seconds == result.info.seconds > 0
    assert len({rank.pid for rank in result.info.ranks}) == 2
    assert sum(rank.sent for rank in result.info.ranks) > 0
    assert sum(rank.one_sided for rank in result.info.ranks) >= 8 * 7
    assert (printed["value"], printed["best"], printed["nodes"], printed["complete"]) == (0, "b2", 59_705, True)
    assert len(printed["per_worker"]) == 2, "dealt dynamically, one that comes late may have found no task"
    assert [rank["host"] for rank in printed["ranks"]] == [platform.node()] * 2


def test_the_path_of_ranks_is_true_and_leads_through_visited_boards(searches: dict[Job, Search]) -> None:
    job, through, betas = SPLIT_AND_HELD_BACK, [], set()
    replica = replica_of(job)
    for line in searches[job].said:
        replica.take(line)
        path = replica.snapshot().path
        assert not naive.wrong(job, path, 9)
        betas |= {node.beta for node in path[1:2]}
        for node in path[:-1]:
            through += [child.state for child in node.children if child.move == node.move]
    assert set(through) <= {State.OPEN, State.DONE}
    assert State.OPEN in through
    assert betas >= {INFINITY, 1}, "O's first move has lost, so that X need not win sooner below the others"


def test_a_search_is_paused_stepped_slowed_and_stopped_in_all_its_ranks() -> None:
    control = Control()
    search = run(Job(**ENDLESS, threads=2), control)
    info = begun(search)
    assert len(info.workers) == 4
    assert {rank.state for rank in info.ranks} == {RankState.SEARCHING}
    assert info.path[0].move == info.workers[0].path[0]

    control.pause()
    control.pause()
    paused = until(search, lambda info: {rank.state for rank in info.ranks} == {RankState.PAUSED})
    before = nodes_of_ranks(paused)
    for _ in range(2):
        control.step(10)
    until(search, lambda info: nodes_of_ranks(info) == [nodes + 20 for nodes in before])

    slowed, visited = time.monotonic(), paused.counters.nodes + 40
    control.set_speed(3_000)
    control.resume()
    info = until(search, lambda info: info.counters.nodes >= visited + 1_000)
    assert info.counters.nodes - visited <= 3_000 * (time.monotonic() - slowed + 4 * MIN_PACE)

    control.set_speed(FULL_SPEED)
    until(search, lambda info: info.counters.nodes > 2_000_000)
    control.stop()
    control.stop()
    result = ending(search)
    assert result.end is End.STOPPED
    assert sum((worker.counters for worker in result.info.workers), Counters()) == result.info.counters
    assert {rank.state for rank in result.info.ranks} == {RankState.ENDED}


def nodes_of_ranks(info: Snapshot) -> list[int]:
    """The nodes of each of two ranks with two threads."""
    return [sum(worker.counters.nodes for worker in info.workers[first : first + 2]) for first in (0, 2)]


def test_a_stopped_search_has_what_it_finished_and_all_its_record() -> None:
    """The first move is finished within a second, the last after four more."""
    control = Control(nodes_per_second=4_000)
    search = run(Job(position=EMPTY, algorithm="alphabeta", backend="mpi", workers=2, split=2, record=60_000), control)
    until(search, lambda info: info.value is not None)
    control.stop()
    result = ending(search)
    assert result.end is End.STOPPED
    truth = naive.move_values(prepare(result.job).position)
    assert 0 < len(result.root_moves) < len(truth)
    for found in result.root_moves:
        assert (
            found.value.number == truth[found.move] if found.value.is_exact else found.value.number >= truth[found.move]
        )
    assert result.info.best in truth
    assert result.trace is not None
    assert len(result.trace) == result.info.counters.nodes
    naive.assert_consistent(result.trace, "alphabeta", 2)


def test_ranks_that_are_held_back_are_neither_busy_nor_idle_meanwhile(searches: dict[Job, Search]) -> None:
    """The second waits for the first one's eldest move, and may not take the others' pauses for its own time."""
    said, result = searches[HELD_BACK]
    replica = replica_of(HELD_BACK)
    for line in said:
        replica.take(line)
        moment = replica.snapshot()
        assert all(0 <= (moment.idle(worker) or 0) <= 1 for worker in range(2))
    naive.assert_true(result)
    assert max(task.end for task in result.tasks) < 2_000 / 2_500


def test_two_jobs_at_once_each_keep_to_their_seconds() -> None:
    """And do not hear each other."""
    jobs = [Job(**ENDLESS | {"workers": 1, "limit": Limit(depth=15, seconds=0.1), "seed": seed}) for seed in (1, 2)]
    with ThreadPoolExecutor() as pool:
        results = list(pool.map(solve, jobs))
    for job, result in zip(jobs, results, strict=True):
        assert result.job == job
        assert result.end is End.SECONDS
        assert 0.1 <= result.info.seconds < HANGS / 4
        assert result.info.counters.nodes > 0
    assert len({rank.pid for result in results for rank in result.info.ranks}) == 2


LATE_STOP = """
import queue
from mpi4py import MPI
from engine.backends.mpi_job import rank
from engine.job import job_from_json
commands, conclude = queue.SimpleQueue(), rank.conclude

def stopped(*arguments):
    commands.put("stop")
    return conclude(*arguments)

rank.conclude = stopped
rank.Rank(MPI.COMM_WORLD, job_from_json({job!r}), commands).search()
"""
"""Code: one rank, which is told to stop when all have left the search."""


def test_a_stop_ends_the_search_for_the_rest_of_the_line() -> None:
    way: dict[str, Any] = {
        "game": "mnk:4,4,4",
        "position": "..../..../..../....",
        "algorithm": "alphabeta",
        "table": 1.0,
    }
    whole = solve(Job(**way, limit=Limit(depth=8)))
    program = LATE_STOP.format(job=msgspec.json.encode(replace(whole.job, backend="mpi")))
    ended = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=True, timeout=100)
    last = protocol.decode(ended.stdout.splitlines()[-1])
    assert isinstance(last, protocol.Finished)
    assert last.info.value == whole.info.value
    assert len(last.info.pv) < len(whole.info.pv) == 8


# Without the window.


def test_a_job_in_a_file_is_searched_under_a_launcher_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "job.json"
    file.write_bytes(msgspec.json.encode(Job(position=X_ON_A1, backend="mpi")))
    ended = subprocess.run(worker(1, file), capture_output=True, cwd=tmp_path, check=True, timeout=100)
    hello, *_, last = map(protocol.decode, ended.stdout.splitlines())
    assert isinstance(hello, protocol.Hello)
    assert hello.hosts == (platform.node(),)
    assert isinstance(last, protocol.Finished)
    assert (last.info.counters.nodes, last.info.best, last.end) == (59_705, 4, End.COMPLETE)


def test_a_job_in_a_file_says_what_it_finished_when_the_cluster_ends_it(tmp_path: Path) -> None:
    """A scheduler tells all ranks: here two, which both search."""
    file = tmp_path / "job.json"
    file.write_bytes(msgspec.json.encode(Job(**ENDLESS)))
    with subprocess.Popen(worker(2, file), stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        said = map(protocol.decode, process.stdout)
        hello = next(said)
        assert isinstance(hello, protocol.Hello)
        searching = {0, 1}
        while searching:
            if isinstance(line := next(said), protocol.RankCounters):
                searching.discard(line.rank)
        for pid in hello.pids:
            os.kill(pid, signal.SIGTERM)
        *_, last = said
    assert isinstance(last, protocol.Finished)
    assert last.end is End.STOPPED
    assert last.info.counters.nodes > 0


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b'{"position": "x../.../...", "algoritm": "pvs"}', "This is not a job: there is no field algoritm."),
        (b'{"position": "\xfc"}', "This is not a job: it is no text in UTF-8."),
        (b'{"position": ' + b"[" * 50_000, "This is not a job: position must be text."),
        (None, "is not a regular file"),
    ],
)
def test_a_file_that_holds_no_job_is_refused(content: bytes | None, words: str, tmp_path: Path) -> None:
    """None: a pipe that nobody ever writes to."""
    file = tmp_path / "job.json"
    if content is None:
        os.mkfifo(file)
    else:
        file.write_bytes(content)
    ended = subprocess.run(worker(1, file), capture_output=True, cwd=tmp_path, check=False, timeout=100)
    assert ended.returncode
    said = [record for record in map(protocol.decode, ended.stdout.splitlines()) if isinstance(record, protocol.Error)]
    assert len(said) == 1
    assert words in said[0].text


def worker(ranks: int, file: Path) -> list[str]:
    words = [*MPIEXEC, str(ranks), sys.executable, "-P", "-m", "mpi4py", "-m", "engine.backends.mpi_worker"]
    return [*words, "--job", str(file)]
