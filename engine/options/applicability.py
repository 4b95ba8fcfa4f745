"""The rules between options: when an option is refused, and when it has no effect."""

from typing import TYPE_CHECKING

from engine.messages import Message, message
from engine.options.choices import BASES, Order, Parallel, Schedule

if TYPE_CHECKING:
    from engine.job import Job
    from engine.kernels.contract import Algorithm


def order_refused(job: "Job", algorithm: "Algorithm") -> Message | None:
    """The reason why a job cannot have its move orders, with a remedy; None if it can."""
    if sum(order in BASES for order in job.order) > 1:
        return message("There can be only one base order: choose one of {orders}.", orders=", ".join(BASES))
    if algorithm.averages and job.order:
        return message(
            "{algorithm} searches all moves, so their order has no effect: choose the natural order.",
            algorithm=message(algorithm.title),
        )
    if not algorithm.prunes and job.order:
        return message(
            "{algorithm} searches all moves, so their order has no effect: choose Alpha-beta to order them.",
            algorithm=message(algorithm.title),
        )
    if Order.TABLE in job.order and not job.table:
        return message("Table move first needs a transposition table: choose a table size.")
    if job.backend == "mpi" and {Order.BEST, Order.WORST} & {*job.order}:
        return message("MPI ranks do not have the true values: choose threads for that order.")
    return None


def aspiration_refused(job: "Job", algorithm: "Algorithm") -> Message | None:
    """The reason why a job cannot have its aspiration window, with a remedy; None if it can."""
    if job.aspiration is not None and not job.deepen:
        return message(
            "An aspiration window needs the value of a shallower search: choose iterative deepening as well."
        )
    if job.aspiration is not None and algorithm.averages:
        return message("{algorithm} has no window: choose an open one.", algorithm=message(algorithm.title))
    if job.aspiration is not None and not algorithm.prunes:
        return message(
            "{algorithm} has no window: choose Alpha-beta for an aspiration window.", algorithm=message(algorithm.title)
        )
    return None


def deepen_refused(job: "Job", algorithm: "Algorithm") -> Message | None:
    """The reason why a job cannot search its root several times, with a remedy; None if it can."""
    if job.backend == "mpi" and (job.deepen or algorithm.guesses):
        return message("MPI ranks search the root only once: choose threads for iterative deepening and MTD(f).")
    return None


def parallel_refused(job: "Job", algorithm: "Algorithm") -> Message | None:
    """The reason why a job cannot have its parallel algorithm, with a remedy; None if it can."""
    if job.parallel is Parallel.LAZY and job.backend == "threads" and not job.table:
        return message("The workers of a lazy search share only the table: choose a table size.")
    if job.parallel is Parallel.LAZY and job.backend == "mpi":
        return message("MPI ranks share no table: choose threads for a lazy search.")
    if job.parallel is Parallel.YBW and job.schedule is not Schedule.DYNAMIC:
        return message("Young brothers wait works with the dynamic schedule only: choose it.")
    return None


def seed_idle(job: "Job") -> Message | None:
    """The reason why the seed has no effect on a job; None if it has one."""
    return None if Order.RANDOM in job.order else message("Only the random order uses a seed.")


def without_table(job: "Job") -> Message | None:
    """The reason why an option of the transposition table has no effect on a job; None if it has one."""
    return None if job.table else message("There is no table: choose a size first.")


def without_horizon(job: "Job") -> Message | None:
    """The reason why an option of horizon leaves has no effect on a job; None if it has one."""
    if job.limit.depth is not None or job.deepen:
        return None
    return message("Without a depth limit or iterative deepening no position is at the horizon: choose one of them.")


def serial(job: "Job") -> Message | None:
    """The reason why an option of several workers has no effect on a job; None if it has one."""
    if job.backend in ("threads", "mpi"):
        return None
    return message("A serial search has only one worker: choose threads or MPI.")


def without_tasks(job: "Job") -> Message | None:
    """The reason why an option of tasks has no effect on a job; None if it has one."""
    if job.parallel is Parallel.LAZY and serial(job) is None:
        return message("In a lazy search every worker searches the whole tree: there are no tasks.")
    return serial(job)


def root_tasks(job: "Job") -> Message | None:
    """The reason why the depth of the tasks has no effect on a job; None if it has one."""
    if job.parallel is Parallel.ROOT and serial(job) is None:
        return message("In this scheme the tasks are the root moves: choose another scheme.")
    return without_tasks(job)


def one_process(job: "Job") -> Message | None:
    """The reason why an option of MPI ranks has no effect on a job; None if it has one."""
    return None if job.backend == "mpi" else message("Only an MPI search uses this: choose MPI.")
