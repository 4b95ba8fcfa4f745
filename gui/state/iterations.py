"""The iterations of the search on display, numbered from 1: which there are, and after which one it is shown."""

from engine.result import FINISHED, Iteration, Result
from gui.state.analysis import Analysis


def finished(analysis: Analysis) -> tuple[Iteration, ...]:
    """All finished iterations."""
    whole = analysis.whole
    info = analysis.info if whole is None else whole.info
    return () if info is None else info.iterations


def shown(analysis: Analysis) -> int:
    """The number of the iteration on display; 0 where the root is searched once."""
    own = None if analysis.result is None else analysis.result.iteration
    return last(analysis) if own is None else own


def last(analysis: Analysis) -> int:
    """The number of the last iteration, which may be unfinished; 0 where the root is searched once."""
    count, end = len(finished(analysis)), None if analysis.whole is None else analysis.whole.end
    return count + (count > 0 and end not in FINISHED)


def after(analysis: Analysis, number: int) -> Result | None:
    """The search as it was after an iteration; None where that record is not stored."""
    whole = analysis.whole
    if whole is None or number == last(analysis):
        return whole
    return whole.earlier[number - 1] if 0 < number <= len(whole.earlier) else None


def show(analysis: Analysis, number: int) -> None:
    """Put the search on display as it was after an iteration. Nothing happens while a search runs, or where the record
    of that iteration is not stored."""
    found = after(analysis, number)
    if found is not None:
        analysis.show_other(found)
