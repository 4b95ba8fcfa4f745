"""The colours can be read, and the theme follows what is chosen."""

import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from gui.theme import DARK, LIGHT, MAX_ZOOM, MIN_ZOOM, Colours, theme

READABLE = 4.5
"""The contrast that WCAG 2.1 asks of text (success criterion 1.4.3)."""


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2.1."""
    parts = (value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in rgb(colour))
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def rgb(colour: str) -> tuple[float, float, float]:
    made = QColor(colour)
    return made.redF(), made.greenF(), made.blueF()


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_black_on_white_has_the_largest_contrast_there_is() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("text", ["ink", "dim", "x", "o", "draw"])
@pytest.mark.parametrize("ground", ["card", "ground"])
def test_text_can_be_read_on_every_ground(colours: Colours, text: str, ground: str) -> None:
    assert contrast(getattr(colours, text), getattr(colours, ground)) >= READABLE


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_what_is_selected_can_be_read(colours: Colours) -> None:
    assert contrast(colours.x, colours.selected) >= READABLE
    assert contrast(colours.ink, colours.selected) >= READABLE


def test_a_choice_is_told_to_every_view(qtbot: QtBot) -> None:
    with qtbot.waitSignal(theme().changed):
        theme().choose("dark")
    assert theme().colours is DARK
    with qtbot.waitSignal(theme().changed):
        theme().choose("light")
    assert theme().colours is LIGHT
    with pytest.raises(ValueError, match="choose light, dark or system"):
        theme().choose("mauve")


def test_zoom_scales_fonts_and_stays_within_its_limits(qtbot: QtBot) -> None:
    usual = theme().font().pixelSize()
    theme().set_zoom(1.5)
    assert theme().font().pixelSize() == pytest.approx(usual * 1.5, abs=1)
    for asked, got in ((100.0, MAX_ZOOM), (0.01, MIN_ZOOM)):
        theme().set_zoom(asked)
        assert theme().zoom == got
    theme().set_zoom(1.0)
