"""Sentences on several lines, which scroll where the space is too small."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea


class Sentences(QScrollArea):
    """Its height for a width is the height of all lines."""

    def __init__(
        self,
        alignment: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignHCenter,
        label: QLabel | None = None,
    ) -> None:
        """`label` shows the sentences; without one, a label with a plain text does."""
        super().__init__()
        self.label = label or QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.label.setAlignment(alignment | Qt.AlignmentFlag.AlignTop)
        self.setWidget(self.label)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
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
