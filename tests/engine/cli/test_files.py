"""A file that a command line names has either its old or its new content."""

import os
from pathlib import Path

import pytest

from engine import cli
from engine.cli.files import write
from engine.trace import export


@pytest.mark.parametrize("kind", ["csv", "npz"])
def test_ctrl_c_while_a_file_is_written_leaves_the_old_one(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(_game: object, _trace: object, file: object) -> None:
        print("half", file=file) if kind == "csv" else file.write(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(export, f"write_{kind}", stopped)
    file = tmp_path / f"tree.{kind}"
    file.write_text("old")
    assert cli.run(["tree", "--position", "xox/oox/.xo", f"--{kind}", str(file)]) == 130
    assert {one.name: one.read_text() for one in tmp_path.iterdir()} == {file.name: "old"}


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="This system has no device that is always full.")
def test_a_full_disk_is_named_with_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["tree", "--position", "xox/oox/.xo", "--csv", "/dev/full"]) == 1
    assert capsys.readouterr().err == "This failed: /dev/full: No space left on device.\n"


def test_a_file_keeps_its_permissions_its_links_and_its_kind(tmp_path: Path) -> None:
    one, two, link, pipe = (tmp_path / name for name in ("one", "two", "link", "pipe"))
    one.write_text("old")
    one.chmod(0o640)
    link.symlink_to(one)
    write(link, b"new")
    assert (one.read_text(), one.stat().st_mode & 0o777, link.is_symlink()) == ("new", 0o640, True)
    two.hardlink_to(one)
    write(two, b"newer")
    assert one.read_text() == "newer"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write(pipe, b"newest")
    assert os.read(reader, 9) == b"newest"
    os.close(reader)
    assert {path.name for path in tmp_path.iterdir()} == {"one", "two", "link", "pipe"}
