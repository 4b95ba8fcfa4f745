"""A game as text: every saved game can be read, and any other text is refused with a sentence."""

import tomllib
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import registry
from engine.options.catalogue import Limit
from engine.options.choices import Order, Scoring
from engine.play.game_file import (
    MAX_CHARACTERS,
    SavedError,
    SavedEvaluation,
    SavedGame,
    SavedSearch,
    _table,
    from_text,
    read_line,
    to_text,
)
from engine.play.levels import LEVELS
from engine.play.variations import Variations
from engine.result import INFINITY, Bound, End, Value
from engine.rules.bits import each
from engine.rules.contract import Position, is_over, legal, play

SPECS = ("tictactoe", "mnk:4,3,3", "mnk:7,6,4", "mnk:8,8,5", "mnk:1,30,3")
HEAD = 'plyscope = 1\n[game]\nrules = "tictactoe"\n'
ESTIMATE = (
    '[[evaluation]]\nposition = ".../.../..."\nalgorithm = "alphabeta"\nscoring = "textbook"\nend = "horizon"\n'
    'value = 1.25\nbest = "a1"\nnodes = 3012\n'
)


@st.composite
def saved_games(draw: st.DrawFn) -> SavedGame:
    """Any game, from its usual start or a later one, with variations, moves taken back and some evaluations."""
    game = registry.game(draw(st.sampled_from(SPECS)))
    choices = st.integers(0, 63)
    start, _ = _walk(game.start, draw(st.lists(choices, max_size=5)))
    positions, moves = _walk(start[-1], draw(st.lists(choices, max_size=64)))
    others = draw(st.lists(st.lists(choices, max_size=64), max_size=4))
    variations = Variations.of([*(_walk(start[-1], other)[1] for other in others), moves])
    moves = variations.line_through(moves)
    values = st.integers(-INFINITY, INFINITY).map(Value) | st.builds(
        Value, st.integers(0, 0) | st.floats(-0.99, 0.99), st.just(Bound.EXACT), st.just(True)
    )
    found = {position: draw(values) for position in positions}
    known = tuple(
        SavedEvaluation(
            game.notation.format(position),
            draw(st.sampled_from(tuple(registry.algorithms()))),
            draw(st.sampled_from(Scoring)),
            draw(st.sampled_from(End)),
            found[position].number,
            draw(st.integers(0, 2**62)),
            game.notation.move_name(move),
            is_estimate=found[position].is_estimate,
        )
        for position, move in zip(positions, moves, strict=False)
        if draw(st.booleans())
    )
    limit = Limit(
        draw(st.none() | st.integers(1, 64)),
        draw(st.none() | st.integers(1, 2_000_000_000)),
        draw(st.none() | st.floats(0, 86_400, exclude_min=True)),
    )
    return SavedGame(
        game,
        start[-1],
        moves,
        draw(st.integers(0, len(moves))),
        draw(st.frozensets(st.sampled_from((0, 1)))),
        draw(st.sampled_from(tuple(LEVELS.values()))),
        draw(st.none() | st.integers(0, 2**62)),
        SavedSearch(
            algorithm=draw(st.sampled_from(tuple(registry.algorithms()))),
            scoring=draw(st.sampled_from(Scoring)),
            limit=limit,
            order=tuple(draw(st.lists(st.sampled_from(Order), max_size=3))),
            table=draw(st.sampled_from((0.0, 0.5, 1024.0))),
            aspiration=draw(st.none() | st.floats(0.25, 64)),
            evaluate=draw(st.booleans()),
        ),
        known,
        variations,
    )


@given(saved_games())
@settings(max_examples=60, deadline=None)
def test_every_game_is_read_back_as_it_was(saved: SavedGame) -> None:
    assert from_text(to_text(saved)) == saved


def test_an_estimate_of_a_margin_may_be_more_than_1() -> None:
    """Of Othello by discs, where a win may be as large as the board."""
    game = registry.game("othello:8,discs")
    start = game.notation.format(game.start)
    known = SavedEvaluation(
        start, "alphabeta", Scoring.TEXTBOOK, End.HORIZON, 1.76, nodes=3012, best="e6", is_estimate=True
    )
    saved = SavedGame(game, game.start, (), 0, evaluations=(known,))
    assert from_text(to_text(saved)).evaluations == (known,)


@pytest.mark.parametrize(
    ("form", "line", "is_estimate"), [(4, "", True), (5, "", False), (5, "estimate = true\n", True)]
)
def test_what_is_an_estimate_is_said_and_not_seen_by_a_point(form: int, line: str, is_estimate: bool) -> None:
    """Before version 5 it was seen by the point: an estimate of 0 was taken for an exact value."""
    text = HEAD.replace("1", f"{form}", 1) + (
        '[[evaluation]]\nposition = "x../.../..."\nalgorithm = "minimax"\nscoring = "textbook"\nend = "horizon"\n'
        f'value = 0.0\nbest = "b2"\nnodes = 9\n{line}'
    )
    (known,) = from_text(text).evaluations
    assert known.found == Value(0.0, is_estimate=is_estimate)
    again = to_text(from_text(text))
    assert "plyscope = 5\n" in again, "an older program does not misread it"
    assert from_text(again).evaluations == (known,)


@given(saved_games(), st.data())
@settings(max_examples=40, deadline=None)
def test_a_damaged_text_is_a_game_or_a_sentence_and_never_an_accident(saved: SavedGame, data: st.DataObject) -> None:
    """A damaged text that is accepted can be written and read again."""
    text = to_text(saved)
    start, end = sorted((data.draw(st.integers(0, len(text))), data.draw(st.integers(0, len(text)))))
    try:
        found = from_text(text[:start] + data.draw(PIECES) + text[end:])
    except SavedError as refused:
        sentence = str(refused)
    else:
        sentence = ""
        assert from_text(to_text(found).encode().decode()) == found
    assert "\n" not in sentence


PIECES = st.text(st.characters(), max_size=6) | st.sampled_from(
    ["9" * 5_000, "0x" + "f" * 5_000, "nan", "-inf", "[" * 50_000, "{a=" * 50_000, "a." * 40_000, "\ud800", "\\u007f"]
)
"""A few characters, or some that are difficult for parsers."""


@pytest.mark.parametrize(
    "field",
    [
        "[computer]\nseed = {}",
        "[search]\nlimit.depth = {}",
        "[search]\nlimit.nodes = {}",
        "[search]\nlimit.seconds = {}",
        '[[evaluation]]\nposition = "x../.../..."\nalgorithm = "minimax"\nscoring = "textbook"\nend = "complete"\n'
        'value = 0\nbest = "b2"\nnodes = {}',
    ],
)
@pytest.mark.parametrize("number", ["9" * 5_000, "0x" + "f" * 5_000, f"{2**63}", "nan"])
def test_a_number_that_nothing_holds_is_refused(field: str, number: str) -> None:
    with pytest.raises(SavedError) as refused:
        from_text(HEAD + field.format(number))
    assert len(str(refused.value)) < 200


def test_a_byte_order_mark_before_a_game_is_passed_over() -> None:
    """Some editors write one."""
    assert from_text("\ufeff" + HEAD) == from_text(HEAD)


def test_every_character_of_a_text_is_read_back() -> None:
    """TOML takes DEL only escaped."""
    every = "".join(map(chr, (*range(0xD800), *range(0xE000, 0x11000))))
    assert tomllib.loads("\n".join(_table("[a]", {"text": every})))["a"]["text"] == every


def test_a_person_can_read_it_and_write_the_least() -> None:
    game = registry.game("tictactoe")
    found = SavedEvaluation("x../.../...", "minimax", Scoring.TEXTBOOK, End.COMPLETE, 0, "b2", 59_705)
    limit = Limit(depth=4)
    saved = SavedGame(
        game, game.start, (0, 4, 8), 2, frozenset({1}), search=SavedSearch(limit=limit), evaluations=(found,)
    )
    text = to_text(saved)
    for line in ('rules = "tictactoe"', 'moves = "a1 b2"', 'undone = "c3"', 'O = "computer"', "limit.depth = 4"):
        assert f"\n{line}\n" in text
    least = from_text(f'{HEAD}moves = "a1\tb2"')
    assert (least.start, least.moves, least.shown, least.computer) == (game.start, (0, 4), 2, frozenset())


def test_variations_are_lines_from_the_start_with_the_main_one_first() -> None:
    text = f'{HEAD}moves = "a1"\nundone = "b2"\nlines = ["a1 b1 c3", "a1 b2 c3"]\n'
    saved = from_text(text)
    assert saved.variations.lines == ((0, 1, 8), (0, 4, 8))
    assert (saved.moves, saved.shown) == ((0, 4, 8), 1), "the line at hand goes on as far as it is known"
    assert to_text(saved).count("a1 b1 c3") == 1
    assert "plyscope = 2\n" in to_text(saved), "an older program says that it cannot read variations"
    plain = to_text(from_text(f'{HEAD}moves = "a1"'))
    assert "plyscope = 1\n" in plain, "it reads what has none"
    assert "lines" not in plain


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize(
    ("scoring", "value", "today"),
    [
        ("soonest", 5, 99),  # a win in a ply, with five squares empty
        ("soonest", -2, -96),
        ("soonest", 0, 0),
        ("soonest", -0.25, -0.25),
        ("textbook", 1, 1),
    ],
)
def test_scores_of_older_games_are_counted_from_the_root(
    version: int, scoring: str, value: float, today: float
) -> None:
    known = f'''[[evaluation]]
        position = "xx./oo./..."
        algorithm = "minimax"
        scoring = "{scoring}"
        end = "complete"
        value = {value}
        best = "c1"
        nodes = 9'''
    saved = from_text(HEAD.replace("1", f"{version}", 1) + known)
    assert saved.evaluations[0].value == today
    assert from_text(to_text(saved)) == saved
    newest = 5 if isinstance(value, float) else 3 if scoring == "soonest" else 1
    assert f"plyscope = {newest}\n" in to_text(saved), "an older program does not misread it"


def test_a_game_with_thousands_of_evaluations_is_read_back() -> None:
    game = registry.game("mnk:8,8,8")
    lines = [(*range(ply), *range(ply + 1, 50)) for ply in range(50)]
    position = game.notation.format(game.start)
    found = SavedEvaluation(position, "alphabeta", Scoring.SOONEST, End.COMPLETE, 0, 2**62, "a1")
    variations = Variations.of(lines)
    saved = SavedGame(game, game.start, variations.lines[0], 3, evaluations=(found,) * 2000, variations=variations)
    assert from_text(to_text(saved)) == saved


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "This is not a Plyscope game"),
        ("once upon a time", "is damaged: Expected '='"),
        ("a = " + "[" * 50_000, "nested too deeply"),
        ("#" * (MAX_CHARACTERS + 1), "too long"),
        ("plyscope = 6\nmoves = 7", r"format 6; this version reads 5"),
        ("plyscope = 0x" + "f" * 5_000, "does not begin with plyscope = 1"),
        ("plyscope = " + "9" * 5_000, "holds a number that is too long"),
        (f"{HEAD}# \ud800", "holds half a character"),
        ("plyscope = 1", "game is missing"),
        ('plyscope = 1\n[game]\nrules = "go"', "There is no game 'go': choose "),
        (f'{HEAD}moves = "a1 a1"', "Move 2 of the game, 'a1', cannot be played"),
        (f'{HEAD}moves = "a1 a2 b1 b2 c1"\nundone = "c2"', "Move 6 of the game, 'c2', cannot be played"),
        (f'{HEAD}lines = ["a1 b2", "a1 a1"]', "Line 2: Move 2 of the game, 'a1', cannot be played"),
        (f'{HEAD}start = "xx./.../..."', "The position is impossible: 2 x and 0 o"),
        (f'{HEAD}mvoes = "a1"', "there is no field game.mvoes"),
        (f"{HEAD}moves = 3", "game.moves must be text"),
        (f'{HEAD}[players]\nZ = "person"', "There is no player 'Z': the players are X and O"),
        (f'{HEAD}[computer]\nlevel = "Genius"', "There is no level 'Genius': choose Beginner"),
        (f'{HEAD}[search]\nalgorithm = "guess"', "There is no algorithm 'guess'"),
        (f"{HEAD}[search]\nlimit.depth = 0", "search.limit.depth must be a whole number, at least 1"),
        (f"{HEAD}[search]\nlimit.dpeth = 3", "There is no limit 'dpeth'"),
        (f"{HEAD}[search]\nworkers = 2", "has no search option 'workers'"),
        (f'{HEAD}[search]\norder = ["sideways"]', "search.order must be one of natural"),
        (f'{HEAD}[search]\nevaluation = "guess"', "There is no evaluation 'guess': choose "),
        (f"{HEAD}{ESTIMATE}", "1.25 is no estimate"),
        (f"{HEAD}[search]\nlimit.seconds = inf", "must be at most 86,400"),
    ],
)
def test_what_is_no_game_is_refused_with_the_reason(text: str, sentence: str) -> None:
    with pytest.raises(SavedError, match=sentence):
        from_text(text)


def _walk(position: Position, choices: Iterable[int]) -> tuple[list[Position], tuple[int, ...]]:
    """A game of these choices among the moves: its positions, and the moves."""
    positions, moves = [position], []
    for choice in choices:
        if is_over(positions[-1]):
            break
        possible = tuple(each(legal(positions[-1])))
        moves.append(possible[choice % len(possible)])
        positions.append(play(positions[-1], moves[-1]))
    return positions, tuple(moves)


def test_names_are_read_as_people_write_them_and_kept_as_they_are() -> None:
    found = from_text(
        'plyscope = 1\n[game]\nrules = "7x7, 5"\n[search]\nalgorithm = "MTD(f)"\n[computer]\nlevel = "CLUB"\n'
    )
    assert (found.game.spec, found.search.algorithm, found.level.name) == ("mnk:7,7,5", "mtdf", "Club")


def test_a_move_is_read_by_its_own_name_before_that_in_other_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    """The names of a further game may differ in these alone."""
    game = registry.game("tictactoe")
    monkeypatch.setattr(type(game.notation), "move_name", lambda _, move: "aAbcdefgh"[move])
    assert read_line(game, game.start, ["a", "A", "B"]) == (0, 1, 2)
    assert read_line(game, game.start, ["A", "a"]) == (1, 0)
