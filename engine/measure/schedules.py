"""What a schedule makes of tasks whose costs are known: the tasks are dealt to simulated workers.

A cost is a time in seconds, or a number of nodes. A worker has one core to itself and does one task after the other.

Source: OpenMP Application Programming Interface 5.2, table 11.5.
"""

import heapq
from collections.abc import Sequence
from itertools import pairwise

from engine.options.choices import Schedule


def makespan(costs: Sequence[float], schedule: Schedule, workers: int) -> float:
    """The time from the start to the end of the last task, in the unit of `costs`."""
    match schedule:
        case Schedule.STATIC:
            ends = [worker * len(costs) // workers for worker in range(workers + 1)]
            return max(sum(costs[first:last]) for first, last in pairwise(ends))
        case Schedule.CYCLIC:
            return max(sum(costs[worker::workers]) for worker in range(workers))
        case Schedule.DYNAMIC:
            free = [0.0] * workers
            for cost in costs:
                heapq.heapreplace(free, free[0] + cost)
            return max(free)


def schedule_speedup(costs: Sequence[float], schedule: Schedule, workers: int) -> float:
    """The costs of all tasks, done by one worker, divided by the makespan: an upper bound on the speedup of these
    tasks."""
    return sum(costs) / makespan(costs, schedule, workers)
