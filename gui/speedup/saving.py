"""A measurement as a file: its chart as a picture, its runs as a table, a page with all of it."""

import math
from functools import partial

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QSize, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QPageLayout,
    QPageSize,
    QPaintDevice,
    QPainter,
    QPalette,
    QPdfWriter,
    QTextDocument,
    QTextLength,
    QTextTableFormat,
)

from engine.measure.experiment import Experiment
from engine.measure.speedup_files import to_csv, to_json
from engine.text.speedup_report import to_markdown
from gui.i18n.language import tr
from gui.speedup.kinds import KINDS, Kind
from gui.speedup.picture import content, paint
from gui.speedup.words import caption

PAGE_DOTS = 96
"""Dots per inch of a page: text and charts are drawn as lines, not as dots."""
PAGE_MARGIN = 14
"""Millimetres."""

POINTS = 8.0
"""The size of a page's text; smaller where it and the charts need more than one page."""

COLUMNS = 3
PANEL = QSize(330, 250)
"""The size at which a chart of a page is laid out, before it is scaled to its column."""
PANEL_MARGIN = 6

FILTER = "PNG (*.png);;SVG (*.svg);;PDF (*.pdf);;Markdown (*.md);;CSV (*.csv);;JSON (*.json)"


def saved(suffix: str, experiment: Experiment, kind: Kind, is_log: bool = False) -> bytes:
    """The content of a file with this suffix, PNG's for an unknown one. A page has charts of all kinds, a picture that
    of one. Raises ValueError, with a sentence."""
    said = caption(experiment, tr(kind.name), has_medians=kind.figure is not None)
    match suffix.lower():
        case ".csv":
            return to_csv(experiment).encode()
        case ".json":
            return to_json(experiment)
        case ".md":
            return to_markdown(experiment).encode()
        case ".svg":
            return content(".svg", partial(kind.made, experiment, is_log), said)
        case ".pdf":
            return pdf(experiment, is_log)
    return content(".png", partial(kind.made, experiment, is_log), said)


def pdf(experiment: Experiment, is_log: bool = False) -> bytes:
    """One page in A4: the text, and below it the charts in rows of COLUMNS; the last has the rest of its row."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(*[PAGE_MARGIN] * 4), QPageLayout.Unit.Millimeter)
    writer.setResolution(PAGE_DOTS)
    writer.setTitle("Plyscope")
    scale = writer.width() / COLUMNS / PANEL.width()
    top = writer.height() - scale * math.ceil(len(KINDS) / COLUMNS) * PANEL.height()
    with QPainter(writer) as painter:
        text, shrunk = fitted(to_markdown(experiment), writer, top)
        ink = QAbstractTextDocumentLayout.PaintContext()
        ink.palette.setColor(QPalette.ColorRole.Text, Qt.GlobalColor.black)  # else that of the window
        painter.scale(shrunk, shrunk)
        text.documentLayout().draw(painter, ink)
        painter.resetTransform()
        painter.translate(0, top)
        painter.scale(scale, scale)
        for number, kind in enumerate(KINDS):
            row, column = divmod(number, COLUMNS)
            columns = COLUMNS - column if kind is KINDS[-1] else 1
            painter.save()
            painter.translate(column * PANEL.width(), row * PANEL.height())
            size = QSize(columns * PANEL.width(), PANEL.height())
            paint(painter, partial(kind.made, experiment, is_log), tr(kind.name), size, PANEL_MARGIN)
            painter.restore()
    return bytes(data.data())


def fitted(markdown: str, device: QPaintDevice, height: float) -> tuple[QTextDocument, float]:
    """The text laid out, and the scale at which it is as wide as the device and at most so high."""
    document = QTextDocument()
    document.documentLayout().setPaintDevice(device)
    document.setDocumentMargin(0)
    document.setIndentWidth(12)
    font = document.defaultFont()
    font.setPointSizeF(POINTS)
    document.setDefaultFont(font)
    document.setMarkdown(markdown)
    for table in document.rootFrame().childFrames():
        table.setFrameFormat(_full_width())
    scale = 1.0
    document.setTextWidth(device.width())
    while document.size().height() * scale > height:
        scale *= 0.95
        document.setTextWidth(device.width() / scale)
    return document, scale


def _full_width() -> QTextTableFormat:
    """The format of a table as wide as the page, without lines."""
    found = QTextTableFormat()
    found.setBorder(0)
    found.setCellPadding(1.5)
    found.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
    return found
