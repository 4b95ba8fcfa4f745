"""The fields of search options, made from the catalogue."""

from typing import Any

from engine.options.option import OptionEntry
from engine.text.describe import text, titles
from gui.i18n.language import localized, tr
from gui.widgets.editors import Field, choice, number, switch
from gui.widgets.fields import nodes, plies


def texts(entry: OptionEntry) -> dict[Any, str]:
    """The values of a list, with their texts; empty for an option that is a switch or a number."""
    if is_number(entry):
        return {}
    return {value: localized(text(entry, value)) for value in {**entry.option.values, **titles(entry)}}


def is_number(entry: OptionEntry) -> bool:
    """Whether any number of a range can be chosen, and not only those of a list."""
    return entry.type in (int, float) and not any(value is not None for value in entry.option.values)


def field_of(entry: OptionEntry, most: float | None = None) -> Field:
    """The field of an option with one value; a number is at most `most`, where that is given."""
    if listed := texts(entry):
        return choice(listed)
    if not is_number(entry):
        return switch()
    least, greatest = entry.range
    units = {"plies": plies, "nodes": nodes, "s": tr(" s")}
    is_width = entry.option.unit == "±"
    return number(
        0 if entry.is_optional else least,
        greatest if most is None else most,
        units.get(entry.option.unit, ""),
        localized(text(entry, None)) if entry.is_optional else "",
        2 if entry.type is float else 0,
        "± " if is_width else "",
        0.25 if is_width else 0,
    )
