"""Going back and forth in the game, from the menu and by keys."""

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from gui.actions import action
from gui.game_record import GameRecord
from gui.language import mark


def moment_actions(window: QWidget, record: GameRecord) -> tuple[QAction, ...]:
    """To the start, a ply back, a ply on, to the end; each enabled where there is something to see."""
    back = (
        action(
            window, mark("To the start"), "Alt+Home", mark("Look at the start of the game"), lambda: record.go_to(0)
        ),
        action(
            window, mark("A ply back"), "Alt+Left", mark("Look a ply back"), lambda: record.go_to(len(record.moves) - 1)
        ),
    )
    on = (
        action(
            window, mark("A ply on"), "Alt+Right", mark("Look a ply on"), lambda: record.go_to(len(record.moves) + 1)
        ),
        action(
            window,
            mark("To the end"),
            "Alt+End",
            mark("Look at the newest move"),
            lambda: record.go_to(len(record.line)),
        ),
    )

    def refresh() -> None:
        for made in back:
            made.setEnabled(bool(record.moves))
        for made in on:
            made.setEnabled(record.moves != record.line)

    record.changed.connect(refresh)
    refresh()
    return (*back, *on)
