"""What a schedule makes of tasks whose costs are known: the tasks are dealt to simulated workers.

A cost is a time in seconds, or a number of nodes. A worker has one core to itself and does one task after the other. It
starts after `start`; each time it asks another for tasks, the answer takes `latency`.

Sources: OpenMP Application Programming Interface 5.2, table 11.5 (static, dynamic, guided). R. D. Blumofe, C. E.
Leiserson, Scheduling multithreaded computations by work stealing, Journal of the ACM 46 (1999).
"""

import heapq
from collections import deque
from collections.abc import Callable, Sequence
from enum import StrEnum
from itertools import pairwise


class SimulatedSchedule(StrEnum):
    """The schedules of `engine.options.choices.Schedule`, and two that no backend has."""

    STATIC = "static"
    """Each worker gets one block of neighbouring tasks."""
    CYCLIC = "cyclic"
    """Worker w of P gets tasks w, w + P, w + 2P ..."""
    DYNAMIC = "dynamic"
    """An idle worker takes the next task."""
    GUIDED = "guided"
    """An idle worker takes its share of the tasks that are left, at least one."""
    STEALING = "stealing"
    """Blocks as in STATIC; an idle worker takes the later half of the tasks of the worker with the most."""


def makespan(costs: Sequence[float], schedule: str, workers: int, latency: float = 0.0, start: float = 0.0) -> float:
    """The time from the start to the end of the last task, in the unit of `costs`. `schedule` is the name of a
    SimulatedSchedule, or the same name of a Schedule."""
    match SimulatedSchedule(schedule):
        case SimulatedSchedule.STATIC:
            return start + max(map(sum, _blocks(costs, workers)))
        case SimulatedSchedule.CYCLIC:
            return start + max(sum(costs[worker::workers]) for worker in range(workers))
        case SimulatedSchedule.DYNAMIC:
            return start + _taken(costs, workers, latency, lambda _left: 1)
        case SimulatedSchedule.GUIDED:
            return start + _taken(costs, workers, latency, lambda left: -(-left // workers))
        case SimulatedSchedule.STEALING:
            return start + _stolen(costs, workers, latency)


def schedule_speedup(
    costs: Sequence[float], schedule: str, workers: int, latency: float = 0.0, start: float = 0.0
) -> float:
    """The costs of all tasks, done by one worker without a schedule, divided by the makespan. Without latency and start
    it is an upper bound on the speedup of these tasks."""
    return sum(costs) / makespan(costs, schedule, workers, latency, start)


def _blocks(costs: Sequence[float], workers: int) -> list[Sequence[float]]:
    """Each worker's block of neighbouring tasks."""
    ends = [worker * len(costs) // workers for worker in range(workers + 1)]
    return [costs[first:last] for first, last in pairwise(ends)]


def _taken(costs: Sequence[float], workers: int, latency: float, chunk: Callable[[int], int]) -> float:
    """Idle workers take the next tasks, `chunk` of the number of tasks left at a time."""
    free, place = [0.0] * workers, 0
    while place < len(costs):
        taken = costs[place : place + chunk(len(costs) - place)]
        place += len(taken)
        heapq.heapreplace(free, free[0] + latency + sum(taken))
    return max(free)


def _stolen(costs: Sequence[float], workers: int, latency: float) -> float:
    queues = [deque(block) for block in _blocks(costs, workers)]
    idle, last = [(0.0, worker) for worker in range(workers)], 0.0
    while idle:
        time, worker = heapq.heappop(idle)
        own = queues[worker]
        if not own:
            victim = max(queues, key=len)
            if not victim:
                continue
            own.extendleft([victim.pop() for _ in range(-(-len(victim) // 2))])
            time += latency
        time += own.popleft()
        last = max(last, time)
        heapq.heappush(idle, (time, worker))
    return last
