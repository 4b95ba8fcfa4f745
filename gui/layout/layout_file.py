"""The record of a layout that a person has given a name, and the layouts in the settings' file."""

import logging
from collections.abc import Collection, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from gui.i18n.language import tr
from gui.work.settings_file import SettingsFile

log = logging.getLogger(__name__)

KEY = "layouts"
"""Of the settings' file."""
LONGEST = 40
"""Characters of a name."""
MOST = 4
"""The number of layouts that can be stored."""

Share = Annotated[float, Meta(gt=0, lt=1)]


class OwnLayout(Struct, frozen=True):
    """A layout with its name."""

    name: Annotated[str, Meta(min_length=1, max_length=LONGEST)]
    columns: tuple[tuple[str, ...], ...]
    """The open drawers from left to right, each column from the top; one in a window of its own is a column."""
    board: Share
    """The board's share of the window's width."""
    path: Share
    """The path's share of the height that it has together with the whole tree."""


def fault_of_names(names: Sequence[str]) -> str:
    """One sentence on the first fault of the layouts' names, and what to do; empty where there is none."""
    for number, name in enumerate(names):
        if not 0 < len(name) <= LONGEST:
            return tr("A layout's name has 1 to {most} characters: choose another.", most=LONGEST)
        if name in names[:number]:
            return tr("Two layouts have the name {name}: change one of them.", name=name)
    if len(names) > MOST:
        return tr("There are {count} layouts already: remove one first.", count=MOST)
    return ""


def write_layouts(settings: SettingsFile, layouts: list[OwnLayout]) -> None:
    """Store the layouts in place of those before."""
    settings.set({KEY: msgspec.json.encode(layouts).decode()})


def read_layouts(settings: SettingsFile, drawers: Collection[str]) -> tuple[list[OwnLayout], bool]:
    """The stored layouts, and whether these are all; those that cannot be read, or that name other drawers than these,
    are left out and logged."""
    found: list[OwnLayout] = []
    stored = settings.latest(KEY)
    if stored is None:
        return found, True
    try:
        entries = msgspec.json.decode(str(stored), type=list[msgspec.Raw])
    except (ValueError, RecursionError) as error:
        log.warning("The stored layouts cannot be read: %s", error)
        return found, False
    for entry in entries:
        try:
            layout = msgspec.json.decode(entry, type=OwnLayout)
        except (ValueError, RecursionError) as error:
            log.warning("A stored layout cannot be read: %s", error)
            continue
        is_new = layout.name not in {other.name for other in found}
        if is_new and len(found) < MOST and all(name in drawers for column in layout.columns for name in column):
            found.append(layout)
        else:
            log.warning("The stored layout %r cannot be used.", layout.name)
    return found, len(found) == len(entries)
