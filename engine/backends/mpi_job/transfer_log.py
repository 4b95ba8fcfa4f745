"""What each rank measures of the transfers between ranks, and the transfers made from that by rank 0.

No message holds a time: messages of one rank to another with one tag arrive in the order in which they were sent, so
the n-th that was sent is the n-th that was received.
"""

from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from engine.backends.mpi_job.common_clock import CommonClock
from engine.transfer import Transfer, TransferKind


def times() -> "array[int]":
    """An empty list of times in ns."""
    return array("q")


class TransferLog(Struct):
    """What one rank has measured, in ns: of its own monotonic clock until `to_common`."""

    deals: list[tuple[int, int, range]] = []
    """Of each taking from rank 0's counter: when it was asked, when the answer came, and the tasks."""
    carriers: dict[int, int] = {}
    """By task: the number of the message of lines, from 0, that carries its result."""
    puts: dict[int, int] = {}
    """By task: when its result was put into the shared window."""
    reads: dict[int, int] = {}
    """By task: when its result, which raised a bound, had been read from the shared window."""
    sent: "array[int]" = field(default_factory=times)
    """When each message of lines was sent to rank 0."""
    received: dict[int, "array[int]"] = field(default_factory=lambda: defaultdict(times))
    """At rank 0, by sender: when each message of lines had been received."""

    def to_common(self, clock: CommonClock) -> "TransferLog":
        """The same in ns of the common clock."""

        def all_at(moments: "array[int]") -> "array[int]":
            return array("q", map(clock.at, moments))

        return TransferLog(
            [(clock.at(asked), clock.at(had), tasks) for asked, had, tasks in self.deals],
            self.carriers,
            {task: clock.at(moment) for task, moment in self.puts.items()},
            {task: clock.at(moment) for task, moment in self.reads.items()},
            all_at(self.sent),
            {rank: all_at(moments) for rank, moments in self.received.items()},
        )


def transfers(logs: Sequence[TransferLog], places: Mapping[int, int]) -> tuple[Transfer, ...]:
    """The transfers of all ranks in the order in which they were sent. `places`: the place in `Result.tasks` of each
    task that has one. A transfer without such a task, as of those cut off before they began, is left out."""
    found = []

    def add(kind: TransferKind, tasks: Sequence[int], ranks: tuple[int, int], sent: int, received: int) -> None:
        known = tuple(places[task] for task in tasks if task in places)
        if known:
            found.append(Transfer(kind, known, *ranks, sent / 1e9, received / 1e9))

    putter = {task: rank for rank, log in enumerate(logs) for task in log.puts}
    for rank, log in enumerate(logs):
        for task, read in log.reads.items():
            owner = putter[task]
            add(TransferKind.BOUND, [task], (owner, rank), logs[owner].puts[task], read)
        if rank == 0:
            continue
        for asked, had, tasks in log.deals:
            add(TransferKind.DEAL, tasks, (0, rank), asked, had)
        carried: dict[int, list[int]] = defaultdict(list)
        for task, message in log.carriers.items():
            carried[message].append(task)
        for message, tasks in carried.items():
            add(TransferKind.RESULT, tasks, (rank, 0), log.sent[message], logs[0].received[rank][message])
    return tuple(sorted(found, key=lambda transfer: transfer.sent))
