"""The switch that hides search results, and its label at the foot of the window while it is on."""

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

from gui.controls.bar import button
from gui.i18n.language import mark
from gui.state.spoilers import spoilers
from gui.widgets.actions import action


def no_spoilers(window: QMainWindow, values: QAction) -> QAction:
    """The action of the switch; `values`, which shows the squares' values, is disabled while it is on."""
    switch = action(
        window,
        mark("No spoilers"),
        "Ctrl+Shift+H",
        mark("Hide what searches find: values, best moves, best play"),
        spoilers().hide,
        checkable=True,
    )
    badge = button(switch)
    badge.setStyleSheet("padding: 0 8px; min-height: 0")
    window.statusBar().addPermanentWidget(badge)
    for follow in (switch.setChecked, values.setDisabled, badge.setVisible):
        spoilers().changed.connect(follow)
        follow(spoilers().hidden)
    return switch
