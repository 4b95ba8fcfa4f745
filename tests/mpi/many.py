"""Searches many jobs in one launch, which costs as much as a hundred searches: a program for mpiexec, not a test.

Its argument names a file of jobs, one a line, each with the commands that its ranks get before they begin. Each is
searched by as many of the ranks as it asks for; what they say goes to the output, one job after the other.
"""

import queue
import sys
import time
from pathlib import Path

from mpi4py import MPI

from engine.backends.mpi_job.rank import Rank
from engine.job import job_from_json

comm = MPI.COMM_WORLD
for line in Path(sys.argv[1]).read_bytes().splitlines():
    text, *words = line.split(b"\t")
    job, commands = job_from_json(text), queue.SimpleQueue[str]()
    for word in words:
        commands.put(word.decode())
    few = comm.Split(0 if comm.rank < job.workers else MPI.UNDEFINED)
    if few != MPI.COMM_NULL and isinstance(few, MPI.Intracomm):
        Rank(few, job, commands).search()
        few.Free()
    searched = comm.Ibarrier()
    while not searched.Test():
        time.sleep(0.001)
