"""The second of two compared searches, as a whole tree under the first: one cursor and one part on display in both."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QMargins, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.trace.at_moment import AFTERWARDS
from engine.trace.replay import Event, Replay
from gui.state.tree_shape import Compared
from gui.style.theme import NOTE, QUIET, theme
from gui.tree.icicle_live import second_here
from gui.tree.icicle_picture import TreePicture
from gui.widgets.elided import ElidedLabel

if TYPE_CHECKING:
    from engine.trace.record import Trace


class SecondTree(QWidget):
    """The tree of the other search; its owner puts `title` over it, so that both pictures have the same height. Both
    are hidden while none is compared."""

    row_pressed = Signal(int)
    """The user presses a node or a gap here: the nearest row of the first search's record on its path."""
    gap_pressed = Signal(int)
    """The user presses a gap here: the row of this search's record whose moves are missing. `row_pressed` comes
    first."""

    def __init__(self, first: TreePicture) -> None:
        """`first` is the picture above, whose span this one shares."""
        super().__init__()
        self._first = first
        self._compared: Compared | None = None
        self._replay: Replay | None = None
        self.title = TitleLine()
        self.picture = TreePicture()
        column = QVBoxLayout(self)
        column.setContentsMargins(QMargins())
        column.setSpacing(0)
        column.addWidget(self.picture)
        for pressed in (self.picture.row_pressed, self.picture.gap_pressed):
            pressed.connect(self._on_pressed)
        self.picture.gap_pressed.connect(self.gap_pressed)
        first.span_changed.connect(self._share_span)
        self.picture.span_changed.connect(self._on_zoomed)
        for part in (self, self.title):
            part.hide()

    @property
    def trace(self) -> "Trace | None":
        """The record of the other search; None while none is compared."""
        return None if self._compared is None else self._compared.found.traces[1]

    def show_compared(self, compared: Compared | None, title: str) -> None:
        """Show another search, or none."""
        self._compared = compared
        trace = self.trace
        self._replay = None if trace is None else Replay(trace)
        self.title.setText(title)
        self.picture.show_places(None if compared is None else compared.places)
        self._share_span()
        for part in (self, self.title):
            part.setVisible(compared is not None)

    def follow(self, row: int | None, event: Event | None, negamax: bool) -> None:
        """Show where the first search's cursor is: its row and, unless it has ended, its event."""
        if self._compared is None or self._replay is None or row is None:
            return
        self.picture.chain, self.picture.moment = second_here(self._compared.found, self._replay, row, event)
        self.picture.negamax = negamax
        self.picture.update()

    def moment_of(self, event: Event) -> int:
        """The moment of the other search at an event of the first; AFTERWARDS while none is compared."""
        if self._compared is None or self._replay is None:
            return AFTERWARDS
        return self._compared.found.moment(event, self._replay)

    def _share_span(self) -> None:
        self.picture.set_span(self._first.span)

    def _on_zoomed(self) -> None:
        if self._compared is not None:
            self._first.zoom_to(*self.picture.span)

    def _on_pressed(self, row: int) -> None:
        if self._compared is not None:
            self.row_pressed.emit(self._compared.found.counterpart(row, 1))


class TitleLine(ElidedLabel):
    """A quiet line over a picture."""

    def __init__(self) -> None:
        super().__init__("")
        self.setForegroundRole(QUIET)
        theme().changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        self.setFont(theme().font(NOTE))
