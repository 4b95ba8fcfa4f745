"""All expert options can be chosen in the window; those that do not fit are disabled with the reason, and keep their
values."""

import logging

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox
from pytestqt.qtbot import QtBot

from engine import registry
from engine.job import Job
from engine.options.catalogue import OPTIONS, Limit
from engine.options.choices import Fail, Form, Order, Parallel
from engine.prepare import prepare
from gui.controls.expert import ExpertOptions
from gui.settings.remembered import _settings
from gui.state.game_record import GameRecord
from gui.state.option_rules import EXPERT, fitted, refusal
from gui.state.search_settings import Settings
from tests.gui.shown import Shown

GAME = registry.game("tictactoe")
WISHES = Settings(
    algorithm="pvs",
    table=1.0,
    fold=True,
    fail=Fail.HARD,
    form=Form.NEGAMAX,
    deepen=True,
    aspiration=0.5,
    order=(Order.DOMAIN, Order.TABLE, Order.KILLERS),
    parallel=Parallel.LAZY,
    limit=Limit(depth=4),
)


@pytest.fixture
def expert(qtbot: QtBot, analysis: Shown) -> ExpertOptions:
    view = ExpertOptions(GameRecord(GAME), analysis, 2)
    qtbot.addWidget(view)
    view.open()
    return view


def asked(analysis: Shown) -> Job:
    return analysis.settings.job(GAME, GAME.start)


def box(expert: ExpertOptions, name: str) -> QComboBox:
    found = expert.field(name)
    assert isinstance(found, QComboBox)
    return found


def switch(expert: ExpertOptions, name: str) -> QCheckBox:
    found = expert.field(name)
    assert isinstance(found, QCheckBox)
    return found


def test_a_newcomer_sees_a_fold_and_no_option(qtbot: QtBot, analysis: Shown) -> None:
    view = ExpertOptions(GameRecord(GAME), analysis, 2)
    qtbot.addWidget(view)
    view.show()
    assert not view.field("Size").isVisible()
    assert analysis.settings.is_usual
    view.open()
    assert view.field("Size").isVisible()


def test_what_is_chosen_is_what_is_asked_for(expert: ExpertOptions, analysis: Shown) -> None:
    analysis.change(algorithm="alphabeta")
    for name, place in (("Base order", 1), ("Size", 3), ("Fail", 1), ("Leaves are worth", 1)):
        box(expert, name).activated.emit(place)
    for name in ("Killers", "Table move first", "Iterative deepening", "Fold symmetries"):
        switch(expert, name).click()
    job = asked(analysis)
    assert job.order == (Order.DOMAIN, Order.TABLE, Order.KILLERS)
    assert (job.table, job.fail, job.evaluate, job.deepen, job.fold) == (16.0, Fail.HARD, False, True, True)
    switch(expert, "Table move first").click()
    assert asked(analysis).order == (Order.DOMAIN, Order.KILLERS)


def test_what_does_not_fit_is_off_and_says_what_the_engine_says(expert: ExpertOptions, analysis: Shown) -> None:
    analysis.change(algorithm="minimax")
    killers = expert.field("Killers")
    said = refusal(Job(position=".../.../...", order=(Order.KILLERS,)))
    assert said
    assert not killers.isEnabled()
    assert said in killers.toolTip()
    analysis.change(algorithm="alphabeta")
    assert killers.isEnabled()
    assert said not in killers.toolTip()
    assert not expert.field("Aspiration").isEnabled()
    analysis.change(deepen=True)
    assert expert.field("Aspiration").isEnabled()


def test_of_the_schemes_only_the_one_that_does_not_fit_is_off(expert: ExpertOptions, analysis: Shown) -> None:
    analysis.change(algorithm="alphabeta", backend="threads")
    scheme = box(expert, "Scheme")
    model = scheme.model()
    places = [scheme.findText(text) for text in ("split", "lazy")]
    enabled = [bool(model.flags(model.index(place, 0)) & Qt.ItemFlag.ItemIsEnabled) for place in places]
    assert scheme.isEnabled()
    assert enabled == [True, False], "lazy workers need a table"


def test_an_option_that_does_not_fit_waits_until_it_does(analysis: Shown) -> None:
    analysis.take(WISHES)
    for algorithm in registry.algorithms():
        for backend in registry.COMPILED:
            analysis.change(algorithm=algorithm, backend=backend)
            if not (algorithm == "mtdf" and backend == "mpi"):
                prepare(asked(analysis))
    analysis.change(algorithm="minimax", backend="serial")
    assert asked(analysis).order == ()
    assert asked(analysis).deepen
    analysis.change(algorithm="pvs")
    assert asked(analysis).order == WISHES.order
    assert asked(analysis).aspiration == 0.5


def test_a_job_that_fits_stays_as_it_is_and_one_that_cannot_run_says_why() -> None:
    whole = WISHES.asked(GAME, GAME.start)
    threads = msgspec.structs.replace(whole, backend="threads", workers=2)
    assert fitted(threads) == threads
    broken = msgspec.structs.replace(whole, workers=0)
    assert fitted(broken) == broken


def test_all_of_it_is_remembered_each_by_itself(caplog: pytest.LogCaptureFixture) -> None:
    text = msgspec.json.encode(WISHES).decode()
    bad: list[str] = []
    assert (_settings(text, bad), bad) == (WISHES, [])
    spoilt = msgspec.json.decode(text) | {"order": ["sideways"], "table": -4, "aspiration": "wide"}
    with caplog.at_level(logging.CRITICAL):
        kept = _settings(msgspec.json.encode(spoilt).decode(), bad)
    assert {*bad} == {"aspiration", "order", "table"}
    assert (kept.order, kept.table, kept.aspiration) == ((), 0.0, None)
    assert (kept.deepen, kept.fail, kept.algorithm) == (True, Fail.HARD, "pvs")


def test_all_of_it_is_reset_at_once(expert: ExpertOptions, analysis: Shown) -> None:
    analysis.take(WISHES)
    analysis.reset_options()
    usual = Settings()
    assert all(entry.value(analysis.settings) == entry.value(usual) for entry in EXPERT)
    assert analysis.settings.algorithm == "pvs", "what a newcomer chooses stays"
    assert not switch(expert, "Iterative deepening").isChecked()


def test_searching_again_takes_up_the_options_of_that_run() -> None:
    job = WISHES.asked(GAME, GAME.start)
    taken = Settings().like(job)
    assert all(entry.value(taken) == entry.value(job) for entry in OPTIONS if entry.key not in ("scoring", "workers"))
