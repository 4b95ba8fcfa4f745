"""`play`: a game in the terminal, against a level of the computer or between two people."""

import signal
import sys
from collections.abc import Callable
from random import SystemRandom
from typing import Annotated

import typer
from rich.console import Console

from engine import registry
from engine.cli.options import WHAT, WHERE, GameOption, check_used
from engine.cli.progress import exit_code_of_stop, finish
from engine.cli.summary import board, outcome_in_words
from engine.cores import cores
from engine.job import Job, JobError
from engine.options.catalogue import MAX_WORKERS
from engine.play.chance import thrown
from engine.play.levels import LEVELS, STRONGEST, Choice, Level, answer, level, question, sees_all
from engine.play.review import in_words, review
from engine.prepare import prepare
from engine.result import Counters, End, Number, Result, Value
from engine.rules import contract as rules
from engine.rules.bits import each
from engine.rules.contract import Game, Position, at_chance, is_over, legal, traits, utility, winner
from engine.text.numbers import counted, duration, signed

HELP = {
    "undo": "take back your last move, and the answer to it",
    "hint": "show a best move",
    "level NAME": ", ".join(LEVELS),
    "new": "start another game",
    "quit": "leave (so do Ctrl+C and Ctrl+D)",
}
"""What each command does."""

LARGE_TREES = "A large tree is searched as by solve without an algorithm, and serially."
"""Where `question` does not keep the search that was asked for."""

SIDES = {"first": {0}, "second": {1}, "both": {0, 1}, "neither": set[int]()}
"""Which players a person moves for."""


def play(
    context: typer.Context,
    game: GameOption = "tictactoe",
    level: Annotated[
        str, typer.Option(metavar="NAME", rich_help_panel=WHAT, help=f"How the computer plays: {', '.join(LEVELS)}.")
    ] = STRONGEST.name,
    side: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            rich_help_panel=WHAT,
            help="The side you play: first, second, both or neither, or a player's name, such as x or black.",
        ),
    ] = "first",
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            rich_help_panel=WHAT,
            help="The seed of the computer's mistakes, and of chance; default: another each time.",
        ),
    ] = None,
    algorithm: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            rich_help_panel=WHAT,
            help=f"{' or '.join(registry.algorithms())}; default: alphabeta, in a game of chance expectiminimax. "
            f"{LARGE_TREES}",
        ),
    ] = None,
    backend: Annotated[
        str,
        typer.Option(metavar="NAME", rich_help_panel=WHERE, help=f"{' or '.join(registry.BACKENDS)}. {LARGE_TREES}"),
    ] = "serial",
) -> int:
    """Play against the computer in the terminal; type help for the commands.

    Returns the exit code: 130 after Ctrl+C; another signal's if it stops a search.
    """
    drawn = SystemRandom().randrange(1_000_000) if seed is None else seed
    rules = registry.game(game)
    by = registry.algorithm(algorithm or registry.suited("alphabeta", rules)).name
    match = Match(rules, side, level, drawn, by, registry.backend(backend))
    check_used(context, "level", match.has_computer, "a side that the computer plays", "--side first")
    try:
        return match.run()
    except EOFError:
        print()
        return 0
    except KeyboardInterrupt:
        print()
        return 128 + signal.SIGINT
    except StoppedError:
        print()
        return exit_code_of_stop()


def people(game: Game, side: str) -> set[int]:
    """The players that a person moves for, by a side's name or a player's. Raises JobError, with a sentence."""
    names = SIDES | {player: {number} for number, player in enumerate(game.notation.players)}
    found = registry.find(side, names)
    if found is None:
        raise JobError(f"There is no side {side!r}: {registry.advice(side, names)}")
    return found


class StoppedError(Exception):
    """A signal has stopped a search."""


class Match:
    """One game after the other, until the person leaves."""

    def __init__(self, game: Game, side: str, name: str, seed: int, algorithm: str, backend: str) -> None:
        """Raises JobError, with a sentence, where no search could run."""
        self._game, self._people, self._seed = game, people(game, side), seed
        self._level: Level = level(name)
        self._algorithm, self._backend = algorithm, backend
        self._positions, self._moves = [game.start], list[int]()
        self._choices: dict[int, Choice] = {}
        self._spent, self._seconds = Counters(), 0.0
        self._console = Console(highlight=False)
        self._commands: dict[str, Callable[[str], object]] = {"new": self._new, "help": self._help}
        if self._people:
            self._commands |= {"undo": self._undo, "hint": self._hint}
        if self.has_computer:
            self._commands |= {"level": self._change_level}
        prepare(self._asked)
        prepare(self._job(self._level))

    def run(self) -> int:
        """Play until the person says quit. Returns the exit code."""
        level_in_words = f", level {self._level.name}{self._sight}" if self.has_computer else ""
        self._say(f"{self._game.title}{level_in_words}, seed {self._seed}.")
        self._say("Type help for the commands.")
        self._show()
        while True:
            if at_chance(self._position):
                move = thrown(self._position, self._seed, self._moves)
                self._say(f"{self._game.chance}: {self._name(move)}.")
                self._play(move)
                continue
            if self._game.must_pass(self._position):
                self._say(f"{self._game.notation.players[self._mover]} has no move and passes.")
                self._play(next(each(legal(self._position))))
                continue
            if not self._is_over and self._mover not in self._people:
                self._answer()
                continue
            line = self._ask().strip().lower()
            if line in ("quit", "exit", "q"):
                return 0
            word, _, rest = line.partition(" ")
            if word in self._commands:
                self._commands[word](rest.strip())
            elif line:
                self._play_named(line)

    @property
    def _position(self) -> Position:
        return self._positions[-1]

    @property
    def _mover(self) -> int:
        return self._game.notation.mover(self._position)

    @property
    def has_computer(self) -> bool:
        """Whether the computer moves for a side."""
        return len(self._people) < 2

    @property
    def _sight(self) -> str:
        """Whether the strongest level is perfect on this board."""
        if self._level.chance:
            return ""
        job = self._job(self._level)
        if sees_all(job):
            return " (perfect here)"
        if job.limit.nodes is None:
            return " (not perfect: this game is too long)"
        return f" (perfect only where {job.limit.nodes:,} nodes see the end of the game)"

    @property
    def _is_over(self) -> bool:
        return is_over(self._position)

    # What the person says

    def _ask(self) -> str:
        before = self._positions[-2] if self._moves else None
        goes_on = before is not None and not at_chance(before) and self._game.notation.mover(before) == self._mover
        prompt = f"{self._game.notation.players[self._mover]} to move{' again' if goes_on else ''}: "
        if self._is_over:
            prompt = "new, undo or quit? " if self._people else "new or quit? "
        line = self._console.input(prompt)
        if not sys.stdin.isatty():
            print(line)
        return line

    def _play_named(self, name: str) -> None:
        if self._is_over:
            undo = ", or undo to take a move back" if self._people else ""
            self._say(f"The game is over: type new for another one{undo}.")
            return
        moves = {self._name(move): move for move in each(legal(self._position))}
        meant = [move for spelt, move in moves.items() if spelt == name] or [
            move for spelt, move in moves.items() if spelt.startswith(name)
        ]
        if len(meant) == 1:
            self._play(meant[0])
        elif name in (squares := [*map(self._game.view.square_name, range(len(self._game.view.squares)))]):
            is_taken = self._game.notation.cells(self._position)[squares.index(name)] is not None
            what = "is taken: choose a free square" if is_taken else "is no legal move: choose one"
            self._say(f"{name} {what} such as {self._free}.")
        elif meant:
            self._say(f"{name!r} may be {', '.join(map(self._name, meant))}: type the whole name.")
        else:
            self._say(f"There is no move or command {name!r}: type a square such as {self._free}, or help.")

    def _undo(self, _: str) -> None:
        mover = self._game.notation.mover
        own = [
            ply
            for ply in range(len(self._moves))
            if mover(self._positions[ply]) in self._people and not at_chance(self._positions[ply])
        ]
        if not own:
            self._say("There is no move of yours to take back.")
            return
        del self._positions[own[-1] + 1 :], self._moves[own[-1] :]
        self._choices = {ply: choice for ply, choice in self._choices.items() if ply < own[-1]}
        self._show()

    def _hint(self, _: str) -> None:
        if self._is_over:
            self._say("The game is over: type new for another one.")
            return
        result = self._solve(self._job(STRONGEST))
        best = result.info.best
        if best is None:
            self._say("The search was too short to find a move.")
            return
        words = self._expects(result.info.value, result)
        self._say(f"{self._name(best)} {'is' if result.complete else 'looks'} best: {words}.")

    def _change_level(self, name: str) -> None:
        if name:
            try:
                self._level = level(name)
            except JobError as error:
                self._say(str(error))
                return
        choices = "" if name else f", of {', '.join(LEVELS)}"
        self._say(f"The computer plays at level {self._level.name}{choices}.")

    def _new(self, _: str) -> None:
        self._positions, self._moves, self._choices = [self._game.start], [], {}
        self._seed += 1
        self._show()

    def _help(self, _: str) -> None:
        position = self._game.start
        while at_chance(position):
            position = rules.play(position, next(each(legal(position))))
        first = f"Type a square such as {self._name(next(each(legal(position))))} to play there. Other commands:"
        self._say(first if self._people else "The computer moves for both sides. The commands after a game:")
        for command, what in HELP.items():
            if command.partition(" ")[0] in (*self._commands, "quit"):
                self._say(f"  {command:<11} {what}")

    # What the computer does

    def _answer(self) -> None:
        """Search, choose by the level, play, and say what that took."""
        self._spent, self._seconds = Counters(), 0.0
        result = self._solve(self._job(self._level))
        choice = answer(self._level, result, self._seed, self._solve)
        if choice is None:
            raise StoppedError
        words = self._expects(choice.value, result)
        glyph = self._game.notation.players[self._mover]
        spent = f"{counted(self._spent.nodes, 'node')} · {duration(self._seconds)}"
        self._say(f"{glyph} plays {self._name(choice.move)} · {spent} · {words}")
        self._choices[len(self._moves)] = choice
        self._play(choice.move)

    def _expects(self, value: Value | None, result: Result) -> str:
        """What a move of that value leads to; of an estimate also the number, and how far the search saw."""
        if value is None:
            return "nothing is known yet"
        words = outcome_in_words(self._game, self._position, value, result)
        number = f"{signed(value.number)} for {self._game.notation.players[self._mover]}"
        if words != "undecided":
            return f"{words}{self._margin(value.number)}" if isinstance(value.number, int) else f"{words}, {number}"
        depth = result.info.iterations[-1].depth if result.info.iterations else result.job.limit.depth
        ahead = "" if depth is None else f" {counted(depth, 'ply', 'plies')} ahead"
        return f"undecided{ahead}, estimated {number}"

    @property
    def _asked(self) -> Job:
        """The search by which the computer plays where the tree is small enough: see `question`."""
        return Job(
            game=self._game.spec,
            position=self._game.notation.format(self._position),
            algorithm=self._algorithm,
            backend=self._backend,
            workers=min(cores(), MAX_WORKERS) if self._backend in registry.PARALLEL else 1,
            scoring=registry.soonest(self._game.spec),
        )

    def _job(self, level: Level) -> Job:
        return question(level, self._asked)

    def _solve(self, job: Job) -> Result:
        """Run a job and add up what it took. Raises StoppedError where a signal stopped it."""
        result = finish(job)
        if result.end is End.STOPPED:
            raise StoppedError
        if result.end is End.FAILED:
            raise JobError(result.failure)
        self._spent += result.info.counters
        self._seconds += result.info.seconds
        return result

    # What is shown

    def _play(self, move: int) -> None:
        self._moves.append(move)
        self._positions.append(rules.play(self._position, move))
        self._show()

    def _show(self) -> None:
        self._console.print("", board(self._game, self._position), "", sep="\n")
        if self._is_over:
            value = utility(self._position)
            has_won = winner(value, self._mover)
            margin = self._margin(value)
            self._say("A draw." if has_won is None else f"{self._game.notation.players[has_won]} wins{margin}.")
            found = review(self._game, self._game.start, self._moves, self._solve)
            chosen = {
                ply: choice
                for ply, choice in self._choices.items()
                if choice.best is not None and self._moves[ply : ply + 1] == [choice.move]
            }
            self._say(in_words(self._game, self._game.start, self._moves, found, chosen))

    def _margin(self, value: Number) -> str:
        """By how much a value is won, in games whose values are margins: " by 10"; else empty."""
        return f" by {abs(value)}" if value and traits(self._position).utility > 1 else ""

    def _say(self, words: str) -> None:
        if words:
            self._console.print(words, markup=False)

    @property
    def _free(self) -> str:
        return self._name(next(each(legal(self._position))))

    def _name(self, move: int) -> str:
        return self._game.notation.move_name(move)
