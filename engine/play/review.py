"""The review of a finished game: the last move that changed its outcome, and the computer's mistakes on purpose."""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from msgspec import Struct

from engine import registry
from engine.job import Job
from engine.kernels.node import turned
from engine.messages import Message, message
from engine.options.catalogue import Limit
from engine.play.levels import Choice, sign
from engine.play.move_values import Solve
from engine.rules.contract import Game, Position, moves_again, play, traits, utility, winner

NODES = 200_000_000
"""Node limit of all searches of a game together: a second or two."""
NAMED = 3
"""The number of mistakes on purpose that are named; the others are counted."""

MISTAKES = {
    (1, 0): message("{player}'s {nth} move, {move}, missed a win: {best} would have won."),
    (1, -1): message("{player}'s {nth} move, {move}, lost the game: {best} would have won."),
    (0, -1): message("{player}'s {nth} move, {move}, lost the game: {best} would have drawn."),
}
"""By the outcome before and after the move: `Mistake.had` and `Mistake.got`."""
CHOSEN_MISTAKES = {
    (1, 0): message(
        "Like {likeness}, {player} chose a mistake: the {nth} move, {move}, missed a win: {best} would have won."
    ),
    (1, -1): message(
        "Like {likeness}, {player} chose a mistake: the {nth} move, {move}, lost the game: {best} would have won."
    ),
    (0, -1): message(
        "Like {likeness}, {player} chose a mistake: the {nth} move, {move}, lost the game: {best} would have drawn."
    ),
}
"""The same for a mistake on purpose."""
ORDINALS = {1: message("{number}st"), 2: message("{number}nd"), 3: message("{number}rd")}


class Mistake(Struct, frozen=True):
    """A move that changed the outcome."""

    ply: int
    """The index of the move in the game, from 0."""
    best: int
    had: int
    """The value of the best move for the player: +1 a win, 0 a draw."""
    got: int
    """The value of the game after the move, for the same player: 0 a draw, -1 a loss."""


class Review(Struct, frozen=True):
    """The findings of an exact search about a finished game."""

    mistake: Mistake | None
    """The last move that changed the outcome; None if no move did."""


def review(game: Game, start: Position, moves: Sequence[int], solve: Solve) -> Review | None:
    """Review a finished game backwards from its end. None if that takes more than NODES, or was stopped; also of a game
    with chance nodes, whose outcome no move decides alone."""
    if traits(start).chance:
        return None
    positions, left = _positions(start, moves), NODES
    after = sign(utility(positions[-1]))
    for ply in reversed(range(len(moves))):
        text = game.notation.format(positions[ply])
        scoring, limit = registry.soonest(game.spec), Limit(nodes=left)
        job = Job(game=game.spec, position=text, algorithm="alphabeta", scoring=scoring, limit=limit)
        result = solve(job)
        if result is None or not result.complete or result.info.value is None or result.info.best is None:
            return None
        had = sign(result.info.value.number)
        got = turned(after, moves_again(positions[ply], positions[ply + 1]))
        if had != got:
            return Review(Mistake(ply, result.info.best, had, got))
        after, left = had, max(1, left - result.info.counters.nodes)
    return Review(None)


def in_words(
    game: Game, start: Position, moves: Sequence[int], found: Review | None, chosen: Mapping[int, Choice]
) -> str:
    """The text of all sentences about a finished game; may be empty."""
    return " ".join(sentences(game, start, moves, found, chosen))


def sentences(
    game: Game, start: Position, moves: Sequence[int], found: Review | None, chosen: Mapping[int, Choice]
) -> list[Message]:
    """The sentences about a finished game: "O's 2nd move, b1, lost the game: b2 would have drawn."

    A turn of several moves has one number, as in the list of moves.
    `chosen` are the mistakes made on purpose, by their ply.
    """
    positions, name, players = _positions(start, moves), game.notation.move_name, game.notation.players
    texts, others = [], dict(chosen)
    if found is not None and (mistake := found.mistake) is not None:
        player = game.notation.mover(positions[mistake.ply])
        turns = groupby(map(game.notation.mover, positions[: mistake.ply + 1]))
        number = sum(mover == player for mover, _ in turns)
        choice = others.pop(mistake.ply, None)
        texts.append(
            message(
                (CHOSEN_MISTAKES if choice else MISTAKES)[mistake.had, mistake.got],
                player=players[player],
                nth=_ordinal(number),
                move=name(moves[mistake.ply]),
                likeness=choice.level.likeness if choice else "",
                best=name(mistake.best),
            )
        )
    elif found is not None:
        has_won = winner(utility(positions[-1]), game.notation.mover(positions[-1]))
        texts.append(
            message("No move changed the outcome: it was a draw all along.")
            if has_won is None
            else message("No move changed the outcome: {winner} was winning all along.", winner=players[has_won])
        )
    by_player: dict[tuple[int, str], list[Choice]] = {}
    for ply, choice in others.items():
        by_player.setdefault((game.notation.mover(positions[ply]), choice.level.likeness), []).append(choice)
    for (player, likeness), choices in by_player.items():
        played = _listed([_made(name, choice) for choice in choices])
        texts.append(
            message(
                "Like {likeness}, {player} played {moves} on purpose.",
                player=players[player],
                moves=played,
                likeness=likeness,
            )
        )
    return texts


def _made(name: Callable[[int], str], choice: Choice) -> str:
    """A mistake on purpose with its better move, in words."""
    if choice.best is None:
        return name(choice.move)
    words = message("{move} ({best} was better)") if choice.proven else message("{move} ({best} looked better)")
    return message(words, move=name(choice.move), best=name(choice.best))


def _positions(start: Position, moves: Sequence[int]) -> list[Position]:
    """The positions of the game, from the first to the last."""
    positions = [start]
    for move in moves:
        positions.append(play(positions[-1], move))
    return positions


def _listed(names: list[str]) -> str:
    more = len(names) - NAMED
    if more > 0:
        return message("{names} and {more} more", names=", ".join(names[:NAMED]), more=more)
    if len(names) == 1:
        return names[0]
    return message("{names} and {last}", names=", ".join(names[:-1]), last=names[-1])


def _ordinal(number: int) -> Message:
    words = ORDINALS.get(number % 10 if number % 100 not in (11, 12, 13) else 0, message("{number}th"))
    return message(words, number=number)
