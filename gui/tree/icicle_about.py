"""What is told of a node, of unsearched moves and of workers in the whole tree, at the moment of its picture."""

from collections.abc import Sequence

from engine.options.choices import Form
from engine.result import Result
from engine.trace.at_moment import AFTERWARDS
from engine.trace.workers import Place
from gui.state.analysis import Analysis
from gui.state.replay import Cursor
from gui.state.same_positions import SamePositions
from gui.state.tree_shape import TreeShape
from gui.tree.icicle_same import about_same
from gui.tree.icicle_second import SecondTree
from gui.tree.icicle_text import about, about_end, about_gap
from gui.tree.icicle_workers import about_workers
from gui.tree.path_model import Row


class About:
    """Tells of the search on display, or of the other one, with which it is compared."""

    def __init__(
        self, analysis: Analysis, cursor: Cursor, shape: TreeShape, same: SamePositions, second: SecondTree
    ) -> None:
        self._analysis, self._cursor, self._shape, self._same, self._second = analysis, cursor, shape, same, second

    def node(self, row: int | None, other: Result | None = None) -> str:
        """A node in words; empty without one."""
        game, result = self._analysis.game, other or self._shape.result
        if row is None or game is None or result is None or result.trace is None:
            return ""
        said = about(game, result, result.trace, row, self._negamax, self._moment_of(other))
        same = about_same(game, result.trace, self._same.groups(result.trace), row)
        return "\n".join(filter(None, [said, same]))

    def end(self, shown: Sequence[Row]) -> str:
        """The node at the end of the path in words, with the path's own rows: the record is not read again."""
        game, row, trace = self._analysis.game, self._cursor.row, self._shape.trace
        if game is None or row is None or trace is None:
            return ""
        said = about_end(shown[len(self._cursor.chain) - 1], trace, row)
        return "\n".join(filter(None, [said, about_same(game, trace, self._same.groups(trace), row)]))

    def gap(self, owner: int, other: Result | None = None) -> str:
        """The unsearched moves of a node in words."""
        game, result = self._analysis.game, other or self._shape.result
        if game is None or result is None or result.trace is None:
            return ""
        return about_gap(game, result.trace, owner, self._moment_of(other))

    def workers(self, places: Sequence[Place], apart: str = "\n") -> list[str]:
        """The workers at these places in words, facts `apart`; none without a record."""
        game, result = self._analysis.game, self._analysis.result
        if game is None or result is None or result.trace is None:
            return []
        return about_workers(game, result, result.trace, places, self._negamax, apart)

    @property
    def _negamax(self) -> bool:
        return self._analysis.settings.form is Form.NEGAMAX

    def _moment_of(self, other: Result | None) -> int:
        """The moment of the picture of the search on display, or of the other one; AFTERWARDS at the end."""
        event = self._cursor.now
        if self._cursor.earlier is None or event is None:
            return AFTERWARDS
        return event.moment if other is None else self._second.moment_of(event)
