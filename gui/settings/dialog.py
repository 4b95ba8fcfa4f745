"""The dialog with every setting, and a search field. A change takes effect at once; Cancel reverts all changes."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from PySide6.QtCore import QObject, QSignalBlocker, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QMainWindow,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gui.i18n.language import localized, mark, tr
from gui.settings.pages import Chapter, Owners, Setting, chapters
from gui.settings.rows import ChapterView, SettingRow
from gui.style.steps import Steps
from gui.style.theme import theme
from gui.widgets.actions import action

WIDTH, HEIGHT, LIST_WIDTH = 780, 640, 150
NOTHING = mark("No setting has all of these words in its name or description.")


class SettingsOpener:
    """Opens the dialog or raises it; `keep` saves the settings that were accepted."""

    def __init__(self, window: QMainWindow, owners: Owners, keep: Callable[[], object]) -> None:
        self._window, self._owners, self._keep = window, owners, keep
        tip = mark("All settings but the expert options of a search, which are in the Options card")
        self.action = action(window, mark("Settings…"), "Ctrl+,", tip, self.show)

    def show(self, name: str = "") -> None:
        """Show the dialog; with a name, at the setting of that name."""
        dialog = next(filter(QDialog.isVisible, self._window.findChildren(SettingsDialog)), None)
        if dialog is None:
            dialog = SettingsDialog(self._window, chapters(self._owners))
            for changed in self._owners.changes:
                changed.connect(dialog.refresh)
            dialog.accepted.connect(self._keep)
        dialog.show()
        dialog.activateWindow()
        if name:
            dialog.search.setText(name)

    def commands(self, owner: QObject) -> list[tuple[str, QAction]]:
        """An action for each setting, which opens the dialog there. The actions live as long as their owner."""
        made = []
        for setting in (setting for chapter in chapters(self._owners) for setting in chapter.settings):
            made.append((tr("Settings › {name}…", name=setting.name), QAction(setting.name, owner)))
            made[-1][1].setObjectName(setting.name)
            made[-1][1].setStatusTip(setting.tip)
            made[-1][1].triggered.connect(lambda _=False, name=setting.name: self.show(name))
        return made


class SettingsDialog(QDialog):
    """Chapters below each other."""

    def __init__(self, window: QMainWindow, chapters: Sequence[Chapter]) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Settings"))
        self._views: list[ChapterView] = []
        self._before: dict[Setting, Any] = {}
        self.search = QLineEdit(placeholderText=tr("Find a setting"), clearButtonEnabled=True)
        self.search.setAccessibleName(tr("Find a setting"))
        self.search.textChanged.connect(self._find)
        self.search.returnPressed.connect(self._go_to_found)
        self.list = QListWidget()
        self.list.setObjectName("chapters")
        self.list.setAccessibleName(tr("Chapters"))
        self.list.addItems([chapter.title for chapter in chapters])
        self.list.setCurrentRow(0)
        self.list.currentRowChanged.connect(self._go_to_chapter)
        self.nothing = QLabel(tr(NOTHING), wordWrap=True)
        self.notice = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.nothing.setObjectName("tip")
        self.notice.setObjectName("warning")
        self.nothing.hide()
        self.notice.hide()
        self._page, self._column = self._build_page()
        beside = QHBoxLayout()
        beside.setSpacing(14)
        beside.addWidget(self.list)
        beside.addWidget(self._page, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 14, 14, 12)
        column.setSpacing(12)
        column.addWidget(self.search)
        column.addLayout(beside, 1)
        column.addWidget(self.notice)
        column.addWidget(self._build_buttons())
        self.resize(min(theme().px(WIDTH), window.width() - 40), min(theme().px(HEIGHT), window.height() - 40))
        self._building = Steps(self)
        self._building.start(self._build_rows(chapters))
        self.search.setFocus()
        self.refresh()

    def rows(self) -> dict[str, SettingRow]:
        """All rows, by the names of their settings."""
        self._building.finish()
        return {row.setting.name: row for view in self._views for row in view.rows}

    def refresh(self) -> None:
        """Show the present values."""
        self.list.setFixedWidth(max(theme().px(LIST_WIDTH), self.list.sizeHintForColumn(0)))
        for view in self._views:
            for row in view.rows:
                row.refresh()

    def restore(self) -> None:
        """Give every setting its default; Cancel reverts that, too."""
        for row in self.rows().values():
            self._change(row.setting, row.setting.usual)

    def accept(self) -> None:
        """Close, and keep the changes."""
        self.setFocus()  # a field applies its typed text when it loses the focus
        super().accept()

    def reject(self) -> None:
        """Revert all changes made here, the last one first, and close."""
        self.setFocus()  # as in accept: a field would apply its typed text afterwards
        for setting, before in reversed(self._before.items()):
            self._tell(setting, before)
        super().reject()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc clears the search field first, if it has text; Enter belongs to fields and to the focused button."""
        if event.key() == Qt.Key.Key_Escape and self.search.text():
            self.search.clear()
            self.search.setFocus()
        elif event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or isinstance(self.focusWidget(), QPushButton):
            super().keyPressEvent(event)

    # Building

    def _build_page(self) -> tuple[QScrollArea, QVBoxLayout]:
        page, inner, column = QScrollArea(widgetResizable=True), QWidget(), QVBoxLayout()
        page.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        page.verticalScrollBar().valueChanged.connect(self._show_chapter)
        column.setContentsMargins(0, 0, 10, 0)
        column.setSpacing(14)
        column.addWidget(self.nothing)
        column.addStretch(1)
        inner.setLayout(column)
        page.setWidget(inner)
        return page, column

    def _build_rows(self, chapters: Sequence[Chapter]) -> Iterator[None]:
        """Make the rows, one a step, in Tab order: before the buttons."""
        last: QWidget = self._page
        for chapter in chapters:
            view = ChapterView(chapter)
            self._views.append(view)
            self._column.insertWidget(len(self._views), view)
            for setting in chapter.settings:
                field = view.add(setting, self._change).field
                self.setTabOrder(last, field)
                last = field
                if self.search.text():
                    self._find(self.search.text())
                yield

    def _build_buttons(self) -> QDialogButtonBox:
        buttons, role = QDialogButtonBox(), QDialogButtonBox.ButtonRole
        self.usual = buttons.addButton(tr("Restore defaults"), role.ResetRole)
        self.cancel = buttons.addButton(tr("Cancel"), role.RejectRole)
        self.done_button = buttons.addButton(tr("OK"), role.AcceptRole)
        self.usual.setToolTip(tr("Set every setting to its default; Cancel undoes this"))
        self.cancel.setToolTip(tr("Undo all changes made here (Esc)"))
        self.usual.clicked.connect(self.restore)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        return buttons

    # Changes

    def _change(self, setting: Setting, value: Any) -> None:
        self._show_refusal("")
        if value != setting.value():
            for changed in (*setting.affects, setting):
                self._before.setdefault(changed, changed.value())
            self._tell(setting, value)

    def _tell(self, setting: Setting, value: Any) -> None:
        """Give a value to its owner; if it refuses, say why and show the present value."""
        try:
            setting.take(value)
        except ValueError as error:
            self._show_refusal(localized(error))
        self.refresh()

    def _show_refusal(self, why: str) -> None:
        """Show why the last change was refused; empty where it was not."""
        self.notice.setText(why)
        self.notice.setVisible(bool(why))

    # Search

    def _find(self, typed: str) -> None:
        words, anything = typed.lower().split(), False
        for number, view in enumerate(self._views):
            found = view.search(words)
            self.list.item(number).setHidden(not found)
            anything = anything or found
        self.nothing.setVisible(not anything)

    def _go_to_found(self) -> None:
        found = next((row for row in self.rows().values() if row.isVisible()), None)
        if found is not None:
            found.field.setFocus(Qt.FocusReason.TabFocusReason)

    def _go_to_chapter(self, number: int) -> None:
        self.rows()
        self._page.verticalScrollBar().setValue(self._views[number].y())

    def _show_chapter(self, top: int) -> None:
        """Select in the list the chapter at the top of the page."""
        shown = [number for number, view in enumerate(self._views) if view.isVisible() and view.y() <= top + 8]
        with QSignalBlocker(self.list):
            self.list.setCurrentRow(max(shown, default=0))
