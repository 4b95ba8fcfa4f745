"""What a launcher prints when a rank ends."""

import pytest

from engine.backends.mpi import blamed_rank

INTEL = """
===================================================================================
=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES
=   RANK 1 PID 4712 RUNNING AT node1
=   KILLED BY SIGNAL: 9 (Killed)
===================================================================================

===================================================================================
=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES
=   RANK 0 PID 4711 RUNNING AT node1
=   KILLED BY SIGNAL: 15 (Terminated)
===================================================================================
"""
OPEN_MPI = "prterun noticed that process rank 2 with PID {pid} on node node1 exited on signal 9 (Killed)."


@pytest.mark.parametrize(
    ("words", "rank"),
    [
        (INTEL, 1),
        (f"[node1] PID 99 is the launcher's.\n{INTEL}", 1),
        (OPEN_MPI.format(pid=4713), 2),
        (OPEN_MPI.format(pid=99), 2),
        ("The job ended.", None),
    ],
)
def test_the_rank_that_is_named_first_is_the_one_that_ended(words: str, rank: int | None) -> None:
    assert blamed_rank(words, (4711, 4712, 4713)) == rank
