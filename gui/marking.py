"""Marks the cards of a search or a measurement with its position, and offers to go there."""

from collections.abc import Iterable
from typing import Protocol

from msgspec.structs import replace
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QToolButton

from engine import registry
from engine.measure.experiment import Experiment
from gui.controls.search_actions import SearchActions
from gui.i18n.language import tr
from gui.speedup.view import ChartPage, SpeedupView
from gui.state.analysis import Analysis
from gui.state.game_record import GameRecord
from gui.state.option_rules import plain
from gui.state.relevance import Relevance, SearchRelevance, relevance
from gui.state.search_settings import USUAL
from gui.widgets.card import Card, Panel


class Marked(Protocol):
    """What can name the position that it belongs to: a card, or the strip of figures."""

    def mark(self, words: str = "", short: str = "", faded: bool = False) -> None: ...


class SearchMarks(QObject):
    """Marks of the search on display: the path names its position and has the buttons; the cards beside it fade with
    it."""

    def __init__(
        self,
        analysis: Analysis,
        search: SearchActions,
        shown: SearchRelevance,
        path: Panel,
        beside: Iterable[Marked],
    ) -> None:
        super().__init__(analysis)
        self._analysis, self._search, self._shown = analysis, search, shown
        self._path, self._beside = path, tuple(beside)
        self.show_button = path.title.add_button(tr("Show it"), self._look)
        self.search_button = path.title.add_button(tr("Search this"), search.search_board)
        self.search_button.setToolTip(tr("Search the position on the board"))
        shown.changed.connect(self._refresh)
        search.refreshed.connect(self._offer_search)
        self._refresh()

    def _refresh(self) -> None:
        now = self._shown.now
        words = tr("search of {position}", position=now.words) if now.is_stale else now.words
        self._path.mark(words, now.short, now.is_stale)
        for card in self._beside:
            _fade(card, now)
        _offer(self.show_button, now)
        self._offer_search()

    def _offer_search(self) -> None:
        self.search_button.setVisible(bool(self._shown.now.words) and not self._search.is_over)

    def _look(self) -> None:
        if self._analysis.game is not None:
            self._search.look_at(self._analysis.game, self._analysis.position)


class MeasurementMarks(QObject):
    """Marks of the measurement on display, which belongs to a position and to settings."""

    def __init__(
        self, record: GameRecord, analysis: Analysis, search: SearchActions, view: SpeedupView, card: Card
    ) -> None:
        super().__init__(card)
        self._record, self._analysis, self._search, self._view, self._card = record, analysis, search, view, card
        self.show_button = card.title.add_button(tr("Show it"), self._look)
        view.fact_changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        measured, now = self._view.experiment, Relevance()
        if measured is not None and self._view.page is ChartPage.MEASURED:
            now = relevance(self._record, *registry.root_of(measured.job))
            if not now.words and not self._is_as_now(measured):
                now = Relevance(tr("other settings"), tr("other settings"), True, now.path)
        _fade(self._card, now)
        _offer(self.show_button, now, now.path != self._record.moves)

    def _is_as_now(self, measured: Experiment) -> bool:
        """Whether the present settings would measure the same of the position on the board; expert options, which are
        not measured, and settings that only change how values are shown do not count."""
        job = plain(self._analysis.settings.job(self._record.game, self._record.position))
        wanted, had = (replace(each, form=USUAL.form) for each in (job, measured.job))
        return all(timing.mode.job(wanted) == timing.mode.job(had) for timing in measured.timings)

    def _look(self) -> None:
        if self._view.experiment is not None:
            self._search.look_at(*registry.root_of(self._view.experiment.job))


def _fade(card: Marked, now: Relevance) -> None:
    """Fade a card of a stale result, and name its position; other cards need no text."""
    if now.is_stale:
        card.mark(tr("of {position}", position=now.words), now.short, True)
    else:
        card.mark()


def _offer(button: QToolButton, now: Relevance, is_elsewhere: bool = True) -> None:
    """Show a button that leads to the position of a stale result, with its tip."""
    button.setVisible(now.is_stale and is_elsewhere)
    button.setToolTip(
        tr("Show that position in a window of its own")
        if now.path is None
        else tr("Go to that point of the game; no move is lost")
    )
