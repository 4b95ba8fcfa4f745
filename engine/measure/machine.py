"""The machine of a measurement: what its times depend on."""

import os
import platform
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from msgspec import Struct

from engine.backends.mpi_job import launch
from engine.cores import cores

PROCESSORS = Path("/proc/cpuinfo")
PACKAGES = "plyscope", "numba", "numpy", "mpi4py"


class Machine(Struct, frozen=True):
    """A machine and its software. Unknown texts are empty."""

    cores: int
    """The number of cores that this process may use."""
    processor: str = ""
    system: str = ""
    python: str = ""
    packages: dict[str, str] = {}
    """Versions by name."""
    threading_layer: str = ""
    """numba's: "omp", "tbb" or "workqueue"."""
    mpi: str = ""
    """The launcher of the ranks; empty if no ranks were measured."""
    hosts: str = ""
    """The hosts of the ranks; empty: this machine alone."""
    load: float | None = None
    """The mean number of programs that wanted a core in the minute before the measurement; None if unknown."""


def this_machine(threading_layer: str = "", with_mpi: bool = False, load: float | None = None) -> Machine:
    """This machine, with a `mean_load` from before the measurement. The launcher is looked for only `with_mpi`."""
    chosen = launch.choice()
    return Machine(
        cores=cores(),
        processor=_processor(),
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        python=platform.python_version(),
        packages={name: found for name in PACKAGES if (found := _version(name))},
        threading_layer=threading_layer,
        mpi=launch.find(chosen).name if with_mpi else "",
        hosts=chosen.hosts or chosen.template if with_mpi else "",
        load=load,
    )


def _processor() -> str:
    """The processor's name. Python's own answer is empty or "x86_64" on Linux."""
    with suppress(OSError):
        for line in PROCESSORS.read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def mean_load() -> float | None:
    """The mean number of programs that wanted a core in the last minute; None if the system does not tell."""
    try:
        return round(os.getloadavg()[0], 2)
    except (AttributeError, OSError):
        return None
