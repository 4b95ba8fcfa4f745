"""The summary of a search in a terminal: the board, the verdict, the counters."""

from typing import TypeVar

from rich import box
from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from engine import registry
from engine.job import Job
from engine.options.choices import Form, Parallel, Scoring
from engine.result import Bound, End, Iteration, Result, Value
from engine.rules.contract import Game, Position, is_decisive, is_over, plies_to_end, traits, winner
from engine.text.describe import options
from engine.text.line import line_in_words
from engine.text.numbers import counted, duration, percent, rate, share, signed

ENDS = {
    End.COMPLETE: "",
    End.HORIZON: "positions beyond the horizon were not searched",
    End.NODES: "stopped at the node limit",
    End.SECONDS: "stopped at the time limit",
    End.STOPPED: "stopped by you",
    End.FAILED: "failed: the results until then",
}
NARROW = 40
"""In a terminal of fewer columns the board is above the facts, not beside them."""
WIDEST = 10_000
"""Columns that are enough for any table."""
COLOURS = ("cyan", "yellow")
"""The colours of the two players, who also have different letters."""

Found = TypeVar("Found", Value, Iteration)
"""What a search has found for one of the sides."""

BOUNDS = {Bound.EXACT: "", Bound.LOWER: "at least", Bound.UPPER: "at most"}


def summary(game: Game, position: Position, result: Result) -> RenderableType:
    """The whole summary, for a rich console."""
    head = _Beside(board(game, position), _facts(game, position, result))
    tables = [table for table in (_root_moves(game, position, result), _workers(result), _ranks(result)) if table]
    return Padding(Group(head, "", Columns(tables, padding=(0, 4))), (1, 1, 0, 1), expand=False)


class _Beside:
    """Two renderables side by side, or one below the other in a narrow terminal."""

    def __init__(self, left: RenderableType, right: RenderableType) -> None:
        self._left, self._right = left, right

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if options.max_width < NARROW:
            yield Group(self._left, "", self._right)
            return
        both = Table.grid(padding=(0, 4))
        both.add_row(self._left, self._right)
        yield both


def verdict(game: Game, position: Position, result: Result) -> str:
    """The value in words: "a draw", "X wins in 5 plies", with the number and whose it is; a bound is no more than that:
    "at least 0 for X, so far"."""
    value = result.info.value
    if value is None:
        return "nothing is known yet"
    shown = seen(game, position, result.job, value)
    number = f"{signed(shown.number)} for {whose(game, position, result.job)}"
    if not value.is_exact:
        return f"{BOUNDS[shown.bound]} {number}, so far"
    words = outcome_in_words(game, position, value, result)
    return f"{words} ({number}{'' if result.complete or result.end is End.HORIZON else ', so far'})"


def whose(game: Game, position: Position, job: Job) -> str:
    """The player whose values of a search of a position are shown: the side to move or, by the job's form, MAX, the
    first player."""
    players = game.notation.players
    return f"MAX, {players[0]}" if job.form is Form.MAXMIN else players[game.notation.mover(position)]


def seen(game: Game, position: Position, job: Job, found: Found) -> Found:
    """What the search of a position has found for the side to move, for the player of `whose`."""
    return -found if job.form is Form.MAXMIN and game.notation.mover(position) else found


def outcome_in_words(game: Game, position: Position, value: Value, result: Result) -> str:
    """What a value that a search has found says about the game, without the number: "a draw", "X wins in 5 plies",
    "X is ahead on average"."""
    ahead = winner(value.number, game.notation.mover(position))
    if is_over(position):
        return "the game is drawn" if ahead is None else f"{game.notation.players[ahead]} has won"
    if traits(position).chance and abs(value.number) < 1:
        if value.is_estimate or not result.complete:
            return "undecided"
        return "even on average" if ahead is None else f"{game.notation.players[ahead]} is ahead on average"
    if ahead is None:
        return "a draw" if result.complete else "undecided"
    if value.is_estimate or not (result.complete or is_decisive(position, value.number)):
        return "undecided"
    words = f"{game.notation.players[ahead]} wins"
    if result.job.scoring is Scoring.SOONEST:
        words += f" in {counted(plies_to_end(value.number), 'ply', 'plies')}"
    return words


def board(game: Game, position: Position) -> Text:
    """The marks, each by its player's first letter, with the names of columns and rows; a gap where a line weighs more
    than those between squares."""
    view, cells = game.view, game.notation.cells(position)
    glyphs = [player[:1].upper() for player in game.notation.players]
    gutter, wide = max(map(len, view.row_names)), 1 + max(map(len, view.column_names))
    heavy_columns, heavy_rows = ({line[axis] for line in view.lines if line.weight > 1} for axis in (0, 1))
    text = Text(" " * gutter, no_wrap=True)
    for column, name in enumerate(view.column_names):
        text.append("  " if view.squares[column].left in heavy_columns and column else "")
        text.append(f"{name:>{wide}}", "dim")
    for row, name in enumerate(view.row_names):
        text.append("\n" if view.squares[row * view.columns].top in heavy_rows and row else "")
        text.append(f"\n{name:>{gutter}}", "dim")
        for square in range(row * view.columns, (row + 1) * view.columns):
            cell = cells[square]
            text.append("  " if view.squares[square].left in heavy_columns and square % view.columns else "")
            glyph, style = (".", "dim") if cell is None else (glyphs[cell], f"bold {COLOURS[cell]}")
            text.append(f"{glyph:>{wide}}", style)
    return text


def _facts(game: Game, position: Position, result: Result) -> Table:
    job, info = result.job, result.info
    counters, seconds = info.counters, info.seconds
    over = is_over(position)
    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="dim", no_wrap=True)
    facts.add_column(overflow="fold")

    facts.add_row("game", game.title if over else f"{game.title}, {game.mover_name(position)} to move")
    facts.add_row("value", Text(verdict(game, position, result), "bold"))
    if info.iterations and info.value_depth is not None and not over:
        facts.add_row("depth", f"{counted(info.value_depth, 'ply', 'plies')} ahead")
    if info.proven_line:
        facts.add_row("line", line_in_words(game, position, info.proven_line, info.value_depth))
    where = job.backend
    if where in registry.PARALLEL:
        workers = counted(job.workers, "MPI rank" if job.backend == "mpi" else "thread")
        each = f" of {counted(job.threads, 'thread')}" if job.threads > 1 else ""
        where = f"{workers}{each}, {_shared(job)}"
    facts.add_row("search", f"{registry.algorithm(job.algorithm).title}, {where}, {job.scoring} scoring")
    if chosen := options(job):
        facts.add_row("options", " · ".join(phrase.short for phrase in chosen))
    deep = f"{counted(counters.depth, 'ply', 'plies')} deep"
    facts.add_row("nodes", f"{counters.nodes:,} ({counters.terminals:,} terminal), {deep}")
    if counters.horizon:
        leaves = counted(counters.horizon, "leaf", "leaves")
        facts.add_row("horizon", f"{leaves}, {'estimated' if job.evaluate else 'worth 0'}")
    if counters.cutoffs:
        facts.add_row("cutoffs", f"{counters.cutoffs:,} ({counted(counters.pruned, 'move')} never searched)")
    if counters.probes:
        known = percent(counters.hits, counters.probes)
        full = "" if info.table_fill is None else f", {share(info.table_fill)} full"
        facts.add_row(
            "table", f"{counted(counters.hits, 'hit')} in {counted(counters.probes, 'probe')} ({known}){full}"
        )
    speed = f", {rate(counters.nodes / seconds)} nodes / s" if seconds else ""
    facts.add_row("time", duration(seconds) + speed)
    if ENDS[result.end]:
        facts.add_row("end", ENDS[result.end])
    if result.trace is not None:
        facts.add_row("record", f"{counted(len(result.trace), 'row')}{', cut short' if result.trace.truncated else ''}")
    return facts


def _shared(job: Job) -> str:
    """How the work is dealt out."""
    match job.parallel:
        case Parallel.LAZY:
            return "lazy"
        case Parallel.ROOT:
            return f"{job.schedule}, root moves"
        case Parallel.YBW:
            return f"{job.schedule}, split {job.split}, young brothers wait"
    return f"{job.schedule}, split {job.split}"


class _Rows:
    """Rows below headings, of which ">" marks those of figures. Where there is too little room for a table, each row is
    a list with a figure a line: none is ever cut or broken."""

    def __init__(self, *headings: str) -> None:
        self._headings = headings
        self._rows: list[tuple[tuple[str, ...], str]] = []

    def add_row(self, *words: str, style: str = "") -> None:
        self._rows.append((words, style))

    def __len__(self) -> int:
        return len(self._rows)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement.get(console, options, self._fitting(console, options))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self._fitting(console, options)

    def _fitting(self, console: Console, options: ConsoleOptions) -> RenderableType:
        """The table, if it fits whole."""
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for heading in self._headings:
            table.add_column(heading.removeprefix(">"), justify="right" if heading.startswith(">") else "left")
        for words, style in self._rows:
            table.add_row(*words, style=style)
        wanted = Measurement.get(console, options.update(max_width=WIDEST), table).maximum
        return table if wanted <= options.max_width else self._list()

    def _list(self) -> RenderableType:
        first, *others = (heading.removeprefix(">") for heading in self._headings)
        found = Table.grid(padding=(0, 2))
        found.add_column(style="dim")
        found.add_column(overflow="fold")
        for words, style in self._rows:
            found.add_row(first, words[0], style=style or "bold")
            for heading, word in zip(others, words[1:], strict=True):
                if word:
                    found.add_row(f" {heading}", word)
        return found


def _root_moves(game: Game, position: Position, result: Result) -> _Rows:
    depths = {found.depth for found in result.root_moves}
    table = _Rows("move", "", ">value", *([">depth"] if len(depths) > 1 else []))
    for found in result.root_moves:
        best = result.info.proven_line[:1] == (found.move,)
        value = seen(game, position, result.job, found.value)
        words = [game.notation.move_name(found.move), BOUNDS[value.bound], signed(value.number)]
        table.add_row(*words, *([f"{found.depth}"] if len(depths) > 1 else []), style="bold" if best else "")
    return table


def _workers(result: Result) -> _Rows:
    """The counters of each worker; empty for one worker."""
    table = _Rows(">worker", ">nodes", ">tasks", ">busy", ">idle")
    if len(result.info.workers) > 1:
        for number, worker in enumerate(result.info.workers):
            own = sum(task.worker == number for task in result.tasks)
            times = duration(worker.busy), share(result.info.idle(number))
            table.add_row(f"{number + 1}", f"{worker.counters.nodes:,}", f"{own:,}", *times)
    return table


def _ranks(result: Result) -> _Rows:
    """The further counters of each MPI rank; empty for other backends."""
    table = _Rows(">rank", "host", ">messages")
    for number, rank in enumerate(result.info.ranks):
        table.add_row(f"{number}", rank.host, f"{rank.sent + rank.received:,}")
    return table
