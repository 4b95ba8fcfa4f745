"""Going back and forth in the game and its variations, from the menu and by keys."""

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from engine.rules.bits import first
from engine.rules.contract import legal
from gui.i18n.language import mark
from gui.state.game_record import GameRecord
from gui.widgets.actions import action

MAKE_MAIN, DELETE, RESTORE = mark("Make main line"), mark("Delete from here"), mark("Restore deleted moves")


def ply_actions(window: QWidget, record: GameRecord) -> tuple[QAction, ...]:
    """The actions to the start, a ply back, a ply forward and to the end; each enabled where it changes the
    position."""
    back = (
        action(window, mark("To the start"), "Alt+Home", mark("Show the start of the game"), lambda: record.go_to(0)),
        action(
            window,
            mark("A ply back"),
            "Alt+Left",
            mark("Show the position one ply back"),
            lambda: record.go_to(len(record.moves) - 1),
        ),
    )
    on = (
        action(
            window,
            mark("A ply on"),
            "Alt+Right",
            mark("Show the position one ply on"),
            lambda: record.go_to(len(record.moves) + 1),
        ),
        action(
            window,
            mark("To the end"),
            "Alt+End",
            mark("Show the position after the last move"),
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


def pass_action(window: QWidget, record: GameRecord) -> QAction:
    """The action to pass; enabled where that is a person's only move."""
    passes = action(
        window,
        mark("Pass"),
        "",
        mark("Pass, for there is no other move"),
        lambda: record.play(first(legal(record.position))),
    )

    def refresh() -> None:
        passes.setEnabled(record.must_pass and not record.computer_to_move)

    record.changed.connect(refresh)
    refresh()
    return passes


def variation_actions(window: QWidget, record: GameRecord) -> tuple[QAction, ...]:
    """The actions to go to other variations and to edit the current line; each enabled where it has an effect."""
    previous, following = (
        action(window, name, key, tip, lambda step=step: record.go_to_variation(step))
        for name, key, tip, step in (
            (mark("Previous variation"), "Alt+Up", mark("Show the previous alternative to this move"), -1),
            (mark("Next variation"), "Alt+Down", mark("Show the next alternative to this move"), 1),
        )
    )
    main = action(
        window,
        MAKE_MAIN,
        "",
        mark("Make the moves up to the board's position the main line"),
        lambda: record.make_main(record.moves),
    )
    delete = action(
        window, DELETE, "", mark("Delete the last move and all that follow it"), lambda: record.delete(record.moves)
    )
    restore = action(window, RESTORE, "", mark("Bring back the moves that were deleted last"), record.restore)

    def refresh() -> None:
        for made in (previous, following):
            made.setEnabled(len(record.variations.lines) > 1)
        main.setEnabled(not record.is_main(record.moves))
        delete.setEnabled(bool(record.moves))
        restore.setEnabled(record.can_restore)

    record.changed.connect(refresh)
    refresh()
    return previous, following, main, delete, restore
