"""Whether search results are hidden: values, best moves, best play. There is one switch: `spoilers()`.

Views show what `found` returns, and HIDDEN in place of a hidden result; counters are always shown. A hint is shown
nevertheless, because the person asked for it.
"""

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from engine.result import Snapshot
from gui.i18n.language import mark

HIDDEN = mark("hidden")
WHY_HIDDEN = mark("No spoilers is on: Game › No spoilers shows it again.")


class Spoilers(QObject):
    """The switch. Views are refreshed on `changed`."""

    changed = Signal(bool)
    """True if results are hidden now."""

    def __init__(self) -> None:
        super().__init__()
        self._hidden = False

    @property
    def hidden(self) -> bool:
        return self._hidden

    def hide(self, hidden: bool) -> None:
        if hidden != self._hidden:
            self._hidden = hidden
            self.changed.emit(hidden)

    def found(self, info: Snapshot | None) -> Snapshot | None:
        """The snapshot without its hidden results."""
        return info if info is None or not self._hidden else replace(info, value=None, best=None, pv=())


_SPOILERS: list[Spoilers] = []


def spoilers() -> Spoilers:
    """The program's one switch."""
    if not _SPOILERS:
        _SPOILERS.append(Spoilers())
    return _SPOILERS[0]
