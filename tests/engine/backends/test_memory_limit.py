"""The memory that a container leaves, from a folder of files in place of its control group's."""

from pathlib import Path

import pytest

from engine.backends import memory_limit
from engine.backends.memory_limit import MEBIBYTE, SPARE, available


@pytest.fixture(autouse=True)
def cgroup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a control group without files."""
    monkeypatch.setattr(memory_limit, "CGROUP", tmp_path)
    return tmp_path


def test_a_container_has_what_others_leave_and_what_can_be_freed(cgroup: Path) -> None:
    """Of 400 MiB 90 are in use, of which 30 are file cache without recent use."""
    (cgroup / "memory.max").write_text(f"{400 * MEBIBYTE}\n")
    assert available() == 400 * MEBIBYTE - SPARE
    (cgroup / "memory.current").write_text(f"{90 * MEBIBYTE}\n")
    (cgroup / "memory.stat").write_text(f"anon {40 * MEBIBYTE}\ninactive_file {30 * MEBIBYTE}\nactive_file 0\n")
    assert available() == 340 * MEBIBYTE - SPARE


def test_an_older_container_counts_the_groups_below_it(cgroup: Path) -> None:
    folder = cgroup / "memory"
    folder.mkdir()
    (folder / "memory.limit_in_bytes").write_text(f"{400 * MEBIBYTE}\n")
    (folder / "memory.usage_in_bytes").write_text(f"{90 * MEBIBYTE}\n")
    (folder / "memory.stat").write_text(f"inactive_file 4096\ntotal_inactive_file {30 * MEBIBYTE}\n")
    assert available() == 340 * MEBIBYTE - SPARE


def test_a_full_container_leaves_nothing(cgroup: Path) -> None:
    (cgroup / "memory.max").write_text(f"{400 * MEBIBYTE}\n")
    (cgroup / "memory.current").write_text(f"{399 * MEBIBYTE}\n")
    (cgroup / "memory.stat").write_text("inactive_file 0\n")
    assert available() == 0


def test_a_container_without_a_limit_has_what_the_machine_has(cgroup: Path) -> None:
    (cgroup / "memory.max").write_text("max\n")
    assert available() > 0
