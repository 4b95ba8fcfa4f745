"""Ultimate tic-tac-toe against a second implementation of its rules, which shares no code with the first."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.backends import solve
from engine.games.ultimate import ALL, LOW, Ultimate
from engine.job import Job
from engine.kernels.worker_memory import TERMINAL
from engine.measure.perft import perft
from engine.options.catalogue import Limit
from engine.options.choices import Scoring
from engine.play.levels import STRONGEST, exact, question
from engine.play.move_values import look
from engine.registry import game
from engine.result import Result
from engine.rules.bits import each
from engine.rules.board_view import RegionState
from engine.rules.contract import (
    UNIT,
    Position,
    evaluate,
    is_over,
    key,
    legal,
    move_promise,
    play,
    plies_bound,
    plies_to_end,
    traits,
    transformed,
    utility,
)
from tests.engine import naive

GAME = game("ultimate")
NOTATION, START = GAME.notation, GAME.start

a_few_games = settings(max_examples=10)
"""Each has dozens of positions."""

ROWS_OF_THREE = [
    *[[(row, column) for column in range(3)] for row in range(3)],
    *[[(row, column) for row in range(3)] for column in range(3)],
    [(0, 0), (1, 1), (2, 2)],
    [(0, 2), (1, 1), (2, 0)],
]


class Slow:
    """The rules on lists: `cells[row][column]` of the whole board, " ", "x" or "o"."""

    def __init__(self) -> None:
        self.cells = [[" "] * 9 for _ in range(9)]
        self.mover = "x"
        self.sent: tuple[int, int] | None = None

    def small(self, down: int, right: int) -> list[list[str]]:
        return [self.cells[3 * down + row][3 * right : 3 * right + 3] for row in range(3)]

    def state(self, down: int, right: int) -> str:
        """The winner of a small board; "=" where it is drawn, "" where it is open."""
        board = self.small(down, right)
        for stone in "xo":
            if any(all(board[row][column] == stone for row, column in line) for line in ROWS_OF_THREE):
                return stone
        return "" if any(" " in row for row in board) else "="

    def winner(self) -> str:
        for stone in "xo":
            if any(all(self.state(*board) == stone for board in line) for line in ROWS_OF_THREE):
                return stone
        return ""

    def moves(self) -> list[tuple[int, int]]:
        if self.winner():
            return []
        found = []
        for row in range(9):
            for column in range(9):
                board = row // 3, column // 3
                if self.cells[row][column] == " " and self.state(*board) == "" and self.sent in (None, board):
                    found.append((row, column))
        return found

    def play(self, row: int, column: int) -> "Slow":
        after = Slow()
        after.cells = [list(cells) for cells in self.cells]
        after.cells[row][column] = self.mover
        after.mover = "o" if self.mover == "x" else "x"
        target = row % 3, column % 3
        after.sent = None if after.state(*target) else target
        return after

    def perft(self, depth: int) -> int:
        moves = self.moves()
        return len(moves) if depth == 1 else sum(self.play(*move).perft(depth - 1) for move in moves)


@a_few_games
@given(st.data())
def test_every_game_goes_as_by_the_slow_rules(data: st.DataObject) -> None:
    position, slow = START, Slow()
    while not is_over(position):
        moves = slow.moves()
        assert [divmod(move, 9) for move in each(legal(position))] == moves
        assert utility(position) == 0
        move = data.draw(st.sampled_from(moves))
        position, slow = play(position, 9 * move[0] + move[1]), slow.play(*move)
        text = "/".join("".join(row).replace(" ", ".") for row in slow.cells)
        assert NOTATION.format(position).partition(" ")[0] == text
    assert slow.moves() == []
    assert utility(position) == (-1 if slow.winner() else 0)
    winner = NOTATION.players[1 - NOTATION.mover(position)].lower()
    assert slow.winner() in ("", winner)
    for square in NOTATION.winning_line(position):
        assert slow.cells[square // 9][square % 9] == winner
        assert slow.state(square // 27, square % 9 // 3) == winner
    assert bool(NOTATION.winning_line(position)) == bool(slow.winner())


def test_the_tree_has_as_many_paths_as_by_the_slow_rules() -> None:
    """81 first moves; then 9 squares, or 8 where the first move sends to its own board; and so on."""
    assert perft(START, 6) == [1, 81, 720, 6336, 55080, 473256, 4020960]
    assert [Slow().perft(depth) for depth in range(1, 3)] == [81, 720]


@pytest.mark.parametrize("ply", [12, 30, 45])
def test_trees_in_mid_game_have_as_many_paths(ply: int) -> None:
    """In positions with won boards and free choice of a board."""
    position, slow = START, Slow()
    for number in range(ply):
        moves = slow.moves()
        move = moves[number * 7 % len(moves)]
        position, slow = play(position, 9 * move[0] + move[1]), slow.play(*move)
    assert not is_over(position)
    assert perft(position, 3)[1:] == [slow.perft(depth) for depth in range(1, 4)]


@a_few_games
@given(naive.playouts("ultimate"))
def test_plies_run_out_and_traits_hold(positions: list[Position]) -> None:
    assert plies_bound(START) == traits(START).plies == 81
    for before, after in pairwise(positions):
        assert plies_bound(after) < plies_bound(before)
        assert legal(before).bit_count() <= min(plies_bound(before), traits(START).widest)
    for position in positions:
        assert all(0 <= word < 1 << 63 for word in position)


@a_few_games
@given(naive.positions("ultimate"), st.integers(0, 7), st.data())
def test_a_symmetry_commutes_with_every_rule(position: Position, symmetry: int, data: st.DataObject) -> None:
    goes, image = GAME.symmetries[symmetry], transformed(position, symmetry)
    assert transformed(position, 0) == position
    assert {goes[move] for move in each(legal(position))} == set(each(legal(image)))
    assert (is_over(position), utility(position)) == (is_over(image), utility(image))
    assert plies_bound(position) == plies_bound(image)
    for which in range(len(GAME.evaluations)):
        assert evaluate(position, which) == evaluate(image, which)
    for square, other in enumerate(goes):
        assert NOTATION.cells(position)[square] == NOTATION.cells(image)[other]
    if not is_over(position):
        move = data.draw(st.sampled_from(list(each(legal(position)))))
        assert transformed(play(position, move), symmetry) == play(image, goes[move])
        assert move_promise(position, move) == move_promise(image, goes[move])


@a_few_games
@given(naive.playouts("ultimate"))
def test_what_is_written_is_read_back(positions: list[Position]) -> None:
    for position in positions[-3:]:
        assert NOTATION.parse(NOTATION.format(position)) == position
        assert NOTATION.parse(f"  {NOTATION.format(position).upper()} ") == position
    moves = [
        next(move for move in each(legal(before)) if play(before, move) == after)
        for before, after in pairwise(positions)
    ]
    if moves:
        assert NOTATION.parse("".join(NOTATION.move_name(move) for move in moves)) == positions[-1]
        assert NOTATION.parse(" ".join(NOTATION.move_name(move) for move in moves)) == positions[-1]


@a_few_games
@given(naive.positions("ultimate"))
def test_estimates_are_less_than_a_win_and_opposite_for_the_sides(position: Position) -> None:
    mine_low, mine_high, theirs_low, theirs_high, boards = position
    other = Ultimate(theirs_low, theirs_high, mine_low, mine_high, boards)
    for which in range(len(GAME.evaluations)):
        assert abs(evaluate(position, which)) < UNIT
        assert evaluate(position, which) == -evaluate(other, which)


@a_few_games
@given(naive.playouts("ultimate"))
def test_positions_of_a_game_have_keys_of_their_own(positions: list[Position]) -> None:
    assert len({key(position) for position in positions}) == len(positions)
    sent = [position._replace(boards=boards) for position in positions[-1:] for boards in range(ALL + 1)]
    assert len({key(position) for position in sent}) == len(sent)


@a_few_games
@given(naive.positions("ultimate"))
def test_promises_fit_a_byte(position: Position) -> None:
    assert all(0 <= move_promise(position, move) <= 255 for move in each(legal(position)))


def written(board: str = "any", **small: str) -> str:
    """The text of a position, of small boards: `b1` is the first, of nine squares; those not named are empty."""
    cells = [small.get(f"b{number}", "." * 9) for number in range(1, 10)]
    rows = (
        "".join(cells[row // 3 * 3 + column][row % 3 * 3 : row % 3 * 3 + 3] for column in range(3)) for row in range(9)
    )
    return f"{'/'.join(rows)} {board}"


X_WON, O_WON, DRAWN = "xxx......", "ooo......", "xoxxoooxx"


def test_a_winning_move_comes_first_and_a_free_choice_for_them_last() -> None:
    position = NOTATION.parse(
        written("3", b1=X_WON, b2=X_WON, b3="xx.......", b4="oo.......", b5="..o......", b6="o...o....", b9=O_WON)
    )
    promises = {NOTATION.move_name(move): move_promise(position, move) for move in each(legal(position))}
    assert promises["i1"] == max(promises.values()) == 255
    assert utility(play(position, 8)) == -1
    assert min(promises, key=lambda name: promises[name]) == "i3"


def test_who_is_sent_to_a_closed_board_may_choose_any_open_one() -> None:
    position = NOTATION.parse(written("1", b5=X_WON, b9="o...o...."))
    position = play(position, 10)  # the middle of the first board
    assert NOTATION.format(position).endswith(" any")
    assert {square // 27 * 3 + square % 9 // 3 for square in each(legal(position))} == {0, 1, 2, 3, 5, 6, 7, 8}
    assert legal(position).bit_count() == 9 * 8 - 3


def test_the_view_shows_won_drawn_and_active_boards() -> None:
    position = NOTATION.parse(written("9", b1=X_WON, b2=DRAWN, b4=O_WON))
    states = {region.rectangle[:2]: (region.state, region.player) for region in GAME.view.regions(position)}
    assert states == {
        (0, 0): (RegionState.WON, 0),
        (1 / 3, 0): (RegionState.DRAWN, None),
        (0, 1 / 3): (RegionState.WON, 1),
        (2 / 3, 2 / 3): (RegionState.ACTIVE, None),
    }
    weights = [line.weight for line in GAME.view.lines]
    assert len(weights) == 16
    assert [place for place, weight in enumerate(weights) if weight > 1] == [2, 5, 10, 13]


def test_a_drawn_board_is_in_nobodys_row() -> None:
    position = NOTATION.parse(written(b1=X_WON, b2=DRAWN, b3=X_WON, b4="oo.o.o.oo"))
    assert not is_over(position)
    assert NOTATION.winning_line(position) == ()


def test_a_row_of_boards_is_struck_through() -> None:
    won = NOTATION.parse(
        "xxxxxxxxx/......o../........./o.....o../........./o..oo..../o....o.../........./......... any"
    )
    assert is_over(won)
    assert won.boards == 0
    assert NOTATION.parse(NOTATION.format(won).replace("any", "9")) == won
    assert utility(won) == -1
    assert NOTATION.winning_line(won) == tuple(range(9))
    assert GAME.view.regions(won)[0].state is RegionState.WON
    assert not [region for region in GAME.view.regions(won) if region.state is RegionState.ACTIVE]
    (stroke,) = GAME.view.strokes(won, NOTATION.winning_line(won))
    assert stroke[:4] == pytest.approx((1 / 6, 1 / 6, 5 / 6, 1 / 6))


EMPTY_ROWS = "/........." * 8


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a board of 9 × 9"),
        ("...", "a board of 9 × 9"),
        (f"z........{EMPTY_ROWS}", "contains 'z'"),
        (f"xx.......{EMPTY_ROWS}", "2 x and 0 o"),
        (f"x........{EMPTY_ROWS} 10", "'10' is no small board"),
        (f"x........{EMPTY_ROWS} e", "'e' is no small board"),
        (f"x........{EMPTY_ROWS} 2", "sends to board 2"),
        (f"xxx.oo...{EMPTY_ROWS} 1", "Board 1 is won or full"),
        (written(b1="xxxooo..."), "the first line on board 1 closes it"),
        (written(b1="xxx...xxx", b2="oo.o.o.oo"), "the first line on board 1 closes it"),
        (written(b1=X_WON, b2=X_WON, b3=X_WON, b4=O_WON, b5=O_WON, b6=O_WON), "the game was won before"),
        (written(b1=X_WON, b2=X_WON, b3=X_WON, b4="oo.o.o.oo", b5=O_WON), "the game was won before"),
        (
            written(
                **dict.fromkeys(("b1", "b2", "b3", "b7", "b8", "b9"), X_WON),
                b4="oo.o.o.oo",
                b5="oo.o.o.oo",
                b6="oo.o.o.o.",
            ),
            "the game was won before",
        ),
        ("e5a1", "Move 2, a1, is not legal for O"),
        ("e5e5", "Move 2, e5, is not legal for O"),
    ],
)
def test_what_is_no_position_is_refused_with_one_sentence(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as refused:
        NOTATION.parse(text)
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


def test_a_move_after_the_end_is_refused() -> None:
    position = NOTATION.parse(
        "xxxxxxxxx/......o../........./o.....o../........./o..oo..../o....o.../........./......... any"
    )
    with pytest.raises(ValueError, match=r"Move 18, a9, comes after the end of the game\."):
        NOTATION.followed(position, 72, 18)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["ultimate", "Ultimate tic-tac-toe", "UTTT"])
def test_it_goes_by_its_names(name: str) -> None:
    assert game(name) is GAME


def test_the_words_are_drawn_as_the_file_says() -> None:
    position = play(START, 80)
    assert position.theirs_high == 1 << 80 - LOW
    assert position.boards == 1 << 8


LATE = {
    ".....xo../xxxooo.o./..x....oo/oo.oxo..x/..x..oxxo/xx.x.xxox/xxx.xooxx/..o.o.o.o/oxoox.o.. any": "c6",
    "..ooxx.o./.oox.xo.x/oox.o.xxx/x.xx.oxoo/oxooxxoo./xx..o.xxx/x..ooxx.o/xoxox.o.o/ooox.x..o any": "f6",
    "x...o.xxx/ooo.oxxox/xo.oxxo../oo.xxo.xx/xxo..o.x./x.oxox.xo/xo.o..oxo/xooo..xxo/x.oo.xo.x 2": "d2",
    "..xoxxo.o/xoxxoxxxx/..x...oo./oooooxo../ox.x.o.o./xooxxx..o/oxxx.xo.o/x.oxoxoxx/oxxoox.o. 9": "i9",
}
"""Positions near the end, and the move that wins soonest, or loses latest. Another move closes more boards, and so
leaves fewer plies at most."""


def interpreted(job: Job) -> Result:
    """The result without the compiler: the trees are small."""
    return solve(replace(job, backend="interpreted"))


@pytest.mark.parametrize("text", LATE)
def test_the_soonest_win_is_best_however_many_boards_are_closed(text: str) -> None:
    position = NOTATION.parse(text)
    *_, found = look(Job(game="ultimate", position=text), interpreted)
    values = {move: known.value.number for move, known in found.moves.items()}
    assert values == naive.move_values(position, soonest=True)
    assert NOTATION.move_name(max(values, key=lambda move: values[move])) == LATE[text]
    recorded = Job(game="ultimate", position=text, record=1)
    for job in (recorded, Job(game="ultimate", position=text, algorithm="alphabeta")):
        searched = exact(interpreted(question(STRONGEST, job)), interpreted)
        assert searched is not None
        assert {move.move: move.value.number for move in searched.root_moves} == values


@pytest.mark.parametrize("depth", [None, 1, 3, 5])
@pytest.mark.parametrize("text", LATE)
def test_every_row_of_a_record_tells_the_plies_to_the_end(text: str, depth: int | None) -> None:
    """Also where an estimate is a part of a win."""
    job = Job(game="ultimate", position=text, scoring=Scoring.SOONEST, limit=Limit(depth), record=100_000)
    trace = interpreted(job).trace
    assert trace is not None
    told = 0
    for row in range(0, len(trace), max(1, len(trace) // 100)):
        position, line = NOTATION.parse(text), trace.moves(row)
        for move in line:
            position = play(position, move)
        value = trace.path_nodes(row)[-1].best.number
        if trace.why(row) == TERMINAL:
            continue
        assert value == naive.value(position, True, (depth or naive.NO_HORIZON) - len(line), len(line))
        if value is not None and abs(value) >= 1:
            alone = naive.value(position, True, (depth or naive.NO_HORIZON) - len(line))
            assert plies_to_end(value, len(line)) == plies_to_end(alone)
            told += 1
    assert told or depth is not None
