"""After any failure of ranks a search ends: with a sentence, with its finished work, and with no process left."""

import errno
import json
import os
import platform
import re
import resource
import select
import shlex
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from engine.backends import memory_limit, mpi, run, solve
from engine.backends.mpi_job import launch, process, protocol
from engine.backends.mpi_job.first_ended import FirstEnded
from engine.control import Control
from engine.job import Job, JobError, job_to_json
from engine.messages import Message
from engine.options.catalogue import MAX_TABLE, Limit
from engine.result import Counters, End, RankState
from tests.conftest import comes_true, no_threads, processes_with
from tests.engine import naive
from tests.engine.cli.test_cli import start_impatient
from tests.engine.naive import X_ON_A1
from tests.mpi.follow import ENDLESS, begun, ending, names_a_rank, until, when_they_start

pytestmark = pytest.mark.mpi

SHORT: dict[str, Any] = {"position": X_ON_A1, "backend": "mpi", "workers": 2}
ALONE = {"workers": 1}
"""Half as long to start as two ranks, where it does not matter how many there are."""


@pytest.fixture
def launched_by(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A function that makes a script the launcher. The script gets the number of ranks and the command of each."""

    def choose(script: str) -> None:
        file = tmp_path / "launcher"
        file.write_text(f"#!/bin/sh\nmpiexec={shlex.quote(MPIEXEC)}\n{script}\n")
        file.chmod(0o755)
        monkeypatch.setattr(launch, "_stored", launch.LaunchChoice(f"{shlex.quote(str(file))} {{ranks}}"))

    return choose


MPIEXEC = launch.find(launch.LaunchChoice()).words[0]


def kill_second(pids: Sequence[int]) -> None:
    os.kill(pids[1], signal.SIGKILL)


# What cannot start.


def test_without_mpiexec_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(JobError, match=r"No mpiexec was found: install MPICH \(pip install mpich\) or Open MPI\."):
        solve(Job(**SHORT))


@pytest.mark.parametrize(
    ("template", "hosts", "words"),
    [
        ("no-such-launcher -n {ranks}", "", "names 'no-such-launcher', which was not found"),
        ("mpiexec -n 2", "", "must say {ranks}"),
        ("mpiexec -n {ranks}", "a,b", "must say {hosts}"),
        ("mpiexec -n '{ranks}", "", "cannot be read"),
    ],
)
def test_a_launch_command_that_cannot_be_is_refused(
    template: str, hosts: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "_stored", launch.LaunchChoice(template, hosts))
    with pytest.raises(JobError, match=words):
        solve(Job(**SHORT))


def test_a_launch_command_is_given_the_ranks_of_the_job_and_the_hosts() -> None:
    choice = launch.LaunchChoice("mpiexec -hosts {hosts} -n {ranks} --tag=r{ranks}", "a, b,")
    _, *words = launch.command(launch.find(choice), choice, Job(**SHORT | {"workers": 7}))
    assert words[:5] == ["-hosts", "a,b", "-n", "7", "--tag=r7"]


def test_the_mpiexec_of_a_command_is_that_beside_the_interpreter(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where another one comes first on PATH, too; and whatever the working folder is called and holds."""
    (tmp_path / "mpiexec").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "mpiexec").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    folder = tmp_path / "Ein Ordner – für 搜索"
    (folder / "engine").mkdir(parents=True)
    (folder / "engine" / "__init__.py").write_text("raise ImportError('the wrong engine')")
    monkeypatch.chdir(folder)
    monkeypatch.setattr(launch, "_stored", launch.LaunchChoice("mpiexec -n {ranks}"))
    assert launch.find(launch.choice()).words[0] == MPIEXEC
    naive.assert_true(solve(Job(**SHORT | ALONE)))


@pytest.mark.parametrize(
    ("workers", "threads", "words"),
    [
        (0, 1, "workers must be a whole number from 1 to 1,024"),
        (-1, 1, "workers must be a whole number from 1 to 1,024"),
        (1_025, 1, "workers must be a whole number from 1 to 1,024"),
        (1_024, 1, "would only wait for each other"),
        (2, 512, "1,024 workers on this one machine would only wait for each other"),
    ],
)
def test_a_number_of_ranks_that_cannot_be_is_refused(workers: int, threads: int, words: str) -> None:
    with pytest.raises(JobError, match=words):
        solve(Job(position=X_ON_A1, backend="mpi", workers=workers, threads=threads))


@pytest.mark.skipif(os.geteuid() != 0, reason="Only root is refused.")
def test_open_mpi_as_root_is_refused_before_it_refuses(
    launched_by: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
        monkeypatch.delenv(name, raising=False)
    launched_by("echo 'mpiexec (OpenRTE) 4.1.4'")
    for half in ("", "OMPI_ALLOW_RUN_AS_ROOT"):
        if half:
            monkeypatch.setenv(half, "1")
        with pytest.raises(JobError, match="Open MPI refuses to run as root: start Plyscope as another user"):
            solve(Job(**SHORT))


def test_without_an_mpi_library_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPI4PY_LIBMPI", "/no/such/libmpi.so")
    with pytest.raises(JobError, match="mpi4py finds no MPI library: install"):
        solve(Job(**SHORT))
    with pytest.raises(JobError, match="mpi4py finds no MPI library: install"):
        launch.usable(launch.choice())


def test_a_launcher_of_another_kind_than_the_library_is_found_out(launched_by: Callable[[str], None]) -> None:
    """Each rank's library finds only that rank."""
    launched_by('ranks=$1; shift; while [ "$ranks" -gt 0 ]; do "$@" & ranks=$((ranks - 1)); done; wait')
    with pytest.raises(JobError, match=r"Instead of one job of 2 ranks there are several of 1: the launcher, .*MPICH"):
        solve(Job(**SHORT))


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("echo 'no such partition: gpu' >&2; exit 3", "ended early, with exit code 3: no such partition: gpu"),
        ("echo 'Error: no slots'; echo 'Bye.'; echo ----; exit 4", "ended early, with exit code 4: Error: no slots"),
        ("exit 5", "ended early, with exit code 5: there was no other message"),
        ("echo 'no such user' >&2; echo '[mpiexec@a] error waiting for event' >&2; exit 255", "code 255: no such user"),
        # What ssh says, and MPICH's launcher after it.
        (
            "echo 'ssh: Could not resolve hostname nohost: Name or service not known' >&2;"
            "echo '[mpiexec@a] main (mpiexec.c:270): process manager error waiting for completion' >&2; exit 255",
            "^There is no host nohost: correct the names of the hosts.$",
        ),
        (
            "echo 'ssh: connect to host far port 22: Connection refused' >&2; exit 255",
            "^The host far cannot be reached: Connection refused.$",
        ),
        # What MPICH says under Open MPI's launcher.
        ("echo 'Runtime environment uses unsupported PMI version PMIx. Aborting.'; exit 16", "of different kinds: use"),
    ],
)
def test_a_launcher_that_fails_is_quoted(script: str, words: str, launched_by: Callable[[str], None]) -> None:
    launched_by(script)
    with pytest.raises(JobError, match=words):
        solve(Job(**SHORT))


def test_a_launcher_that_starts_nothing_is_not_waited_for(
    launched_by: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mpi, "START_SECONDS", 0.2)
    launched_by("cat")
    with pytest.raises(JobError, match="started no rank within"):
        solve(Job(**SHORT))


def test_a_launcher_that_closes_its_output_and_runs_on_is_ended(
    launched_by: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mpi, "STOP_SECONDS", 0.1)
    launched_by('[ "$1" = --version ] || exec sleep 60 >&- 2>&-')
    with pytest.raises(JobError, match=r"/launcher closed its output and runs on\.$"):
        solve(Job(**SHORT))


def test_where_no_thread_can_be_started_no_launcher_is_left_behind(
    launched_by: Callable[[str], None], own_settings: Path
) -> None:
    launched_by('[ "$1" = --version ] || exec sleep 60')
    launch.find(launch.choice())
    with no_threads(), pytest.raises(JobError, match=r"The ranks cannot be started: .*can't start new thread"):
        solve(Job(**SHORT))
    assert not comes_true(lambda: processes_with(own_settings), 0.2)
    launch._kind.cache_clear()
    with no_threads(), pytest.raises(JobError, match=r"does not answer \(can't start new thread\)"):
        launch.find(launch.choice())


def test_ranks_start_in_a_folder_that_the_user_may_not_enter(
    launched_by: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where root's folder was the working one before su."""
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path != os.curdir and access(path, mode))
    launched_by('echo "no: $(pwd)"; exit 1')
    with pytest.raises(JobError, match=r"no: /$"):
        solve(Job(**SHORT))


@pytest.mark.parametrize("script", ["cat /dev/zero", "yes | tr -d '\\n' >&2"])
def test_a_launcher_whose_line_has_no_end_is_not_read_on(
    script: str, launched_by: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "MAX_LINE", 100_000)
    launched_by(f'[ "$1" = --version ] || {script}')
    with pytest.raises(JobError, match="prints a line without an end"):
        solve(Job(**SHORT))


def test_a_launcher_that_says_its_version_without_end_is_not_read_on(
    launched_by: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mpi, "START_SECONDS", 0.2)
    launched_by("yes")
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(JobError, match="started no rank within"):
        solve(Job(**SHORT))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - used < 100_000, "100 MB more than before"


def test_records_without_end_wait_until_they_are_taken(launched_by: Callable[[str], None]) -> None:
    launched_by("""[ "$1" = --version ] || yes '{"type":"log","rank":0,"text":"again"}'""")
    search = run(Job(**SHORT), control := Control())
    control.stop()
    assert ending(search).end is End.STOPPED


HELLO = '{"type":"hello","hosts":["a","b"],"pids":[4000000,4000001],"library":"none"}'


@pytest.mark.parametrize(
    "record",
    [
        '{"type":"skipped","rank":0,"task":99,"ply":1,"windows":[[0,1]]}',
        '{"type":"skipped","rank":0,"task":0,"ply":1,"windows":[]}',
        '{"type":"done","task":0,"worker":7,"start":1,"end":2,"value":0,"line":0,"first":0,"last":1,"windows":[[0,1]]}',
        HELLO,
        '{"type":"hello","hosts":["a","b"],"pids":[1],"library":"none"}',
    ],
)
def test_records_that_cannot_be_true_end_the_search(record: str, launched_by: Callable[[str], None]) -> None:
    launched_by(f"""[ "$1" = --version ] && exit; echo '{HELLO}'; echo '{record}'; cat >/dev/null""")
    with pytest.raises(JobError, match=r"^A rank sent a message that is not understood: .*\.$"):
        solve(Job(**SHORT))


# What breaks off.


@names_a_rank
def test_a_killed_rank_ends_the_search_and_what_was_finished_is_kept() -> None:
    """Rank 0, through which all records go. The tests below kill others."""
    search = run(Job(**ENDLESS))
    info = begun(search)
    os.kill(info.ranks[0].pid, signal.SIGKILL)
    result = ending(search)
    assert result.end is End.FAILED
    assert result.failure.startswith(f"Rank 0 (process {info.ranks[0].pid} on {info.ranks[0].host}) ended")
    assert "SIGKILL" in result.failure
    assert isinstance(result.failure, Message), "a window can say it in another language"
    assert [rank.state for rank in result.info.ranks].count(RankState.LOST) == 1
    assert result.info.ranks[0].state is RankState.LOST
    assert result.info.counters.nodes >= info.counters.nodes
    naive.assert_times(result)
    assert {task.worker for task in result.tasks if not task.finished} == {0, 1}


@names_a_rank
def test_a_killed_rank_is_named_though_lines_are_sent_meanwhile() -> None:
    """The launcher fails at a line for rank 0, which it has ended, and names no rank."""
    control = Control(nodes_per_second=10_000)  # the other rank rests: it is ended by the launcher, and later
    search = run(Job(**ENDLESS), control)
    info = begun(search)
    has_ended = threading.Event()

    def send() -> None:
        while not has_ended.wait(0.0005):
            control.set_speed(10_000)

    sender = threading.Thread(target=send)
    sender.start()
    try:
        os.kill(info.ranks[1].pid, signal.SIGKILL)
        result = ending(search)
    finally:
        has_ended.set()
        sender.join()
    assert result.failure.startswith(f"Rank 1 (process {info.ranks[1].pid} on {info.ranks[1].host}) ended")
    assert [rank.state is RankState.LOST for rank in result.info.ranks] == [False, True]


@names_a_rank
def test_a_killed_rank_is_named_though_its_launcher_names_none(launched_by: Callable[[str], None]) -> None:
    launched_by('ranks=$1; shift; "$mpiexec" -n "$ranks" "$@" | sed -u "/PID/d"')
    with when_they_start(kill_second) as pids, pytest.raises(JobError) as failed:
        solve(Job(**ENDLESS))
    assert str(failed.value) == f"Rank 1 (process {pids[1]} on {platform.node()}) ended."


def test_a_launcher_that_is_killed_is_not_taken_for_a_rank() -> None:
    search = run(Job(**ENDLESS | ALONE))
    info = begun(search)
    os.kill(parent_of(parent_of(info.ranks[0].pid)), signal.SIGKILL)  # MPICH's has a process of its own on each host
    assert ending(search).failure.startswith(f"The MPI job ended early, with exit code {-signal.SIGKILL}")


def test_a_rank_that_ends_as_it_is_to_be_ended_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is seen as one that runs, and has no process any more."""
    monkeypatch.setattr(process, "_is_rank", lambda _: True)
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    hello = protocol.encode(protocol.Hello((platform.node(),), (ended.pid,), "MPICH")).decode()
    launcher = process.RanksProcess([sys.executable, "-c", f"print({hello!r}); input()"], dict(os.environ))
    assert comes_true(lambda: launcher._hello, 10)
    launcher.kill()
    launcher.close()


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_the_rank_that_ended_first_is_known_however_late_one_asks() -> None:
    """Rank 1 is said to be on another host: it cannot be seen, and is not taken for a process of this one."""
    ranks = [subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"]) for _ in range(4)]
    here = platform.node()
    first = FirstEnded(protocol.Hello((here, f"not-{here}", here, here), tuple(rank.pid for rank in ranks), "MPICH"))
    try:
        assert first.rank is None
        for rank in (1, 3, 0, 2):
            ranks[rank].kill()
            os.waitid(os.P_PID, ranks[rank].pid, os.WEXITED | os.WNOWAIT)
        assert first.rank == 3
        first.close()
        assert first.rank == 3
        late = FirstEnded(protocol.Hello((here,) * 4, tuple(rank.pid for rank in ranks), "MPICH"))
        assert late.rank is None, "several had ended before they were watched"
    finally:
        for process in ranks:
            process.kill()
            process.wait()


def test_a_machine_that_lets_no_process_be_watched_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """The launcher names a rank. One time in twenty, on a busy machine, it is the one that it has ended itself."""

    def refuse(_pid: int) -> int:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.setattr(os, "pidfd_open", refuse)
    with when_they_start(kill_second) as pids, pytest.raises(JobError) as failed:
        solve(Job(**ENDLESS))
    assert str(failed.value) in [
        f"Rank {rank} (process {pids[rank]} on {platform.node()}) ended, killed by SIGKILL." for rank in (1, 0)
    ]


def test_a_rank_that_raises_ends_the_search_and_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import signal\ndef fail(*_): raise MemoryError('no room for one more')\nsignal.signal(signal.SIGUSR1, fail)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    search = run(Job(**ENDLESS | {"position": THREE_STONES, "split": 3, "limit": Limit(depth=12)}))
    info = until(search, lambda info: info.tasks_done > 0)
    os.kill(info.ranks[1].pid, signal.SIGUSR1)
    result = ending(search)
    assert result.end is End.FAILED
    assert result.failure.endswith("failed: MemoryError: no room for one more")
    assert result.failure.startswith("Rank 1 (")
    assert result.info.tasks_done == sum(task.finished for task in result.tasks) >= info.tasks_done


THREE_STONES = "x.../.o../..x./...."
"""Minimax finishes tasks three plies down at once, and is at the others for ten seconds."""


def test_a_rank_without_memory_for_its_record_ends_the_search(launched_by: Callable[[str], None]) -> None:
    """The rows take 1.2 GB, the rest of a rank some 500 MB; rank 1 gets 1.1 GB."""
    script = 'ranks=$1; shift; exec "$mpiexec" -n "$ranks" sh -c '
    script += shlex.quote('[ "$PMI_RANK" = 0 ] || ulimit -v 1100000; exec "$@"') + ' sh "$@"'
    launched_by(script)
    with pytest.raises(JobError, match=r"Rank 1 .* failed: There is no memory for 1 x 100,000,000 rows of a record"):
        solve(Job(**ENDLESS, record=100_000_000))


def test_tables_that_only_some_of_the_ranks_could_have_are_refused() -> None:
    free = memory_limit.available() // memory_limit.MEBIBYTE
    size = min(MAX_TABLE, 1 << free.bit_length() - 1)
    with pytest.raises(JobError, match=r"There is no memory for a table of .* MiB for each of \d ranks: .* are free"):
        solve(Job(position=X_ON_A1, algorithm="alphabeta", backend="mpi", workers=free // size + 1, table=float(size)))


FAILS_FIRST = """
import os, signal, threading
def fail(*_):
    from mpi4py import MPI
    later = threading.Timer(0.3, os.kill, (int(open({file!r}).read()), signal.SIGBUS))
    later.daemon = True
    later.start()
    raise MPI.Exception(MPI.ERR_OTHER)
signal.signal(signal.SIGUSR1, fail)
"""
NO_SHARED_MEMORY = "probably because shared memory ran out: make /dev/shm larger, or choose fewer ranks."


def test_a_rank_that_crashed_is_blamed_though_another_one_ended_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel answers with SIGBUS where there is no shared memory. As on a busy machine, where the launcher ends
    rank 0 while the kernel still cleans up rank 1."""

    def crash(pids: Sequence[int]) -> None:
        monkeypatch.setattr(process.RanksProcess, "first_ended", 0)
        os.kill(pids[1], signal.SIGBUS)

    with when_they_start(crash), pytest.raises(JobError) as failed:
        solve(Job(**ENDLESS))
    assert str(failed.value).startswith("Rank 1 (")
    assert str(failed.value).endswith(NO_SHARED_MEMORY)


def test_a_rank_that_fails_of_another_ones_death_is_not_blamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rank 0 has its MPI error a moment before the launcher can notice that rank 1 is dead. The launcher may then name
    rank 0; why rank 1 has ended is not known in that case."""
    (tmp_path / "sitecustomize.py").write_text(FAILS_FIRST.format(file=str(tmp_path / "other")))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    search = run(Job(**ENDLESS))
    first, other = begun(search).ranks
    (tmp_path / "other").write_text(str(other.pid))
    os.kill(first.pid, signal.SIGUSR1)
    failure = ending(search).failure
    assert failure.startswith(f"Rank 1 (process {other.pid} ")
    assert failure.endswith((NO_SHARED_MEMORY, " ended."))


@pytest.mark.parametrize("number", [signal.SIGBUS, signal.SIGSEGV])
def test_of_a_rank_that_cannot_start_for_want_of_it_too(number: int, launched_by: Callable[[str], None]) -> None:
    """With 1 MiB and 16 MiB in /dev/shm, MPICH's ranks end by these signals before their first message."""
    launched_by(f'ranks=$1; exec "$mpiexec" -n "$ranks" sh -c "read job; kill -{number} \\$\\$"')
    with pytest.raises(JobError, match=r"A rank that was starting ended, .* shared memory ran out"):
        solve(Job(position=X_ON_A1, backend="mpi", workers=1))


def test_a_silent_rank_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mpi, "SILENCE_SECONDS", 1.5)
    search = run(Job(**ENDLESS), Control(nodes_per_second=10_000))  # the other rank rests
    info = begun(search)
    os.kill(info.ranks[1].pid, signal.SIGSTOP)
    result = ending(search)
    assert (result.end, result.info.ranks[1].state) == (End.FAILED, RankState.LOST)
    assert "has sent nothing for" in result.failure


PATIENT = """
import signal
from engine.backends import mpi, run
from engine.control import Control
from engine.job import Job
from engine.result import Result
from tests.mpi.follow import ENDLESS
mpi.SILENCE_SECONDS = 1.5
control = Control(nodes_per_second=10_000)  # the ranks rest
signal.signal(signal.SIGTERM, lambda *_: control.stop())
for message in run(Job(**ENDLESS | {"workers": 1}), control):
    print(message.end if isinstance(message, Result) else "searching", flush=True)
"""


def searching_again(file: int, times: int) -> None:
    said = b""
    while said.count(b"searching") < times:
        piece = os.read(file, 4096)
        assert piece, "The program ended."
        said += piece


def test_a_program_that_was_stopped_for_long_goes_on_with_its_ranks() -> None:
    """Ctrl+Z, and fg: they were not silent, nobody listened."""
    with subprocess.Popen([sys.executable, "-c", PATIENT], stdout=subprocess.PIPE, cwd=ROOT) as program:
        assert program.stdout is not None
        said = program.stdout.fileno()
        searching_again(said, 1)
        program.send_signal(signal.SIGSTOP)
        while select.select([said], [], [], 2 * 1.5)[0]:
            os.read(said, 4096)
        program.send_signal(signal.SIGCONT)
        searching_again(said, 3)
        program.send_signal(signal.SIGTERM)
        *_, last = program.stdout.read().split()
    assert last == b"stopped"


def test_a_rank_that_cannot_stop_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mpi, "STOP_SECONDS", 0.5)
    control = Control()
    search = run(Job(**ENDLESS | ALONE), control)
    os.kill(begun(search).ranks[0].pid, signal.SIGSTOP)
    control.stop()
    result = ending(search)
    assert result.end is End.STOPPED
    assert result.info.counters.nodes > 0


def test_ranks_that_the_launcher_leaves_behind_are_ended(launched_by: Callable[[str], None]) -> None:
    """They are in a session of their own, and cannot hear that they should end."""
    launched_by('ranks=$1; shift; exec 3<&0; setsid "$mpiexec" -n "$ranks" "$@" <&3 & wait')
    control, ranks = Control(), list[int]()

    def stop(pids: Sequence[int]) -> None:
        ranks.extend(map(os.pidfd_open, pids))
        for rank in ranks:
            signal.pidfd_send_signal(rank, signal.SIGSTOP)
        control.stop()

    with when_they_start(stop):
        assert solve(Job(**ENDLESS), control).end is End.STOPPED
    assert len(ranks) == 2
    for rank in ranks:
        assert select.select([rank], [], [], 10)[0], "A rank runs on."
        os.close(rank)


@contextmanager
def endless_search(size: int) -> Iterator[tuple["subprocess.Popen[bytes]", Iterator[protocol.Line | None]]]:
    """Ranks that search without a limit, launched directly, and the records of rank 0."""
    command = [MPIEXEC, "-n", str(size), sys.executable, "-P", "-m", "mpi4py", "-m", "engine.backends.mpi_worker"]
    environment = launch.environment(launch.find(launch.LaunchChoice()))
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as ranks:
        assert ranks.stdin is not None
        assert ranks.stdout is not None
        ranks.stdin.write(job_to_json(Job(**ENDLESS)) + b"\n")
        ranks.stdin.flush()
        yield ranks, map(protocol.decode, ranks.stdout)


def end_input(ranks: "subprocess.Popen[bytes]") -> None:
    assert ranks.stdin is not None
    ranks.stdin.close()


def test_the_end_of_the_input_stops_a_search_that_says_what_it_has_found() -> None:
    with endless_search(1) as (ranks, told):
        assert any(isinstance(line, protocol.RankCounters) and line.workers[0].counters.nodes for line in told)
        end_input(ranks)
        *_, last = told
    assert isinstance(last, protocol.Finished)
    assert last.end is End.STOPPED
    assert ranks.returncode == 0


def test_rank_0_ends_without_its_launcher_though_another_rank_cannot() -> None:
    """Its output is still read, and it is told nothing but the end of its input."""
    with endless_search(2) as (ranks, told):
        hello = next(line for line in told if isinstance(line, protocol.Hello))
        first, second = map(os.pidfd_open, hello.pids)
        signal.pidfd_send_signal(second, signal.SIGSTOP)
        reader = threading.Thread(target=deque, args=(told, 0))  # else the launcher may wait to write, and hear nothing
        reader.start()
        end_input(ranks)
        is_over = bool(select.select([first], [], [], 10)[0])
        for rank in (first, second):
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(rank, signal.SIGKILL)
            os.close(rank)
        reader.join()
    assert is_over, "Rank 0 runs on."


def test_a_job_that_does_not_follow_the_end_of_its_input_is_ended() -> None:
    job = process.RanksProcess([sys.executable, "-c", "import signal; signal.pause()"], dict(os.environ))
    job.close()
    assert job.wait(0) == -signal.SIGTERM


# What is said beside the records.


def test_banners_and_garbage_between_the_lines_are_passed_over(launched_by: Callable[[str], None]) -> None:
    """Also a record that is nested too deeply."""
    launched_by(
        r"""
        ranks=$1; shift
        printf '{"type":"hello","hosts":'; head -c 50000 /dev/zero | tr '\0' '['; echo
        printf 'Welcome\n\377\376\n\n{"type":\n[1]\n{"type":"colour"}\n'
        "$mpiexec" -n "$ranks" "$@" | awk '{ print; print "# " NR; fflush() }'
        """
    )
    naive.assert_true(solve(Job(**SHORT | ALONE)))


@pytest.mark.parametrize("length", [2_000, 20_000])
def test_a_stream_that_is_cut_off_in_a_line_fails(length: int, launched_by: Callable[[str], None]) -> None:
    """The stream is cut within the 50,000 bytes and more that report 336 tasks."""
    launched_by(f'ranks=$1; shift; "$mpiexec" -n "$ranks" "$@" | head -c {length}')
    result = solve(Job(**SHORT | ALONE, split=3))
    assert result.end is End.FAILED
    assert result.failure
    assert '"type":' not in result.failure, "a person is not shown a part of a record"
    assert 0 < result.info.tasks_done == sum(task.finished for task in result.tasks) < result.info.tasks == 8 * 7 * 6


def test_a_record_of_which_lines_are_lost_is_not_shown(launched_by: Callable[[str], None]) -> None:
    """Nor is a tree laid out of it, which would never end."""
    launched_by("""ranks=$1; shift; "$mpiexec" -n "$ranks" "$@" | grep -v '"rows","worker":0'""")
    result = solve(Job(**SHORT | ALONE, record=100_000))
    assert (result.end, result.trace) == (End.FAILED, None)
    assert result.failure == "A part of the record was lost on its way from the ranks: search again."
    assert result.info.tasks_done == result.info.tasks


WRITE = """
import sys
from engine.backends.mpi_job import protocol
protocol.write(b"x" * int(sys.argv[1]))
"""


def test_a_rank_that_is_stopped_as_it_writes_a_line_leaves_nothing_out() -> None:
    """Ctrl+Z, and fg: a system call that is interrupted writes a part of the line."""
    size, command = 20_000_000, [sys.executable, "-c", WRITE]
    unbuffered = os.environ | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen([*command, str(size)], stdout=subprocess.PIPE, cwd=ROOT, env=unbuffered) as rank:
        assert rank.stdout is not None
        came = len(os.read(rank.stdout.fileno(), 1 << 16))
        for _ in range(5):
            rank.send_signal(signal.SIGSTOP)
            os.waitpid(rank.pid, os.WUNTRACED)
            rank.send_signal(signal.SIGCONT)
            came += len(os.read(rank.stdout.fileno(), 1 << 16))
        came += len(rank.stdout.read())
    assert came == size


def test_a_stream_that_is_cut_off_before_the_search_begins_fails(launched_by: Callable[[str], None]) -> None:
    launched_by('ranks=$1; shift; "$mpiexec" -n "$ranks" "$@" | head -c 30')
    with pytest.raises(JobError, match="ended early"):
        solve(Job(**SHORT))


# Stop and close, at any moment.


def test_a_search_that_is_stopped_before_it_begins() -> None:
    control = Control()
    control.stop()
    result = solve(Job(**ENDLESS, record=100), control)
    assert result.end is End.STOPPED
    assert (result.info.counters, result.info.value, result.info.ranks) == (Counters(), None, ())


def test_a_search_that_is_stopped_when_its_ranks_have_said_hello() -> None:
    control = Control()
    with when_they_start(lambda _: control.stop()):
        result = solve(Job(**ENDLESS), control)
    assert result.end is End.STOPPED
    assert len(result.info.ranks) == 2


def test_a_stop_at_the_end_changes_nothing_or_stops() -> None:
    control = Control()
    search = run(Job(**SHORT), control)
    next(search)
    control.stop()
    result = ending(search)
    assert result.end in (End.STOPPED, End.COMPLETE)
    if result.complete:  # the stop may have come before the end of the line was found
        _, root, soonest, depth = naive.prepared(result)
        assert result.info.value.number == naive.value(root, soonest, depth)
        assert result.info.pv[:1] == (result.info.best,)
        naive.assert_adds_up(result)


def test_a_search_that_nobody_follows_any_longer_ends() -> None:
    """`nothing_left_running` sees to it. The rank is paused."""
    search = run(Job(**ENDLESS | ALONE), Control(paused=True))
    next(search)
    assert isinstance(search, Generator)
    search.close()


# Where it is launched from.


FOLLOWER = """
from engine.backends import solve
from engine.job import Job
from tests.mpi.follow import ENDLESS, when_they_start
with when_they_start(lambda pids: print(*pids, flush=True)):
    solve(Job(**ENDLESS))
"""


def test_ranks_do_not_outlive_the_program_that_launched_them() -> None:
    """Nor does rank 0 where another one cannot stop."""
    with subprocess.Popen([sys.executable, "-c", FOLLOWER], stdout=subprocess.PIPE, cwd=ROOT) as program:
        assert program.stdout is not None
        ranks = [os.pidfd_open(int(pid)) for pid in program.stdout.readline().split()]
        signal.pidfd_send_signal(ranks[1], signal.SIGSTOP)
        program.kill()
        for rank in ranks:
            assert select.select([rank], [], [], 10)[0], "A rank runs on."
            os.close(rank)
    assert len(ranks) == 2


ROOT = Path(launch.__file__).parents[3]


def test_ctrl_c_prints_what_was_finished() -> None:
    """On a terminal, where progress shows that the search is under way."""
    ours, theirs = os.openpty()
    line = "solve --game mnk:4,4,4 --depth 15 --backend mpi --workers 1 --json"
    with start_impatient(line, stderr=theirs) as program:
        os.close(theirs)
        said = b""
        while not re.search(rb"[1-9][0-9,]* nodes", said):
            assert select.select([ours], [], [], 60)[0]
            said += os.read(ours, 4096)
        program.send_signal(signal.SIGINT)
        out, _ = program.communicate(timeout=20)
    os.close(ours)
    found = json.loads(out)
    assert (program.returncode, found["end"], found["complete"]) == (130, "stopped", False)
    assert found["nodes"] > 0
    assert len(found["ranks"]) == 1
