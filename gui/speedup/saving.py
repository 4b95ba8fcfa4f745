"""A measurement as a file: its chart as a picture, its runs as a table, a page with all of it."""

from collections.abc import Callable

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QUrl
from PySide6.QtGui import QImage, QPageSize, QPdfWriter, QTextDocument
from PySide6.QtWidgets import QWidget

from engine.measure.experiment import Experiment
from engine.measure.speedup_files import to_csv, to_json
from engine.text.speedup_report import to_markdown
from gui.speedup.picture import image, png, svg

PAGE_DOTS = 150
"""Dots per inch of a page."""

FILTER = "PNG (*.png);;SVG (*.svg);;PDF (*.pdf);;Markdown (*.md);;CSV (*.csv);;JSON (*.json)"


def saved(suffix: str, experiment: Experiment, charts: list[Callable[[], QWidget]], caption: str) -> bytes:
    """The content of a file with this suffix, PNG's for an unknown one. `charts` make new charts, the one shown first;
    a page has all of them, a picture the first."""
    match suffix.lower():
        case ".csv":
            return to_csv(experiment).encode()
        case ".json":
            return to_json(experiment)
        case ".md":
            return to_markdown(experiment).encode()
        case ".svg":
            return svg(charts[0](), caption)
        case ".pdf":
            return pdf(to_markdown(experiment), [image(made(), "") for made in charts])
    return png(charts[0](), caption)


def pdf(markdown: str, pictures: list[QImage]) -> bytes:
    """A page in A4: the text, then the pictures in rows of three."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setResolution(PAGE_DOTS)
    writer.setTitle("Plyscope")
    document = QTextDocument()
    font = document.defaultFont()
    font.setPointSizeF(7.5)
    document.setDefaultFont(font)
    document.setMarkdown(markdown)
    text = document.toHtml().partition("</body>")[0]
    images = "".join(f'<img src="chart{number}" width="230">' for number in range(len(pictures)))
    document.setHtml(f"{text}<p>{images}</p></body></html>")
    for number, picture in enumerate(pictures):
        document.addResource(QTextDocument.ResourceType.ImageResource, QUrl(f"chart{number}"), picture)
    document.print_(writer)
    buffer.close()
    return bytes(data.data())
