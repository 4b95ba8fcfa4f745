"""Sentences on several lines, which scroll where the space is too small."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from gui.widgets.scrolled import ScrollArea


class Sentences(ScrollArea):
    """Its height for a width is the height of all lines."""

    def __init__(
        self,
        alignment: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignHCenter,
        label: QLabel | None = None,
    ) -> None:
        """`label` shows the sentences; without one, a label with a plain text does."""
        self.label = label or QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        super().__init__(self.label)
        self.label.setAlignment(alignment | Qt.AlignmentFlag.AlignTop)
        self._measured: tuple[str, str] = "", ""
        self._heights: dict[int, int] = {}
        """The heights in pixels of the measured text by its width: a layout asks ten times."""

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        shown = self.label.text(), self.label.font().key()
        if shown != self._measured:
            self._measured, self._heights = shown, {}
        if width not in self._heights:
            self._heights[width] = self.label.heightForWidth(width)
        return self._heights[width]
