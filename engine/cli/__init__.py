"""The command line: one file per subcommand, with a function of the same name; COMMANDS has the order of the help.

An error is one sentence on stderr, with exit code 2 for a wrong command line and 1 for a failure of the machine. After
Ctrl+C the code is 130, after another signal 128 + its number.
"""

import io
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

import typer

from engine.cli.progress import EndedBySignal
from engine.job import JobError
from engine.text.plain_signs import ERRORS

COMMANDS = ("solve", "tree", "play", "perft", "bench", "tour", "speedup")

USAGE_ERROR: Any = typer.BadParameter.__base__
"""All that typer finds wrong with a command line. Its name is click's, and has moved from one version to the next."""

app = typer.Typer(
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="[bold]Try[/]\n\n"
    "plyscope solve --algorithm alphabeta\n\n"
    "plyscope solve --game 4,3,3 --backend threads --depth 8 --json\n\n"
    "plyscope solve --position xo./.x./... --scoring soonest\n\n"
    "plyscope perft --depth 9\n\n"
    "A position is its rows from the top, joined by /, of x, o and . for an empty square: in xo./.x./... X is on a1 "
    "and b2, O on b1. X moves first. Values are those of the side to move.",
)


def _command(name: str) -> Callable[..., object]:
    return getattr(import_module(f"engine.cli.{name}"), name)


for _name in COMMANDS:
    app.command(_name, help=(_command(_name).__doc__ or "").partition("\n\n")[0])(_command(_name))


def completes() -> bool:
    """Whether a shell has started the program to complete a command line."""
    return "_PLYSCOPE_COMPLETE" in os.environ


def open_streams(*names: str) -> None:
    """Replace those of these streams of sys that are missing by the null device."""
    for name in names:
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), "r" if name == "stdin" else "w"))


def run(arguments: Sequence[str]) -> int:
    """Run one command line, without the program's name. Returns the exit code."""
    open_streams("stdin", "stderr")
    if sys.stdout is None:
        return refuse("There is nowhere to print to: standard output is closed.", code=1)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=ERRORS)
    try:
        code = app(arguments, prog_name="plyscope", standalone_mode=False)
        sys.stdout.flush()
    except JobError as error:
        return refuse(str(error))
    except USAGE_ERROR as error:
        # typer's own words, made one sentence of.
        words = error.format_message().replace("Value error, ", "").replace(". Did you mean", ": did you mean")
        return refuse(words.replace(": Input should", ": it should"))
    except BrokenPipeError:
        # Who read our output has seen enough; Python would fail once more when it flushes the rest at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except MemoryError:
        return refuse("There is not enough memory.", code=1)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return refuse(f"This failed: {place}{error.strerror or error}.", code=1)
    except KeyboardInterrupt:
        return 130
    except EndedBySignal as ended:
        return ended.exit_code
    return code or 0


def refuse(sentence: str, code: int = 2) -> int:
    """Print an error on stderr in one line. Returns the exit code."""
    line = " ".join(sentence.split())
    with suppress(OSError):  # its terminal may be gone
        print(line if line.endswith((".", "?", "!")) else f"{line}.", file=sys.stderr)
    return code
