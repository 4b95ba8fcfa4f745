"""The colours can be read, and the theme follows what is chosen."""

import random
from itertools import combinations, product
from typing import get_args

import pytest
from PySide6.QtGui import QColor, QFont, QFontMetrics, QGuiApplication, QPalette
from pytestqt.qtbot import QtBot

import main
from gui.settings.view_menu import THEMES
from gui.style.colours import DARK, LIGHT, PALETTES, Colours
from gui.style.theme import CHOICES, MAX_ZOOM, MIN_ZOOM, SYSTEM, theme

READABLE = 4.5
"""The contrast that WCAG 2.1 asks of text (success criterion 1.4.3)."""
STRONG = 7
"""The contrast that it asks of text for readers with low vision (1.4.6)."""
SEEN = 3
"""The contrast that it asks of graphics and of the parts of controls (1.4.11)."""

VISIONS = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""The colour matrices of readers for linear red, green and blue: Machado, Oliveira, Fernandes, A Physiologically-based
Model for Simulation of Color Vision Deficiency, IEEE TVCG 15 (6), 2009, table 1 at severity 1.0."""

every_theme = pytest.mark.parametrize("colours", PALETTES.values(), ids=PALETTES)
safe_theme = pytest.mark.parametrize("colours", [PALETTES["safe light"], PALETTES["safe dark"]], ids=["light", "dark"])


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2.1."""
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True))


def linear(colour: str) -> tuple[float, ...]:
    """The components of an sRGB colour as linear light."""
    return tuple(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in rgb(colour))


def rgb(colour: str) -> tuple[float, float, float]:
    made = QColor(colour)
    return made.redF(), made.greenF(), made.blueF()


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_black_on_white_has_the_largest_contrast_there_is() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)


def asked(colours: Colours) -> float:
    """The contrast that a theme's text must have."""
    return STRONG if "contrast" in colours.name else READABLE


def lab(colour: str, vision: str) -> tuple[float, float, float]:
    """The colour that a reader sees, in CIE 1976 L*a*b* with the white of sRGB."""
    light = linear(colour)
    seen = [min(1.0, max(0.0, sum(a * b for a, b in zip(row, light, strict=True)))) for row in VISIONS[vision]]
    to_xyz = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    x, y, z = (sum(a * b for a, b in zip(row, seen, strict=True)) / sum(row) for row in to_xyz)
    x, y, z = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def nearest(colours: tuple[str, ...], vision: str) -> float:
    """The distance of the two colours that are hardest to tell apart; 2.3 is just noticeable."""
    seen = [lab(colour, vision) for colour in colours]
    return min(
        sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5 for one, other in combinations(seen, 2)
    )


@every_theme
@pytest.mark.parametrize("text", ["ink", "dim", "x", "o", "draw", "cut"])
@pytest.mark.parametrize("ground", ["card", "ground"])
def test_text_can_be_read_on_every_ground(colours: Colours, text: str, ground: str) -> None:
    assert contrast(getattr(colours, text), getattr(colours, ground)) >= asked(colours)


@every_theme
def test_what_is_selected_can_be_read(colours: Colours) -> None:
    assert contrast(colours.x, colours.selected) >= asked(colours)
    assert contrast(colours.ink, colours.selected) >= asked(colours)


@every_theme
def test_what_is_filled_can_be_read(colours: Colours) -> None:
    for text in (colours.ink, colours.dim):
        assert contrast(text, colours.fill) >= asked(colours)


@every_theme
def test_every_worker_is_seen_on_its_card(colours: Colours) -> None:
    grounds = (colours.card, *([colours.fill] if "contrast" in colours.name else []))
    for hue, ground in product(colours.workers, grounds):
        assert contrast(hue, ground) >= SEEN, hue


@every_theme
def test_what_was_visited_is_seen_beside_what_was_not(colours: Colours) -> None:
    assert contrast(colours.x, colours.pruned) >= (2 if colours is LIGHT else SEEN)


@every_theme
def test_what_has_the_keyboard_is_framed_for_all_to_see(colours: Colours) -> None:
    assert contrast(colours.ink, colours.card) >= SEEN
    if "contrast" in colours.name:
        assert colours.ring == 2
        assert contrast(colours.line, colours.card) >= SEEN


@every_theme
def test_only_the_players_are_blue_and_orange(qtbot: QtBot, colours: Colours) -> None:
    theme().choose(colours.name)
    roles = [QPalette.ColorRole(number) for number in range(QPalette.ColorRole.NColorRoles.value)]
    palette = {QGuiApplication.palette().color(role).name().upper() for role in roles}
    sheet = theme().style_sheet()
    theme().choose("light")
    assert not [player for player in colours.players if player in sheet or player in palette]


@pytest.mark.parametrize("vision", VISIONS)
@every_theme
def test_x_o_and_a_draw_are_told_apart_by_any_colour_vision(colours: Colours, vision: str) -> None:
    assert nearest((colours.x, colours.o, colours.draw), vision) >= 18


@pytest.mark.parametrize("vision", VISIONS)
@safe_theme
def test_the_safe_workers_are_told_apart_by_any_colour_vision(colours: Colours, vision: str) -> None:
    assert nearest(colours.workers, vision) >= 20


@safe_theme
def test_in_the_safe_themes_x_and_o_differ_also_without_any_hue(colours: Colours) -> None:
    assert contrast(colours.x, colours.o) >= 2.5
    assert contrast(LIGHT.x, LIGHT.o) < 1.1, "in the usual theme it is hue alone, beside the sign"


def test_every_choice_is_in_the_menu() -> None:
    assert tuple(THEMES) == CHOICES


def test_a_picture_can_have_the_colours_of_every_theme_by_its_name() -> None:
    assert get_args(main.Theme) == tuple(name for name in CHOICES if name != SYSTEM)


def test_a_choice_is_told_to_every_view(qtbot: QtBot) -> None:
    with qtbot.waitSignal(theme().changed):
        theme().choose("dark")
    assert theme().colours is DARK
    with qtbot.waitSignal(theme().changed):
        theme().choose("light")
    assert theme().colours is LIGHT
    with pytest.raises(ValueError, match="choose one of system, light, dark"):
        theme().choose("mauve")


def test_the_width_of_a_text_is_that_of_its_own_figures(qtbot: QtBot) -> None:
    """Widths are kept for texts that differ in figures alone, which have one width."""
    draw = random.Random(2)
    for _ in range(200):
        text = "".join(draw.choices("0123456789,.−+ kM%", k=draw.randrange(1, 9)))
        weight, mono = draw.choice((QFont.Weight.Normal, QFont.Weight.Bold)), draw.random() < 0.5
        metrics = QFontMetrics(theme().font(13, weight, mono))
        assert theme().width(text, 13, weight, mono) == metrics.horizontalAdvance(text), text


def test_zoom_scales_fonts_and_stays_within_its_limits(qtbot: QtBot) -> None:
    usual = theme().font().pixelSize()
    theme().set_zoom(1.5)
    assert theme().font().pixelSize() == pytest.approx(usual * 1.5, abs=1)
    for asked, got in ((100.0, MAX_ZOOM), (0.01, MIN_ZOOM)):
        theme().set_zoom(asked)
        assert theme().zoom == got
    with qtbot.assertNotEmitted(theme().changed):
        theme().set_zoom(MIN_ZOOM / 2)
    theme().set_zoom(1.0)
