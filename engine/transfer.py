"""What came from one MPI rank to another during a search."""

from enum import StrEnum

from msgspec import Struct


class TransferKind(StrEnum):
    """How something came from one MPI rank to another."""

    DEAL = "deal"
    """The receiver took tasks from the counter in rank 0's memory, by a one-sided operation: it was sent when the
    receiver asked."""
    RESULT = "result"
    """A message to rank 0 with the results of tasks."""
    BOUND = "bound"
    """The sender put a task's result into rank 0's memory; the receiver read it there, and it raised a bound."""


class Transfer(Struct, frozen=True, gc=False):
    """What came from one MPI rank to another, with the measured times."""

    kind: TransferKind
    tasks: tuple[int, ...]
    """Places in `Result.tasks`."""
    sender: int
    """A rank, as `receiver`."""
    receiver: int
    sent: float
    """Seconds since the start of the search, as `received`, by one clock of all ranks."""
    received: float
    """The time at which the receiver had it: it looks for messages between two slices, also after its last."""
