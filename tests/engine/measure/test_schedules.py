"""Tasks of known costs dealt to simulated workers: by hand, against bounds, and against real searches."""

import random

import pytest
from msgspec.structs import replace

from engine.backends import solve
from engine.measure.experiment import Mode
from engine.measure.schedules import makespan, schedule_speedup
from engine.measure.speedup import PRESET
from engine.options.choices import Schedule


@pytest.mark.parametrize(
    ("dealing", "last"),
    # Two workers: static does 1 + 2 | 3 + 6, cyclic 1 + 3 | 2 + 6, dynamic 1 + 3 | 2 + 6 as the first is idle first.
    [(Schedule.STATIC, 9), (Schedule.CYCLIC, 8), (Schedule.DYNAMIC, 8)],
)
def test_the_dealing_of_tasks_bounds_the_speedup(dealing: Schedule, last: int) -> None:
    assert makespan([1, 2, 3, 6], dealing, 2) == last
    assert schedule_speedup([1, 2, 3, 6], dealing, 2) == 12 / last
    assert schedule_speedup([1, 2, 3, 6], dealing, 1) == 1
    assert schedule_speedup([1, 2, 3, 6], dealing, 8) == 2


def test_nine_root_tasks_of_the_empty_board_allow_1_87_on_two_workers() -> None:
    # FACTS of the design: subtrees of 59,705 (corners), 63,905 (edges) and 55,505 (centre) nodes.
    corner, edge, centre = 59_705, 63_905, 55_505
    tasks = [corner, edge, corner, edge, centre, edge, corner, edge, corner]
    assert schedule_speedup(tasks, Schedule.DYNAMIC, 2) == pytest.approx(1.87, abs=0.005)


def test_no_schedule_beats_its_bounds_from_1_to_1024_workers() -> None:
    draw = random.Random(1)
    costs = [draw.expovariate(1.0) for _ in range(300)]
    for dealing in Schedule:
        for workers in (1, 2, 3, 64, 1024):
            least = max(sum(costs) / workers, max(costs))
            assert least <= makespan(costs, dealing, workers) * (1 + 1e-12)
            assert makespan(costs, dealing, workers) <= sum(costs) * (1 + 1e-12)
    for workers in (2, 3, 64):
        bound = sum(costs) / workers + max(costs)  # Graham's, of any schedule in which nobody idles beside a task
        assert makespan(costs, Schedule.DYNAMIC, workers) <= bound


def test_real_searches_deal_as_was_simulated() -> None:
    """Compared are nodes, of schedules that give each worker the same tasks whatever else the machine does. Times say
    less: of two cores that share their units, or are lent to others, one is the slower."""
    job = replace(PRESET, position="...x/..o./.x../.oox", split=1)
    tasks = sorted(solve(Mode("minimax", "threads", 1).job(job)).tasks, key=lambda task: task.moves)
    nodes, busiest = [task.nodes for task in tasks], set[float]()
    for schedule in (Schedule.STATIC, Schedule.CYCLIC):
        for workers in (2, 3):
            real = solve(replace(Mode("minimax", "threads", workers).job(job), schedule=schedule))
            found = max(sum(task.nodes for task in real.tasks if task.worker == number) for number in range(workers))
            assert makespan(nodes, schedule, workers) == found
            busiest.add(found)
    assert len(busiest) == 4, "each is another dealing"
