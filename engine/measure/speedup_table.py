"""A speedup measurement as CSV."""

import csv
import io

from engine.measure.speedup import PARALLEL, Experiment


def to_csv(experiment: Experiment) -> str:
    """The CSV text, one row per mode: the mode, its results, and the seconds of every run. Lines end as in RFC 4180."""
    text = io.StringIO()
    table = csv.writer(text)
    runs = [f"run_{number}_s" for number in range(1, experiment.rounds + 1)]
    table.writerow([*_CSV_COLUMNS, *runs])
    job = experiment.job
    speedups = {
        each.mode: each
        for name in experiment.algorithms
        for backend in PARALLEL
        for each in experiment.speedups(name, backend)
    }
    for timing in experiment.timings:
        lower, middle, upper = timing.spread
        row: list[object] = [job.game, job.position, job.scoring, job.limit.depth or "", *timing.mode]
        row += [job.schedule, job.split] if timing.mode.backend != "serial" else ["", ""]
        row += [timing.nodes, experiment.rounds, middle, lower, upper]
        gained = speedups.get(timing.mode)
        if gained:
            row += [gained.paired.median, gained.paired.lower, gained.paired.upper, gained.efficiency]
        else:
            row += [""] * 4
        is_dealt = gained is not None and timing.mode.algorithm == "minimax"
        row.append(experiment.tasks_limit(timing.mode.workers) if is_dealt else "")
        table.writerow([*row, *timing.seconds])
    return text.getvalue()


_CSV_COLUMNS = (
    *("game", "position", "scoring", "depth_limit", "algorithm", "backend", "workers", "schedule", "split"),
    *("nodes", "runs", "median_s", "lower_quartile_s", "upper_quartile_s"),
    *("speedup", "speedup_lower_quartile", "speedup_upper_quartile", "efficiency", "tasks_limit"),
)
