"""The animation of the last move: the marks that it brought or changed, and the drawn share of them."""

from PySide6.QtCore import QObject, QVariantAnimation, Signal

from engine.rules.board_view import Surface
from gui.board.changes import Change, changes
from gui.state.game_record import GameRecord

MARK_MILLISECONDS = 150
"""Duration of drawing a mark or a winning line."""
DISC_MILLISECONDS = 320
"""Duration of falling or turning discs."""


class Motion(QObject):
    """Animates the changes of a record on each call of `follow`."""

    moved = Signal()
    """The picture has changed."""

    def __init__(self, record: GameRecord, parent: QObject) -> None:
        super().__init__(parent)
        self._record = record
        self._is_on = True
        self._drawn = record.moves
        self._fresh: tuple[Change, ...] = ()
        self._animation = QVariantAnimation(self)
        self._animation.valueChanged.connect(self.moved)

    @property
    def is_running(self) -> bool:
        """Whether a mark or a winning line is being drawn."""
        return self._animation.state() == QVariantAnimation.State.Running

    @property
    def fresh(self) -> tuple[Change, ...]:
        """The changes being animated, the square of the first move first."""
        return self._fresh

    @property
    def drawn(self) -> float:
        """The drawn share of the marks, 0 to 1, slowing down."""
        return self._progress(0)

    @property
    def struck(self) -> float:
        """The drawn share of the winning line, 0 to 1."""
        return self._progress(1)

    def set_on(self, on: bool) -> None:
        self._is_on = on
        if not on:
            self.stop()

    def stop(self) -> None:
        """End the animation: everything is drawn."""
        self._animation.stop()
        self.moved.emit()

    def follow(self, is_seen: bool) -> None:
        """Start the animation of the changes since the last call."""
        record, moves, before = self._record, self._record.moves, self._drawn
        self._drawn, self._fresh = moves, ()
        self._animation.stop()
        if len(moves) <= len(before) or moves[: len(before)] != before:
            return
        self._fresh = changes(record.game, record.position_after(before), record.position, moves[len(before)])
        if self._is_on and is_seen and self._fresh:
            discs = record.game.view.surface is Surface.RACK or any(it.before is not None for it in self._fresh)
            first = DISC_MILLISECONDS if discs else MARK_MILLISECONDS
            phases = (first,) if record.winner is None else (first, MARK_MILLISECONDS)
            steps = [(0.0, 0.0), (first / sum(phases), 1.0), (1.0, float(len(phases)))]
            self._animation.setKeyValues(steps)
            self._animation.setDuration(sum(phases))
            self._animation.start()

    def _progress(self, phase: int) -> float:
        left = 1 - min(1.0, max(0.0, self._animation.currentValue() - phase)) if self.is_running else 0.0
        return 1 - left * left
