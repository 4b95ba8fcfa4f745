"""The why-line and the code panel tell the event at the cursor, and why a pruned move needs no search."""

import re

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine import backends, registry
from engine.job import Job
from engine.kernels.worker_memory import CUTOFF
from engine.options.catalogue import Limit
from engine.options.choices import Fail, Form, Scoring
from engine.registry import algorithms
from engine.result import INFINITY, Bound, Result, Value
from engine.rules.contract import UNIT
from engine.text.numbers import signed, thousands
from engine.text.textbook import recursion
from engine.trace.part import EventSnapshot
from engine.trace.replay import EventKind
from engine.trace.why import Origin, certificate, pruned_by, pruned_moves
from engine.trace.widths import Gap
from gui.state.analysis import Analysis
from gui.state.replay import Cursor
from gui.state.spoilers import spoilers
from gui.style.theme import theme
from gui.tree.code import CodePanel
from gui.tree.coloured import WASH
from gui.tree.narration import Telling
from gui.tree.path import PathView
from gui.tree.why_line import LINES, SWEEP_FROM, WhyLine
from gui.tree.why_text import why_cut
from tests.gui.tree.conftest import Views

LINE = 6, 1, 2, 5
"""a3 b1 c1 c2, whose last move is pruned."""
AUTOPSY = (
    "After a3 b1 c1 X gets at least +1 with b2. At the root O holds X to 0 with b2 already, so O never comes here: 3 "
    "moves need no search."
)


def solved(**asked: object) -> Result:
    return backends.solve(Job(position="x../.../...", backend="interpreted", record=10_000, **asked))  # pyright: ignore


@pytest.fixture(scope="module")
def alphabeta() -> Result:
    return solved(algorithm="alphabeta")


def test_after_a_search_without_cutoffs_no_pruned_move_is_offered(views: Views) -> None:
    views.show(solved(limit=Limit(depth=2)))
    assert views.why.text == "The search has ended. Press Play to watch it from its first moment."


def test_the_end_of_a_search_without_a_record_is_told_too(views: Views) -> None:
    job = Job(position="x../.../...", backend="interpreted", algorithm="alphabeta")
    views.show(backends.solve(job))
    assert views.why.text.startswith(
        "The search has ended. This search does not record its nodes. Record, in the Settings"
    )
    views.show(replace(solved(algorithm="alphabeta"), trace=None))
    assert views.why.text.startswith("The search has ended. The nodes of this search were not recorded, or are no")


@pytest.mark.usefixtures("as_before")
@pytest.mark.parametrize("zoom", [0.8, 1.0, 1.33, 1.6, 2.0])
def test_two_lines_of_sentences_do_not_scroll_at_any_zoom(qtbot: QtBot, views: Views, zoom: float) -> None:
    theme().set_zoom(zoom)
    views.show(solved(limit=Limit(depth=2)))
    views.why.resize(theme().px(300), views.why.height())
    with qtbot.waitExposed(views.why):
        views.why.show()
    assert views.why._said.heightForWidth(views.why._said.width()) > 1.5 * views.why._said.fontMetrics().lineSpacing()
    assert views.why._sentence.verticalScrollBar().maximum() == 0


def test_where_a_full_record_lacks_the_move_that_cut_the_end_is_told(views: Views) -> None:
    job = Job(position="X../.O./..X", backend="interpreted", algorithm="alphabeta", record=200)
    views.show(backends.solve(job))
    views.cursor.go_to_row(199)
    trace = views.cursor.trace
    assert trace is not None
    assert trace.why(199) == CUTOFF
    assert views.why.text == "The search has ended. Press a pruned move to see why it needs no search."


def test_a_search_that_did_not_finish_is_told_to_be_without_a_value(views: Views) -> None:
    views.show(solved(algorithm="alphabeta", limit=Limit(nodes=5)))
    assert views.why.text == (
        "The search has ended at its node limit. The root has no value yet. "
        "Press Play to watch it from its first moment."
    )


def test_an_unfinished_task_of_a_worker_is_not_told_to_be_needed_no_more(views: Views) -> None:
    """Nodes of other workers follow it in the record, so that there is a moment at which it is left."""
    job = Job(position="x../.../...", backend="threads", workers=2, record=10_000, limit=Limit(nodes=1_000))
    views.show(backends.solve(job))
    replay = views.cursor.moments
    assert replay is not None
    left = [replay.left(child) for child in replay.trace.children(0)]
    assert any(moment < replay.last for moment in left)
    for hidden in (False, True):
        spoilers().hide(hidden)
        views.cursor.go(left[0])
        assert views.why.text == "b1 has no value: the search ended before it was finished."


def test_each_moment_is_told_and_its_line_of_code_is_marked(views: Views, alphabeta: Result) -> None:
    why, code, cursor = views.why, views.code, views.cursor
    assert why.text == code.line == ""
    views.show(alphabeta)
    assert why.text == "The search has ended. Press a pruned move to see why it needs no search."
    assert code.line == ""
    cursor.go(0)
    assert why.text == "The search begins at the root, O to move. The window is −∞ to +∞."
    assert code.line.startswith("def minimise(")
    cursor.go(7)
    assert why.text == "b1 c1 a2 b2 c2 a3: the game is over, +1 for X."
    assert code.line.strip() == "_, value = minimise(play(position, move), max(alpha, best), beta)"
    assert code.frame.splitlines()[:5] == ["alpha  −∞", "beta   +∞", "best   −∞", "move   a3", "value  +1"]
    assert code.frame.endswith("maximise(c2)")
    cursor.go(51)
    assert why.note == "Pruned: a3, c3. β = +1: c2 came up at moment 17. A shallow cutoff."
    cursor.go(4147)
    assert why.text == AUTOPSY
    assert why.note == "Pruned: c2, b3, c3. β = 0: b2 came up at moment 3,815. A deep cutoff."
    assert code.line.strip() == "break"
    assert "best   +1" in code.frame.splitlines(), "the line before has assigned it"
    named = [(part.start, part.format.foreground().color(), part.format.fontWeight()) for part in why._said._formats]
    assert (why.text.index("X"), theme().text_colour("x", WASH), 600) in named
    assert [why.text[start] for start, _, _ in named] == re.findall(r"\b[XO]\b", why.text)
    assert why.grab().toImage().pixelColor(1, why.height() // 2).name().upper() == theme().colours.cut
    lines = why.lines()
    assert len(lines) == 12, "Ten moments, and the line's two sentences and note."
    assert lines[9] == "Moment 4,148: a3 b1 c1 b2 comes back: at least +1 for X. That is a cutoff: 3 moves pruned."
    assert lines[10:] == [why.text, why.note]
    views.analysis.change(form=Form.NEGAMAX)
    cursor.go(8)
    assert why.grab().toImage().pixelColor(1, why.height() // 2).name().upper() != theme().colours.cut
    assert why.text == "After b1 c1 a2 b2 c2 X tries b3. The window is −∞ to −1."
    assert code.line.startswith("def negamax(")
    spoilers().hide(True)
    cursor.go(4147)
    assert (why.text, why.note) == ("After a3 b1 c1, 3 moves need no search.", "Pruned: c2, b3, c3.")
    cursor.go(7)
    assert why.text == "b1 c1 a2 b2 c2 a3 comes back; its value is hidden."
    assert "value  hidden" in code.frame


def test_the_window_of_the_root_is_told_by_the_end_that_was_reached(views: Views) -> None:
    """MTD(f)'s; with O to move its ends for X are those for O, negated and exchanged."""
    views.show(solved(algorithm="mtdf", scoring=Scoring.SOONEST))
    trace, told = views.cursor.trace, set()
    assert trace is not None
    alpha, beta = trace.window(0)
    for row in range(len(trace)):
        if trace.gap(row) is Gap.PRUNED and certificate(trace, row).origin is Origin.ROOT_WINDOW:
            views.why.ask(row, certificate(trace, row).pruned[0])
            said = re.search(r"(begins|ends) at (\S+) for X", views.why.text)
            assert said is not None
            assert said[2] == signed({"begins": -beta, "ends": -alpha}[said[1]])
            told.add(said[1])
    assert told == {"begins", "ends"}


@pytest.mark.parametrize("form", Form)
@pytest.mark.parametrize("algorithm", algorithms())
def test_the_code_has_the_variables_that_are_shown(views: Views, algorithm: str, form: Form) -> None:
    """Minimax has no window, and in its negamax form no best. What a child returned may have no name."""
    game = "random-turn:2,2,2" if algorithm == "expectiminimax" else "tictactoe"
    root = "../.." if algorithm == "expectiminimax" else "x../.o./..x"
    views.show(backends.solve(Job(game=game, position=root, algorithm=algorithm, backend="interpreted", record=9_000)))
    views.analysis.change(form=form)
    code, shown = {function.name: function for function in recursion(algorithm, form)}, set()
    for moment in range(20):
        views.cursor.go(moment)
        lines = views.code.frame.splitlines()
        names = {line.split()[0] for line in lines[: lines.index("")]} - {"value"}
        assert names <= code[lines[-1].split("(")[0].strip()].variables
        shown |= names
    assert ("alpha" in shown) is ("alpha" in code[lines[-1].split("(")[0].strip()].variables)


def test_the_marked_line_is_in_sight_however_the_panel_comes_to_its_size(views: Views, alphabeta: Result) -> None:
    """Opened at a moment whose line lies far down, and made smaller later."""
    panel, text = views.code, views.code._code
    views.show(alphabeta)
    panel.hide()
    panel.resize(300, 200)
    views.cursor.go(0)
    panel.show()
    for height in (200, 600, 220):
        panel.resize(300, height)
        QApplication.processEvents()
        assert text.viewport().rect().contains(text.cursorRect().center())
    assert text.verticalScrollBar().value() > 0


def test_a_pruned_move_is_explained_and_searched_anyway(qtbot: QtBot, views: Views, alphabeta: Result) -> None:
    views.show(alphabeta)
    trace = views.cursor.trace
    assert trace is not None
    row, move = pruned_by(trace, LINE)
    views.why.ask(row, LINE[0])
    assert views.why._button.isHidden(), "That move is not pruned there."
    views.why.ask(row, move)
    assert views.why.text == AUTOPSY
    said = views.why._sentence
    views.why.show()
    for width in range(420, 1400, 60):  # the button takes room from the sentence, which may then need another line
        views.why.resize(width, views.why.height())
        views.cursor.go(0)
        views.cursor.go_to_end()
        QApplication.processEvents()
        assert views.why._button.isHidden()
        views.why.ask(row, move)
        QApplication.processEvents()
        lines = LINES * said.label.fontMetrics().lineSpacing()
        assert said.height() >= min(lines, said.label.heightForWidth(said.width()))
    with qtbot.waitSignal(
        views.why.text_changed, timeout=60_000, check_params_cb=lambda text: not text.startswith("Searching")
    ):
        views.why._button.click()
    assert views.why.text == (
        "c2 is worth −1 for X. Whatever it were, from −∞ to +∞, the value of the root stays 0 for X."
    )
    views.cursor.go(0)
    assert views.why._button.isHidden()


def test_what_a_pruned_move_is_worth_is_told_anew(qtbot: QtBot, views: Views, alphabeta: Result) -> None:
    """From another point of view, and after results were hidden."""
    views.show(alphabeta)
    assert views.cursor.trace is not None
    why, (row, move) = views.why, pruned_by(views.cursor.trace, LINE)
    views.cursor.go_to_row(row)
    why.ask(row, move)
    with qtbot.waitSignal(why.text_changed, timeout=60_000, check_params_cb=lambda text: "worth" in text):
        why._button.click()
    for form, player, number in ((Form.NEGAMAX, "O", 1), (Form.MAXMIN, "X", -1)):
        views.analysis.change(form=form)
        swept = why.sweep.swept
        assert swept is not None
        assert (swept.move, swept.value, swept.root) == (f"c2 for {player}", Value(number), f"root for {player}")
        assert why.text.startswith(f"c2 is worth {signed(number)} for {player}. ")
        assert why.text.endswith(f"stays 0 for {player}.")
    told = why.text
    spoilers().hide(True)
    assert why.text == "After a3 b1 c1, 3 moves need no search."
    assert why.sweep.isHidden()
    spoilers().hide(False)
    assert why.text == told


@pytest.mark.parametrize("form", list(Form))
def test_the_value_of_a_pruned_move_is_swept_beside_that_of_the_root(
    qtbot: QtBot, as_before: None, views: Views, alphabeta: Result, form: Form
) -> None:
    """Once through all values, in the points of view of the sentence; not at all where motion is off."""
    views.analysis.change(form=form)
    views.show(alphabeta)
    assert views.cursor.trace is not None
    why, (row, move) = views.why, pruned_by(views.cursor.trace, LINE)
    sweep = why.sweep
    why.resize(1000, why.height())
    why.show()
    for motion in True, False:
        theme().set_motion(motion)
        why.ask(row, move)
        assert sweep.isHidden()
        with qtbot.waitSignal(why.text_changed, timeout=60_000, check_params_cb=lambda text: "worth" in text):
            why._button.click()
        for number in [-INFINITY, -1, 0, 1, INFINITY] if motion else []:
            assert sweep.worth == Value(number)
            with qtbot.waitSignal(sweep.stepped, timeout=10_000):
                pass
        assert sweep.isVisible()
    swept = sweep.swept
    assert swept is not None
    player, number = ("X", -1) if form is Form.MAXMIN else ("O", 1)
    assert (sweep.worth, swept.stays) == (Value(number), Value(0))
    assert (swept.move, swept.root) == (f"c2 for {player}", f"root for {player}")
    assert why.text.startswith(f"c2 is worth {signed(number)} for {player}.")
    assert why.text.endswith(f"stays 0 for {player}.")
    why.resize(theme().px(SWEEP_FROM) - 1, why.height())
    assert sweep.isHidden(), "The sentences need its room."
    shown = set[bool]()
    for width in range(theme().px(SWEEP_FROM), 1001, 40):
        why.resize(width, why.height())
        QApplication.processEvents()
        lines = why._said.heightForWidth(why._sentence.width()) / why._said.fontMetrics().lineSpacing()
        assert sweep.isHidden() or lines <= LINES, "what it shows is told last"
        shown.add(sweep.isVisible())
    assert shown == {True, False}
    views.cursor.go(0)
    assert sweep.isHidden()


@pytest.mark.parametrize("is_narrow_first", [False, True])
def test_a_hidden_sweep_does_not_move(
    qtbot: QtBot, as_before: None, views: Views, alphabeta: Result, is_narrow_first: bool
) -> None:
    theme().set_motion(True)
    views.show(alphabeta)
    assert views.cursor.trace is not None
    why, narrow = views.why, theme().px(SWEEP_FROM) - 1
    why.resize(narrow if is_narrow_first else 1000, why.height())
    why.show()
    why.ask(*pruned_by(views.cursor.trace, LINE))
    with qtbot.waitSignal(why.text_changed, timeout=60_000, check_params_cb=lambda text: "worth" in text):
        why._button.click()
    QApplication.processEvents()
    why.resize(narrow, why.height())
    assert why.sweep.isHidden()
    assert not why.sweep._clock.isActive()
    why.resize(1000, why.height())
    assert why.sweep.swept is not None
    assert why.sweep.worth == why.sweep.swept.value


@pytest.mark.parametrize("name", ["minimax", "pvs", "mtdf"])
def test_every_moment_of_every_algorithm_is_told(views: Views, name: str) -> None:
    result = backends.solve(Job(position="xo./.x./o..", algorithm=name, backend="interpreted", record=10_000))
    views.show(result)
    seen = set()
    for moment in range(0, views.cursor.last, 5):
        views.cursor.go(moment)
        event = views.cursor.now
        assert event is not None
        assert views.why.text.endswith(".")
        assert "{" not in views.why.text + views.why.note
        is_call = event.kind is EventKind.LEFT and not event.cut
        assert (views.code.line.startswith("def ")) == (event.kind is EventKind.ENTERED)
        assert not is_call or "search" in views.why.text or "comes back" in views.why.text or "over" in views.why.text
        seen.add(views.code.line.strip())
    assert ("break" in seen) == (name != "minimax")
    assert ("value = -negamax(child, -beta, -low)" in seen) <= (name == "pvs")


def test_a_null_window_is_not_shown_as_an_empty_one(views: Views) -> None:
    """Estimates are fractions that two decimals do not tell apart."""
    job = Job(game="mnk:4,4,4", position="..../..../..../....", algorithm="mtdf", limit=Limit(3))
    result = backends.solve(replace(job, backend="interpreted", record=10_000))
    views.show(result)
    for moment in range(0, views.cursor.last, 7):
        views.cursor.go(moment)
        views.code.refresh()
        stack, frame = views.code.frame.splitlines(), dict(line.split() for line in views.code.frame.splitlines()[:2])
        assert frame["alpha"] != frame["beta"]
        (driver,) = (line for line in stack if line.startswith("mtdf"))
        lower, upper, beta = (word.split()[-1] for word in driver.partition(": ")[2].split(", "))
        assert beta == frame["beta"] or views.cursor.row
        assert lower != beta
        assert lower != upper


def test_a_value_that_cuts_is_not_rounded_beyond_its_bound() -> None:
    """Two decimals would have "at least −0.08" for a window that ends at −0.077."""
    result = solved(algorithm="mtdf")
    trace, bound = result.trace, -23 / UNIT
    assert trace is not None
    pruned = (certificate(trace, row) for row in range(len(trace)) if trace.gap(row) is Gap.PRUNED)
    cut = next(found for found in pruned if found.origin is Origin.ROOT_WINDOW)
    cut = replace(cut, beta=bound, proof=replace(cut.proof, value=Value(bound, Bound.LOWER)))
    told = why_cut(Telling(registry.game("tictactoe"), result.job, trace, negamax=False, hidden=False), cut)
    assert " X gets at least −0.077 with " in told
    assert "The window of the root ends at −0.077 for X" in told


def test_a_search_that_ends_late_answers_no_other_question(views: Views, alphabeta: Result) -> None:
    """A stopped search of a pruned move ends when its slice does, or its kernels are compiled."""
    views.show(alphabeta)
    trace, why = views.cursor.trace, views.why
    assert trace is not None
    row, move = pruned_by(trace, LINE)
    why.ask(row, move)
    why._begin()
    runner, first = why.search.runner, why.search.runner._request
    other = next(each for each in range(row) if trace.gap(each) is Gap.PRUNED)
    why.ask(other, pruned_moves(trace, other)[0])
    told = why.text
    for reason in ("", "It failed."):
        runner.end(first, (Value(1), Value(0)), reason)
        runner._tell()
    assert why.text == told
    assert "need no search" in told or "needs no search" in told


def test_the_call_stack_of_mtdf_begins_with_what_its_passes_have_proven(views: Views) -> None:
    result = backends.solve(Job(position="xo./.x./o..", algorithm="mtdf", backend="interpreted", record=10_000))
    views.show(result)
    passes, value, lower, upper = [*result.earlier, result], 0, -INFINITY, INFINITY
    assert len(passes) > 2
    for one, passed in zip(passes, result.info.iterations, strict=True):
        assert one is not None
        views.analysis.show_other(one)
        views.cursor.go(0)
        beta = max(value, lower + 1)
        proven = ", ".join(f"{name} {signed(of)}" for name, of in (("lower", lower), ("upper", upper), ("beta", beta)))
        assert f"mtdf(root): {proven}\n  negamax(root)" in views.code.frame
        value = int(passed.value.number)
        lower, upper = (lower, value) if value < beta else (value, upper)
    assert lower == upper
    assert "values of the side to move" in views.code._note.text()
    views.analysis.change(form=Form.NEGAMAX)
    assert "values of the side to move" not in views.code._note.text()


@pytest.mark.parametrize(
    ("algorithm", "fail", "is_told"),
    [("alphabeta", Fail.HARD, True), ("alphabeta", Fail.SOFT, False), ("minimax", Fail.HARD, False)],
)
def test_the_code_says_that_a_fail_hard_search_returns_other_bounds(
    views: Views, algorithm: str, fail: Fail, is_told: bool
) -> None:
    """Minimax has no window, so that nothing lies outside it."""
    job = Job(position="xo./.x./o..", algorithm=algorithm, fail=fail, backend="interpreted", record=10_000)
    views.show(backends.solve(job))
    assert ("fail-soft" in views.code._note.text()) == is_told


def test_a_search_at_full_speed_is_told_with_the_number_of_its_node(views: Views, alphabeta: Result) -> None:
    """Which may be an earlier one than the path shows."""
    assert alphabeta.trace is not None
    views.analysis.begin(alphabeta.job)
    views.analysis.tell(replace(alphabeta.info, path=alphabeta.trace.path_nodes(4)))
    number = thousands(alphabeta.info.counters.nodes)
    assert views.why.text.startswith(f"Node {number}. After b1 c1 a2")


def test_a_step_tells_a_cutoff_higher_up_as_the_replay_does(qtbot: QtBot, request: pytest.FixtureRequest) -> None:
    """Between two visited nodes a value comes up from below, and prunes moves: that is a step of its own."""
    analysis = Analysis()
    cursor, game = Cursor(analysis, analysis), registry.game("tictactoe")
    why, path, code = WhyLine(analysis, cursor), PathView(analysis, cursor), CodePanel(analysis, cursor)
    for view in (why, path, code):
        qtbot.addWidget(view)
    for close in (why.close_search, analysis.close):
        request.addfinalizer(close)
    code.show()
    analysis._pictures.setInterval(0)
    analysis.change(algorithm="alphabeta", backend="interpreted")
    job = {"algorithm": "alphabeta", "backend": "interpreted", "record": 10_000, "deepen": False}
    with qtbot.waitSignal(analysis.moved):
        analysis.think(game, game.notation.parse("xox/.o./..."), paused=True, **job)
    seen, pruned = list[tuple[str, ...]](), list[bool]()
    while len(seen) < 60:
        with qtbot.waitSignal(analysis.moved):
            analysis.step()
        info = analysis.info
        assert isinstance(info, EventSnapshot)
        assert info.moment == len(seen)
        seen.append((why.text, why.note, code.line, code.frame))
        event = info.replay.event(info.moment)
        pruned.append(path.shows_pruned)
        if event.cut and info.replay.trace.children(event.row):
            break
    assert (pruned[-2], pruned[-1]) == (False, True)
    assert path._fact() == f"values are X's · moment {len(seen)} · node 7"
    assert seen[-1][:3] == (
        "After a2 c2 b3 O holds X to at most 0 with a3. After a2 c2 X gets +1 with a3 already, so X never comes here: "
        "1 move needs no search.",
        "Pruned: c3. α = +1: a3 came up at moment 5. A shallow cutoff.",
        12 * " " + "break",
    )
    for is_known in (True, False):
        with qtbot.waitSignal(analysis.answered):
            analysis.ask_result()
        cursor.take_so_far(analysis.so_far)
        if is_known:
            why.ask_here()
    assert why._button.isVisibleTo(why), "a record that arrives later leaves the pruned move on display"
    with qtbot.waitSignal(analysis.finished):
        analysis.resume()
    assert not why._button.isVisibleTo(why)
    for moment, told in enumerate(seen):
        cursor.go(moment)
        assert (why.text, why.note, code.line, code.frame) == told
    analysis.think(game, game.notation.parse("xox/.o./..."), paused=True, **(job | {"record": 0}))
    with qtbot.waitSignal(why.text_changed):
        analysis.step()
    assert why.text.endswith(" A step is a node here, for the search has no record.")
