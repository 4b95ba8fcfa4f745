"""The picture of the whole tree tells of the very pixel that is under the pointer, whatever the screen's scale."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.gui.program import ROOT

SCALES = 1.0, 1.25, 2.0
"""Those of three screens."""

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
BUTTON, NONE = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier

def check(screen, left, top):
    page, picture = QWidget(), TreePicture()
    page.move(screen.geometry().topLeft())
    page.resize(70, 60)
    picture.setParent(page)
    picture.setGeometry(left, top, 61, 40)
    picture.show_places(trace.places(Width.VISITED))
    picture.show_look(Look(registry.game("tictactoe"), trace))
    page.show()
    while picture.is_behind:
        app.processEvents()
    pixels, ratio, made, told = page.grab().toImage(), page.devicePixelRatioF(), picture._picture, []
    picture.pointed.connect(told.append)

    def under(x, y):
        "The row that the picture tells when the pointer comes to a pixel of the screen."
        point = QPointF(x, y) / ratio
        picture.point(None)
        told.clear()
        local = point - QPointF(picture.pos())
        app.sendEvent(picture, QMouseEvent(QEvent.Type.MouseMove, local, point, BUTTON, BUTTON, NONE))
        return told[-1] if told else -1

    first_column, first_line = (int(corner * ratio + 0.5) for corner in (left, top))
    columns, tops, image = made.raster.rows.shape[1], made._image_tops, made.image(picture.negamax)
    for ply in range(len(made.heights)):
        for line in {tops[ply], tops[ply + 1] - 1}:
            for column in range(columns):
                place = first_column + column, first_line + line
                assert pixels.pixel(*place) == image.pixel(column, line), (ratio, place, "shows another pixel")
                row = int(made.raster.rows[ply, column])
                assert under(*place) == row, (ratio, left, top, ply, line, column, row, told)
    picture.runner.close()
    return ratio

for corner in ((0, 0), (5, 7)):
    print(*(check(screen, *corner) for screen in app.screens()))
"""


def test_the_pointer_is_on_the_node_that_its_pixel_shows(tmp_path: Path) -> None:
    """Also where a node is one pixel of the screen wide, less than a logical one, and where a corner of the picture is
    between two pixels."""
    screen = {"width": 800, "height": 800, "logicalDpi": 96, "logicalBaseDpi": 96}
    screens = [screen | {"name": str(scale), "x": 800 * place, "y": 0} for place, scale in enumerate(SCALES)]
    (tmp_path / "screens.json").write_text(json.dumps({"screens": screens}))
    environ = {
        "QT_QPA_PLATFORM": f"offscreen:configfile={tmp_path / 'screens.json'}",
        "QT_SCREEN_SCALE_FACTORS": ";".join(map(str, SCALES)),
        "PYTHONPATH": str(ROOT),
    }
    found = subprocess.run(
        [sys.executable, "-P", "-c", MOVE], env=os.environ | environ, capture_output=True, text=True, timeout=300
    )
    assert found.returncode == 0, found.stderr
    assert found.stdout.splitlines() == [" ".join(map(str, SCALES))] * 2
