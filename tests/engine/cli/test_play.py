"""A game in the terminal: input, answers, and ways to leave."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import main
from engine import cli
from engine.cli import play as module
from engine.play.levels import LEVELS, Choice

X_MOVES, O_MOVES = 9, 10
"""What the coin gives on 3 x 3 squares."""
EVERY_SQUARE = [f"{column}{row}" for row in (1, 2, 3) for column in "abc"]

Typed = Callable[..., str]


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typed:
    """A function that types lines into `plyscope play` and closes its input; returns the printed text."""

    def run(*lines: str, options: str = "") -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        assert cli.run(["play", *options.split()]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return out

    return run


def answers(out: str) -> list[str]:
    return re.findall(r"[XO] plays (\w+) ·", out)


def test_the_computer_answers_with_its_counters(typed: Typed) -> None:
    out = typed("a1")
    assert re.search(r"O plays b2 · [\d,]+ nodes · [\d.]+ \S+ · a draw$", out, re.MULTILINE)
    assert "2 . O ." in out


def test_perfect_is_not_beaten_and_the_end_is_explained(typed: Typed) -> None:
    out = typed(*EVERY_SQUARE, *EVERY_SQUARE)
    assert "X wins." not in out
    assert "O wins." in out
    assert re.search(r"X's \d\w\w move, \w\d, lost the game: \w\d would have drawn\.", out)


def test_a_game_of_two_people(typed: Typed) -> None:
    out = typed("a1", "b1", "b2", "c1", "c3", options="--side both")
    assert answers(out) == []
    assert "X wins." in out
    assert "O's 1st move, b1, lost the game: b2 would have drawn." in out


def test_of_two_stones_a_turn_the_second_is_asked_for(typed: Typed) -> None:
    out = typed("b2", "c2", "undo", "c2", "a1", options="--game connect6:4,4,4 --side both")
    asked = re.findall(r"^(\w to move(?: again)?): \w", out, re.MULTILINE)
    assert asked == ["X to move", "O to move", "O to move again", "O to move", "O to move again"]
    assert out.rstrip().endswith("X to move:")


def test_a_disc_falls_into_its_column(typed: Typed) -> None:
    out = typed("d", "4", "d", "d4", "e", "z", options="--game connect-four --side both")
    assert "2 . . . Y . . ." in out
    assert "There is no move or command '4': type a square such as" in out
    assert "d4 is no legal move: choose one such as" in out
    assert "There is no move or command 'z'" in out


@pytest.mark.parametrize(("side", "first"), [("yellow", "Red plays"), ("second", "Red plays"), ("red", "Red to move")])
def test_a_side_is_named_as_the_game_names_it(typed: Typed, side: str, first: str) -> None:
    out = typed(options=f"--game connect-four --level beginner --backend interpreted --side {side}")
    assert first in out.partition("Yellow")[0]


def test_between_two_people_there_is_no_level(typed: Typed, capsys: pytest.CaptureFixture[str]) -> None:
    out = typed("help", options="--side both")
    assert "undo" in out
    assert "level" not in out
    assert cli.run(["play", "--side", "both", "--level", "casual"]) == 2
    assert capsys.readouterr().err.startswith("--level has no effect without a side that the computer plays")


def test_the_computer_plays_both_sides_to_the_end(typed: Typed) -> None:
    out = typed("new", "quit", options="--side neither --level casual --seed 4")
    games = out.split("new or quit?")
    assert all(re.search(r"[XO] wins\.|A draw\.", game) for game in games[:2])
    assert answers(games[0]) != answers(games[1]), "another game has another seed"


def test_who_only_watches_is_offered_no_move_and_nothing_to_take_back(typed: Typed) -> None:
    out = typed("help", "undo", "hint", "quit", options="--side neither --level casual --seed 4")
    after = out.partition("new or quit?")[2]
    assert "The computer moves for both sides. The commands after a game:\n  level NAME" in after
    assert after.count("The game is over: type new for another one.") == 2
    assert "take" not in after


def test_what_is_taken_back_and_played_again_is_answered_as_before(typed: Typed) -> None:
    out = typed("a1", "undo", "a1", "undo", "a1", options="--level beginner --seed 1")
    first, *others = answers(out)
    assert others == [first, first]
    assert "is taken" not in out, "what a person played is taken back along with the answer"


def test_a_seed_is_a_game(typed: Typed) -> None:
    games = [answers(typed(*EVERY_SQUARE, options="--level beginner --seed 5")) for _ in range(2)]
    assert games[0] == games[1] != []


def test_a_chosen_mistake_is_told_after_the_game_and_not_before(typed: Typed) -> None:
    outs = [typed(*EVERY_SQUARE, "quit", options=f"--level casual --seed {seed}") for seed in range(8)]
    told = [out for out in outs if "a casual player" in out]
    assert told
    for out in told:
        before, _, after = re.split(r"([XO] wins\.|A draw\.)", out)[:3]
        assert "casual player" not in before
        assert "casual player" in after


def test_a_game_scored_by_its_margin_says_the_margin(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the value of an answer, and of the end: 11 discs and 2 empty squares against 3."""
    out = typed("b1", options="--game othello:4,discs --backend interpreted")
    assert re.search(r"White plays a1 · .* · White wins by 10$", out, re.MULTILINE)
    monkeypatch.setattr(module, "review", lambda *_: None)
    moves = ["b1", "a1", "a2", "c1", "d4", "a3", "d1", "b4", "a4", "c4"]
    assert "White wins by 10." in typed(*moves, options="--game othello:4,discs --side both")
    assert "White wins." in typed(*moves, options="--game othello:4 --side both")


@pytest.mark.parametrize(
    ("coin", "lines"),
    [
        ((O_MOVES, X_MOVES, X_MOVES, X_MOVES, X_MOVES), ("new", "b2", "a1", "c3")),
        ((X_MOVES, O_MOVES, X_MOVES, X_MOVES, X_MOVES), ("a1", "undo", "a1", "b2", "c3")),
    ],
    ids=["new", "undo"],
)
def test_a_choice_that_is_gone_is_no_mistake_of_a_person(
    coin: tuple[int, ...], lines: tuple[str, ...], typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person makes the computer's move, on its ply."""
    falls = iter(coin)
    monkeypatch.setattr(module, "thrown", lambda *_: next(falls))
    monkeypatch.setattr(module, "answer", lambda *_: Choice(LEVELS["Beginner"], move=4, best=0))
    out = typed(*lines, options="--game random-turn:3,3,3 --level beginner --backend interpreted")
    assert answers(out) == ["b2"]
    assert "X wins." in out
    assert "on purpose" not in out


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("d4", "There is no move or command 'd4': type a square such as b1, or help."),
        ("a1", "a1 is taken: choose a free square such as b1."),
        ("level easy", "There is no level 'easy': choose Beginner, Casual, Club, Strong or Strongest."),
        ("[red]", "There is no move or command '[red]': type a square such as b1, or help."),
    ],
)
def test_bad_input_gets_one_sentence_and_loses_nothing(typed: Typed, line: str, sentence: str) -> None:
    out = typed("a1", line, "hint", options="--seed 1")
    *_, answer, hint = (said.strip() for said in out.split("X to move: ") if said.strip())
    assert " ".join(answer.removeprefix(line).split()) == sentence
    assert "best: a draw." in hint


def test_nothing_can_be_taken_back_before_the_first_move(typed: Typed) -> None:
    assert "There is no move of yours to take back." in typed("undo")
    assert "There is no move of yours to take back." in typed("undo", options="--side o")


def test_a_finished_game_takes_no_move_but_can_be_taken_back(typed: Typed) -> None:
    out = typed("a1", "b1", "b2", "c1", "c3", "a2", "hint", "undo", "a3", options="--side both")
    assert "The game is over: type new for another one, or undo to take a move back." in out
    assert out.count("O to move: a3") == 0
    assert "X to move: a3" in out


def test_help_and_levels(typed: Typed) -> None:
    out = typed("help", "level", "level club", "")
    for word in ("undo", "hint", "level NAME", "new", "quit", "Ctrl+D"):
        assert word in out
    assert "The computer plays at level Strongest, of Beginner, Casual, Club, Strong, Strongest." in " ".join(
        out.split()
    )
    assert "The computer plays at level Club." in out


def test_piped_there_are_no_colours_and_no_trailing_blanks(typed: Typed) -> None:
    out = typed("a1", "quit")
    assert "\x1b" not in out
    assert not any(line != line.rstrip() for line in out.splitlines())


def test_ctrl_c_leaves_without_a_word(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted() -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    assert cli.run(["play"]) == 130
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("--level easy", "There is no level 'easy'"),
        ("--game go", "There is no game 'go'"),
        ("--algorithm guess", "There is no algorithm 'guess'"),
        ("--backend cloud", "There is no backend 'cloud'"),
        ("--side z", "There is no side 'z'"),
        ("--game random-turn --algorithm minimax", "Minimax takes no averages"),
    ],
)
def test_what_does_not_exist_is_refused(line: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["play", *line.split()]) == 2
    out, err = capsys.readouterr()
    assert (out, err.startswith(sentence), err.count("\n")) == ("", True, 1)


def test_a_shell_that_asks_for_completion_is_answered_and_no_window_opens() -> None:
    asked = {"_PLYSCOPE_COMPLETE": "complete_bash", "COMP_WORDS": "plyscope pl", "COMP_CWORD": "1"}
    ended = subprocess.run(
        [sys.executable, str(Path(main.__file__))], env=os.environ | asked, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout.split(), ended.stderr) == (0, ["play"], "")
