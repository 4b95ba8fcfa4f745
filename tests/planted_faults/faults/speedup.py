"""What is measured of a parallel search: processor time, statistics, charts."""

from tests.planted_faults.planting import Fault

FAULTS = (
    Fault(
        "a worker's processor time is the time by the clock",
        "engine/backends/worker.py",
        'state["cpu"] += thread_time_ns() - used',
        'state["cpu"] += monotonic_ns() - state["called"]',
        "tests/engine/measure/test_busy_machine.py",
    ),
    Fault(
        "slices are shorter where threads wait for a core",
        "engine/backends/slicing.py",
        'lasted = int((report.crew.state["cpu"] - used).max())',
        "lasted = time.monotonic_ns() - self._since",
        "tests/engine/backends/test_slicing.py::test_slices_stay_long_where_their_threads_wait_for_a_core",
    ),
)
