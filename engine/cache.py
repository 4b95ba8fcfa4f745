"""Where compiled kernels are kept between runs. It is known without loading the compiler."""

import hashlib
import logging
import os
import tempfile
from importlib.metadata import version
from pathlib import Path

import platformdirs

log = logging.getLogger(__name__)


def _folder() -> Path:
    """Named by a hash of the engine's sources, of where they are and of what compiles them.

    numba itself compares the path and the time stamp of one file, so it would miss a rule that changed in another.
    """
    checks = os.environ.get("NUMBA_BOUNDSCHECK", "")
    digest = hashlib.sha256(f"{version('numba')} {checks} {Path(__file__).parent}".encode())
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(source.read_bytes())
    above = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_path("plyscope")
    return Path(above) / f"kernels-{digest.hexdigest()[:16]}"


def _opened() -> Path | None:
    """The folder, or None where it cannot be written."""
    folder = _folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        log.warning("Compiled kernels cannot be kept (%s); they are compiled anew at each start.", error)
        return None
    return folder


CACHE: Path | None = _opened()
"""None where nothing can be kept."""
