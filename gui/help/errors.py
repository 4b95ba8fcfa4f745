"""Errors in one dialog: what happened, what to do, and the report to send.

An unexpected exception in a slot, an event handler or a thread is logged and shown here, and the window goes on. While
the dialog is open, further errors are counted in it.
"""

import logging
import sys
import threading
import traceback
from collections.abc import Callable
from types import TracebackType

from PySide6.QtCore import QObject, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QFont, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QMainWindow,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import Shiboken

from engine.job import Job
from gui.help.bug_report import log_folder, report
from gui.i18n.language import mark, tr
from gui.style.theme import FIGURE, NOTE, QUIET, theme

log = logging.getLogger(__name__)

WIDTH, DETAILS_HEIGHT = 520, 200
UNEXPECTED = mark("Something went wrong")
GO_ON = mark(
    "The program continues: the game and the searches are kept. If it happens again, press Copy "
    "report and send the text on the clipboard, with a note on what you did."
)


class Errors(QObject):
    """Shows errors of a window. `job` returns the current search's job, for the report."""

    _caught = Signal(str, str)
    """What happened, and the traceback. Queued: the signal may come from any thread, or during a paint event."""

    def __init__(self, window: QMainWindow, job: Callable[[], Job | None]) -> None:
        super().__init__(window)
        self._window, self._job = window, job
        self._dialog: ErrorDialog | None = None
        self._caught.connect(self._on_caught, Qt.ConnectionType.QueuedConnection)

    def catch_all(self) -> None:
        """From now on handle every uncaught exception, of any thread."""
        sys.excepthook = self._catch
        threading.excepthook = lambda it: it.exc_value and self._catch(it.exc_type, it.exc_value, it.exc_traceback)
        sys.unraisablehook = lambda it: log.error("Ignored in %r", it.object, exc_info=it.exc_value)

    def tell(self, title: str, what: str, cure: str = "", details: str = "") -> None:
        """Show what happened and what to do; in a dialog that is already open, count one more."""
        if self._dialog is None:
            self._dialog = ErrorDialog(self._window, title, what, cure or tr(GO_ON), details)
            self._dialog.copy_requested.connect(self.copy_report)
            self._dialog.folder_requested.connect(self.open_log_folder)
            self._dialog.finished.connect(self._on_closed)
            self._dialog.show()
        else:
            self._dialog.count_one_more()

    def search_failed(self, why: str) -> None:
        """Show that a search has ended with an error, and the error."""
        self.tell(tr("The search could not be finished"), why)

    def copy_report(self) -> None:
        """Put the report on the clipboard. As text only: see `Table.copy`."""
        QGuiApplication.clipboard().setText(report(self._job()))
        self._window.statusBar().showMessage(tr("The report is on the clipboard."), 8000)

    def open_log_folder(self) -> None:
        """Open the log's folder in the desktop's file manager, or say where it is."""
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(log_folder())):
            self._window.statusBar().showMessage(tr("The log is in {folder}", folder=log_folder()), 8000)

    def _catch(self, kind: type[BaseException], error: BaseException, where: TracebackType | None) -> None:
        if not isinstance(error, Exception):
            sys.__excepthook__(kind, error, where)
            return
        log.error("Not expected", exc_info=(kind, error, where))
        if Shiboken.isValid(self):
            details = "".join(traceback.format_exception(kind, error, where))
            self._caught.emit(f"{kind.__name__}: {error}" if str(error) else kind.__name__, details)

    def _on_closed(self) -> None:
        self._dialog = None

    def _on_caught(self, what: str, details: str) -> None:
        self.tell(tr(UNEXPECTED), what, details=details)


class ErrorDialog(QDialog):
    """One error: what happened, what to do, and the number of later errors. The dialog is not modal."""

    copy_requested = Signal()
    folder_requested = Signal()

    def __init__(self, window: QWidget, title: str, what: str, cure: str, details: str) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Plyscope")
        self._more = 0
        self.title, self.what, self.cure, self.count = (QLabel(text) for text in (title, what, cure, ""))
        self.title.setFont(theme().font(FIGURE, QFont.Weight.DemiBold))
        self.what.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.cure.setForegroundRole(QUIET)
        self.count.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 14)
        column.setSpacing(10)
        for label in (self.title, self.what, self.cure, self.count):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            column.addWidget(label)
        self._details = QPlainTextEdit(details, readOnly=True)
        self._details.setFont(theme().font(NOTE, mono=True))
        self._details.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._details.setFixedHeight(theme().px(DETAILS_HEIGHT))
        self._details.hide()
        column.addWidget(self._details)
        column.addWidget(self._build_buttons(bool(details)))
        self.setFixedWidth(theme().px(WIDTH))
        self._close.setFocus()

    def count_one_more(self) -> None:
        """Count another error."""
        self._more += 1
        self.count.setText(tr("%n more since then: the log has (it|them).", "errors", self._more))
        self.count.show()
        self.adjustSize()

    def _build_buttons(self, has_details: bool) -> QDialogButtonBox:
        buttons = QDialogButtonBox()
        self._close = buttons.addButton(tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        role = QDialogButtonBox.ButtonRole.ActionRole
        buttons.addButton(tr("Copy report"), role).clicked.connect(lambda: self.copy_requested.emit())
        buttons.addButton(tr("Open log folder"), role).clicked.connect(lambda: self.folder_requested.emit())
        if has_details:
            more = buttons.addButton(tr("Details"), role)
            more.setCheckable(True)
            more.toggled.connect(self._show_details)
        buttons.rejected.connect(self.reject)
        for push in buttons.findChildren(QPushButton):
            push.setAutoDefault(False)
        self._close.setDefault(True)
        return buttons

    def _show_details(self, on: bool) -> None:
        self._details.setVisible(on)
        self.adjustSize()
