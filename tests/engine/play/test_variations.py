"""The tree of a game's moves: nothing is lost, lines that begin alike stand together, and the main line is the first.

A line is written here as the letters of its moves.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.play.variations import Line, Variations

LINES = st.lists(st.lists(st.integers(0, 3), max_size=5).map(tuple), max_size=8)


def tree(*lines: str) -> Variations:
    return Variations(tuple(map(path, lines)))


def path(letters: str) -> Line:
    return tuple(map(ord, letters))


def written(variations: Variations) -> str:
    """The notation of variations: "ab(cd)e"."""
    return "".join("(" * node.begins + chr(node.path[-1]) + ")" * node.ends for node in variations.nodes())


def test_another_move_makes_a_variation_of_what_followed() -> None:
    assert tree("abcd").played(path("ax")) == tree("ax", "abcd")
    assert tree("ax", "abcd").played(path("axy")) == tree("axy", "abcd"), "at the end of a line it goes on"
    assert tree("ax", "abcd").played(path("abz")) == tree("ax", "abz", "abcd")
    assert tree("ax", "abcd").played(path("ab")) == tree("ax", "abcd"), "a move that is there changes nothing"
    assert Variations().played(path("a")) == tree("a")


def test_what_is_deleted_goes_with_all_that_follows_it_and_nothing_else() -> None:
    whole = tree("abc", "abd", "ae", "f")
    assert whole.without(path("ab")) == tree("ae", "f")
    assert whole.without(path("abd")) == tree("abc", "ae", "f")
    assert whole.without(path("f")) == tree("abc", "abd", "ae")
    assert tree("abc", "d").without(path("ab")) == tree("a", "d")
    assert tree("ab").without(path("a")) == Variations()
    assert whole.without(()) == whole.without(path("x")) == whole


def test_a_path_is_made_the_main_line_and_the_others_keep_their_order() -> None:
    assert tree("abc", "abd", "ae", "f", "gh", "gi").promoted(path("gi")) == tree("gi", "gh", "abc", "abd", "ae", "f")
    assert tree("abc", "abd", "ae").promoted(path("abd")) == tree("abd", "abc", "ae")


def test_a_variation_is_written_after_the_move_that_it_replaces() -> None:
    assert written(tree("abcd", "abx", "aef", "aeg", "y")) == "a(y)b(ef(g))c(x)d"
    assert written(Variations()) == ""


def test_forks_are_where_other_moves_were_played() -> None:
    assert tree("abcd", "abx", "y").forks(path("abcd")) == (0, 2)
    assert tree("abcd", "abx", "y").forks(path("y")) == (0,)
    assert tree("ab").forks(path("ab")) == ()
    assert tree("abcd", "abx", "y").moves_after(path("ab")) == path("cx")


def test_a_line_goes_on_with_the_main_continuation() -> None:
    assert tree("abcd", "abx", "y").line_through(path("ab")) == path("abcd")
    with pytest.raises(ValueError, match="No line begins with"):
        tree("ab").line_through(path("b"))


@given(LINES, LINES)
def test_a_tree_holds_every_line_once_and_those_that_begin_alike_together(lines: list[Line], more: list[Line]) -> None:
    made = Variations.of(lines).added(more)
    given_paths = {line[:ply] for line in [*lines, *more] for ply in range(len(line) + 1)} | {()}
    assert {node.path for node in made.nodes()} | {()} == given_paths
    assert all(path in made for path in given_paths)
    check(made)
    for line in lines:
        assert made.promoted(line).lines[0][: len(line)] == line
        check(made.promoted(line))
        check(made.without(line))
        assert set(made.without(line).added(made.lines).lines) == set(made.lines)


def check(made: Variations) -> None:
    """The invariants: at least one line, none the beginning of another, and the same tree if put together anew."""
    assert made.lines
    assert not any(one != other and other[: len(one)] == one for one in made.lines for other in made.lines)
    assert Variations.of(made.lines) == made
    text = written(made)
    assert text.count("(") == text.count(")") == len(made.lines) - 1
