"""A fixture for every test of MPI: patience with ranks that a busy machine holds up."""

import pytest

from engine.backends import mpi


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give ranks long to stop and between two records. A test of what becomes of slower ones sets its own limit."""
    for limit in ("STOP_SECONDS", "SILENCE_SECONDS"):
        monkeypatch.setattr(mpi, limit, 30.0)
