"""Where the speedup went: the time of all workers of a run, in parts that add up.

    workers × waited = useful + overhead + slower + kept waiting + idle at the end + waiting + start-up

The useful part is the time of the serial search, so its share is the efficiency of what a person waited for.
"""

from statistics import median

from msgspec import Struct

from engine.measure.experiment import Experiment, Mode, Run


class Breakdown(Struct, frozen=True):
    """The time of all workers in seconds, by its use."""

    useful: float
    """Processor time of the serial search, as far as the workers used as much."""
    overhead: float
    """Search overhead: nodes that the serial search does not visit."""
    slower: float
    """Nodes took longer than in the serial search: memory, clock rate and sharing."""
    taken: float
    """Workers were to run and had no core: other programs used it, or other workers where these are more than cores."""
    unbalanced: float
    """Load imbalance: the time after a worker's last task."""
    waiting: float
    """Between tasks: for bounds and stages, for messages, between slices."""
    start: float
    """Before and after the search: preparation, the launch of ranks, the result."""

    @property
    def total(self) -> float:
        """The number of workers times the time that a person waited."""
        return sum(getattr(self, name) for name in self.__struct_fields__)


def breakdown(experiment: Experiment, mode: Mode) -> Breakdown | None:
    """The parts of a mode's run with the median time; None if it or its serial search was not measured."""
    serial, timing = experiment.serial(mode.algorithm), experiment.timing(mode)
    if serial is None or timing is None:
        return None
    run = sorted(timing.runs, key=lambda run: run.seconds)[len(timing.runs) // 2]
    # In a fixed time no run visits nodes in vain: the serial search would visit as many in more time.
    work = 1.0 if experiment.fixed_time is None else run.nodes / serial.nodes
    return parts(run, mode.all_workers, work * serial.nodes, work * median(run.cpu for run in serial.runs))


def parts(run: Run, workers: int, serial_nodes: float, serial_cpu: float) -> Breakdown:
    """The parts of one run; `serial_nodes` and `serial_cpu` are nodes and processor time of the serial search."""
    all_seconds = workers * run.seconds
    cpu = min(run.cpu, all_seconds)
    taken = min(run.kept_waiting, all_seconds - cpu)
    unbalanced = min(run.idle_at_end, all_seconds - cpu - taken)
    useful = min(serial_cpu, cpu)
    more_nodes = max(0, run.nodes - serial_nodes) / serial_nodes * serial_cpu
    overhead = min(more_nodes, cpu - useful)
    return Breakdown(
        useful=useful,
        overhead=overhead,
        slower=cpu - useful - overhead,
        taken=taken,
        unbalanced=unbalanced,
        waiting=all_seconds - cpu - taken - unbalanced,
        start=workers * max(0.0, run.waited - run.seconds),
    )
