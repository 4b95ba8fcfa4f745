"""An animated GIF is read back by Qt, frame by frame."""

from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QImage, QImageReader

from gui.work.gif import Gif, Palette, Pixels


def frames_of(path: Path) -> list[tuple[Pixels, int]]:
    """The frames of a file, each with its milliseconds."""
    reader, found = QImageReader(str(path)), []
    while reader.canRead():
        image = reader.read().convertToFormat(QImage.Format.Format_RGB32)
        pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width()).copy()
        found.append((pixels, reader.nextImageDelay()))
    return found


@settings(deadline=None, derandomize=True, max_examples=25)
@given(seed=st.integers(0, 1 << 32), colours=st.integers(1, 255), width=st.integers(1, 90), height=st.integers(1, 90))
def test_frames_are_read_back_as_they_were(tmp_path_factory, seed: int, colours: int, width: int, height: int) -> None:
    draw = np.random.default_rng(seed)
    table = np.array([0xFF000000 | _spread(n) for n in draw.choice(1 << 18, colours, replace=False)], np.uint32)
    frames = [table[draw.integers(0, colours, (height, width))]]
    part = frames[0].copy()
    part[: height // 2, width // 3 :] = table[0]
    frames += [part, part, frames[0]]
    made = Gif(width, height, Palette(frames))
    for number, pixels in enumerate(frames):
        made.add(pixels, 10 + number)
    path = tmp_path_factory.mktemp("gif") / "a.gif"
    path.write_bytes(made.content())
    found = frames_of(path)
    assert [delay for _, delay in found] == [100, 110, 120, 130]
    for (read, _), pixels in zip(found, frames, strict=True):
        assert (read == pixels).all()


def _spread(number: int) -> int:
    """A colour for each number below 2^18, in a bucket of its own."""
    return (number >> 12 & 63) << 18 | (number >> 6 & 63) << 10 | (number & 63) << 2


def test_of_more_colours_than_a_palette_has_the_frequent_are_exact() -> None:
    pixels = np.full((64, 64), 0xFFFFFFFF, np.uint32)
    pixels.flat[:1000] = 0xFF000000 | np.arange(1000, dtype=np.uint32) * 16_411
    palette = Palette([pixels])
    assert len(palette.colours) == 255
    indices = palette.indices(pixels)
    assert palette.colours[indices[-1, -1]] == 0xFFFFFFFF
