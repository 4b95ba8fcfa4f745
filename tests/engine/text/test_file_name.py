"""Long names of files are shortened where people read them."""

from pathlib import Path

from engine.text.file_name import LONGEST, shortened


def test_a_long_name_keeps_its_beginning_and_its_ending() -> None:
    folder = Path("games" * 20)
    for name in ("game.plyscope", "g" * (LONGEST - 4) + ".svg"):
        assert shortened(folder / name) == folder / name
    made = shortened(folder / f"{'g' * 200}.plyscope")
    assert made.parent == folder
    assert len(made.name) == LONGEST
    assert made.name.startswith("ggg")
    assert made.name.endswith("g.plyscope")
    assert shortened(Path("/")) == Path("/")
