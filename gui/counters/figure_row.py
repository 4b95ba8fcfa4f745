"""One figure of a panel, with its name, and a bar and a note below them."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from engine.text.numbers import DASH
from gui.i18n.language import tr
from gui.state.spoilers import HIDDEN
from gui.style.theme import FIGURE, NOTE, QUIET, TEXT, theme
from gui.widgets.elided import ElidedLabel
from gui.widgets.roles import set_foreground


class FigureRow(QWidget):
    """A name on the left, a figure on the right, and below them an optional bar and note."""

    def __init__(self, title: str, hint: str, mono: bool) -> None:
        super().__init__()
        self._mono = mono
        self._heights: dict[tuple[bool, bool], int] = {}
        self._hint = hint
        self.title = QLabel(title)
        self.value = ElidedLabel(DASH)
        self.value.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.note = ElidedLabel("")
        for label in (self.title, self.note):
            label.setForegroundRole(QUIET)
        self.note.setVisible(False)
        self._said: tuple[str, ...] = ()
        self._tight = False
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(1)
        self._grid.addWidget(self.title, 0, 0)
        self._grid.addWidget(self.value, 0, 1)
        self._grid.addWidget(self.note, 2, 0, 1, 2)
        self._grid.setColumnStretch(1, 1)
        self.setToolTip(hint)

    def add_bar(self, bar: QWidget) -> None:
        self._grid.addWidget(bar, 1, 0, 1, 2)

    def say(self, text: str, note: str = "", detail: str = "", short: str = "") -> None:
        """Show a figure; `detail` is the long form for a tool tip and a screen reader, `short` the form for little
        space."""
        said = text, note, detail, short, self.title.text()
        if said == self._said:
            return  # a change of a label would lay the panel out again
        self._said = said
        self.value.setText(text)
        self.value.shorten(*filter(None, [short]))
        set_foreground(self.value, QUIET if text == tr(HIDDEN) else QPalette.ColorRole.WindowText)
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.setToolTip(f"{detail}\n{self._hint}" if detail else self._hint)
        self.setAccessibleName(f"{self.title.text()}: {detail or text}" + (f", {note}" if note else ""))

    def set_tight(self, tight: bool) -> None:
        if tight != self._tight:
            self._tight = tight
            self._set_fonts()

    def height_if(self, tight: bool) -> int:
        """The height with smaller figures or not, with the present note; cached for each of these."""
        asked = tight, self.note.isHidden()
        if asked not in self._heights:
            self.set_tight(tight)
            self._heights[asked] = self.sizeHint().height()
        return self._heights[asked]

    def restyle(self) -> None:
        self._heights.clear()
        self._set_fonts()

    def _set_fonts(self) -> None:
        look = theme()
        size, weight = TEXT if self._tight else FIGURE, QFont.Weight.DemiBold
        self.title.setFont(look.font(NOTE + 1 if self._tight else TEXT))
        self.value.setFont(look.font(NOTE + 1, mono=True) if self._mono else look.font(size, weight))
        self.note.setFont(look.font(NOTE))
