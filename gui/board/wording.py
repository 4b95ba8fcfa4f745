"""The board in words: the side to move or the winner, the value of a square, and the whole position."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.result import Number
from engine.rules.board_view import Region, RegionState
from engine.rules.contract import Game, Position, at_chance, is_over, plies_to_end, traits, utility, winner
from engine.text.numbers import signed
from gui.i18n.language import localized, tr
from gui.state.analysis import Phase
from gui.state.game_record import GameRecord
from gui.state.wording import average, move_of, state_of_play


@dataclass(frozen=True)
class SquareValue:
    """The value of a move for the side to move."""

    value: Number
    """Above 0 a win, 0 a draw, below 0 a loss; an estimate where it is not proven."""
    plies: int | None = None
    """Plies to the end of the game, this move included; None where unknown."""
    proven: bool = True

    margin: int | None = None
    """The margin of a win or loss, in games that have one; sooner wins are not better there."""
    is_average: bool = False
    """Whether the value is an average over chance."""

    @classmethod
    def of(cls, score: Number, position: Position, proven: bool = True) -> "SquareValue":
        """From the score of a move in a position: by `Scoring.SOONEST`; in games with a margin or with chance nodes by
        `Scoring.TEXTBOOK`."""
        known = traits(position)
        if known.chance and proven:
            return cls(score, is_average=abs(score) < known.utility)
        if known.chance or known.utility > 1:
            return cls(score, None, proven, abs(int(score)) if proven else None)
        return cls.soonest(score, proven)

    @classmethod
    def soonest(cls, score: Number, proven: bool = True) -> "SquareValue":
        """From a score by `Scoring.SOONEST`."""
        return cls(score, plies_to_end(score) if proven and score else None, proven)

    @property
    def sign(self) -> str:
        if not self.proven:
            return "≈"
        if self.is_average:
            return "±"
        return "+" if self.value > 0 else "−" if self.value < 0 else "="

    @property
    def few_words(self) -> str:
        """The text below the sign where space is short: "in 3" (plies), "by 4", "+0.12" for an estimate or an average;
        or empty."""
        if not self.proven or self.is_average:
            return signed(self.value)
        if not self.value:
            return ""
        if self.margin is not None:
            return tr("by {margin}", margin=self.margin)
        return tr("in {plies}", plies=self.plies) if self.plies is not None else ""

    @property
    def shortest(self) -> str:
        """The text where there is no space below a sign: "+.05" or "≈0" for an estimate, "+.05" or "±0" for an average,
        "+12" for a margin, else the sign."""
        if not self.proven or self.is_average:
            near = f"{self.value:+.2f}".replace("0.", ".") if abs(self.value) < 1 else f"{self.value:+.1f}"
            return near.replace("-", "−") if round(self.value, 2) else f"{self.sign}0"
        return signed(self.value) if self.margin else self.sign

    @property
    def words(self) -> str:
        """The value in words: "wins in 3", "wins by 12", "loses", "draw", "undecided"."""
        if not self.proven:
            return tr("undecided")
        if self.is_average:
            return tr("{value} on average", value=signed(self.value))
        if self.value == 0:
            return tr("draw")
        if self.margin is not None:
            by = {"margin": self.margin}
            return tr("wins by {margin}", **by) if self.value > 0 else tr("loses by {margin}", **by)
        if self.plies is None:
            return tr("wins") if self.value > 0 else tr("loses")
        return tr("wins in {plies}", plies=self.plies) if self.value > 0 else tr("loses in {plies}", plies=self.plies)

    def of_player(self, player: str) -> str:
        """The value as a sentence about the player to move: "X wins in 3 plies", "Black wins by 12", "draw"."""
        if not self.proven:
            return tr("undecided so far, {value} for {player} by an estimate", value=signed(self.value), player=player)
        if self.is_average:
            return average(self.value, player)
        if self.value == 0:
            return tr("draw")
        if self.margin is not None and self.value > 0:
            return tr("{player} wins by {margin}", player=player, margin=self.margin)
        if self.margin is not None:
            return tr("{player} loses by {margin}", player=player, margin=self.margin)
        if self.plies is None:
            return tr("{player} wins", player=player) if self.value > 0 else tr("{player} loses", player=player)
        if self.value > 0:
            return tr("{player} wins in %n pl(y|ies)", "", self.plies, player=player)
        return tr("{player} loses in %n pl(y|ies)", "", self.plies, player=player)

    def winner(self, mover: int) -> int | None:
        """The winner's index if `mover` is to move; None in a draw, for an average, or while nothing is proven."""
        return winner(self.value, mover) if self.proven and not self.is_average else None


def square_in_words(record: GameRecord, square: int, move: int | None, value: SquareValue | None, unknown: bool) -> str:
    """The content of a square, or the value of the move that a click there makes: "b2: O wins in 3 plies"."""
    game = record.game
    mark = game.notation.cells(record.position)[square]
    name = game.view.square_name(square)
    if mark is not None:
        text = game.notation.players[mark]
    elif value is not None:
        text = value.of_player(game.notation.players[record.mover])
        name = name if move is None else game.notation.move_name(move)
    else:
        text = tr("value not known yet") if unknown else tr("empty")
    return tr("{square}: {text}", square=name, text=text)


def position_in_words(game: Game, cells: Sequence[int | None], regions: Sequence[Region], verdict: str) -> str:
    """Every row, the regions and the verdict: "Row 1: X, empty, O; Row 2: ...; O to move"."""
    return "; ".join([*rows_in_words(game, cells), *parts_in_words(game, cells, regions), verdict])


def rows_in_words(game: Game, cells: Sequence[int | None]) -> list[str]:
    """The rows of a position from the top: "Row 1: X, empty, O", "Row 2: ..."."""
    view, players = game.view, game.notation.players
    rows: list[list[str]] = [[] for _ in view.row_names]
    for square, mark in enumerate(cells):
        rows[view.row_of(square)].append(tr("empty") if mark is None else localized(players[mark]))
    named = zip(view.row_names, rows, strict=True)
    return [tr("Row {number}: {squares}", number=name, squares=", ".join(row)) for name, row in named]


def parts_in_words(game: Game, cells: Sequence[int | None], regions: Sequence[Region]) -> list[str]:
    """The state of each region, and the number of marks in games that count them: "a1 to c3: won by X"."""
    view, players = game.view, game.notation.players
    phrases, active = [], []
    for region in regions:
        inside = [place for place, spot in enumerate(view.squares) if region.rectangle.holds(*spot.centre)]
        part = tr("{first} to {last}", first=view.square_name(inside[0]), last=view.square_name(inside[-1]))
        match region.state:
            case RegionState.ACTIVE:
                active.append(part)
            case RegionState.WON if region.player is not None:
                phrases.append(tr("{part}: won by {player}", part=part, player=players[region.player]))
            case _:
                phrases.append(tr("{part}: drawn", part=part))
    if len(active) == 1:
        phrases.append(tr("the next move is on {part}", part=active[0]))
    elif active:
        phrases.append(tr("the next move is on any board that is open"))
    if view.counts:
        phrases += [f"{localized(player)}: {cells.count(number)}" for number, player in enumerate(players)]
    return phrases


def standing(record: GameRecord) -> str:
    """The winner or the side to move; "X to move again" where the side that has just moved goes on."""
    before = record.position_before
    goes_on = before is not None and record.has_mover and record.last_mover == record.mover
    if goes_on and not at_chance(before) and not record.must_pass:
        return tr("{player} to move again", player=localized(record.game.notation.players[record.mover]))
    return state_of_play(record.game, record.position)


def game_in_words(record: GameRecord) -> str:
    """The game, the side to move or the winner, and the last move: "Tic-tac-toe, O to move, last move X on a1"; or what
    chance has just decided."""
    game, last, before = record.game, record.last_move, record.position_before
    title, outcome = game.title, standing(record)
    if last is None or before is None:
        return tr("{game}, {verdict}", game=title, verdict=outcome)
    move = move_of(game, before, last)
    if at_chance(before):
        return tr("{game}, {verdict}. {throw}", game=title, verdict=outcome, throw=move)
    return tr("{game}, {verdict}, last move {move}", game=title, verdict=outcome, move=move)


def pass_in_words(record: GameRecord) -> str:
    """How to pass, where a person must; that the last move was a pass, or what chance has decided; else empty."""
    game, last, before = record.game, record.last_move, record.position_before
    if record.must_pass:
        return "" if record.computer_to_move else tr("there is no other move: press Enter, or click the board")
    if record.is_over or last is None or before is None or game.view.square_of(last) is not None:
        return ""
    if at_chance(before):
        return move_of(game, before, last)
    return tr("{player} had no move and passed", player=game.mover_name(before))


def margin_in_words(game: Game, position: Position) -> str:
    """Why a finished game's margin is larger than its marks show; else empty."""
    if not is_over(position) or traits(position).utility == 1 or not (value := utility(position)):
        return ""
    cells, has_won = game.notation.cells(position), winner(value, game.notation.mover(position))
    if has_won is None or abs(cells.count(0) - cells.count(1)) == abs(value):
        return ""
    player = game.notation.players[has_won]
    return tr("including %n empty square(s) for {player}", "", cells.count(None), player=player)


def phase_in_words(phase: Phase) -> str:
    """What the search is doing; empty while none runs."""
    match phase:
        case Phase.COMPILING:
            return tr("compiling, the first time only…")
        case Phase.RUNNING:
            return tr("thinking…")
        case Phase.PAUSED:
            return tr("paused")
    return ""
