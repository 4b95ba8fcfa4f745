"""After a game: which move last changed its outcome, and which mistakes the computer chose on purpose."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from engine.game import Game, Position, outcome, play
from engine.job import Job, Limit, Scoring
from engine.levels import Choice, Solve, sign

NODES = 200_000_000
"""How many nodes all searches of a game may visit together: a second or two."""
NAMED = 3
"""So many chosen mistakes are named, the others counted."""


class Mistake(Struct, frozen=True):
    """A move that changed the outcome."""

    ply: int
    """Which of the moves it was, from 0."""
    best: int
    had: int
    """What the best move was worth to the player: +1 a win, 0 a draw."""
    got: int
    """What the game was worth afterwards: 0, or -1 a loss."""


class Postmortem(Struct, frozen=True):
    """What an exact search says of a finished game."""

    mistake: Mistake | None
    """The last move that changed the outcome; None where none did."""


def postmortem(game: Game, start: Position, moves: Sequence[int], solve: Solve) -> Postmortem | None:
    """Look at a finished game from its end backwards. None where that takes too many nodes, or was told to stop."""
    positions, left = _positions(start, moves), NODES
    after = outcome(positions[-1])
    for ply in reversed(range(len(moves))):
        text = game.notation.format(positions[ply])
        limit = Limit(nodes=left)
        job = Job(game=game.spec, position=text, algorithm="alphabeta", scoring=Scoring.SOONEST, limit=limit)
        result = solve(job)
        if result is None or not result.complete or result.info.value is None or result.info.best is None:
            return None
        had, got = sign(result.info.value), -after
        if had != got:
            return Postmortem(Mistake(ply, result.info.best, had, got))
        after, left = had, max(1, left - result.info.counters.nodes)
    return Postmortem(None)


def in_words(
    game: Game, start: Position, moves: Sequence[int], found: Postmortem | None, chosen: Mapping[int, Choice]
) -> str:
    """What there is to say of a finished game: "O's 2nd move, b1, gave the game away: b2 would have drawn."

    `chosen` are the mistakes made on purpose, by their ply. Empty where there is nothing to say.
    """
    positions, name, players = _positions(start, moves), game.notation.move_name, game.notation.players
    said, others = [], dict(chosen)
    if found is not None and (mistake := found.mistake) is not None:
        player = game.notation.mover(positions[mistake.ply])
        number = sum(game.notation.mover(position) == player for position in positions[: mistake.ply + 1])
        choice = others.pop(mistake.ply, None)
        said.append(
            f"{players[player]}'s {_ordinal(number)} move, {name(moves[mistake.ply])}, "
            f"{'gave the game away' if mistake.got < 0 else 'let the win go'}"
            f"{f', as {choice.level.likeness} would' if choice else ''}: "
            f"{name(mistake.best)} would have {'won' if mistake.had > 0 else 'drawn'}."
        )
    elif found is not None:
        end = outcome(positions[-1])
        winner = players[1 - game.notation.mover(positions[-1])]
        said.append(f"No move changed the outcome: {f'{winner} was winning' if end else 'it was a draw'} all along.")
    by_player: dict[tuple[int, str], list[Choice]] = {}
    for ply, choice in others.items():
        by_player.setdefault((game.notation.mover(positions[ply]), choice.level.likeness), []).append(choice)
    for (player, likeness), choices in by_player.items():
        made = _listed([name(choice.move) for choice in choices])
        better = _listed([name(choice.best) for choice in choices if choice.best is not None])
        verb = "looked" if any(not choice.proven for choice in choices) else "was" if len(choices) == 1 else "were"
        said.append(f"{players[player]} played {made} as {likeness} would; {better} {verb} better.")
    return " ".join(said)


def _positions(start: Position, moves: Sequence[int]) -> list[Position]:
    """From the first to the last."""
    positions = [start]
    for move in moves:
        positions.append(play(positions[-1], move))
    return positions


def _listed(names: list[str]) -> str:
    more = len(names) - NAMED
    shown = names if more <= 0 else [*names[:NAMED], f"{more} more"]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
