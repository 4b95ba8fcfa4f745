"""What a pasted or dropped text is: a whole game, or a position on a board of any size."""

import re

from engine import registry
from engine.game import Game, Position
from engine.saved import SavedGame, from_text
from gui.language import tr

LONGEST_POSITION = 500


def pasted(text: str, game: Game) -> SavedGame | tuple[Game, Position]:
    """The game, or the position with its game, that a text holds. The number of rows and columns says which game it is:
    `game` where its board has this size, else the one that such a board is usually for.

    Raises ValueError, with a sentence, for any other text.
    """
    text = text.strip()
    if re.search(r"^\s*plyscope\s*=", text, re.MULTILINE):
        return from_text(text)
    rows = re.split(r"[/\s]+", text) if len(text) <= LONGEST_POSITION else []
    squares = "".join(rows).lower()
    board = game.notation.columns, game.notation.rows
    if (len(rows) < 2 and board != (len(squares), 1)) or 2 * sum(map(squares.count, "xo.")) < len(squares):
        raise ValueError(tr("This text is neither a game nor a position such as xo./.x./..."))
    columns = len(rows[0])
    if any(len(row) != columns for row in rows):
        raise ValueError(tr("The rows of the position have different lengths: give each the same number of squares."))
    if board != (columns, len(rows)):
        game = registry.game_on(columns, len(rows))
    return game, game.notation.parse("/".join(rows))
