"""`tree`: search a position, and write the tree that was searched into files."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
import typer
from msgspec.structs import replace

from engine import registry
from engine.cli.options import (
    ANSWER,
    MOST_PIXELS,
    GameOption,
    JsonOption,
    PositionOption,
    file_option,
    find,
    size_of,
)
from engine.cli.progress import exit_code_of_stop, finish
from engine.cli.search_options import job_of, takes_options, tell_idle
from engine.cli.tree_files import Colour, Files, PictureRequest, check, recorded, write_all
from engine.job import RECORD_ROWS, Job, JobError
from engine.prepare import prepare
from engine.registry import plain, searches_again
from engine.result import End, Result
from engine.rules.contract import Game, traits
from engine.text.numbers import counted
from engine.trace import export
from engine.trace.compare import Comparison, Counts, Seen
from engine.trace.record import Trace
from engine.trace.why import certificate, pruned_by, to_json

FILES = "The files"


class _Other(NamedTuple):
    """A search of the same position with another algorithm."""

    result: Result
    counts: Counts
    """What it and the first search visited."""


@takes_options(record=RECORD_ROWS)
def tree(
    context: typer.Context,
    *,
    game: GameOption = "tictactoe",
    position: PositionOption = None,
    line: Annotated[
        str,
        typer.Option(metavar="MOVES", help="The moves to a path's end, or a small format's subtree, such as 'a1 b2'."),
    ] = "",
    picture: Annotated[
        Literal["tree", "path", "node-link"],
        typer.Option(
            rich_help_panel=FILES,
            help="What pictures show: the whole tree, the path to --line, else of best play, or the nodes and edges of "
            "the subtree at --line.",
        ),
    ] = "tree",
    svg: Annotated[Path | None, file_option("A picture, sharp at any size.", FILES)] = None,
    png: Annotated[Path | None, file_option("The same in pixels.", FILES)] = None,
    pdf: Annotated[Path | None, file_option("The same on paper.", FILES)] = None,
    animate: Annotated[Path | None, file_option("The replay, as an animated GIF.", FILES)] = None,
    length: Annotated[
        int,
        typer.Option(metavar="SECONDS", min=1, max=120, rich_help_panel=FILES, help="The greatest length of a replay."),
    ] = 10,
    color: Annotated[
        Colour | None,
        typer.Option(rich_help_panel=FILES, help="What colours mean in trees: value, or search with --compare."),
    ] = None,
    compare: Annotated[
        str,
        typer.Option(
            metavar="ALGORITHM",
            rich_help_panel=FILES,
            help="Search with this algorithm too: a picture or a replay shows its tree under the first, and figures "
            "both.",
        ),
    ] = "",
    size: Annotated[
        str,
        typer.Option(
            metavar="WxH",
            rich_help_panel=FILES,
            help=f"Their size, 1 to {MOST_PIXELS:,} each way, of which a PNG has three pixels for one; default: "
            "1440x480, what the path needs, or a replay's 1280x720.",
        ),
    ] = "",
    iteration: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            rich_help_panel=FILES,
            help="Of a search that begins at the root several times (--deepen, mtdf): the one to write; default: the "
            "last.",
        ),
    ] = None,
    npz: Annotated[Path | None, file_option("Every recorded node, as numpy's arrays.", FILES)] = None,
    csv: Annotated[Path | None, file_option("Every recorded node, a line each; - prints it.", FILES)] = None,
    dot: Annotated[Path | None, file_option("A subtree of up to 2,000 nodes for Graphviz; - prints it.", FILES)] = None,
    efg: Annotated[
        Path | None, file_option("A subtree of up to 2,000 nodes as a game for Gambit; - prints it.", FILES)
    ] = None,
    nested: Annotated[
        Path | None, file_option("A subtree of up to 2,000 nodes as a nested list, in JSON; - prints it.", FILES)
    ] = None,
    why: Annotated[
        str,
        typer.Option(
            metavar="ROW-OR-LINE",
            rich_help_panel=ANSWER,
            help="Print why a move is pruned: the row of a cut node, or the line to a pruned move; as JSON, whose rows "
            "count from 0, as in --csv, and whose moments count from 1, as in the window.",
        ),
    ] = "",
    options: dict[str, Any],
    as_json: JsonOption = False,
) -> int:
    """Search a position, and write the tree that was searched into files.

    Returns the exit code: 130 where Ctrl+C stopped the search (143 SIGTERM, 129 SIGHUP), 1 where its ranks failed; what
    was searched until then is written.
    """
    files = Files(png, svg, pdf, animate, npz, csv, dot, efg, nested)
    area = size_of(size) if size else None
    if color == "search" and not compare:
        raise JobError("--color search tells two searches apart: name the other algorithm with --compare.")
    if not (any(files) or why or compare):
        raise JobError("Name a file to write, such as --csv tree.csv; plyscope tree --help lists the formats.")
    check(context, files, picture)
    if files.are_printed and (why or as_json):
        raise JobError("--why and --json print their answer: name a file instead of -.")

    chosen, root = find(game, position)
    job = job_of(chosen, root, options)
    if not job.record:
        raise JobError("Without a record there is no tree to write: give --record a greater number.")
    jobs = [job, *([replace(job, algorithm=registry.algorithm(compare).name)] if compare else [])]
    for asked in jobs:
        prepare(asked)
    tell_idle(job, options)
    results = list(_until_stopped(jobs))
    ends = {found.end for found in results}
    code = exit_code_of_stop() if End.STOPPED in ends else int(End.FAILED in ends)
    for found in results:
        if found.end is End.FAILED:
            print(found.failure, file=sys.stderr)
    if code and not (len(results) == len(jobs) and all(found.trace for found in results)):
        print("Nothing was written: not every search has a tree.", file=sys.stderr)
        return code
    result = _after(results[0], iteration)
    trace = recorded(result)
    other = _compared(result, results[1]) if compare else None

    row = row_of(chosen, trace, line)
    end = row if line else trace.row_along(result.info.pv)
    try:
        cut = to_json(certificate(trace, _cut_row(chosen, trace, why)), chosen.notation) if why else None
        texts = {path: export.SUBTREES[kind](chosen, result, row) for kind, path in files.small.items()}
    except ValueError as error:
        raise JobError(str(error)) from error
    colour, shown = color or ("search" if compare else "value"), end if picture == "path" else row
    request = PictureRequest(chosen, result, picture, shown, other and other.result, colour, area)
    written = write_all(files, texts, request, length)

    if cut is not None:
        print(cut.decode())
    elif as_json:
        print(_as_json(result, other, written))
    else:
        print(_in_words(result, other, written), file=sys.stderr if files.are_printed else sys.stdout)
    if animate is not None and animate not in written:
        print(f"Stopped: {animate} was not written.", file=sys.stderr)
        return exit_code_of_stop()
    return code


def _until_stopped(jobs: list[Job]) -> Iterator[Result]:
    """Run one job after the other; a signal stops the one that runs, and no other begins."""
    for job in jobs:
        result = finish(job)
        yield result
        if result.end is End.STOPPED:
            return


def _as_json(result: Result, other: _Other | None, written: list[Path]) -> str:
    """What `--json` prints: the record's length, those of a comparison, and the written files."""
    trace = recorded(result)
    answer: dict[str, object] = {"algorithm": result.job.algorithm, "nodes": len(trace), "visited": trace.visited}
    if result.info.iterations:
        answer |= {"iteration": result.recorded_iteration, "so_far": result.info.counters.nodes}
    if other is not None:
        name, nodes = other.result.job.algorithm, len(recorded(other.result))
        answer["compare"] = {"algorithm": name, "nodes": nodes, **other.counts._asdict()}
    answer["files"] = [str(path) for path in written]
    return msgspec.json.encode(answer).decode()


def _in_words(result: Result, other: _Other | None, written: list[Path]) -> str:
    """The record's length and the written files in one line, and a comparison in another."""
    line = ": ".join(filter(None, [_nodes(result), ", ".join(map(str, written))]))
    if other is None:
        return line
    names = result.job.algorithm, other.result.job.algorithm
    counts = [(name, other.counts.of(side)) for side, name in enumerate(names)]
    alone = [f"{found[Seen.ONE]:,} by {name} only" for name, found in counts]
    alone += [
        f"{found[Seen.UNKNOWN]:,} by {name}, and not in the record of the other"
        for name, found in counts
        if found[Seen.UNKNOWN]
    ]
    return f"{line}\n{_nodes(other.result)}: {other.counts.both:,} visited by both, {', '.join(alone)}"


def _compared(result: Result, other: Result) -> _Other:
    """The other search, compared with the first. Raises JobError if one of them has no recorded node."""
    again = searches_again(result.job), searches_again(other.job)
    return _Other(other, Comparison(recorded(result), recorded(other), again).counts)


def _nodes(result: Result) -> str:
    """The length of a record, its algorithm and, where the root was searched several times, which of these it is."""
    trace = recorded(result)
    nodes = counted(trace.visited, "node")
    said = f"{f'the first {len(trace):,} of ' if trace.truncated else ''}{nodes} of {result.job.algorithm}"
    if not result.info.iterations:
        return said
    so_far = counted(result.info.counters.nodes, "node")
    return f"{said}, iteration {result.recorded_iteration} ({so_far} with those before it)"


def _after(result: Result, iteration: int | None) -> Result:
    """The result after an iteration; the last without a number. Raises JobError where there is none, or no record."""
    if iteration is None or iteration == len(result.earlier) + 1:
        return result
    if not result.info.iterations:
        raise JobError("This search has one iteration: leave --iteration out, or add --deepen.")
    if iteration > len(result.earlier):
        raise JobError(f"There is no iteration {iteration}: this search had {len(result.earlier) + 1}.")
    found = result.earlier[iteration - 1]
    if found is None:
        raise JobError(f"Iteration {iteration} is not recorded: the record is full. Give --record a greater number.")
    return found


def row_of(game: Game, trace: Trace, line: str) -> int:
    """The row at the end of a line of moves, which spaces or commas part; 0 without a move. Raises JobError if a move
    has no row."""
    row = 0
    for name in line.replace(",", " ").split():
        known = {game.notation.move_name(trace.move(child)): child for child in trace.children(row)}
        found = registry.find(name, known)
        if found is None:
            raise JobError(f"The line {line!r} was not searched: there is no node {name!r}; {_advice(known)}.")
        row = found
    return row


def _cut_row(game: Game, trace: Trace, why: str) -> int:
    """The row of the cut node that is meant: a number, or the line to one of its pruned moves. Raises ValueError, with
    a sentence, if the line is not pruned."""
    if why.isdecimal():
        row = int(why) if len(why) <= 18 else len(trace)
        if row >= len(trace):
            raise JobError(
                f"There is no node {why}: the nodes of this record have the numbers 0 to {len(trace) - 1:,}."
            )
        return row
    names = {plain(game.notation.move_name(move)): move for move in range(traits(trace.root).moves)}
    moves = [names.get(plain(name), -1) for name in why.replace(",", " ").split()]
    if -1 in moves:
        raise JobError(f"The line {why!r} is not one of moves: give their names, such as 'a1 b2'.")
    return pruned_by(trace, moves)[0]


def _advice(known: dict[str, int]) -> str:
    """What may stand in place of an unknown move."""
    return f"after the moves before it there are {', '.join(known)}" if known else "the tree ends before it"
