"""The picture of the whole tree tells of the very pixel that is under the pointer, whatever the screen's scale."""

import os
import subprocess
import sys

import pytest

from tests.gui.program import ROOT

MOVE = """
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from engine import backends, registry
from engine.job import Job
from engine.trace.widths import Width
from gui.tree.icicle_colours import Look
from gui.tree.icicle_picture import TreePicture

app = QApplication([])
trace = backends.solve(Job(position="x../.../...", algorithm="alphabeta", backend="interpreted", record=10_000)).trace
page, picture = QWidget(), TreePicture()
page.resize(320, 80)
picture.setParent(page)
BUTTON, NONE = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier

def under(x, y):
    "The row that the picture tells when the pointer comes to a pixel of the screen."
    point = QPointF(x, y) / ratio
    picture.point(None)
    told.clear()
    local = point - QPointF(picture.pos())
    app.sendEvent(picture, QMouseEvent(QEvent.Type.MouseMove, local, point, BUTTON, BUTTON, NONE))
    return told[-1] if told else -1

for left, top in ((0, 0), (2, 3), (5, 7)):
    picture.setGeometry(left, top, 301, 60)
    picture.show_places(trace.places(Width.VISITED))
    picture.show_look(Look(registry.game("tictactoe"), trace))
    page.show()
    while picture.is_behind:
        app.processEvents()
    screen, ratio, made = page.grab().toImage(), page.devicePixelRatioF(), picture._picture
    told = []
    picture.pointed.connect(told.append)
    (first_column, first_line) = (int(corner * ratio + 0.5) for corner in (left, top))
    columns, tops, image = made.raster.rows.shape[1], made._image_tops, made.image(picture.negamax)
    for ply in range(len(made.heights)):
        for line in {tops[ply], tops[ply + 1] - 1}:
            for column in range(columns):
                place = first_column + column, first_line + line
                assert screen.pixel(*place) == image.pixel(column, line), (place, "shows another pixel")
                row = int(made.raster.rows[ply, column])
                assert under(*place) == row, (left, top, ply, line, column, row, told)
    picture.pointed.disconnect()
picture.runner.close()
"""


@pytest.mark.parametrize("scale", ["1", "1.25", "2"])
def test_the_pointer_is_on_the_node_that_its_pixel_shows(scale: str) -> None:
    """Also where a node is one pixel of the screen wide, less than a logical one, and where a corner of the picture is
    between two pixels."""
    found = subprocess.run(
        [sys.executable, "-P", "-c", MOVE],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert found.returncode == 0, found.stderr
