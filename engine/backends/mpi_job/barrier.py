"""A barrier at which ranks sleep: MPI's own operations keep a core busy while they wait."""

import time

from mpi4py import MPI

POLL_SECONDS = 0.002
"""Interval between two checks for the others."""


def sleeping_barrier(comm: MPI.Comm) -> None:
    """Wait until all ranks of `comm` have called this."""
    others = comm.Ibarrier()
    while not others.Test():
        time.sleep(POLL_SECONDS)
