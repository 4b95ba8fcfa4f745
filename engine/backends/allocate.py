"""Allocates the memory of a search: the workers' memory, their tapes, and the search aids."""

import math
import mmap
from collections import deque
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.backends.memory_limit import MEBIBYTE, available
from engine.job import JobError
from engine.kernels import ordering
from engine.kernels.subtree import subtree_sizes
from engine.kernels.transposition import SearchAids, new_table, words_in
from engine.kernels.worker_memory import MOVES, ROW_TYPE, SPARE_ROWS, Memory, crew_memory
from engine.messages import message
from engine.options.choices import Order, Replacement
from engine.prepare import Prepared

FLAGS = {
    Order.NATURAL: ordering.NATURAL,
    Order.DOMAIN: ordering.DOMAIN,
    Order.RANDOM: ordering.RANDOM,
    Order.BEST: ordering.BEST_FIRST,
    Order.WORST: ordering.WORST_FIRST,
    Order.TABLE: ordering.BY_TABLE,
    Order.KILLERS: ordering.BY_KILLERS,
    Order.HISTORY: ordering.BY_HISTORY,
}

WORD_BYTES = 8

SMALL = 16 * MEBIBYTE
"""Bytes of the largest tables for which free memory is not checked. The check takes as long as a small search, and
`memory_limit.SPARE` leaves more than this free."""

NO_WORDS = np.zeros(2, np.int64)
"""The array of an absent table."""


class WorkersMemory(NamedTuple):
    """The memory of several workers, and their tapes: [workers, rows], or None without a record."""

    crew: Memory
    tapes: NDArray[np.int64] | None


def memory(prepared: Prepared, workers: int) -> WorkersMemory:
    """New memory for several workers, with tapes if the job has a record.

    Tapes are reused by the next search: the first write to a page costs as much as 1,000 nodes. They are mapped:
    numpy would allocate huge pages, and clearing the first would take ten times as long as a small search.
    """
    rows = prepared.job.record
    crew = crew_memory(workers, sizes(prepared, prepared.search))
    return WorkersMemory(crew, _tapes(workers, rows) if rows else None)


def unrecorded(prepared: Prepared) -> WorkersMemory:
    """New memory for one worker whose nodes are not recorded. If the job has a record, it has a tape of spare rows:
    kernels with a tape are not those without."""
    tapes = np.empty((1, SPARE_ROWS), np.int64) if prepared.job.record else None
    return WorkersMemory(crew_memory(1, sizes(prepared, prepared.search)), tapes)


def sizes(prepared: Prepared, search: Any) -> list[int]:
    """See `subtree_sizes`."""
    return subtree_sizes(search, prepared.position, bool(prepared.job.record), prepared.has_aids)


def _tapes(workers: int, rows: int) -> NDArray[np.int64]:
    try:
        spare = _SPARE_TAPES.pop()
    except IndexError:
        spare = None
    shape = workers, rows + SPARE_ROWS
    if spare is not None and spare.shape == shape:
        return spare
    wanted = math.prod(shape) * ROW_TYPE.itemsize
    try:
        if wanted > available():
            raise MemoryError
        room = mmap.mmap(-1, wanted)
    except (OSError, MemoryError) as error:
        raise JobError(
            message(
                "There is no memory for {workers} x {rows} rows of a record, {wanted} MiB: {free} MiB are free. Choose "
                "a smaller one, or fewer workers.",
                workers=workers,
                rows=f"{rows:,}",
                wanted=f"{wanted / MEBIBYTE:,.0f}",
                free=f"{available() / MEBIBYTE:,.0f}",
            )
        ) from error
    return np.frombuffer(room, np.int64).reshape(shape)


_SPARE_TAPES: deque[NDArray[np.int64]] = deque(maxlen=1)


def keep_tapes(tapes: NDArray[np.int64] | None) -> None:
    """Keep the tapes for the next search. Their rows must have been copied."""
    if tapes is not None:
        _SPARE_TAPES.append(tapes)


def check_room(prepared: Prepared, searches: int = 1) -> None:
    """Raise JobError if the memory of this machine is too small for the tables of so many searches. The system would
    grant the memory, and kill the program when the tables fill."""
    size = prepared.job.table
    wanted = searches * words_in(size) * WORD_BYTES if size else 0
    if wanted > SMALL and wanted > available():
        raise _no_room_for(size, searches)


def _no_room_for(size: float, searches: int = 1) -> JobError:
    figures = {"size": f"{size:,g}", "free": f"{available() / MEBIBYTE:,.0f}"}
    if searches == 1:
        return JobError(
            message(
                "There is no memory for a table of {size} MiB: {free} MiB are free. Choose a smaller one.", **figures
            )
        )
    return JobError(
        message(
            "There is no memory for a table of {size} MiB for each of {ranks} ranks: {free} MiB are free. Choose a "
            "smaller one, or fewer ranks.",
            ranks=searches,
            **figures,
        )
    )


def make_aids(prepared: Prepared, oracle: NDArray[np.int64] | None = None) -> SearchAids | None:
    """The search aids of a job; None if it uses none. `oracle` is a table of exact values. Raises JobError if there is
    no memory for the table."""
    job, game = prepared.job, prepared.game
    if not prepared.has_aids:
        return None
    flags = sum(FLAGS[order] for order in job.order) | (ordering.LAZY if prepared.is_lazy else 0)
    symmetries = game.symmetries if job.fold else game.symmetries[:1]
    try:
        table = new_table(job.table) if job.table else NO_WORDS
    except MemoryError as error:
        raise _no_room_for(job.table) from error
    return SearchAids(
        table=table,
        mask=len(table) // 2 - 1 if job.table else -1,
        depth=prepared.search.horizon,
        depth_preferred=int(job.replacement is Replacement.DEEPER),
        symmetries=len(symmetries),
        transformed_moves=_transformed_moves(symmetries),
        root_move=-1,
        order=flags,
        seed=job.seed & (1 << 32) - 1,
        evaluation=max(0, prepared.search.limited or 0),
        oracle=NO_WORDS if oracle is None else oracle,
        oracle_mask=0 if oracle is None else len(oracle) // 2 - 1,
        history=NO_WORDS,
        killers=NO_WORDS,
        state=NO_WORDS,
    )


def _transformed_moves(symmetries: tuple[tuple[int, ...], ...]) -> NDArray[np.int64]:
    """See `SearchAids.transformed_moves`."""
    moves = np.zeros((2, len(symmetries), MOVES), np.int64)
    for number, symmetry in enumerate(symmetries):
        moves[0, number, : len(symmetry)] = symmetry
        moves[1, number, list(symmetry)] = range(len(symmetry))
    return moves.reshape(-1)
