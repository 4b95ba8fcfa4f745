"""Writes animated GIFs, the one animated picture that all programs for slides play. Qt only reads them.

A frame holds the rectangle in which anything has changed, and in it what has not changed is transparent. Source: GIF89a
(CompuServe 1990), whose compression is Lempel, Ziv and Welch's.
"""

from collections.abc import Iterable, Iterator
from io import BytesIO
from struct import pack

import numpy as np
from numpy.typing import NDArray

UNCHANGED = 255
"""The transparent entry of the palette, after all colours."""
CLEAR, END, MOST = 256, 257, 4096
"""The codes that empty a table and that end a picture, and the number of codes."""
BLOCK = 255
"""The most bytes of a block of data."""

Pixels = NDArray[np.uint32]
"""Uint32[height, width], 0xffRRGGBB."""


class Palette:
    """The 255 most frequent colours of some pictures."""

    def __init__(self, samples: Iterable[Pixels]) -> None:
        found = [np.unique(pixels, return_counts=True) for pixels in samples]
        colours, places = np.unique(np.concatenate([colours for colours, _ in found]), return_inverse=True)
        counts = np.bincount(places, np.concatenate([counts for _, counts in found]))
        self.colours: Pixels = colours[np.argsort(-counts, kind="stable")[:UNCHANGED]]
        """Uint32[at most 255], the most frequent first."""
        self._nearest = np.full(1 << 18, UNCHANGED, np.uint8)
        for place in reversed(range(len(self.colours))):
            self._nearest[_bucket(self.colours[place])] = place

    def indices(self, pixels: Pixels) -> NDArray[np.uint8]:
        """The nearest colour of each pixel: uint8[height, width]."""
        buckets = _bucket(pixels)
        unknown, where = np.unique(buckets[self._nearest[buckets] == UNCHANGED], return_index=True)
        if len(unknown):
            asked = pixels[self._nearest[buckets] == UNCHANGED][where]
            apart = (_channels(asked)[:, None] - _channels(self.colours)[None]) ** 2
            self._nearest[unknown] = apart.sum(axis=2).argmin(axis=1)
        return self._nearest[buckets]

    def table(self) -> bytes:
        """The colours as 256 times red, green and blue."""
        return _channels(self.colours).astype(np.uint8).tobytes().ljust(3 * 256, b"\0")


class Gif:
    """An animated picture, which is played again and again."""

    def __init__(self, width: int, height: int, palette: Palette) -> None:
        self._palette = palette
        self._file = BytesIO()
        self._file.write(b"GIF89a" + pack("<HHBBB", width, height, 0xF7, 0, 0) + palette.table())
        self._file.write(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0")
        self._before: NDArray[np.uint8] | None = None

    def add(self, pixels: Pixels, hundredths: int) -> None:
        """Add a frame that is shown for so many hundredths of a second."""
        now, before = self._palette.indices(pixels), self._before
        changed = np.ones_like(now, bool) if before is None else now != before
        rows, columns = (np.flatnonzero(changed.any(axis=axis)) for axis in (1, 0))
        top, bottom = (int(rows[0]), int(rows[-1]) + 1) if len(rows) else (0, 1)
        left, right = (int(columns[0]), int(columns[-1]) + 1) if len(columns) else (0, 1)
        part = np.where(changed, now, UNCHANGED).astype(np.uint8)[top:bottom, left:right]
        self._before = now
        self._file.write(b"\x21\xf9\x04\x05" + pack("<HBB", hundredths, UNCHANGED, 0))
        self._file.write(b"\x2c" + pack("<HHHHB", left, top, right - left, bottom - top, 0) + b"\x08")
        data = _packed(_codes(part.tobytes()))
        for start in range(0, len(data), BLOCK):
            block = data[start : start + BLOCK]
            self._file.write(bytes([len(block)]) + block)
        self._file.write(b"\0")

    def content(self) -> bytes:
        """The whole file."""
        return self._file.getvalue() + b"\x3b"


def _bucket(pixels: Pixels) -> NDArray[np.intp]:
    """The upper six bits of each channel, as one number."""
    return np.asarray((pixels >> 6 & 0x3F000) | (pixels >> 4 & 0xFC0) | (pixels >> 2 & 0x3F), np.intp)


def _channels(pixels: Pixels) -> NDArray[np.int32]:
    """Int32[colours, 3]: red, green and blue."""
    return np.stack([pixels >> shift & 0xFF for shift in (16, 8, 0)], axis=-1).astype(np.int32)


def _codes(data: bytes) -> Iterator[tuple[int, int]]:
    """The codes of data, each with its width in bits.

    A table has every sequence without its last byte too, so that the longest known one is found by bisection: the time
    is that of the codes, not that of the bytes.
    """
    place, width = 0, 9
    while place < len(data):
        yield CLEAR, width
        known, number, width = {bytes([byte]): byte for byte in range(256)}, 1, 9
        while place < len(data) and CLEAR + number < MOST - 2:
            length = _longest(data, place, known)
            yield known[data[place : place + length]], width
            known[data[place : place + length + 1]] = END + number
            place, number = place + length, number + 1
            width = (CLEAR + number).bit_length()
    yield END, width


def _longest(data: bytes, place: int, known: dict[bytes, int]) -> int:
    """The length of the longest known sequence at a place."""
    low, high, room = 1, 2, len(data) - place
    while high <= room and data[place : place + high] in known:
        low, high = high, 2 * high
    high = min(high, room + 1)
    while high - low > 1:
        middle = (low + high) // 2
        if data[place : place + middle] in known:
            low = middle
        else:
            high = middle
    return low


def _packed(codes: Iterable[tuple[int, int]]) -> bytes:
    """Codes as bytes, the lowest bits first."""
    packed, rest, filled = bytearray(), 0, 0
    for code, width in codes:
        rest |= code << filled
        filled += width
        while filled >= 8:
            packed.append(rest & 0xFF)
            rest, filled = rest >> 8, filled - 8
    packed.append(rest)
    return bytes(packed)
