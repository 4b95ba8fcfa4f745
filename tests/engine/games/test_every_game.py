"""Every game, searched by every algorithm, with interpreted and with compiled kernels.

The recursions of `tests.engine.naive` use only a game's rules. So they detect a game with wrong declarations, and a
kernel that relies on properties of one game. The tests find each game by its file.
"""

import textwrap
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine.games
from engine import registry
from engine.backends import solve
from engine.backends.compiled import work
from engine.backends.local import ONE_ENTRY
from engine.job import Job
from engine.options.catalogue import Limit
from engine.options.choices import Order, Scoring
from engine.prepare import prepare
from engine.registry import algorithms, examples, game, is_for, offered
from engine.rules.bits import each
from engine.rules.contract import (
    MAX_PLIES,
    Position,
    declare,
    evaluations_of,
    is_over,
    legal,
    play,
    plies_bound,
    traits,
)
from tests.engine import naive
from tests.engine.backends.test_interpreted import interpreted, on_the_stack

SMALL = {"connect-four": ("3,3,3", "4,4"), "connect6": ("3,3,3", "4,3,3"), "mnk": ("3,3,3",), "othello": ("4",)}
"""Sizes with short games."""
SPECS = [
    spec
    for name, (usual, *_) in offered().items()
    for spec in dict.fromkeys((usual, *(f"{name}:{size}" for size in SMALL.get(name, ()))))
]
OTHERS = [spec for spec in examples() if not traits(game(spec).start).free_placement]
"""One size of each game without free placement; free placement has its own tests."""
UNRECORDED = ("connect-four:7,6",)
"""Games whose kernel without a record other tests have. A record is written alike in each game."""
NODES = 200
"""About the number of nodes that minimax visits in an example."""

AIDS: list[dict[str, Any]] = [
    {"table": ONE_ENTRY},
    {"table": 0.1, "order": (Order.TABLE, Order.KILLERS, Order.HISTORY)},
    {"table": 0.1, "fold": True, "order": (Order.DOMAIN,)},
    {"order": (Order.RANDOM, Order.KILLERS)},
]


def asked(spec: str, position: Position, **way: Any) -> Job:
    return Job(game=spec, position=game(spec).notation.format(position), **way)


def depth_for(position: Position, nodes: int) -> int:
    """The depth in plies that minimax reaches with that many nodes; at least 1."""
    depth, edge, visited = 0, [position], 1
    while edge and visited <= nodes and depth < plies_bound(position):
        edge = [play(one, move) for one in edge if not is_over(one) for move in each(legal(one))]
        visited += len(edge)
        depth += 1
    return max(1, depth if visited <= nodes else depth - 1)


def scorings(position: Position) -> list[Scoring]:
    known = traits(position)
    return [*Scoring] if known.utility == 1 and not known.chance else [Scoring.TEXTBOOK]


def check_interpreted(spec: str, position: Position, scoring: Scoring) -> None:
    """Check every algorithm, on the stack and in the recursion below it, node by node; with search aids, by its value,
    in one of the two: alpha-beta in the one, PVS in the other."""
    depth, searches = depth_for(position, NODES), (interpreted, on_the_stack)
    for number, (name, kind) in enumerate(algorithms().items()):
        if kind.guesses or not is_for(name, game(spec)):
            continue
        ways: list[tuple[dict[str, Any], Any]] = [({}, search) for search in searches]
        for place, aids in enumerate(AIDS if kind.prunes else AIDS[:1]):
            ways.append((aids, searches[(number + place) % 2]))
        for aids, search in ways:
            job = asked(spec, position, algorithm=name, scoring=scoring, limit=Limit(depth), record=10_000, **aids)
            result = search(job)
            assert result.info.value.number == naive.value(position, scoring is Scoring.SOONEST, depth), job
            if not aids:
                again, unit = kind.options.searches_again, prepare(job).unit
                twin = naive.record(position, kind.prunes, scoring is Scoring.SOONEST, depth, again, unit=unit)
                assert result.trace is not None
                assert naive.rows_of(result.trace) == twin, job
                assert result.info.counters == naive.counted(position, twin), job


def check_compiled(spec: str, position: Position) -> None:
    """Check a search with all that a kernel can have: a horizon, a record, a table and, where they prune, orders. The
    other kernels read a game by the same rules and traits."""
    limit = Limit(depth_for(position, NODES))
    way: dict[str, Any] = {"algorithm": "alphabeta", "order": (Order.TABLE, Order.KILLERS, Order.HISTORY)}
    if traits(position).chance:
        way = {"algorithm": "expectiminimax"}
    record = 10_000 if spec not in UNRECORDED else 0
    naive.assert_true(solve(asked(spec, position, limit=limit, record=record, table=0.1, fold=True, **way)))


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=4)
@given(data=st.data())
def test_every_algorithm_is_right_about_any_position_of_any_game(spec: str, data: st.DataObject) -> None:
    position = data.draw(naive.positions(spec))
    check_interpreted(spec, position, data.draw(st.sampled_from(scorings(position))))


@pytest.mark.parametrize("spec", OTHERS)
def test_the_compiled_kernels_are_right_about_games_of_other_rules(spec: str) -> None:
    for number in range(4):
        check_compiled(spec, late(spec, number))


def late(spec: str, seed: int) -> Position:
    """The position some plies before the end of a game in which each side plays its seed-th move."""
    positions = [game(spec).start]
    while not is_over(positions[-1]):
        moves = list(each(legal(positions[-1])))
        positions.append(play(positions[-1], moves[(seed + len(positions)) % len(moves)]))
    return positions[-min(len(positions), 5 + seed)]


def test_a_trait_that_is_not_so_is_found_out() -> None:
    """Connect Four with every empty square as a legal move: the search is wrong, and the check detects it."""
    spec = "connect-four:4,3,3"
    start = game(spec).start
    declared = traits(start)
    check_interpreted(spec, start, Scoring.TEXTBOOK)
    try:
        declare(type(start), declared._replace(free_placement=True), evaluations_of(type(start)))
        with pytest.raises((AssertionError, ValueError)):
            check_several(spec)
    finally:
        declare(type(start), declared, evaluations_of(type(start)))


def check_several(spec: str) -> None:
    for number in range(8):
        check_interpreted(spec, late(spec, number), Scoring.TEXTBOOK)


MISERE = '''
    """Three in a row loses: the side to move has won. """

    from typing import NamedTuple

    from engine.rules import grid
    from engine.rules.bits import count, each, wide
    from engine.rules.board_view import BoardView
    from engine.rules.contract import (
        Evaluation, Game, Traits, declare, is_over, key, legal, move_promise, play, plies_bound, transformed, utility
    )
    from engine.rules.notation import GridNotation

    NAME, ALIASES, SIZES = "misere", (), ()


    class Misere(NamedTuple):
        mine: int
        theirs: int


    LINES = (7, 56, 448, 73, 146, 292, 273, 84)


    @legal.register
    def _legal(position: Misere) -> int:
        """Two words, though one would do."""
        return wide(511 & ~(position.mine | position.theirs), 0)


    @play.register
    def _play(position: Misere, move: int) -> Misere:
        return Misere(position.theirs, position.mine | (1 << move))


    @is_over.register
    def _is_over(position: Misere) -> bool:
        return utility(position) != 0 or position.mine | position.theirs == 511


    @utility.register
    def _utility(position: Misere) -> int:
        for line in LINES:
            if position.theirs & line == line:
                return 2
        return 0


    @plies_bound.register
    def _plies_bound(position: Misere) -> int:
        return 100 + count(511 & ~(position.mine | position.theirs))


    @move_promise.register
    def _move_promise(position: Misere, move: int) -> int:
        return 255 - move


    @key.register
    def _key(position: Misere) -> int:
        return position.mine << 9 | position.theirs


    @transformed.register
    def _transformed(position: Misere, symmetry: int) -> Misere:
        return position


    def _few(position: Misere) -> int:
        return 7 * count(position.theirs)


    declare(Misere, Traits(moves=81, plies=109, widest=9, utility=2), (_few,))


    def game(sizes=""):
        notation = GridNotation(Misere, 3, 3, 3)
        identity = (tuple(range(9)),)
        few = Evaluation("few", "Few", "Few stones.")
        return Game("misere", "Misère", Misere(0, 0), notation, BoardView(3, 3), identity, (few,), "Three lose.")
'''


@pytest.fixture
def misere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A game in a further folder that the registry searches."""
    (tmp_path / "misere.py").write_text(textwrap.dedent(MISERE))
    monkeypatch.setattr(engine.games, "__path__", [*engine.games.__path__, str(tmp_path)])
    monkeypatch.setattr(registry, "games", registry._made_once(registry.games.__wrapped__))
    return "misere"


def test_a_new_game_is_one_file_and_is_searched_rightly(misere: str) -> None:
    """One in which the side to move wins, by 2, sets have a second word, and no bound on the plies is near."""
    position = game(misere).start
    for ply in range(6):
        check_interpreted(misere, position, Scoring.TEXTBOOK)
        check_compiled(misere, position)
        position = play(position, [*each(legal(position))][-1 - ply % 2])
    tapes = {str(types[5]) for types in work.signatures if "Misere" in str(types[1])}
    assert "none" not in tapes, "each search was recorded"
    whole = asked(misere, game(misere).start, algorithm="alphabeta", backend="interpreted")
    assert prepare(whole).search.horizon == MAX_PLIES < plies_bound(game(misere).start)
    found = solve(whole)
    assert found.complete
    assert found.info.value.number == naive.value(game(misere).start) == 0
