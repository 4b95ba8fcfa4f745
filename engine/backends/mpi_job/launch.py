"""The command that starts the ranks of an MPI job, and the error if there is no launcher.

The launcher is mpiexec, or that of a template. It is looked for beside the interpreter first, then on PATH. A template
is a command such as

    srun -n {ranks}
    mpiexec -hosts {hosts} -n {ranks}
"""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from engine.cores import cores
from engine.job import Job, JobError
from engine.messages import message
from engine.options.catalogue import MAX_WORKERS

ANSWER_SECONDS = 20
"""Time limit for a launcher or a library to print its name."""
ANSWER_BYTES = 100_000
"""Bytes read from an answer: its beginning is enough."""

LEAST_LOCAL, PER_CORE = 8, 4
"""Workers allowed on one machine with any number of cores, and workers per core."""

MPICH, OPEN_MPI, OTHER = "MPICH", "Open MPI", "other"

INSTALL = message("mpi4py finds no MPI library: install MPICH (pip install mpich) or Open MPI.")


class LaunchChoice(NamedTuple):
    """The choice of launcher and hosts."""

    template: str = ""
    """The launcher's command, with {ranks} and {hosts}; empty: mpiexec."""
    hosts: str = ""
    """Names separated by commas; empty: this machine."""


class Launcher(NamedTuple):
    """The command that starts ranks, and the MPI that it belongs to."""

    words: tuple[str, ...]
    """The words of the command, with {ranks} and {hosts}."""
    kind: str
    """MPICH, OPEN_MPI or OTHER."""
    version: str

    @property
    def name(self) -> str:
        return f"{self.words[0] if self.kind == OTHER else self.kind} {self.version}".strip()


VARIABLES = {"template": "PLYSCOPE_MPIEXEC", "hosts": "PLYSCOPE_HOSTS"}
"""Environment variables. One that is set overrides the settings."""

_stored, _edited = LaunchChoice(), frozenset[str]()


def usual() -> LaunchChoice:
    """The default choice: that of the environment."""
    return LaunchChoice(**{part: os.environ.get(name, "") for part, name in VARIABLES.items()})


def choice() -> LaunchChoice:
    """The current choice: the user's since the start, else that of the environment, else that of the settings."""
    given = {part: value for part, value in usual()._asdict().items() if value and part not in _edited}
    return _stored._replace(**given)


def choose(new: LaunchChoice) -> None:
    """Make `new` the current choice. A field that differs from the one before is the user's, to be stored in the
    settings."""
    global _stored, _edited
    before, given = choice()._asdict(), usual()._asdict()
    for part, value in new._asdict().items():
        if value == given[part] != "":
            _edited -= {part}
        elif value != before[part]:
            _edited |= {part}
            _stored = _stored._replace(**{part: value})


def stored() -> LaunchChoice:
    """The choice to store in the settings, without values that come only from the environment."""
    return _stored


def restore(choice: LaunchChoice) -> None:
    """Make the choice of the settings current, as at a start."""
    global _stored, _edited
    _stored, _edited = choice, frozenset()


def find(choice: LaunchChoice) -> Launcher:
    """The launcher for a choice. Raises JobError if there is none."""
    try:
        words = shlex.split(choice.template)
    except ValueError as error:
        command = repr(choice.template)
        raise JobError(
            message("The launch command {command} cannot be read: {why}.", command=command, why=error)
        ) from error
    if words:
        program = _program(words[0])
        if program is None:
            name = repr(words[0])
            raise JobError(message("The launch command names {name}, which was not found.", name=name))
        if not any("{ranks}" in word for word in words):
            raise JobError(message("The launch command must say {ranks} where the number of ranks belongs."))
        if choice.hosts and not any("{hosts}" in word for word in words):
            raise JobError(message("The launch command must say {hosts} where the hosts belong, or no hosts be named."))
        return Launcher((program, *words[1:]), *_kind(program))
    program = _program("mpiexec")
    if program is None:
        raise JobError(message("No mpiexec was found: install MPICH (pip install mpich) or Open MPI."))
    kind, version = _kind(program)
    match kind, bool(choice.hosts):
        case "Open MPI", hosts:
            # Open MPI refuses more ranks than cores, and binds each rank with all its threads to one core.
            options = ["--map-by", "slot:OVERSUBSCRIBE", "--bind-to", "none", *(["--host", "{hosts}"] if hosts else [])]
        case _, True:
            options = ["-hosts", "{hosts}"]
        case _:
            options = []
    return Launcher((program, *options, "-n", "{ranks}"), kind, version)


def most(choice: LaunchChoice) -> int:
    """The greatest number of workers allowed: on one machine, a multiple of its cores."""
    if choice.template or choice.hosts:
        return MAX_WORKERS
    return max(LEAST_LOCAL, PER_CORE * cores())


def most_ranks() -> int:
    """The greatest number of ranks with the current choice."""
    return most(choice())


def command(launcher: Launcher, choice: LaunchChoice, job: Job) -> list[str]:
    """The command that starts the ranks of a job. Raises JobError if it would fail."""
    hosts = ",".join(choice.hosts.replace(",", " ").split())  # a space would be a part of a name
    ranks = [word.replace("{ranks}", str(job.workers)).replace("{hosts}", hosts) for word in launcher.words]
    workers = job.workers * job.threads
    if workers > most(choice):
        raise JobError(
            message(
                "{workers} workers on this one machine would only wait for each other: choose at most {most}, or name "
                "the hosts or a launch command.",
                workers=f"{workers:,}",
                most=most(choice),
            )
        )
    if launcher.kind == OPEN_MPI and _is_root() and not _root_is_allowed(ranks):
        raise JobError(
            message(
                "Open MPI refuses to run as root: start Plyscope as another user, or set OMPI_ALLOW_RUN_AS_ROOT=1 and "
                "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 if you know what that means."
            )
        )
    return [*ranks, sys.executable, "-P", "-m", "mpi4py", "-m", "engine.backends.mpi_worker"]


def environment(launcher: Launcher) -> dict[str, str]:
    """The environment of the ranks. It puts this engine first on the import path and makes waiting threads yield their
    core. It selects mpi4py's Open MPI module where needed: by default mpi4py loads the MPICH installed beside it."""
    above = str(Path(__file__).parents[3])
    given = {
        "PYTHONPATH": os.pathsep.join(filter(None, [above, os.environ.get("PYTHONPATH")])),
        "OMP_WAIT_POLICY": os.environ.get("OMP_WAIT_POLICY", "passive"),
    }
    if launcher.kind == OPEN_MPI:
        given["MPI4PY_MPIABI"] = os.environ.get("MPI4PY_MPIABI", "openmpi")
    return os.environ | given


def usable(choice: LaunchChoice) -> str:
    """A text with the names of launcher and library. Takes some 0.3 s. Raises JobError with a hint what to install if
    MPI is not usable."""
    launcher = find(choice)
    if find_spec("mpi4py") is None:
        raise JobError(message("mpi4py is not installed: pip install mpi4py."))
    ask = "import mpi4py; mpi4py.rc.initialize = False; from mpi4py import MPI; print(*MPI.get_vendor())"
    code, answer = _answer([sys.executable, "-P", "-c", ask], environment(launcher))
    if code:
        raise JobError(INSTALL)
    name, _, version = answer.strip().rpartition(" (")
    library = f"{name} {version.rstrip(')').replace(', ', '.')}"
    command(launcher, choice, Job(position=""))
    if launcher.name == library:
        return library
    return message("{launcher}, library {library}", launcher=launcher.name, library=library)


def _program(name: str) -> str | None:
    """The path of a program, or None. The one installed beside this interpreter comes before those on PATH."""
    folders = [str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]
    return shutil.which(name, path=os.pathsep.join(folders))


@cache
def _kind(program: str) -> tuple[str, str]:
    """The MPI implementation of a launcher, and its version."""
    _, answer = _answer([program, "--version"])
    words = answer.replace(":", " ").split()
    version = next((word for word in words if word[:1].isdigit() and "." in word), "")
    if "HYDRA" in answer or "mpich" in answer.lower():
        return MPICH, version
    if "Open MPI" in answer or "OpenRTE" in answer or "PRRTE" in answer:
        return OPEN_MPI, version
    return OTHER, version


def _answer(words: list[str], environment: dict[str, str] | None = None) -> tuple[int, str]:
    """The exit code of a command, and up to ANSWER_BYTES of its output. Raises JobError if it cannot be started, or
    takes longer than ANSWER_SECONDS."""
    try:
        process = subprocess.Popen(
            words,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise _no_answer(words[0], error) from error
    late = threading.Timer(ANSWER_SECONDS, _kill, [process.pid])
    with process:
        try:
            late.start()
        except RuntimeError as error:
            _kill(process.pid)
            raise _no_answer(words[0], error) from error
        answer = process.stdout.read(ANSWER_BYTES) if process.stdout is not None else b""
        if len(answer) == ANSWER_BYTES:
            _kill(process.pid)
    late.cancel()
    if process.returncode == -signal.SIGKILL and len(answer) < ANSWER_BYTES:
        raise _no_answer(words[0], message("for {seconds} s", seconds=ANSWER_SECONDS))
    return process.returncode, answer.decode(errors="replace")


def _kill(group: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def _no_answer(launcher: str, why: object) -> JobError:
    return JobError(
        message(
            "{launcher} does not answer ({why}): correct the launch command.",
            launcher=launcher,
            why=why,
        )
    )


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _root_is_allowed(words: list[str]) -> bool:
    allowed = ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM")
    return "--allow-run-as-root" in words or all(os.environ.get(name) == "1" for name in allowed)
