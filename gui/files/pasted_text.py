"""Reads a pasted or dropped text: a whole game, a line of moves, or a position in some game's notation."""

import re
from contextlib import suppress
from functools import reduce

from engine import registry
from engine.play.game_file import SavedGame, from_text, read_line
from engine.play.variations import Line, Variations
from engine.rules.contract import Game, Position, play
from gui.i18n.language import mark, tr
from gui.state.game_record import after

LONGEST_POSITION = 500
BETWEEN_ROWS = re.compile(r"[/\s]+")
BREAK = re.compile(r"\s*[/\n]\s*")
NUMBER = re.compile(r"(?<![^\s(])\d+\.+\s*…?")
"""The number of a round, and the ellipsis for a move before the line: "2. c3", "2.c3", "2. … c3", "2... c3"."""
WORD = re.compile(r"[()]|[^\s()]+")
STRANGE = mark("This text is neither a game, nor a line of moves, nor a position such as xo./.x./...")

Pasted = tuple[Game, Position, Variations]
"""A game, a position, and the moves from there."""


def pasted(text: str, game: Game) -> SavedGame | Pasted:
    """The whole game in a text, or a game, a position and the moves from there. Moves are a transcript in a game's own
    notation, or names of moves of `game`; or they have the numbers of their rounds, and before them their start
    position unless it is the usual one of `game`. A variation is in parentheses, after the move that it replaces.

    Raises ValueError, with a sentence, for any other text.
    """
    if re.search(r"^\s*plyscope\s*=", text, re.MULTILINE):
        return from_text(text.strip())
    text = text.replace(",", " ").strip()
    number = NUMBER.search(text)
    if number is None:
        return _read(text, game)
    before, start = text[: number.start()].strip(), game.start
    if before:
        game, start, moves = _read(before, game)
        start = reduce(play, moves.lines[0], start)
    return game, start, _moves(NUMBER.sub(" ", text[number.start() :]), game, start)


def _read(text: str, game: Game) -> Pasted:
    """A position of `game`, or its start and the moves of a line, if `game` can read the text. Rows alone determine
    another game by their number and length: the usual one for such a board. Any other text belongs to the first of the
    offered games that reads it as a transcript, or that writes one of its positions so."""
    if not 0 < len(text) <= LONGEST_POSITION:
        raise ValueError(tr(STRANGE))
    with suppress(ValueError):
        return _noted(text, game)
    with suppress(ValueError):
        return game, game.start, _moves(text, game, game.start)
    rows = _rows(text)
    squares = "".join(rows).lower()
    are_rows_alone = len({len(row) for row in rows}) == 1 and not set(squares) - set("xo.")
    for spec in [] if are_rows_alone else [spec for specs in registry.offered().values() for spec in specs]:
        with suppress(ValueError):
            found, start, moves = _noted(text, registry.game(spec))
            if moves != Variations() or found.notation.format(start) == " ".join(text.lower().split()):
                return found, start, moves
    board = game.view.columns, game.view.rows
    if (len(rows) < 2 and board != (len(squares), 1)) or 2 * sum(map(squares.count, "xo.")) < len(squares):
        raise ValueError(tr(STRANGE))
    columns = len(rows[0])
    if any(len(row) != columns for row in rows):
        raise ValueError(tr("The rows of the position have different lengths: give each the same number of squares."))
    if board != (columns, len(rows)):
        game = registry.game_on(columns, len(rows))
    return game, game.notation.parse("/".join(rows)), Variations()


def _noted(text: str, game: Game) -> Pasted:
    """The moves of a transcript, or a position, in a game's own notation. Raises ValueError for any other text."""
    moves = game.notation.transcript(text)
    return (game, game.start, Variations((moves,))) if moves else (game, game.notation.parse(text), Variations())


def _moves(text: str, game: Game, start: Position) -> Variations:
    """The moves of a line and its variations: a transcript, or names of moves. Raises ValueError, with a sentence."""
    if start == game.start:
        with suppress(ValueError):
            if moves := game.notation.transcript(text):
                return Variations((moves,))
    path, paths, outer = Line(), list[Line](), list[Line]()
    for word in WORD.findall(text):
        if word == "(":
            outer.append(path)
            path = path[:-1]
        elif word == ")" and outer:
            path = outer.pop()
        else:
            path += read_line(game, after(start, path), [word], len(path) + 1)
            paths.append(path)
    if not paths:
        raise ValueError(tr(STRANGE))
    return Variations.of(paths)


def _rows(text: str) -> list[str]:
    """The rows of a position; the squares of a row may have spaces between them."""
    rows = BETWEEN_ROWS.split(text)
    return ["".join(row.split()) for row in BREAK.split(text)] if all(len(row) == 1 for row in rows) else rows
