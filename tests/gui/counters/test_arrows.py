"""The arrows of the timeline: from the sender's lane to the receiver's, at the measured times, and never a thicket."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from engine import backends, registry
from engine.job import Job
from engine.result import RankInfo, RankState, Result
from engine.transfer import Transfer, TransferKind
from gui.counters.arrows import GAP, MOST, Arrows
from gui.counters.lanes import RANK_FIGURES, lanes
from gui.counters.timeline import Timeline
from gui.counters.workers import WorkersView
from gui.state.replay import Cursor
from gui.style.theme import theme
from gui.work.picture_file import save_picture
from tests.gui.shown import Shown

GAME = registry.game("tictactoe")
SECONDS = 0.1


@pytest.fixture(scope="module")
def searched() -> Result:
    """Eight tasks on four workers, as if these were two ranks of two threads."""
    result = backends.solve(Job(position="x../.../...", backend="threads", workers=4))
    ranks = tuple(RankInfo(host, 1, RankState.ENDED, SECONDS) for host in "ab")
    info = replace(result.info, ranks=ranks, seconds=SECONDS)
    return replace(result, job=replace(result.job, backend="mpi", workers=2, threads=2), info=info)


def shown(qtbot: QtBot, result: Result) -> Timeline:
    timeline = Timeline()
    qtbot.addWidget(timeline)
    timeline.resize(900, 100)
    made = lanes(GAME, result.job, result.info, ())
    timeline.show_lanes(GAME, RANK_FIGURES, made, SECONDS, arrows=Arrows(result))
    return timeline


def legend(timeline: Timeline) -> str:
    return timeline._arrows.legend(timeline._span, len(timeline._arrow_lines()))[0]


def test_an_arrow_leads_from_lane_to_lane_and_says_what_was_sent(qtbot: QtBot, searched: Result) -> None:
    deal = Transfer(TransferKind.DEAL, (0,), 0, 1, 0.02, 0.0201)
    sent = Transfer(TransferKind.RESULT, (1, 2), 1, 0, 0.04, 0.07)
    read = Transfer(TransferKind.BOUND, (3,), 0, 1, 0.08, 0.09)
    timeline = shown(qtbot, replace(searched, transfers=(deal, sent, read), clock_error=1e-5))
    found = dict(timeline._arrow_lines())
    assert list(found) == [deal, sent, read]
    middles = [timeline._layout.lane(rank * 2).center().y() for rank in (0, 1)]
    for transfer, line in found.items():
        ends = [timeline._x(seconds, timeline._layout.lane(0)) for seconds in (transfer.sent, transfer.received)]
        assert [line.x1(), line.x2()] == pytest.approx(ends, abs=1)
        assert (line.y1(), line.y2()) == (middles[transfer.sender], middles[transfer.receiver])
    image = timeline.grab().toImage()
    ink = theme().colour("ink").lightness()
    middle = found[sent].center().toPoint()
    head = found[sent].pointAt(1 - theme().px(4) / found[sent].length()).toPoint()
    near = [image.pixelColor(head + QPoint(x, y)).lightness() for x in (-1, 0, 1) for y in (-1, 0, 1)]
    assert min(near) == pytest.approx(ink, abs=30)
    words = timeline._tool_tip(middle)
    assert words.splitlines() == [
        "c1, a2: results in a message from rank 1 to rank 0",
        "sent at 40.0 ms, under way for 30.0 ms",
        "clocks of several hosts, aligned to ± 10.0 µs",
    ]
    assert "taken by rank 1 from the counter" in timeline._tool_tip(found[deal].center().toPoint())
    assert "read 10.0 ms later" in timeline._tool_tip(found[read].center().toPoint())
    assert timeline._tool_tip(middle + QPoint(40, 0)).startswith("rank"), "beside it is the lane"
    assert legend(timeline) == "arrows from rank to rank: messages, dashed if one-sided"
    told_while_hidden = Arrows(replace(searched, transfers=(deal, sent, read)), hidden=True).transfers
    assert told_while_hidden == [deal, sent], "the last bound of the root is that of the best move"


def test_arrows_that_are_too_near_are_left_out_until_one_zooms(qtbot: QtBot, searched: Result) -> None:
    many = tuple(
        Transfer(TransferKind.RESULT, (0,), 1, 0, number * 1e-5, number * 1e-5 + 2e-5) for number in range(5_000)
    )
    timeline = shown(qtbot, replace(searched, transfers=many))
    starts = [line.x1() for _, line in timeline._arrow_lines()]
    assert 20 < len(starts) <= MOST
    assert all(after - before > 1 for before, after in pairwise(starts))
    assert len(starts) == pytest.approx((starts[-1] - starts[0]) / theme().px(GAP), abs=2)
    assert legend(timeline).startswith(f"{len(starts)} of 5,000 arrows")
    assert "zoom in" in legend(timeline)
    timeline.resize(260, 120)
    row = timeline._layout.row(len(timeline._lanes))
    image = timeline.grab(row).toImage()
    colours = {image.pixel(x, row.height() // 2) for x in range(image.width())}
    assert len(colours) > 1, "where the axis has no room, the words are below the lanes"
    assert timeline.minimumHeight() == row.bottom() + 1
    timeline.resize(900, 100)
    timeline._show_span(0.01, 2e-4)
    assert 20 <= len(timeline._arrow_lines()) <= 24, "those that touch the span"
    assert legend(timeline).startswith("arrows from rank to rank")


def test_a_picture_has_the_arrows_between_the_sides_of_the_lanes(
    qtbot: QtBot, analysis: Shown, searched: Result, tmp_path: Path
) -> None:
    sent = tuple(Transfer(TransferKind.DEAL, (0,), 0, 1, number * 0.01, number * 0.01 + 0.005) for number in range(10))
    result = replace(searched, transfers=sent)
    view = WorkersView(analysis, Cursor(analysis, analysis))
    qtbot.addWidget(view)
    analysis.begin(result.job)
    analysis.end(result)
    view.resize(900, 120)
    view.show()
    view.timeline._show_span(0.012, 0.05)  # begins and ends inside an arrow
    drawing = view.drawing()
    assert drawing is not None
    save_picture(tmp_path / "timeline.svg", drawing)
    dashed = re.findall(r'stroke-dasharray.*?points="([^"]*)"', (tmp_path / "timeline.svg").read_text(), re.DOTALL)
    assert len(dashed) == len(view.timeline._arrow_lines()) == 6
    frame = view.timeline._layout.lane(0)
    places = [float(point.partition(",")[0]) for line in dashed for point in line.split()]
    assert min(places) == pytest.approx(frame.left(), abs=1)
    assert max(places) == pytest.approx(frame.left() + frame.width(), abs=1)


def test_threads_have_no_arrows_and_no_word_of_them(qtbot: QtBot, searched: Result) -> None:
    timeline = shown(qtbot, searched)
    assert timeline._arrow_lines() == []
    assert timeline._arrows.legend((0.0, SECONDS), 0) == ()
