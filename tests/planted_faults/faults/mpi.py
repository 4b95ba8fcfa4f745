"""MPI ranks: how they are launched, what they say, how they end."""

from tests.planted_faults.planting import Fault

OF_MPI, OF_FAULTS, OF_STREAM, OF_TRANSFERS = (
    "tests/mpi/test_mpi.py",
    "tests/mpi/test_mpi_faults.py",
    "tests/mpi/test_stream.py",
    "tests/mpi/test_transfers.py",
)
MPI, RANK, DEALING, SLICES, RECORDS, REPLICA, PROCESS, LAUNCH, WORKER, PLAUSIBLE = (
    "engine/backends/mpi.py",
    "engine/backends/mpi_job/rank.py",
    "engine/backends/mpi_job/rank_dealing.py",
    "engine/backends/mpi_job/rank_slices.py",
    "engine/backends/mpi_job/task_records.py",
    "engine/backends/mpi_job/replica.py",
    "engine/backends/mpi_job/process.py",
    "engine/backends/mpi_job/launch.py",
    "engine/backends/mpi_worker.py",
    "engine/backends/mpi_job/validation.py",
)

FAULTS = (
    # Ends
    Fault(
        "the launcher's end leaves its ranks",
        PROCESS,
        "                    os.kill(pid, signal.SIGKILL)\n",
        "                    pass\n",
        f"{OF_FAULTS}::test_ranks_that_the_launcher_leaves_behind_are_ended",
    ),
    Fault(
        "a job that nobody follows goes on",
        PROCESS,
        "        if self.wait(END_SECONDS) is None:\n            self.kill()\n",
        "        self.wait(END_SECONDS)\n",
        f"{OF_FAULTS}::test_a_job_that_does_not_follow_the_end_of_its_input_is_ended",
    ),
    Fault(
        "rank 0 outlives its launcher",
        WORKER,
        "    time.sleep(LAST_SECONDS)\n    os._exit(1)\n",
        "",
        f"{OF_FAULTS}::test_rank_0_ends_without_its_launcher_though_another_rank_cannot",
    ),
    Fault(
        "the end of the input is no stop",
        WORKER,
        '    commands.put("stop")\n    time.sleep',
        "    time.sleep",
        f"{OF_FAULTS}::test_the_end_of_the_input_stops_a_search_that_says_what_it_has_found",
    ),
    Fault(
        "a cluster's SIGTERM ends a job without a word",
        WORKER,
        "for number in (signal.SIGTERM, signal.SIGINT):",
        "for number in (signal.SIGINT,):",
        f"{OF_MPI}::test_a_job_in_a_file_says_what_it_finished_when_the_cluster_ends_it",
    ),
    Fault(
        "an empty job file is a job",
        WORKER,
        "    if not text.strip():\n",
        "    if text is None:\n",
        f"{OF_MPI}::test_a_file_that_holds_no_job_is_refused",
    ),
    Fault(
        "a silent rank is waited for",
        MPI,
        "if now - heard > self._patience]",
        "if now - heard < 0]",
        f"{OF_FAULTS}::test_a_silent_rank_ends_the_search",
    ),
    Fault(
        "time in which the program was stopped counts against the ranks",
        MPI,
        "self._listened += min(now - self._looked, 2 * LOOK_SECONDS)",
        "self._listened += now - self._looked",
        f"{OF_FAULTS}::test_a_program_that_was_stopped_for_long_goes_on_with_its_ranks",
    ),
    Fault(
        "a stop waits for its ranks for ever",
        MPI,
        "return not self._heard or self._listened - self._stopped > STOP_SECONDS",
        "return not self._heard",
        f"{OF_FAULTS}::test_a_rank_that_cannot_stop_is_ended",
    ),
    # What ranks say
    Fault(
        "what cannot be true is taken",
        MPI,
        "                if not self._replica.is_possible(record):\n                    raise _impossible(record)\n"
        "                if isinstance",
        "                if isinstance",
        f"{OF_FAULTS}::test_records_that_cannot_be_true_end_the_search",
    ),
    Fault(
        "the rank after the last can speak",
        PLAUSIBLE,
        "return 0 <= index < number",
        "return 0 <= index <= number",
        OF_STREAM,
    ),
    Fault(
        "a record may say more than infinity",
        PLAUSIBLE,
        "all(abs(value) <= INFINITY for value in values)",
        "all(value <= INFINITY << 40 for value in values)",
        OF_STREAM,
    ),
    Fault(
        "a record nested too deeply ends the program",
        "engine/backends/mpi_job/protocol.py",
        "except (ValueError, RecursionError):",
        "except ValueError:",
        f"{OF_STREAM}::test_other_lines_say_nothing",
    ),
    Fault(
        "the wrong rank is blamed",
        REPLICA,
        "RankState.LOST if number == rank else RankState.ENDED",
        "RankState.LOST if number != rank else RankState.ENDED",
        f"{OF_FAULTS}::test_a_killed_rank_ends_the_search_and_what_was_finished_is_kept",
    ),
    Fault(
        "of equal values the higher move is sent",
        REPLICA,
        "np.where(none, -1, 127 - keys % 128)",
        "np.where(none, -1, keys % 128)",
        f"{OF_MPI}::test_results_are_true_however_the_tasks_are_dealt",
    ),
    # How the work is dealt and counted
    Fault(
        "the last task of a block is nobody's",
        DEALING,
        "first + (rank + 1) * count // size, 1",
        "first + (rank + 1) * count // size - 1, 1",
        f"{OF_MPI}::test_minimax_finds_and_counts_what_serial_does",
    ),
    Fault(
        "each rank goes at the speed of all",
        RANK,
        "self._control.obey(command, 1 / self._comm.size)",
        "self._control.obey(command, 1.0)",
        f"{OF_MPI}::test_a_search_is_paused_stepped_slowed_and_stopped_in_all_its_ranks",
    ),
    Fault(
        "a rank sets aside more than is left",
        SLICES,
        "max(0, min(wanted, nodes - self._shared.reserve(wanted)))",
        "max(0, wanted + 0 * self._shared.reserve(wanted))",
        f"{OF_MPI}::test_a_limit_of_nodes_holds_for_all_ranks_together",
    ),
    Fault(
        "the search took no time",
        RANK,
        "comm.reduce(self._seconds, MPI.MAX)",
        "comm.reduce(0.0, MPI.MAX)",
        f"{OF_MPI}::test_every_task_has_its_worker_its_nodes_and_its_time "
        f"{OF_MPI}::test_ranks_that_are_held_back_are_neither_busy_nor_idle_meanwhile",
    ),
    Fault(
        "every task is its rank's first thread's",
        RECORDS,
        '        worker=first_worker + int(row["worker"]),',
        "        worker=first_worker,",
        f"{OF_MPI}::test_every_task_has_its_worker_its_nodes_and_its_time "
        f"{OF_MPI}::test_results_are_true_however_the_tasks_are_dealt",
    ),
    # The launch
    Fault(
        "half of the permission to run as root is enough",
        LAUNCH,
        'or all(os.environ.get(name) == "1" for name in allowed)',
        'or any(os.environ.get(name) == "1" for name in allowed)',
        f"{OF_FAULTS}::test_open_mpi_as_root_is_refused_before_it_refuses",
    ),
    Fault(
        "the threads of a rank are no workers",
        LAUNCH,
        "workers = job.workers * job.threads",
        "workers = job.workers",
        f"{OF_FAULTS}::test_a_number_of_ranks_that_cannot_be_is_refused",
    ),
    Fault(
        "another mpiexec than the interpreter's",
        LAUNCH,
        'folders = [str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]',
        'folders = [os.environ.get("PATH", os.defpath), str(Path(sys.executable).parent)]',
        f"{OF_FAULTS}::test_the_mpiexec_of_a_command_is_that_beside_the_interpreter",
    ),
    Fault(
        "the launch command's ranks are a number of its own",
        LAUNCH,
        'word.replace("{ranks}", str(job.workers))',
        'word.replace("{ranks}", "2")',
        f"{OF_FAULTS}::test_a_launch_command_is_given_the_ranks_of_the_job_and_the_hosts",
    ),
    Fault(
        "a rank that the launcher has ended itself is blamed",
        "engine/backends/mpi.py",
        "next((pids.index(pid) for pid in named if pid in pids), None)",
        "next((rank for rank, pid in enumerate(pids) if pid in named), None)",
        "tests/engine/backends/test_mpi_output.py",
    ),
    Fault(
        "a rank that fails of another one's death is blamed",
        WORKER,
        "isinstance(error, MPI.Exception)",
        "False",
        "tests/mpi/test_mpi_faults.py::test_a_rank_that_fails_of_another_ones_death_is_not_blamed",
    ),
    # Transfers
    Fault(
        "the clocks of ranks lose time between slices",
        SLICES,
        "        if self._rank_control.has_waited:\n            super()._resume()\n",
        "        super()._resume()\n",
        f"{OF_TRANSFERS}::test_each_task_of_another_rank_is_dealt_before_and_sent_after_it",
    ),
    Fault(
        "a search held back tells the times of messages",
        RANK,
        "[] if was_held_back or logs is None else logs",
        "logs or []",
        f"{OF_TRANSFERS}::test_nothing_is_dealt_by_a_fixed_schedule_nor_of_a_search_held_back",
    ),
    Fault(
        "a message goes to a rank that does not exist",
        PLAUSIBLE,
        "        and _within(ranks, transfer.receiver)\n",
        "",
        f"{OF_STREAM}::test_what_no_rank_of_the_job_can_say_is_found_out",
    ),
    Fault(
        "a viewer finds no event at the end of a message",
        "engine/measure/timeline.py",
        "        common | received | shown,\n",
        "",
        "tests/engine/measure/test_timeline.py::test_what_comes_to_a_rank_is_a_flow_between_events_of_two_ranks",
    ),
)
