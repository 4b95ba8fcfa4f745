"""Shows settings as rows, in a card for each chapter, with search matches highlighted."""

import html
import re
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

from gui.settings.pages import Chapter, Setting
from gui.style.theme import TEXT, theme

FIELD_WIDTH = 215
Change = Callable[[Setting, Any], object]


class SettingRow(QWidget):
    """A setting: its name, its explanation, and the field with its value."""

    def __init__(self, setting: Setting, change: Change) -> None:
        super().__init__()
        self.setting = setting
        self.field, self._show = setting.field(lambda value: change(setting, value))
        self.field.setAccessibleName(setting.name)
        self.field.setAccessibleDescription(setting.tip)
        self.name, self.tip = QLabel(setting.name), QLabel(setting.tip, wordWrap=True)
        self.says = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        for label in (self.tip, self.says):
            label.setObjectName("tip")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(1)
        grid.setColumnStretch(0, 1)
        grid.setColumnMinimumWidth(1, theme().px(FIELD_WIDTH))
        for place, label in enumerate((self.name, self.tip, self.says)):
            grid.addWidget(label, place, 0)
        grid.addWidget(self.field, 0, 1, 2, 1, Qt.AlignmentFlag.AlignVCenter)
        self.refresh()

    def refresh(self) -> None:
        """Show the present value."""
        with QSignalBlocker(self.field):
            self._show(self.setting.value())
        text = self.setting.says()
        self.says.setText(text)
        self.says.setVisible(bool(text))

    def search(self, words: Sequence[str]) -> bool:
        """Highlight these words; hide the row if one of them is missing. Returns whether it has all of them."""
        text = f"{self.setting.name} {self.setting.tip}".lower()
        found = all(word in text for word in words)
        self.setVisible(found)
        for label, own in ((self.name, self.setting.name), (self.tip, self.setting.tip)):
            text = _marked(own, words) if words and found else own
            if text != label.text():
                label.setText(text)
        return found


class ChapterView(QWidget):
    """A title, and a card with the rows."""

    def __init__(self, chapter: Chapter) -> None:
        super().__init__()
        title = QLabel(chapter.title)
        title.setFont(theme().font(TEXT, QFont.Weight.DemiBold))
        self.rows: list[SettingRow] = []
        card = QFrame()
        card.setObjectName("card")
        self._inside = QVBoxLayout(card)
        self._inside.setContentsMargins(14, 10, 14, 12)
        self._inside.setSpacing(12)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(title)
        column.addWidget(card)

    def add(self, setting: Setting, change: Change) -> SettingRow:
        """Add a row."""
        row = SettingRow(setting, change)
        self.rows.append(row)
        self._inside.addWidget(row)
        return row

    def search(self, words: Sequence[str]) -> bool:
        """Show the rows that have all these words; returns whether there is one."""
        found = [row.search(words) for row in self.rows]
        self.setVisible(any(found))
        return any(found)


def _marked(text: str, words: Sequence[str]) -> str:
    """The text as HTML, with all occurrences of these words highlighted."""
    colours = theme().colours
    mark = f'<span style="background-color: {colours.selected}; color: {colours.ink}; font-weight: 600">'
    parts = re.split(f"({'|'.join(map(re.escape, words))})", text, flags=re.IGNORECASE)
    parts = [html.escape(part) for part in parts]
    return "".join(f"{mark}{part}</span>" if place % 2 else part for place, part in enumerate(parts))
