"""Where the boards of the path stand: their size, the space around them, and which of a row's boards are shown."""

from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetrics

from engine.rules.contract import Game, traits
from engine.text.numbers import precise
from gui.i18n.language import localized, tr
from gui.state.wording import decides
from gui.style.theme import NOTE, theme
from gui.tree.path_model import Row
from gui.tree.path_places import Seen, shown
from gui.tree.path_tile import BOLD, CAPTION, DENSE, Measures, bold, dense

MIN_BOARD, SCROLLED_BOARD, MAX_BOARD = 34, 42, 88
"""Board sizes in pixels. Boards shrink to MIN_BOARD so that all rows fit; where they cannot, the picture scrolls, with
boards of SCROLLED_BOARD."""
LEGIBLE_SQUARE = 8
"""The side of a square, in pixels, to which boards shrink at most where siblings do not all fit in a row."""
ROWS, FIT_ROWS = 5, 10
"""A path of fewer rows has boards as if it had ROWS, so that they keep their size from step to step; one of more than
FIT_ROWS scrolls."""
GAP, WIDE_GAP, APART = 15, 26, 10
"""The space in pixels between two rows, at least and at most, and between two tiles, at least."""

EDGE, BAR = 8, 12
"""The space in pixels right of a row, and for a scroll bar."""
NUMBER = 64
"""The space in pixels right of the names of rows: for the number of a window, and the line of a cause left of it."""
PAD = 5
"""The space around a board in its tile, in pixels."""
ROOMY = 1_000_000
"""A width in pixels in which boards stand as far apart as they may."""
LEGEND_ROWS = 2
"""The rows whose areas the legend of tiles may stand in."""


def names_width(game: Game | None) -> int:
    """The width of the names of rows in pixels: where the boards begin, and what stands under them."""
    players, chance = (("X", "O"), "") if game is None else (tuple(game.notation.players), game.chance)
    return _widest_name(players, chance, theme().px(NOTE)) + theme().px(NUMBER)


@lru_cache(maxsize=8)
def _widest_name(players: tuple[str, ...], chance: str, _font_size: int) -> int:
    names = [tr("{player} to move", player=localized(player)) for player in players]
    names += [decides(chance)] if chance else []
    return max(theme().width(name, NOTE) for name in names)


def fitted(rows: Sequence[Row], room: QSize, count: int) -> Measures:
    """The measures with which `count` rows fit into a room, or, where boards would be too small, with which whole rows
    are seen of a picture that scrolls."""
    px, left, gap = theme().px, names_width(_game(rows)), theme().px(GAP)
    least, scrolled, over = px(MIN_BOARD), px(SCROLLED_BOARD), _over() + gap
    count = max(count, 1, min(ROWS, room.height() // (scrolled + over)))
    tall = room.height() // count - over
    if count > FIT_ROWS or tall < least:
        two = min(2, room.height() // (least + over))  # a row says little without the one above it
        whole = max(1, two, room.height() // (scrolled + over))
        tall = room.height() // whole - over
    narrow = (room.width() - left - px(EDGE + BAR)) // _siblings(rows) - px(APART) - 2 * px(PAD)
    if narrow < least:
        narrow = max(scrolled, legible(rows))
    board = max(least, min(px(MAX_BOARD), tall, narrow))
    if count <= max(1, room.height() // (board + over)):
        gap = min(px(WIDE_GAP), room.height() // count - board - over + gap)
    return spread(rows, room.width(), board, gap)


def least_height(rows: int) -> int:
    """The height in pixels that a path needs to show so many rows."""
    return rows * (theme().px(MIN_BOARD) + theme().px(GAP) + _over())


def spread(rows: Sequence[Row], width: int, board: int, gap: int) -> Measures:
    """The measures of rows across a width, for a size of boards and a space between rows."""
    px, left, move, value = theme().px, names_width(_game(rows)), _longest_name(rows), _usual_value(rows)
    pad, apart, numbers = px(PAD), px(APART), _number_width(rows)
    tile = max(board + 2 * pad, _noted_width(rows, value), _named_width(move, dense(value), DENSE))
    wide = (width - left - px(EDGE + BAR)) // _siblings(rows)
    if (named := _named_width(move, value, CAPTION)) + max(numbers, apart) <= wide:
        tile = max(tile, named)
    step = max(tile + apart, min(wide, max(tile + numbers, round(tile * 1.4))))
    return Measures(board, pad, _text(), tile, gap, step, left, step - tile >= numbers)


def legible(rows: Sequence[Row]) -> int:
    """The size of a board whose squares have LEGIBLE_SQUARE, in pixels."""
    return theme().px(round(LEGIBLE_SQUARE / (rows[0].game.view.side if rows else 1)))


def visible(row: Row, measures: Measures, width: int, asked: int | None = None) -> Seen:
    """What stands in the row's places across a width: the boards around the path or, beside that on the path, around
    the one that was asked for."""
    room = width - measures.left - theme().px(EDGE)
    if not measures.numbers:
        room += measures.step - measures.width  # nothing stands beside the last board
    capacity = max(1, room // measures.step)
    return shown(len(row), row.best if row.focus is None else row.focus, capacity, asked)


def reach(rows: Sequence[Row], ply: int, measures: Measures) -> int:
    """The width that a row takes, with the lines from the row above; of the first rows, beside which the legend stands,
    all of any width."""
    if ply < LEGEND_ROWS:
        return ROOMY
    boards = max(map(len, rows[ply - 1 : ply + 1]), default=1)
    return measures.left + boards * measures.step + measures.left  # a window has less room beside a tile than a name


def _game(rows: Sequence[Row]) -> Game | None:
    return rows[0].game if rows else None


def _siblings(rows: Sequence[Row]) -> int:
    """The boards in the row below the root's, of which the others rarely have more."""
    return max((len(row) for row in rows[1:2]), default=1) or 1


def _text() -> int:
    """The height of a line under a board."""
    return _height(theme().px(NOTE + 1))


@lru_cache(maxsize=8)
def _height(_font_size: int) -> int:
    return QFontMetrics(bold(NOTE + 1)).height()


def _over() -> int:
    """The height of a tile without its board."""
    return _text() + 2 * theme().px(PAD)


def _noted_width(rows: Sequence[Row], value: str) -> int:
    """The width of a tile that the notes of the rows need, such as the depth that a value is from."""
    words = [tr("pruned")]
    for depth in {row.deepest_of_others for row in rows[:2]} - {None}:
        words.append(tr("{value}, depth {depth}", value=value, depth=depth))
    return max(theme().width(text, NOTE) for text in words) + theme().px(10)


def _named_width(move: str, value: str, air: int) -> int:
    """The width of a tile with its move beside a value, and so many pixels of air beside and between them."""
    return theme().width(move, NOTE, mono=True) + theme().width(value, NOTE + 1, BOLD) + 3 * theme().px(air)


def _longest_name(rows: Sequence[Row]) -> str:
    """The longest name of a move that leads to a board of the rows; empty without one."""
    game, moves = _game(rows), {child.move for row in rows if row.above is not None for child in row.above.children}
    return _longest(game, frozenset(moves)) if game else ""


@lru_cache(maxsize=64)
def _longest(game: Game, moves: frozenset[int]) -> str:
    return max(map(game.notation.move_name, moves), key=len, default="")


def _usual_value(rows: Sequence[Row]) -> str:
    """A value as long as most of the rows are."""
    return "≥ −0.12" if _has_fractions(rows[:2]) else "≥ −1"


def _number_width(rows: Sequence[Row]) -> int:
    """The space between two tiles that a window's bracket and its number need; 0 where there are no windows."""
    windows = [row.window for row in rows]
    ends = {precise(end) for window in windows if window is not None for end in (window.alpha, window.beta)}
    return max(theme().width(end, NOTE, BOLD) for end in ends) + theme().px(18) if ends else 0


def _has_fractions(rows: Sequence[Row]) -> bool:
    """Whether values are averages over chance or estimates."""
    if rows and traits(rows[0].parent).chance:
        return True
    values = [row.here.best for row in rows if row.here is not None]
    values += [child.value for row in rows if row.above is not None for child in row.above.children]
    return any(value is not None and value.is_estimate for value in values)
