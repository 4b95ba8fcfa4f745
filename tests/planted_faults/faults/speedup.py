"""What is measured of a parallel search: processor time, statistics, charts."""

from tests.planted_faults.planting import Fault

OF_STATISTICS = "tests/engine/measure/test_statistics.py"

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
        'lasted = int((state.crew.state["cpu"] - used).max())',
        "lasted = time.monotonic_ns() - self._since",
        "tests/engine/backends/test_slicing.py::test_slices_stay_long_where_their_threads_wait_for_a_core",
    ),
    Fault(
        "an interval leaves nothing outside",
        "engine/measure/statistics.py",
        "outside = (1 - CONFIDENCE) / 2",
        "outside = 0.0",
        f"{OF_STATISTICS}::test_intervals_of_a_true_median_hold_it_nineteen_times_in_twenty",
    ),
    Fault(
        "Amdahl's law is fitted to speedups, not to times",
        "engine/measure/statistics.py",
        "1 / np.median(drawn, axis=1) - inverse",
        "np.median(drawn, axis=1) - inverse",
        f"{OF_STATISTICS}::test_a_known_serial_fraction_is_found_again",
    ),
)
