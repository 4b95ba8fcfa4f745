"""The priority of work in the background, which runs below the window."""

import os


def lower_priority(number: int, niceness: int) -> None:
    """Run a process or a thread, by the system's number of it, at a niceness above that of this process. That one is
    above 0 where `nice` has started the program, and only root may go below it."""
    os.setpriority(os.PRIO_PROCESS, number, os.getpriority(os.PRIO_PROCESS, os.getpid()) + niceness)
