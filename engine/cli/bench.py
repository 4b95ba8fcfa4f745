"""`bench`: a fixed list of searches whose nodes add up to one number, the signature.

It changes exactly when a search does: run it before and after a change that should only be faster. A second list, with
a signature of its own, has what the first leaves out: the table, orders of moves, the other algorithms and ranks.
Alpha-beta on threads is in neither, as its nodes depend on who is first.
"""

import sys
from typing import Annotated

import typer

from engine.cli.progress import exit_code_of_stop, finish
from engine.job import Job
from engine.options.catalogue import Limit
from engine.options.choices import Fail, Order, Replacement, Scoring
from engine.result import End
from engine.text.describe import options

SEARCHES = (
    Job(position=".../.../..."),
    Job(position=".../.../...", scoring=Scoring.SOONEST),
    Job(position=".../.../...", algorithm="alphabeta"),
    Job(position=".../.../...", algorithm="alphabeta", scoring=Scoring.SOONEST),
    Job(position="x../.../..."),
    Job(position="x../.../...", algorithm="alphabeta"),
    Job(position=".../.../...", backend="threads", workers=2),
    Job(position="..../..../....", game="mnk:4,3,3", algorithm="alphabeta"),
    Job(position="..../..../..../....", game="mnk:4,4,4", algorithm="alphabeta", limit=Limit(depth=8), evaluate=False),
    Job(position="...../...../...../...../.....", game="mnk:5,5,4", limit=Limit(depth=5), evaluate=False),
)

_EMPTY = ".../.../..."
_SMALL = 0.01
"""MiB: positions of 3 x 3 share its entries, so it matters which are kept."""

SECOND = (
    Job(position=_EMPTY, algorithm="alphabeta", order=(Order.KILLERS,)),
    Job(position=_EMPTY, algorithm="alphabeta", order=(Order.HISTORY,)),
    Job(position=_EMPTY, algorithm="alphabeta", order=(Order.DOMAIN, Order.KILLERS, Order.HISTORY)),
    Job(position=_EMPTY, algorithm="alphabeta", order=(Order.RANDOM,), seed=1),
    Job(position=_EMPTY, algorithm="alphabeta", table=_SMALL),
    Job(position=_EMPTY, algorithm="alphabeta", table=_SMALL, replacement=Replacement.DEEPER, deepen=True),
    Job(position=_EMPTY, algorithm="alphabeta", table=1.0, fold=True, order=(Order.TABLE,), deepen=True),
    Job(position=_EMPTY, algorithm="alphabeta", fail=Fail.HARD),
    Job(position=_EMPTY, algorithm="pvs"),
    Job(position=_EMPTY, algorithm="pvs", table=_SMALL, order=(Order.TABLE,), deepen=True, aspiration=0.5),
    Job(position=_EMPTY, algorithm="mtdf", table=_SMALL, order=(Order.TABLE,), deepen=True),
    Job(position=_EMPTY, backend="mpi", workers=2, split=2),
    Job(game="random-turn:3,3,3", position=_EMPTY, algorithm="expectiminimax", table=1.0, limit=Limit(depth=8)),
)


def bench(
    second: Annotated[
        bool, typer.Option("--second", help="The table, orders, PVS, MTD(f) and MPI ranks, with their own signature.")
    ] = False,
) -> int:
    """Run a fixed list of searches; the last line is the sum of their nodes.

    Returns the exit code: 130 after Ctrl+C, and then there is no signature; 1 where ranks fail.
    """
    signature, searches = 0, SECOND if second else SEARCHES
    wide = max(len(_name(job)) for job in searches) + 2
    for job in searches:
        result = finish(job)
        if result.end is End.STOPPED:
            return exit_code_of_stop()
        if result.end is End.FAILED:
            print(result.failure, file=sys.stderr)
            return 1
        nodes, seconds = result.info.counters.nodes, result.info.seconds
        signature += nodes
        print(f"{_name(job):<{wide}}{nodes:>12,} nodes {nodes / seconds:>13,.0f} nodes/s", flush=True)
    print(f"signature {signature}")
    return 0


def _name(job: Job) -> str:
    words = [job.game, job.algorithm, job.backend, job.scoring]
    if "x" in job.position:
        words.insert(1, job.position)
    if job.workers > 1:
        words.append(f"workers {job.workers}")
    if job.limit.depth:
        words.append(f"depth {job.limit.depth}")
    return ", ".join([" ".join(words), *(phrase.short for phrase in options(job))])
