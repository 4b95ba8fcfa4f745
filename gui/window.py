"""The window: its cards, menus and actions, and the connections between them. game_record and analysis own the
state."""

from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QObject, QSettings, QSize, Qt
from PySide6.QtGui import QAction, QCloseEvent
from PySide6.QtWidgets import QMainWindow

from engine import registry
from engine.backends.mpi_job import launch
from engine.cores import cores
from engine.job import JobError
from engine.rules.contract import Position
from gui.access.focus import Guide, order
from gui.access.text_view import TextView, text_card
from gui.board.best_line import BestLine
from gui.board.hints import Hints
from gui.board.look_ahead import LookAhead
from gui.board.panel import BoardPanel
from gui.board.remarks import Remarks
from gui.board.wording import margin_in_words, pass_in_words, phase_in_words
from gui.controls.bar import group
from gui.controls.commands import option_commands
from gui.controls.game_dialog import ask_for_game
from gui.controls.header import header
from gui.controls.modes import Modes
from gui.controls.options import OptionsView
from gui.controls.search_actions import SearchActions
from gui.controls.size_notice import SizeNotice
from gui.controls.speed import SpeedControl
from gui.counters.iterations import IterationsView
from gui.counters.runs import RunsView
from gui.counters.search_panel import SearchPanel
from gui.counters.workers import WorkersView
from gui.files.drop import Drops
from gui.files.menu import Files
from gui.game_actions import GameActions
from gui.help.menu import Help
from gui.help.tour import Tour
from gui.help.tour_events import TourEvents
from gui.help.welcome import Invitation, Welcome
from gui.i18n.language import localized, mark, tr
from gui.layout.arrangements import Arrangements
from gui.layout.context_menus import BOARD, PATH, TREE, context_menu
from gui.layout.drawers import Drawers
from gui.layout.edge import edge_tabs
from gui.layout.own_layouts import OwnLayouts
from gui.layout.strip import CompilingLabel, Strip, at_foot
from gui.layout.tree_zone import LabelledTree, PathAndTree, TreeZone
from gui.marking import MeasurementMarks, SearchMarks
from gui.measurement import Measurement
from gui.ordering.view import OrderingView
from gui.pictures import Pictures
from gui.settings.dialog import SettingsOpener
from gui.settings.pages import Owners
from gui.settings.session import Session
from gui.settings.view_menu import ViewMenu
from gui.speedup.view import ChartPage, SpeedupView
from gui.state.analysis import Analysis
from gui.state.critical_tree import CriticalTree
from gui.state.game_record import GameRecord
from gui.state.move_values import MoveValues
from gui.state.mpi import MpiAccess
from gui.state.opponent import Opponent
from gui.state.relevance import SearchRelevance
from gui.state.replay import Cursor
from gui.state.review import Reviewer
from gui.state.throws import Throws
from gui.style.apply_style_sheet import Styler
from gui.style.theme import theme
from gui.tree.code import CodePanel
from gui.tree.icicle import WholeTree
from gui.tree.path import PathView
from gui.tree.position_dialog import show_position
from gui.tree.replay_actions import ReplayActions
from gui.tree.transport import Transport
from gui.tree.why_line import WhyLine
from gui.widgets.actions import action, menus
from gui.widgets.card import Card
from gui.widgets.notice import Notice
from gui.widgets.relayout_boundary import RelayoutBoundary
from gui.work.kernels import Kernels
from gui.work.prewarm import Prewarm, kernels_of
from gui.work.settings_file import SettingsFile

USUAL_SIZE, TITLE_BAR = (1440, 900), 40
"""Pixels; the frame that the desktop adds has no more height on the screen than `TITLE_BAR`."""


class Window(QMainWindow):
    """The program's window. `settings` stores its state; None stores nothing."""

    def __init__(self, settings: QSettings | None = None) -> None:
        super().__init__()
        self.setContentsMargins(8, 0, 8, 0)
        self.resize(QSize(*USUAL_SIZE).boundedTo(self.screen().availableSize() - QSize(0, TITLE_BAR)))
        self.styler = Styler(self)
        self._threads = cores()
        self.settings = None if settings is None else SettingsFile(settings, self)
        self.is_ended = False
        self._of_tree = ""
        """The sentence that `_say_of_tree` has shown last."""
        self.record = GameRecord(registry.game("tictactoe"))
        self.analysis = Analysis(self)
        self._kernels = Kernels()
        self.move_values = MoveValues(self._kernels, self)
        self.opponent = Opponent(self.record, self.analysis, self)
        self.throws = Throws(self.record, self)
        self.relevance = SearchRelevance(self.record, self.analysis, self)
        self.review = Reviewer(self.record, self.opponent, self._kernels, self)
        self.mpi = MpiAccess(self)
        self._prewarm = Prewarm(kernels_of(self.record.game), self)
        self._welcome = Welcome(self.record, self.settings, self)
        self.help = Help(self, self.settings, lambda: self.analysis.job, self._choices)
        self.view_menu = ViewMenu(self)

        self.board_panel = BoardPanel(self.record)
        self.board = self.board_panel.board
        self.files = Files(self, self.record, self.analysis, self.board_panel, self.settings)
        self.hints = Hints(self.record, self.move_values, self.board, self)
        self.replay = Cursor(self.analysis, self)
        self.path = PathView(self.analysis, self.replay)
        self.path.setObjectName("path")
        self.tree = WholeTree(self.analysis, self.replay, self.path, self._kernels)
        self.replay_actions = ReplayActions(self, self.replay)
        self.why, self.code = WhyLine(self.analysis, self.replay), CodePanel(self.analysis, self.replay)
        self.critical_tree = CriticalTree(self.analysis, self)
        self.figures = SearchPanel(self.analysis, self.critical_tree, self.replay)
        self.iterations = IterationsView(self.analysis)
        self.workers = WorkersView(self.analysis, self.replay)
        self.pictures = Pictures(self, self.path, self.tree, self.why, self.workers, self.replay)
        self.runs = RunsView(self.analysis)
        self.speedup = SpeedupView()
        self.ordering = OrderingView(self.record, self.analysis)
        self.options = OptionsView(
            self.record, self.analysis, lambda spec: localized(registry.game(spec).title), cores()
        )
        self.search = SearchActions(self, self.board_panel, self.record, self.analysis, self.opponent, self.move_values)
        self.modes = Modes(self.record, self.analysis, self.mpi, self._threads, self)
        self.speed = SpeedControl()
        self.speed.setObjectName("speed")
        self.look_ahead = LookAhead(self, self.board, self.record, self.analysis, self.replay)
        self.transport = Transport(self.replay, self.replay_actions, self.speed)
        events = TourEvents(self.record, self.analysis, self.opponent, self.replay, self.path, self)
        self.tour = Tour(self, self.settings, events, self.files.practise)
        self.session = Session(self, self.settings, self.analysis, self.options, lambda: self.tour.is_on)
        self.files.given.connect(self.tour.leave)  # it tells of its own game, and covers the board
        Drops(self, self.files)

        self._build_actions()
        self._build_zones()
        self._build_drawers()
        self._build_menus()
        self._connect()
        self._drawers.place()
        if self.session.restore(self._threads):
            self._drawers.keep()
        tree = self.tree_zone.header, self.notice, self.size_notice, self.path, self.tree, self.transport, self.why
        order(self, self.board_card, *tree, *self.drawers.values(), self._edge, self.strip)
        Guide(self, self.board)
        self.files.begin()
        self._show_settings()
        self._show_game()
        self.board.setFocus()
        self.session.watch((self.board_card, *self.drawers.values()), self.mpi.changed)

    def choose_game(self, spec: str) -> None:
        """Continue or start another game; says why if there is none of that name."""
        try:
            self.files.choose(registry.game(spec))
        except JobError as error:
            self.options.refresh()
            self.say(localized(error))

    def ask_for_game(self) -> None:
        """Show the game dialog."""
        ask_for_game(self, self.record.game, self.files.last.find, lambda game: self.choose_game(game.spec))

    def play(self, move: int) -> None:
        """Play the person's move."""
        self.record.play(move)

    def think(self) -> None:
        """Search the position on the board; resume a paused search."""
        self.search.think()

    @property
    def is_busy(self) -> bool:
        """Whether any work is running that will change what is shown."""
        searches = self.analysis.is_searching, self.opponent.is_thinking, self.move_values.is_looking
        counts = (
            self.review.is_looking,
            self.critical_tree.is_counting,
            self.tree.shape.is_computing,
            self.tree.picture.is_behind,
        )
        measurements = self.speedup.page is ChartPage.RUNNING, self.ordering.is_measuring
        return any((*searches, *counts, *measurements, self.board.is_moving))

    def warm(self) -> None:
        """Compile in the background the kernels that may be needed next, and check for MPI."""
        self._prewarm.start()
        self.mpi.look(launch.choice())

    def say(self, text: str) -> None:
        """Show a sentence about the game, until the game goes on."""
        self.board_panel.notice.tell(text)

    def _say_of_tree(self, text: str) -> None:
        """Show a sentence about the tree, until another tree is on display or compared."""
        self.say(text)
        self._of_tree = text

    def _take_back(self) -> None:
        self.board_panel.notice.remove(self._of_tree)

    def end(self) -> None:
        """Save everything for the next start, and stop all work."""
        if self.is_ended:
            return
        self.is_ended = True
        self.tour.leave()
        self.session.close()
        self.files.close()
        parts = self.opponent, self.throws, self.review, self.analysis, self.move_values, self.critical_tree
        for part in (self._prewarm, self.mpi, *parts, self.speedup, self.ordering, self.pictures):
            part.close()
        self.tree.close_work()
        self.why.close_search()
        self._kernels.close()
        if self.settings is not None:
            self.settings.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stay open where a game cannot be saved, or another file is being written."""
        if self.files.hold_close() or self.pictures.hold_close():
            event.ignore()
        else:
            self.end()
            super().closeEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        return self.tour.lead(forward) or super().focusNextPrevChild(forward)

    def _build_actions(self) -> None:
        new = partial(action, self)
        self.game_action = new(
            mark("Choose game…"), "Ctrl+G", mark("See which games there are, and play one"), self.ask_for_game
        )
        game = self.game_actions = GameActions(self, self.record, self.files, self.opponent, self.hints)
        self.new_action, self.undo_action, self.redo_action, self.hint_action, self.values_action = game.actions()
        self.hold_action, self.pass_action = game.hold_action, game.pass_action
        self.spoilers_action = game.spoilers_action
        self.tour_action = new(mark("Tour"), "", mark("A two-minute tour of the window"), self.tour.start)
        self.think_action, self.pause_action, self.step_action, self.stop_action = self.search.actions()
        self.slower_action = new(mark("Slower"), "[", mark("Slow the search down"), lambda: self.speed.nudge(-1))
        self.faster_action = new(mark("Faster"), "]", mark("Speed the search up"), lambda: self.speed.nudge(+1))
        self.watch_action = new(
            mark("Watch the computer think"),
            "",
            mark("Apply the speed to the computer's answers too"),
            lambda on: self.analysis.change(watch_answers=on),
            checkable=True,
        )
        self.why_action = new(
            mark("Why these moves are pruned"),
            "W",
            mark("Tell why the pruned moves need no search, and offer to search the first of them; again: the next"),
            self.why.ask_here,
        )
        self.why_action.setEnabled(False)
        owners = Owners(self.record, self.analysis, self.mpi, self.files, self.help.keys.show, self._threads)
        self._opener = SettingsOpener(self, owners, self.session.keep)
        self.settings_action = self._opener.action
        self.quit_action = new(mark("Quit"), "Ctrl+Q", mark("Close the window"), self.close)

    def _build_zones(self) -> None:
        panel, search = self.board_panel, self.search
        panel.set_commands(group(self.new_action, self.undo_action, self.hint_action, self.values_action))
        remarks, line = Remarks(self.review, self.hints), BestLine(self.record, self.analysis)
        invitation = Invitation(self._welcome, self.tour, self.record, panel)
        panel.foot.add(self.game_actions.pass_button, remarks, self.game_actions.hold_button, invitation, line)
        self.board_card = Card("board", tr("Board"), panel, self)
        self.size_notice = SizeNotice(search, self.record, self.analysis)
        self.tree_part = LabelledTree(self.analysis, self.path, self.tree, self.transport.name)
        parts = self.size_notice, PathAndTree(self.path, self.tree_part), self.transport, self.why
        self.tree_zone = TreeZone(header(self.modes, search, self.analysis), parts)
        self.notice = Notice(self.tree_zone.body, Qt.Edge.TopEdge)
        self.setCentralWidget(RelayoutBoundary(self.tree_zone))

    def _build_drawers(self) -> None:
        shown = self.replay, self.path, self.tree, self.why
        text_view = TextView(self.record, self.board_panel, self.analysis, self.opponent, self.relevance, *shown)
        cards = (
            Card("code", tr("Code"), self.code, self),
            Card("options", tr("Options"), self.options, self),
            Card("workers", tr("Workers"), self.workers, self),
            Card("speedup", tr("Speedup"), self.speedup, self),
            Card("ordering", tr("Ordering"), self.ordering, self),
            Card("runs", tr("Searches"), self.runs, self),
            Card("figures", tr("This search"), self.figures, self),
            Card("iterations", tr("Iterations"), self.iterations, self),
            text_card(text_view, self),
        )
        self.drawers = {card.objectName(): card for card in cards}
        opened = {name: card.toggleViewAction() for name, card in self.drawers.items()}
        self._edge = edge_tabs(opened[name] for name in ("code", "options", "workers", "speedup", "ordering", "runs"))
        self.addToolBar(Qt.ToolBarArea.RightToolBarArea, self._edge)
        self.strip = Strip(self.analysis, self.replay, opened)
        at_foot(self, self.strip, CompilingLabel(self._prewarm))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        beside = (*(self.drawers[name] for name in ("figures", "iterations", "workers")), self.strip)
        self.marks = SearchMarks(self.analysis, self.search, self.relevance, self.tree_zone, beside)
        state = self.record, self.analysis, self.search
        self.measurement = Measurement(*state, self.mpi, self.speedup, self._threads, self.ordering, self.tree)
        self.measurement_marks = MeasurementMarks(*state, self.speedup, self.drawers["speedup"])
        self._drawers = Drawers(self, self.board_card, self.drawers, self.styler)
        self.arrangements = Arrangements(self, self._drawers)
        self.own_layouts = OwnLayouts(
            self, self.arrangements, self._drawers, self.drawers, self.board_card, self.settings
        )

    def _build_menus(self) -> None:
        menus(
            self.menuBar(),
            {
                tr("&File"): ((self.new_action,), *self.files.actions(), (self.settings_action, self.quit_action)),
                tr("&Game"): (
                    (self.game_action,),
                    (self.undo_action, self.redo_action, self.pass_action, self.hold_action),
                    *self.files.navigation(),
                    (self.hint_action, self.values_action, self.spoilers_action),
                ),
                tr("&Search"): (
                    self.search.actions(),
                    self.modes.algorithms.values(),
                    (*self.modes.backends.values(), self.modes.launch),
                    (self.slower_action, self.faster_action, self.watch_action),
                ),
                tr("&Replay"): (
                    *self.replay_actions.groups(),
                    (self.look_ahead.action, self.why_action),
                    self.pictures.actions(),
                ),
                tr("&View"): (
                    *self.view_menu.actions(),
                    [card.toggleViewAction() for card in (self.board_card, *self.drawers.values())],
                    self.arrangements.actions(),
                    self.own_layouts.actions(),
                ),
                tr("&Help"): ((self.tour_action,), *self.help.actions()),
            },
        )
        for view, names in ((self.board, BOARD), (self.path, PATH), (self.tree, TREE)):
            context_menu(view, names, (self, self.board_panel))
        self.help.keys.restore()

    def _connect(self) -> None:
        self.record.changed.connect(self._on_game_changed)
        self.board.chosen.connect(self.play)
        self.search.message.connect(self.say)
        self.path.think_requested.connect(self.think)
        self.options.game_requested.connect(self.choose_game)
        self.options.choice_requested.connect(self.ask_for_game)
        self.speed.changed.connect(lambda speed: self.analysis.change(speed=speed))
        self.analysis.settings_changed.connect(self._show_settings)
        self.speed.name_keys(self.slower_action, self.faster_action)
        self.analysis.phase_changed.connect(self._show_phase)
        self.analysis.started.connect(self._on_search_started)
        self.analysis.failed.connect(self.help.errors.search_failed)
        self.hints.changed.connect(self._show_phase)
        self.hints.changed.connect(lambda: self.board_panel.value.show_of_moves(self.hints.value))
        self.move_values.sized.connect(self._show_tree_size)
        self.opponent.message.connect(self.say)
        self.opponent.failed.connect(self.help.errors.search_failed)
        self.opponent.changed.connect(self._show_phase)
        for event in (self.analysis.started, self.opponent.chosen):
            event.connect(lambda: self.figures.set_choice(self.opponent.choice))
        self.modes.lost.connect(self.notice.add)
        self.modes.found.connect(self.notice.remove)
        for part in filter(None, (self.files, self.session, self.settings)):
            part.failed.connect(self.notice.add)
        for part in filter(None, (self.files, self.settings)):
            part.recovered.connect(self.notice.remove)
        for event in (self.tree.shape.changed, self.analysis.phase_changed):
            event.connect(lambda: self.replay.take_so_far(self.tree.shape.result))
        self.path.fact_changed.connect(self.tree_zone.set_fact)
        self.why.text_changed.connect(lambda: self.why_action.setEnabled(bool(self.why.note)))
        for view in (self.path, self.tree):
            view.pruned_pressed.connect(self.why.ask)
            view.looked_at.connect(self.look_ahead.point)
        for name in ("figures", "iterations", "workers", "speedup", "ordering"):
            getattr(self, name).fact_changed.connect(self.drawers[name].set_fact)
        for event in (self.files.picture_requested, self.speedup.file_requested):
            event.connect(self.pictures.save)
        self.runs.run_requested.connect(self.search.search_again)
        for event in (self.analysis.started, self.analysis.shown, self.runs.compare_requested):
            event.connect(self._take_back)
        self.runs.compare_requested.connect(self.why.take_back)
        self.runs.compare_requested.connect(self.tree.compare)
        self.tree.refused.connect(self._say_of_tree)
        self.path.position_requested.connect(self._show_position)
        theme().changed.connect(self._show_theme)
        self._show_theme()

    def _choices(self, owner: QObject) -> list[tuple[str, QAction]]:
        """The commands that are in no menu."""
        return [*option_commands(self.options, owner), *self._opener.commands(owner)]

    def _on_game_changed(self) -> None:
        self.analysis.drop_other(self.record.game, self.record.position)
        self._show_game()

    def _on_search_started(self) -> None:
        job, game, position = self.analysis.job, self.analysis.game, self.analysis.position
        if job is not None and game is not None:
            if job.backend == "interpreted":
                self._prewarm.want(replace(job, backend="serial"))
            self.move_values.measure(job, game, position)
            self._show_tree_size()

    def _show_tree_size(self) -> None:
        for part in (self.figures, self.strip, self.tree):
            part.set_tree_size(self.move_values.tree_size)

    def _show_position(self, position: Position) -> None:
        if self.analysis.game is not None:
            show_position(self, self.analysis.game, position)

    def _show_game(self) -> None:
        self.path.set_over(self.record.is_over)
        self.board_card.set_fact(localized(self.record.game.title))
        self._show_phase()

    def _show_settings(self) -> None:
        settings = self.analysis.settings
        self.speed.set_speed(settings.speed)
        self.watch_action.setChecked(settings.watch_answers)

    def _show_phase(self) -> None:
        self.board.set_interactive(not self.record.computer_to_move)
        note = phase_in_words(self.analysis.phase)
        played = pass_in_words(self.record) or margin_in_words(self.record.game, self.record.position)
        words = self.hints.words or played or self.opponent.words or self._welcome.words
        self.board.set_note(note or words)

    def _show_theme(self) -> None:
        for view in (self.board, self.path):
            view.set_motion(theme().motion)
