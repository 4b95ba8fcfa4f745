"""Games and algorithms are found by their files, and what is not there is refused with the choices."""

from pathlib import Path
from typing import Any

import pytest

import engine.games
import engine.search
from engine.job import Job, JobError
from engine.kernels.contract import advance
from engine.prepare import prepare
from engine.registry import algorithm, algorithms, backend, examples, game, game_on, games, offered
from engine.rules.contract import RULES, Game, to_move, traits, weight, won
from tests.engine.naive import EMPTY


def files(package: Any) -> set[str]:
    return {file.stem for file in Path(package.__path__[0]).glob("*.py")} - {"__init__"}


def test_every_file_is_a_game() -> None:
    assert {module.__name__.rpartition(".")[2] for module in games().values()} == files(engine.games)
    assert all(
        isinstance(game(spec), Game) and game(spec).spec == spec for specs in offered().values() for spec in specs
    )


def test_every_file_is_an_algorithm_simplest_first() -> None:
    assert set(algorithms()) == files(engine.search)
    ranks = [found.rank for found in algorithms().values()]
    assert ranks == sorted(set(ranks))


@pytest.mark.parametrize("spec", examples())
def test_a_game_gives_every_rule(spec: str) -> None:
    start = game(spec).start
    known = traits(start)
    only_where = {won: known.free_placement, to_move: not known.alternates, weight: known.chance}
    needed = {rule for rule in RULES if only_where.get(rule, True)}
    assert all(rule.dispatch(type(start)) is not rule.dispatch(object) for rule in needed)


@pytest.mark.parametrize("name", algorithms())
def test_an_algorithm_has_a_kernel(name: str) -> None:
    search = algorithm(name).options(*prepare(Job(position=EMPTY)).search)
    assert advance.dispatch(type(search)) is not advance.dispatch(object)


def test_a_game_is_named_by_its_spec() -> None:
    for spec in ("tictactoe", "mnk:4,4,4", "mnk:64,1,3"):
        assert game(spec).spec == spec
        assert game(spec) is game(spec)


@pytest.mark.parametrize(
    ("written", "spec"),
    [
        *((name, "tictactoe") for name in ("tic-tac-toe", "Tic Tac Toe", "TICTACTOE", "Noughts and crosses", "3,3,3")),
        *((size, "mnk:7,7,5") for size in ("7,7,5", "7x7,5", "7 × 7, 5 in a row", "7 7 5", "(7,7,5)", "7*7*5")),
        *((name, "connect6:8,8") for name in ("connect6", "Connect 6", "connect six", "Connect6 8x8", "connect6(8,8)")),
        *((name, "connect6:6,6,5") for name in ("connect 6 6,6,5", "Connect6: 6 × 6, 5 in a row", "connect6:06,6,5")),
        *((name, "mnk:7,7,5") for name in ("mnk 7,7,5", "MNK:7,7,5", "m,n,k 7,7,5", "mnk: 07, 7, 5", "mnk(7,7,5)")),
    ],
)
def test_a_game_is_found_as_people_write_it(written: str, spec: str) -> None:
    assert game(written) == game(spec)
    assert prepare(Job(game=written, position=game(spec).notation.format(game(spec).start))).job.game == spec


def test_every_title_is_read_as_the_name_it_is() -> None:
    for spec in (spec for specs in offered().values() for spec in specs):
        assert game(game(spec).title) == game(spec)
    for found in algorithms().values():
        assert algorithm(found.title) is found


@pytest.mark.parametrize(
    ("written", "name"),
    [
        *((name, "alphabeta") for name in ("alpha-beta", "alpha_beta", "AlphaBeta", "Alpha Beta", "α-β")),
        *((name, "mtdf") for name in ("MTD(f)", "mtd-f", "MTD")),
        *((name, "pvs") for name in ("PVS", "principal variation search", "NegaScout")),
        *((name, "minimax") for name in ("MiniMax", "min-max")),
    ],
)
def test_an_algorithm_is_found_as_people_write_it(written: str, name: str) -> None:
    assert algorithm(written).name == name
    assert prepare(Job(position=EMPTY, algorithm=written)).job.algorithm == name, "what is recorded is canonical"


def test_a_backend_is_found_as_people_write_it() -> None:
    assert [backend(name) for name in ("Serial", "threads", "MPI")] == ["serial", "threads", "mpi"]


@pytest.mark.parametrize(
    ("columns", "rows", "spec"),
    [
        (3, 3, "tictactoe"),
        *((4, rows, f"mnk:4,{rows},{k}") for rows, k in ((2, 3), (3, 3), (4, 4), (16, 4))),
        *((7, rows, f"mnk:7,{rows},{k}") for rows, k in ((6, 4), (7, 5), (9, 5))),
        *((columns, 1, f"mnk:{columns},1,{k}") for columns, k in ((1, 1), (2, 2), (9, 3))),
    ],
)
def test_a_board_has_a_usual_game(columns: int, rows: int, spec: str) -> None:
    assert game_on(columns, rows).spec == spec


GAMES, ALL = examples(), [*algorithms()]
NO_SIZE = "A size is COLUMNS,ROWS,K, with K in a row to win: write 7,7,5, for example."


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"algorithm": "alphabta"}, "There is no algorithm 'alphabta': did you mean alphabeta?"),
        ({"algorithm": "Mini Mex"}, "There is no algorithm 'Mini Mex': did you mean minimax?"),
        ({"game": "tictacto"}, "There is no game 'tictacto': did you mean tictactoe?"),
        *(({"game": size}, NO_SIZE) for size in ("-3,3,3", "3,-3,3", "mnk:-3,3,3", "3-3-3")),
        ({"game": "?"}, f"There is no game '?': choose {', '.join(GAMES[:-1])} or {GAMES[-1]}."),
        ({"game": "4x4"}, "How many in a row win on 4 × 4? Write 4,4,4, for example."),
        ({"backend": "thread"}, "There is no backend 'thread': did you mean threads?"),
        ({"game": "chess"}, f"There is no game 'chess': choose {', '.join(GAMES[:-1])} or {GAMES[-1]}."),
        (
            {"algorithm": "guess"},
            "There is no algorithm 'guess': choose minimax, alphabeta, pvs, mtdf or expectiminimax.",
        ),
        ({"backend": "cloud"}, "There is no backend 'cloud': choose serial, threads, mpi or interpreted."),
        ({"workers": 0}, "The search cannot run: workers must be a whole number from 1 to 1,024."),
    ],
    ids=str,
)
def test_what_is_not_there_is_refused_with_the_choices(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(JobError) as refused:
        prepare(Job(**({"position": EMPTY} | fields)))
    assert str(refused.value) == reason
