"""The names of files in sentences and menus."""

from pathlib import Path

LONGEST = 60
"""The most characters of a name: a longer one without spaces would be cut off, or widen what it stands in."""
END = 20
"""The characters that are kept of the end of a longer name: they have its ending."""


def shortened(path: Path) -> Path:
    """A path for people to read: from the middle of a name of more than LONGEST characters some are left out."""
    name = path.name
    if len(name) <= LONGEST:
        return path
    return path.with_name(f"{name[: LONGEST - END - 1]}…{name[-END:]}")
