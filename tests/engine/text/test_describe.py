"""The options of a search are described in short words, and in full."""

from engine.job import Job
from engine.options.catalogue import Limit
from engine.options.choices import Fail, Order, Replacement
from engine.text.describe import mebibytes, options, search


def test_the_textbooks_alpha_beta_has_nothing_to_say() -> None:
    assert search(Job(position="", algorithm="alphabeta")) == "Alpha-beta"


def test_every_choice_is_named_once() -> None:
    job = Job(
        position="",
        algorithm="pvs",
        deepen=True,
        aspiration=0.5,
        table=16,
        replacement=Replacement.DEEPER,
        fold=True,
        order=(Order.RANDOM, Order.TABLE, Order.KILLERS, Order.HISTORY),
        seed=7,
        fail=Fail.HARD,
        evaluate=False,
    )
    assert search(job) == (
        "PVS · random order · table move · killers · history · seed 7 · fail-hard · aspiration ±0.5 · deepening · "
        "table 16 MiB · keep deeper · symmetries · horizon 0"
    )
    assert all(len(phrase.full) > len(phrase.short) for phrase in options(job))


def test_the_size_of_a_table_has_the_largest_unit_that_it_fills() -> None:
    assert [*map(mebibytes, (2048, 1024, 1023, 1, 0.5))] == ["2 GiB", "1 GiB", "1,023 MiB", "1 MiB", "512 KiB"]


def test_the_horizon_is_spoken_of_only_where_there_is_one() -> None:
    assert not options(Job(position="", evaluate=False))
    assert [phrase.short for phrase in options(Job(position="", evaluate=False, limit=Limit(3)))] == ["horizon 0"]
