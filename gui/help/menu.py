"""The Help menu, and the pages that it opens."""

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from string import Template

import platformdirs
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence, QTextDocument
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QMainWindow, QTextBrowser, QVBoxLayout

from engine.job import Job
from engine.version import version
from gui.help.bug_report import log_folder
from gui.help.errors import Errors
from gui.help.keys import VIEWS, Keys
from gui.help.palette import Commands, show_palette
from gui.i18n import glossary
from gui.i18n.language import mark, resource, tr
from gui.style.theme import TEXT, theme
from gui.widgets.actions import action, entries
from gui.work.settings_file import SettingsFile

log = logging.getLogger(__name__)

ABOUT = mark("""## Plyscope {version}

A laboratory for game-tree search: play, and see the search that answered.

MIT licence. Fonts: Inter and JetBrains Mono, SIL Open Font License.
""")

LONG = 40
"""The number of paragraphs from which a page always has a scroll bar; finding that out would make Qt lay it out
twice."""


class Help:
    """The content of the Help menu: the pages, the keys, and the bug report."""

    def __init__(
        self, window: QMainWindow, settings: SettingsFile | None, job: Callable[[], Job | None], choices: Commands
    ) -> None:
        """`job` returns the current search's job, for the report; `choices` the commands that are in no menu."""
        self._window, self._choices = window, choices
        self.errors = Errors(window, job)
        self.keys = Keys(window, settings)

    def actions(self) -> tuple[tuple[QAction, ...], ...]:
        """The entries of the menu, in groups."""
        new = partial(action, self._window)
        return (
            (
                new(mark("Help"), "F1", mark("What everything is, and how to use it"), self.show_help),
                new(mark("Find a command"), "Ctrl+K", mark("Type a few letters of what you want to do"), self.find),
                new(mark("Keys"), "?", mark("The keys of all commands, and how to change them"), self.keys.show),
                new(mark("Glossary"), "", mark("The terms of the field, one sentence each"), self.show_glossary),
            ),
            (
                new(
                    mark("Copy report"),
                    "",
                    mark("Copy versions, job and log to the clipboard, for a bug report"),
                    self.errors.copy_report,
                ),
                new(
                    mark("Open log folder"),
                    "",
                    mark("The folder of the program's log"),
                    self.errors.open_log_folder,
                ),
            ),
            (new(mark("About Plyscope"), "", mark("What this program is"), self.show_about),),
        )

    def find(self) -> None:
        show_palette(self._window, self._choices)

    def show_help(self) -> None:
        show_page(self._window, tr("Help"), help_text(self._window, self.keys), 640, 720)

    def show_glossary(self) -> None:
        show_page(self._window, tr("Glossary"), glossary.page(), 560, 640)

    def show_about(self) -> None:
        show_page(self._window, tr("About Plyscope"), tr(ABOUT, version=version()), 420, 230)


def help_text(window: QMainWindow, keys: Keys) -> str:
    """The help page as Markdown, with the present keys and folders."""
    try:
        text = resource("help.md").read_text(encoding="utf-8")
    except OSError:
        log.exception("There is no help page.")
        return tr("The help page is missing: install Plyscope again.")
    rows = [
        f"| {' '.join(map(_code, made.shortcuts()))} | **{made.text()}**: {made.statusTip()} |"
        for _, made in entries(window)
        if made.shortcuts()
    ]
    key, does = tr("key"), tr("does")
    return Template(text).safe_substitute(
        version=version(),
        keys="\n".join([f"| {key} | {does} |", "| --- | --- |", *rows]),
        views=tr(VIEWS),
        settings=_short(keys.file),
        log=_short(str(log_folder())),
        cache=_short(str(platformdirs.user_cache_path("plyscope"))),
    )


def show_page(window: QMainWindow, title: str, markdown: str, width: int, height: int) -> "HelpPage":
    """Open a page beside the window, or raise it."""
    pages = (page for page in window.findChildren(HelpPage) if page.windowTitle() == title and page.isVisible())
    page = next(pages, None) or HelpPage(window, title, markdown, width, height)
    page.show()
    page.activateWindow()
    return page


class HelpPage(QDialog):
    """A text to read beside the window. It is laid out in the step of the event loop after the page is shown."""

    def __init__(self, window: QMainWindow, title: str, markdown: str, width: int, height: int) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.text = QTextBrowser(openExternalLinks=True)
        self.text.setFrameShape(QTextBrowser.Shape.NoFrame)
        self._document = _document(self, markdown)
        if self._document.blockCount() > LONG:
            self.text.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._filler = QTimer(self, singleShot=True, interval=0)
        self._filler.timeout.connect(lambda: self.text.setDocument(self._document))
        self._filler.start()
        buttons = QDialogButtonBox()
        buttons.addButton(tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(self.close)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 12, 12)
        column.addWidget(self.text)
        column.addWidget(buttons)
        available = window.screen().availableSize()
        self.resize(min(theme().px(width), available.width()), min(theme().px(height), available.height() - 40))


def _document(page: HelpPage, markdown: str) -> QTextDocument:
    """A text document with the fonts and lines of the theme."""
    document, font = QTextDocument(page), theme().font(TEXT)
    font.setPointSizeF(font.pixelSize() * 72 / page.logicalDpiY())  # Qt measures the gaps of Markdown in points
    document.setDefaultFont(font)
    document.setDocumentMargin(theme().px(18))
    document.setMarkdown(markdown)
    for frame in document.rootFrame().childFrames():
        lines = frame.frameFormat()
        lines.setBorderBrush(theme().colour("line"))
        frame.setFrameFormat(lines)
    return document


def _code(key: QKeySequence) -> str:
    text = key.toString(QKeySequence.SequenceFormat.NativeText)
    return f"`{text}`" if text != "`" else "`` ` ``"


def _short(path: str) -> str:
    """A path with "~" for the home folder."""
    return path.replace(str(Path.home()), "~")
