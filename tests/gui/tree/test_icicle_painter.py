"""The picture of a moment: which columns are not visited yet, and how open nodes look."""

import random
from itertools import groupby

import numpy as np
import pytest
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QImage, QPainter

from engine import registry
from engine.backends import solve
from engine.job import Job
from engine.options.catalogue import Limit
from engine.result import Leaf
from engine.trace.leaves import LEAVES
from engine.trace.raster import ValueKind
from engine.trace.record import Trace
from engine.trace.replay import Replay
from engine.trace.widths import Gap, Width
from gui.style.colours import PALETTES, contrast
from gui.style.theme import painted_in, theme
from gui.tree.icicle_colours import Fills, GapShape, Look, shapes
from gui.tree.icicle_painter import IciclePicture, Moment, Span
from gui.tree.icicle_text import legend_of_gaps

SIZE = 300, 120
JOBS = {
    "a table": Job(position="xo./.x./...", algorithm="pvs", table=1, record=100_000, limit=Limit(depth=5)),
    "passes": Job(
        game="othello:4",
        position="..../.xo./.ox./....",
        algorithm="alphabeta",
        backend="interpreted",
        limit=Limit(depth=6),
        record=100_000,
    ),
    "full record": Job(position="x../.../...", algorithm="alphabeta", record=400),
    "stopped": Job(position="x../.../...", algorithm="minimax", limit=Limit(nodes=700), record=100_000),
}


def moment_of(replay: Replay, number: int) -> Moment:
    event = replay.event(number)
    return Moment(replay.newest(number), tuple(replay.trace.path(replay.row(number))), event.cut)


def traced(job: Job) -> Trace:
    trace = solve(job).trace
    assert trace is not None
    return trace


@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
def test_a_moment_is_the_end_up_to_a_column_and_unvisited_from_there(job: Job) -> None:
    trace = traced(job)
    replay, draw = Replay(trace), random.Random(0)
    for width in Width:
        places = trace.places(width)
        for first, end in ((0.0, places.whole), (0.3 * places.whole, 0.45 * places.whole)):
            picture = IciclePicture(Look(registry.game(job.game), trace), places, Span(first, end), SIZE)
            rows, owners = picture.raster.rows, picture.raster.owners
            is_move, columns = (rows >= 0) | (owners >= 0), np.arange(SIZE[0])
            for number in draw.sample(range(replay.last + 1), 40):
                moment = moment_of(replay, number)
                is_later = (rows > moment.last) | (owners > moment.last) | np.isin(owners, moment.undecided)
                said = columns >= picture.starts_later(moment)[:, None]
                assert np.array_equal(is_later[is_move], said[is_move])


def test_at_the_first_moments_no_node_is_seen_that_is_not_visited() -> None:
    """Plies of which nothing is visited look over their whole width as before the search."""
    job = Job(position="x../.../...", algorithm="alphabeta", record=100_000)
    trace, game = traced(job), registry.game(job.game)
    replay, places = Replay(trace), trace.places(Width.MINIMAX)
    picture = IciclePicture(Look(game, trace), places, Span(0, places.whole), SIZE)
    for number in range(8):
        image = QImage(*SIZE, QImage.Format.Format_RGB32)
        painter, moment = QPainter(image), moment_of(replay, number)
        picture.paint(painter, (), False, moment)
        painter.end()
        seen = 1 + max(len(trace.moves(row)) for row in range(moment.last + 1))
        top, bottom = int(picture.tops[seen]), int(picture.tops[-1])
        below = QRect(SIZE[0] // 2, top, SIZE[0] // 2, bottom - top)
        before = picture._image(picture.unvisited, False).convertToFormat(image.format())
        assert image.copy(below) == before.copy(below)
        assert "not visited yet" in [entry.words for entry in legend_of_gaps(trace, places, moment)]
    last = moment_of(replay, replay.last)
    assert "not visited yet" not in [entry.words for entry in legend_of_gaps(trace, places, last)]


def test_the_legend_names_what_the_table_knew_at_any_moment() -> None:
    """After the search with its nodes: at a moment it is not known how many of them there are yet."""
    trace = traced(Job(position="x../.../...", algorithm="alphabeta", table=1.0, record=100_000))
    places, middle = trace.places(Width.MINIMAX), moment_of(Replay(trace), len(trace))
    assert any(entry.words.startswith("known from the table: ") for entry in legend_of_gaps(trace, places))
    assert "known from the table" in [entry.words for entry in legend_of_gaps(trace, places, middle)]


@pytest.mark.usefixtures("as_before")
def test_the_double_line_of_a_table_hit_does_not_cross_its_name() -> None:
    """A move that is struck out was pruned."""
    trace = traced(Job(position="x../.../...", algorithm="alphabeta", table=1.0, fold=True, record=100_000))
    places = trace.places(Width.MINIMAX)
    for zoom in (0.8, 1.0, 1.5):
        theme().set_zoom(zoom)
        size = 880, theme().px(90)
        picture = IciclePicture(Look(registry.game("tictactoe"), trace), places, Span(0, places.whole), size)
        image = picture._image(picture.ended, False)
        known = [node for node in picture.nodes if node.ply == 1 and LEAVES.get(trace.why(node.row)) is Leaf.TABLE]
        assert known
        for node in known:
            dark = image.pixelColor(node.left + 3, picture.tops[1]).lightness() / 2
            rows, columns = range(picture.tops[1], picture.tops[2] - 1), range(node.left + 5, node.left + 15)
            is_marked = [any(image.pixelColor(x, y).lightness() < dark for x in columns) for y in rows]
            assert [part for part, _ in groupby(is_marked)].count(True) == 3, "the name and two lines"


def test_an_estimate_gives_way_to_the_known_size_of_the_whole_tree() -> None:
    """The figures say how many nodes were never visited: the same are pruned."""
    trace = traced(Job(position="x../.../...", algorithm="alphabeta", record=100_000))
    places, counted = trace.places(Width.MINIMAX), trace.unsearched
    trace.unsearched = counted._replace(nodes=counted.nodes * 1.1, exact=False)

    def said(whole: int | None, moment: Moment | None = None) -> str:
        (entry,) = (one for one in legend_of_gaps(trace, places, moment, whole) if one.words.startswith("pruned"))
        return entry.words

    assert said(None) == "pruned: about 60,000 nodes of the full tree"
    assert said(59_705) == "pruned: 57,367 nodes of the full tree"
    assert said(100) == said(None), "of another search"
    assert "about" in said(59_705, moment_of(Replay(trace), 900))


def test_an_open_node_has_no_value_and_what_comes_later_is_blank() -> None:
    job = Job(position="x../.../...", algorithm="alphabeta", record=100_000)
    trace, game = traced(job), registry.game(job.game)
    replay, look = Replay(trace), Look(game, trace)
    places = trace.places(Width.MINIMAX)
    picture = IciclePicture(look, places, Span(0, places.whole), SIZE)
    first, second = trace.children(0)[:2]
    moment = moment_of(replay, replay.entered(second) + 1)
    image = QImage(*SIZE, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    picture.paint(painter, (), False, moment)
    painter.end()

    def colour(row: int, among: range) -> str:
        columns = [column for column in among if picture.raster.rows[1, column] == row]
        return image.pixelColor(columns[len(columns) // 2], int(picture.tops[2]) - 3).name()

    assert game.notation.mover(trace.root) == 1
    none = Fills(look).of(picture.raster._replace(kinds=np.full_like(picture.raster.kinds, ValueKind.NONE)))
    column = int(np.flatnonzero(picture.raster.rows[1] == second)[0])
    assert colour(second, range(SIZE[0])) == f"#{int(none[1, column]) & 0xFFFFFF:06x}", "open: no value yet"
    last = trace.children(0)[-1]
    assert colour(last, range(SIZE[0])) == theme().colour("card").name(), "not visited yet"
    assert colour(first, range(SIZE[0])) not in (colour(second, range(SIZE[0])), colour(last, range(SIZE[0])))
    assert Gap.PRUNED in picture.ended.gaps


def painted(shape: GapShape, width: int, height: int) -> QImage:
    """A place of a kind, as the legend and files show it."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(theme().colour("card"))
    painter = QPainter(image)
    shape.paint(painter, QRectF(image.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
    painter.end()
    return image


@pytest.mark.parametrize(
    ("job", "words"),
    [
        (Job(position="x../.../...", algorithm="pvs", record=100_000), "pruned: 57,596 nodes of the full tree"),
        (Job(position="x../.../...", record=400), "not recorded: 59,305 nodes of the full tree"),
    ],
)
def test_the_known_size_of_the_tree_gives_each_kind_of_gap_exactly(job: Job, words: str) -> None:
    """Of the nodes that PVS visits again, each is one of the tree."""
    trace = traced(job)
    places = trace.places(Width.MINIMAX)
    assert [entry.words for entry in legend_of_gaps(trace, places)] == [words], "as counted"
    trace.unsearched = trace.unsearched._replace(exact=False)
    assert [entry.words for entry in legend_of_gaps(trace, places, None, 59_705)] == [words]


@pytest.mark.parametrize("palette", PALETTES)
def test_what_the_table_knew_looks_unlike_what_is_not_visited(palette: str) -> None:
    with painted_in(palette):
        known, unvisited = (painted(shapes()[gap], 9, 9) for gap in (Gap.KNOWN, Gap.UNVISITED))
        card, mark = theme().colour("card"), shapes()[Gap.KNOWN].stripe
        inner = [(x, y) for x in range(2, 7) for y in range(2, 7)]
        assert {known.pixelColor(x, y).name() for x, y in inner} == {card.name(), mark.name()}, "dots"
        assert {unvisited.pixelColor(x, y).name() for x, y in inner} == {card.name()}, "empty"
        assert unvisited.pixelColor(0, 4).name() != card.name(), "within lines"
        assert contrast(mark, card) >= 3


def test_the_picture_and_the_legend_have_the_same_dots() -> None:
    trace, game = traced(JOBS["a table"]), registry.game("tictactoe")
    places = trace.places(Width.MINIMAX)
    picture = IciclePicture(Look(game, trace), places, Span(0, places.whole), SIZE)
    drawn, wanted = picture.image(False), painted(shapes()[Gap.KNOWN], *SIZE)
    found = 0
    for ply, columns in enumerate(picture.ended.gaps == Gap.KNOWN):
        for y in range(int(picture.tops[ply]), int(picture.tops[ply + 1]) - 1):
            for x in np.flatnonzero(columns).tolist():
                assert drawn.pixelColor(x, y) == wanted.pixelColor(x, y)
                found += drawn.pixelColor(x, y) != theme().colour("card")
    assert found, "dots"
