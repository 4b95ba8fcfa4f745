"""Every algorithm, with whatever order, table and window, on whatever workers, finds the value of plain minimax."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import cycle, product
from typing import Any

import pytest
from msgspec.structs import replace

from engine.backends import solve
from engine.backends.local import ONE_ENTRY
from engine.job import Job
from engine.options.catalogue import Limit
from engine.options.choices import Fail, Order, Parallel, Replacement, Schedule, Scoring
from engine.registry import algorithms, game
from engine.result import INFINITY, End, Value
from engine.rules.bits import each
from engine.rules.contract import Position, is_decisive, is_over, legal, play, plies_bound
from engine.search import alphabeta, mtdf, pvs
from tests.engine import naive
from tests.engine.naive import EMPTY

PRUNING = [name for name, kind in algorithms().items() if kind.prunes]

ORDERS: list[tuple[Order, ...]] = [
    (),
    (Order.DOMAIN,),
    (Order.RANDOM,),
    (Order.KILLERS,),
    (Order.DOMAIN, Order.HISTORY),
    (Order.RANDOM, Order.KILLERS, Order.HISTORY),
]
"""The orders that need no table, and no true values."""

TABLES = [ONE_ENTRY, 32 * ONE_ENTRY, 0.125]
"""MiB: one entry, so few that positions fight for them, and more than 3 x 3 has positions."""

AIDS = [
    {"order": (*order, *by_table), "table": table, "replacement": replacement, "fold": fold}
    for order, table, by_table, replacement, fold in product(
        ORDERS, [0.0, *TABLES], ((), (Order.TABLE,)), Replacement, (False, True)
    )
    if table or (order and not by_table and not fold)
]
random.Random(6).shuffle(AIDS)

SCHEMES = [
    {"parallel": parallel, "workers": workers, "split": split, "schedule": schedule}
    for parallel, workers, split, schedule in product(Parallel, (1, 2, 3), (1, 2), Schedule)
    if parallel is not Parallel.YBW or schedule is Schedule.DYNAMIC
]


def asked(name: str, deepen: bool) -> Iterator[dict[str, Any]]:
    """Options for one algorithm, in a fixed repeated order; all have the same kernel, or are interpreted where no other
    test has that kernel. Searches of 3 x 3 have a record too, as those of other tests."""
    dice = random.Random(name)
    for aids in cycle(AIDS):
        way = {
            "algorithm": name,
            "deepen": deepen,
            "scoring": dice.choice([*Scoring]),
            "seed": dice.randrange(9),
            "backend": "interpreted" if name == "pvs" and not deepen else "serial",
            **aids,
        }
        if deepen and not algorithms()[name].guesses:
            way["aspiration"] = dice.choice((None, 0.3, 2.0))
        yield way


@cache
def plain(spec: str, text: str, scoring: Scoring) -> Value | None:
    """The value by alpha-beta without aids, interpreted."""
    job = Job(game=spec, position=text, algorithm="alphabeta", backend="interpreted", scoring=scoring)
    return solve(job).info.value


def text_of(spec: str, position: Position) -> str:
    return game(spec).notation.format(position)


def late(spec: str, count: int, most: int) -> list[Position]:
    """Positions of random games, the same at every call, unfinished and with at most that many plies left."""
    dice, found = random.Random(spec), set()
    while len(found) < count:
        position = game(spec).start
        while not is_over(position):
            if plies_bound(position) <= most:
                found.add(position)
            position = play(position, dice.choice([*each(legal(position))]))
    return sorted(found)


@pytest.mark.parametrize(("deepen", "name"), [*product((False, True), PRUNING)])
def test_every_position_of_3_x_3_in_one_way_or_another(name: str, deepen: bool, distinct: list[Position]) -> None:
    """Each algorithm searches half of the classes of symmetric positions, half of them deepened: in each way, and with
    several scorings and seeds."""
    assert len(distinct) > 4 * len(AIDS)
    for position, job in zip(distinct[deepen::4], asked(name, deepen), strict=False):
        naive.assert_true(solve(Job(position=text_of("tictactoe", position), record=1, **job)))


def test_positions_of_4_x_4_by_minimax_with_a_table() -> None:
    """With the kernel that finds the values which other orders know."""
    spec = "mnk:4,4,4"
    for position, table, fold in zip(late(spec, 200, 6), cycle(TABLES), cycle((False, True, True)), strict=False):
        naive.assert_true(solve(Job(game=spec, position=text_of(spec, position), table=table, fold=fold, deepen=True)))


@pytest.mark.parametrize("order", [Order.BEST, Order.WORST])
def test_orders_that_know_the_true_values_change_none(order: Order, reachable: list[Position]) -> None:
    for position, (name, scoring) in zip(reachable[::120], cycle(product(PRUNING, Scoring)), strict=False):
        text = text_of("tictactoe", position)
        backend = "interpreted" if name == "pvs" else "serial"  # no other test has that kernel of PVS
        job = Job(position=text, algorithm=name, order=(order,), scoring=scoring, deepen=True, backend=backend)
        naive.assert_true(solve(replace(job, record=1)))


@pytest.mark.parametrize("parallel", Parallel)
def test_every_way_to_share_a_search_among_threads(parallel: Parallel, reachable: list[Position]) -> None:
    """Each with the kernel that serial has."""
    schemes = [scheme for scheme in SCHEMES if scheme["parallel"] is parallel]
    ways = (way for way in asked("alphabeta", True) if way["table"] or parallel is not Parallel.LAZY)
    for position, scheme, way in zip(reachable[:: 80 - len(parallel)], cycle(schemes), ways, strict=False):
        job = Job(position=text_of("tictactoe", position), record=1, **way | scheme | {"backend": "threads"})
        naive.assert_true(solve(job))


@pytest.mark.parametrize(("spec", "name"), [("mnk:4,4,4", "alphabeta"), ("mnk:4,4,4", "mtdf")])
def test_positions_of_4_x_4_to_the_end(spec: str, name: str) -> None:
    """Down to the end, against alpha-beta without aids, interpreted, which the twins vouch for."""
    for position, way in zip(late(spec, 100, 7), asked(name, True), strict=False):
        text = text_of(spec, position)
        found = solve(Job(game=spec, position=text, **way))
        assert found.info.value == plain(spec, text, way["scoring"])
        assert found.complete or is_decisive(position, found.info.value.number)


@pytest.mark.parametrize(("spec", "name"), [("mnk:4,4,4", "alphabeta"), ("mnk:4,4,4", "mtdf")])
def test_positions_of_4_x_4_with_a_horizon(spec: str, name: str) -> None:
    for position, way, depth in zip(late(spec, 100, 12), asked(name, True), cycle((1, 2, 3)), strict=False):
        text = text_of(spec, position)
        naive.assert_true(solve(Job(game=spec, position=text, limit=Limit(depth=depth), **way)))


@pytest.mark.parametrize("evaluate", [True, False])
def test_what_a_horizon_leaf_is_worth_is_a_choice(evaluate: bool) -> None:
    """One ply deep every move but a winning one is worth its estimate: the centre is on most lines. Or all are 0."""
    result = solve(Job(position=EMPTY, algorithm="alphabeta", limit=Limit(depth=1), evaluate=evaluate))
    centre = naive.move_values(naive.game("tictactoe").start, depth=1)[4]
    assert (result.info.best, result.info.value.number) == ((4, centre) if evaluate else (0, 0))
    assert 0 < centre < 1


def test_the_textbook_of_pvs_in_a_window_bounds_the_value(reachable: list[Position]) -> None:
    """Inside the window the value is exact; outside it is a bound."""
    for root in reachable[::7]:
        truth = naive.value(root)
        for alpha, beta in ((-INFINITY, INFINITY), (-1, 0), (0, 1), (-1, 1)):
            value = pvs.negamax(root, alpha, beta)
            assert value == truth if alpha < value < beta else value >= truth if value <= alpha else value <= truth


def test_the_textbook_of_mtdf_finds_the_value_whatever_it_guesses(reachable: list[Position]) -> None:
    for root, guess in zip(reachable[::25], cycle((-1, 0, 1, 5)), strict=False):
        assert mtdf.mtdf(root, guess) == naive.value(root)


def test_fail_hard_values_are_the_clamped_values_of_fail_soft(distinct: list[Position]) -> None:
    """Seen where a window is narrow: in the passes of MTD(f), and of aspiration windows that miss. Only MTD(f) without
    deepening is compiled: no other test has the kernels of the other ways."""
    missed = 0
    ways: list[dict[str, Any]] = [
        {"algorithm": "mtdf"},
        {"algorithm": "mtdf", "deepen": True, "backend": "interpreted", "table": 32 * ONE_ENTRY},
        {"algorithm": "alphabeta", "deepen": True, "backend": "interpreted", "aspiration": 0.05},
        {"algorithm": "alphabeta", "deepen": True, "backend": "interpreted", "aspiration": 0.3, "table": ONE_ENTRY},
    ]
    for position, way in zip(
        [position for position in distinct if not is_over(position)][60::7], cycle(ways), strict=False
    ):
        result = solve(Job(position=text_of("tictactoe", position), fail=Fail.HARD, record=1, **way))
        assert result.info.value.number == naive.value(position)
        for done in result.info.iterations:
            assert done.value.number == min(max(naive.value(position, depth=done.depth), done.alpha), done.beta)
            missed += not done.value.is_exact
    assert missed > 50


DEEPENED = {"deepen": True, "table": 16.0, "fold": True, "order": (Order.DOMAIN, Order.TABLE)}


@pytest.mark.parametrize(
    ("spec", "value", "way"),
    [("tictactoe", 0, DEEPENED | {"record": 1}), ("mnk:4,3,3", 1, {}), ("mnk:4,4,4", 0, DEEPENED)],
)
def test_the_first_player_wins_or_nobody_does(spec: str, value: int, way: dict[str, Any]) -> None:
    """All known. 5,5,4, a draw as well, takes minutes: tests/bench/bench_exact.py solves it."""
    result = solve(Job(game=spec, position=text_of(spec, game(spec).start), algorithm="alphabeta", **way))
    assert (result.info.value.number, result.end) == (value, End.COMPLETE)


@pytest.mark.parametrize(("columns", "rows", "k"), [(3, 4, 3), *((m, n, 2) for m, n in product((2, 3, 4), (2, 3)))])
def test_small_boards_that_the_first_player_wins(columns: int, rows: int, k: int) -> None:
    """Known: 3,4,3, and two in a row wherever there is more than one square a side. By the textbook."""
    assert alphabeta.negamax(game(f"mnk:{columns},{rows},{k}").start, 0, 1) == 1
