"""`bench`: a fixed list of searches whose nodes add up to one number, the signature.

It changes exactly when a search does: run it before and after a change that should only be faster. Alpha-beta on
threads is not in the list, as its nodes depend on who is first.
"""

from engine.cli.progress import exit_code_of_stop, finish
from engine.job import Job, Limit, Scoring
from engine.result import End

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


def bench() -> int:
    """Run a fixed list of searches; the last line is the sum of their nodes.

    Returns the exit code: 130 after Ctrl+C, and then there is no signature.
    """
    signature = 0
    for job in SEARCHES:
        result = finish(job)
        if result.end is End.STOPPED:
            return exit_code_of_stop()
        nodes, seconds = result.info.counters.nodes, result.info.seconds
        signature += nodes
        print(f"{_name(job):<49}{nodes:>12,} nodes {nodes / seconds:>13,.0f} nodes/s", flush=True)
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
    return " ".join(words)
