"""What is measured of a parallel search: processor time, statistics, charts."""

from tests.planted_faults.planting import Fault

OF_EXPERIMENT = "tests/engine/measure/test_speedup.py"
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
    Fault(
        "every round runs in the same order",
        "engine/measure/speedup.py",
        "yield tuple(draw.sample(chosen, len(chosen)))",
        "yield tuple(chosen)",
        f"{OF_EXPERIMENT}::test_every_round_runs_every_mode_and_none_always_follows_the_same",
    ),
    Fault(
        "a speedup is a slowdown",
        "engine/measure/experiment.py",
        "return alone.seconds / together.seconds if",
        "return together.seconds / alone.seconds if",
        f"{OF_EXPERIMENT}::test_speedups_are_ratios_to_the_serial_run_of_the_same_round",
    ),
    Fault(
        "a scaled speedup is a ratio of nodes, not of rates",
        "engine/measure/experiment.py",
        "together.rate / alone.rate",
        "together.nodes / alone.nodes",
        f"{OF_EXPERIMENT}::test_scaled_speedups_are_ratios_of_rates_and_follow_gustafsons_law",
    ),
    Fault(
        "nodes of more work are search overhead",
        "engine/measure/breakdown.py",
        "work = 1.0 if experiment.fixed_time is None else run.nodes / serial.nodes",
        "work = 1.0",
        f"{OF_EXPERIMENT}::test_scaled_speedups_are_ratios_of_rates_and_follow_gustafsons_law",
    ),
    Fault(
        "a search that ends before the fixed time is measured",
        "engine/measure/speedup.py",
        "if fixed_time is not None and result.end is not End.SECONDS:",
        "if fixed_time is not None and result.end is End.STOPPED:",
        f"{OF_EXPERIMENT}::test_weak_scaling_gives_every_run_the_same_time",
    ),
    Fault(
        "efficiency is the speedup",
        "engine/measure/experiment.py",
        "end / self.mode.all_workers for end",
        "end for end",
        f"{OF_EXPERIMENT}::test_speedups_are_ratios_to_the_serial_run_of_the_same_round",
    ),
    Fault(
        "the dearest start is the cost of starting",
        "engine/measure/speedup.py",
        "    return min(times)\n",
        "    return max(times)\n",
        f"{OF_EXPERIMENT}::test_the_cost_of_starting_is_the_least_that_was_seen",
    ),
    Fault(
        "dynamic dealing gives the next task to the busiest",
        "engine/measure/schedules.py",
        "heapq.heapreplace(free, free[0] + latency + sum(taken))",
        "free[-1] += latency + sum(taken)",
        "tests/engine/measure/test_schedules.py::test_the_dealing_of_tasks_bounds_the_speedup",
    ),
    Fault(
        "the ends of an interval are swapped in the table",
        "engine/measure/speedup_files.py",
        "timing.time.value, timing.time.lower, timing.time.upper",
        "timing.time.value, timing.time.upper, timing.time.lower",
        f"{OF_EXPERIMENT}::test_the_table_has_a_row_for_every_run_with_the_figures_of_its_mode",
    ),
    Fault(
        "a busy machine gets a verdict",
        "engine/measure/verdict.py",
        "timing.cores_taken > BUSY_SHARE * one.all_workers",
        "timing.cores_taken > one.all_workers",
        f"{OF_EXPERIMENT}::test_no_verdict_where_another_program_used_the_cores",
    ),
    Fault(
        "time without a core is load imbalance too",
        "engine/measure/breakdown.py",
        "waiting=all_seconds - cpu - taken - unbalanced",
        "waiting=all_seconds - cpu - unbalanced",
        f"{OF_EXPERIMENT}::test_the_parts_of_a_run_add_up_to_all_time_of_its_workers",
    ),
    Fault(
        "a thief takes all tasks",
        "engine/measure/schedules.py",
        "range(-(-len(victim) // 2))",
        "range(len(victim))",
        "tests/engine/measure/test_schedules.py::test_each_question_costs_its_latency_and_each_worker_its_start",
    ),
    Fault(
        "a prediction for alpha-beta shares all bounds, or none",
        "engine/measure/experiment.py",
        "(self.subtrees if shares_bounds else self.unshared)",
        "self.subtrees",
        "tests/gui/speedup/test_speedup.py::test_alpha_beta_is_predicted_between_two_labelled_extremes",
    ),
    Fault(
        "the rate of a worker is that of all workers",
        "gui/speedup/work_figures.py",
        "run.rate / timing.mode.all_workers",
        "run.rate",
        "tests/gui/speedup/test_work_figures.py",
    ),
    Fault(
        "weak scaling in the window searches the whole position",
        "gui/speedup/view.py",
        "WEAK_SECONDS if weak else None",
        "None",
        "tests/gui/speedup/test_weak_scaling.py",
    ),
)
