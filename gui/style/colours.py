"""The palettes: every colour of the window, and the contrast of two colours.

Light and dark use Okabe and Ito's set: blue and orange lie on the axis of hue that readers without red or green cones
see (https://jfly.uni-koeln.de/color/). In it X and O are of almost equal lightness, though: without hue, or on a bad
projector, both are grey. The safe palettes separate them, and the workers, by lightness as well. A sign, shape or word
always stands beside a colour.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtGui import QColor

INK_STEP = 0.05
"""The step by which ink is added until a colour stands out."""


@dataclass(frozen=True)
class Colours:
    """A palette."""

    name: str
    ground: str
    card: str
    line: str
    ink: str
    dim: str
    x: str
    """The first player."""
    o: str
    """The second player."""
    draw: str
    pruned: str
    """The ground of unvisited nodes."""
    selected: str
    """A grey wash behind selected items: blue and orange are the players'."""
    fill: str
    """The ground of what is pointed at, pressed, past or not recorded: text can be read on it."""
    workers: tuple[str, ...]
    cut: str = "#B0143C"
    """An empty window, and what follows from it."""
    red: str = "#CE3B33"
    """The first player's discs on a rack."""
    yellow: str = "#F2BE22"
    """The second player's."""
    plate: str = "#4A6483"
    """The rack."""
    black: str = "#17191C"
    """The first player's discs on felt."""
    white: str = "#FAFAF7"
    """The second player's."""
    felt: str = "#3E9268"
    ring: int = 1
    """The width in pixels of the frame round the focused widget."""
    least: float = 0.0
    """The least opacity of a line drawn in `dim`."""
    readable: float = 4.5
    """The least contrast of text with its ground: WCAG 2.1 asks 4.5 (1.4.3), or 7 (1.4.6)."""

    @property
    def players(self) -> tuple[str, str]:
        return self.x, self.o


LIGHT = Colours(
    name="light",
    ground="#F4F4F1",
    card="#FFFFFF",
    line="#E2E1DC",
    ink="#1D1F22",
    dim="#65686D",
    x="#0072B2",
    o="#B84B00",
    draw="#6A6D72",
    pruned="#3A3A3E",
    selected="#F0EFEB",
    fill="#E8E7E3",
    workers=("#B05A8A", "#007F5F", "#8A7A00", "#2B8BC4", "#B57C00", "#0072B2", "#D55E00", "#6E7176"),
)
DARK = Colours(
    name="dark",
    ground="#17181B",
    card="#1F2125",
    line="#2E3136",
    ink="#E8E8E6",
    dim="#9A9CA0",
    x="#56B4E9",
    o="#E69F00",
    draw="#A4A7AC",
    pruned="#0E0F11",
    selected="#2C2F34",
    fill="#2E3136",
    cut="#FF7A94",
    plate="#56759B",
    workers=("#CC79A7", "#1FB58A", "#F0E442", "#56B4E9", "#E69F00", "#3D9AD1", "#E8782A", "#A4A7AC"),
)
SAFE_LIGHT = replace(
    LIGHT,
    name="safe light",
    dim="#5C5F64",
    x="#00264F",
    o="#B85000",
    draw="#5A5D62",
    pruned="#85888D",
    workers=("#08326A", "#D4810D", "#48A19D", "#7A1F4B", "#6B6B1E", "#9A6BD6", "#4A2A10", "#446B86"),
)
SAFE_DARK = replace(
    DARK,
    name="safe dark",
    dim="#9FA1A5",
    x="#CDE7FF",
    o="#CF7B20",
    draw="#95989D",
    workers=("#CFE2FF", "#DE9025", "#07B1BF", "#A0567F", "#E8E07A", "#6F7FE0", "#AC522B", "#A19B8F"),
)
CONTRAST_LIGHT = Colours(
    name="contrast light",
    ground="#FFFFFF",
    card="#FFFFFF",
    line="#6E6E6E",
    ink="#000000",
    dim="#333333",
    x="#003C8A",
    o="#8A3000",
    draw="#454545",
    pruned="#8F8F8F",
    selected="#E2E2E2",
    fill="#D8D8D8",
    cut="#8A0028",
    workers=("#003C8A", "#B45911", "#008191", "#7A1F5B", "#4E4E00", "#7A4BD0", "#2A1A08", "#6A6A6A"),
    ring=2,
    least=0.7,
    readable=7,
)
CONTRAST_DARK = Colours(
    name="contrast dark",
    ground="#000000",
    card="#000000",
    line="#9A9A9A",
    ink="#FFFFFF",
    dim="#D6D6D6",
    x="#8CD0FF",
    o="#FFA733",
    draw="#C8C8C8",
    pruned="#3A3A3A",
    selected="#333333",
    fill="#3C3C3C",
    cut="#FF9DB0",
    workers=("#84CAFD", "#FFA733", "#78F3B6", "#E595CA", "#F5EC6A", "#B19AFF", "#DF7E56", "#D8D8D8"),
    ring=2,
    least=0.7,
    readable=7,
)
PALETTES = {one.name: one for one in (LIGHT, DARK, SAFE_LIGHT, SAFE_DARK, CONTRAST_LIGHT, CONTRAST_DARK)}


def mixed(one: QColor, other: QColor, share: float) -> QColor:
    """A mixture of two colours, with this share of the other one."""
    pairs = zip(_channels(one), _channels(other), strict=True)
    return QColor.fromRgbF(*(own * (1 - share) + more * share for own, more in pairs))


def contrast(one: QColor, other: QColor) -> float:
    """The contrast of two colours by WCAG 2.1, from 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def standing_out(colour: QColor, ink: QColor, grounds: Sequence[QColor], wanted: float, share: float = 0.0) -> QColor:
    """A colour, mixed with this share of ink, or with as much more as its contrast with all the grounds needs."""
    while True:
        made = mixed(colour, ink, share)
        if share >= 1 or all(contrast(made, ground) >= wanted for ground in grounds):
            return made
        share = min(1.0, share + INK_STEP)


def legible_on(ground: QColor) -> QColor:
    """Black or white: the more legible colour of a text on a ground."""
    return max(map(QColor, ("black", "white")), key=lambda ink: contrast(ink, ground))


def _luminance(colour: QColor) -> float:
    parts = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in _channels(colour))
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def _channels(colour: QColor) -> tuple[float, float, float]:
    return colour.redF(), colour.greenF(), colour.blueF()
