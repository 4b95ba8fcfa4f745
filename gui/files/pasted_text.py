"""Reads a pasted or dropped text: a whole game, a line of moves, or a position in some game's notation."""

import re
from contextlib import suppress
from functools import reduce

from engine import registry
from engine.play.game_file import SavedGame, from_text, read_line
from engine.play.variations import Line
from engine.rules.contract import Game, Position, play
from gui.i18n.language import tr

LONGEST_POSITION = 500
BETWEEN_ROWS = re.compile(r"[/\s]+")
BREAK = re.compile(r"\s*[/\n]\s*")
NUMBER = re.compile(r"(?<!\S)\d+\.(?:\s+…)?(?=\s)")
"""The number of a round, and the ellipsis for a move before the line: "2. … c3"."""


def pasted(text: str, game: Game) -> SavedGame | tuple[Game, Position, Line]:
    """The whole game in a text, or a game, a position and the moves from there. Moves are a transcript in a game's own
    notation; or they have the numbers of their rounds, and before them their start position unless it is the usual one
    of `game`.

    Raises ValueError, with a sentence, for any other text.
    """
    text = text.strip()
    if re.search(r"^\s*plyscope\s*=", text, re.MULTILINE):
        return from_text(text)
    number = NUMBER.search(text)
    if number is None:
        return _read(text, game)
    before, start, line = text[: number.start()].strip(), game.start, ()
    if before:
        game, start, line = _read(before, game)
    start = reduce(play, line, start)
    return game, start, read_line(game, start, NUMBER.sub(" ", text[number.start() :]).split())


def _read(text: str, game: Game) -> tuple[Game, Position, Line]:
    """A position of `game`, or its start and the moves of a transcript, if `game` can read the text. Rows alone
    determine another game by their number and length: the usual one for such a board. Any other text belongs to the
    first of the offered games that can read it."""
    is_short = 0 < len(text) <= LONGEST_POSITION
    rows = _rows(text) if is_short else []
    squares = "".join(rows).lower()
    are_rows_alone = len({len(row) for row in rows}) == 1 and not set(squares) - set("xo.")
    specs = [] if are_rows_alone else [spec for specs in registry.offered().values() for spec in specs]
    for reader in (game, *map(registry.game, specs)) if is_short else ():
        with suppress(ValueError):
            moves = reader.notation.transcript(text)
            return (reader, reader.start, moves) if moves else (reader, reader.notation.parse(text), ())
    board = game.view.columns, game.view.rows
    if (len(rows) < 2 and board != (len(squares), 1)) or 2 * sum(map(squares.count, "xo.")) < len(squares):
        raise ValueError(tr("This text is neither a game, nor a line of moves, nor a position such as xo./.x./..."))
    columns = len(rows[0])
    if any(len(row) != columns for row in rows):
        raise ValueError(tr("The rows of the position have different lengths: give each the same number of squares."))
    if board != (columns, len(rows)):
        game = registry.game_on(columns, len(rows))
    return game, game.notation.parse("/".join(rows)), ()


def _rows(text: str) -> list[str]:
    """The rows of a position; the squares of a row may have spaces between them."""
    rows = BETWEEN_ROWS.split(text)
    return ["".join(row.split()) for row in BREAK.split(text)] if all(len(row) == 1 for row in rows) else rows
