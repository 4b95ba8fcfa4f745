"""Every view shows any moment of any record: of any game and algorithm, and of records too small for their search."""

import random

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.options.catalogue import Limit
from engine.trace.widths import Width
from gui.window import Window

GAMES = {"tictactoe": None, "connect-four:4,4": 4, "othello:4": 5}
"""Games, and the depth of their searches."""
ROOMS = 1, 2, 40, 200, 100_000
"""Rows of the record."""
JUMPS = 4


@pytest.mark.usefixtures("interpreted")
def test_every_view_shows_any_moment_of_any_record(qtbot: QtBot, window: Window) -> None:
    dice = random.Random("alphabeta, pvs")
    window.tree.choices.widths[Width.VISITED].trigger()  # the others need kernels
    for name in ("text", "code", "runs"):
        window.drawers[name].toggleViewAction().trigger()
    for spec, depth in GAMES.items():
        window.choose_game(spec)
        window.record.set_computer(frozenset())
        for move in (0, 4, 8) if spec == "tictactoe" else ():
            window.play(move)
        for room, algorithm in zip(dice.sample(ROOMS, 4), ("alphabeta", "pvs") * 2, strict=True):
            window.analysis.change(algorithm=algorithm, record=room, limit=Limit(depth=depth))
            with qtbot.waitSignal(window.analysis.finished, timeout=60_000):
                window.think_action.trigger()
            replay = window.replay.replay
            assert replay is not None
            assert len(replay.trace) <= room
            for _ in range(JUMPS):
                if dice.random() < 0.5:
                    window.replay.go(dice.randrange(replay.last + 1))
                else:
                    window.replay.go_to_end()
                    window.replay.go_to_row(len(replay.trace) - 1 - dice.randrange(min(4, len(replay.trace))))
                QApplication.processEvents()
                assert window.why.text
                assert window.tree.lines()
                assert window.why.lines()
