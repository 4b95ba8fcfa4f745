"""Plyscope's engine: games, search algorithms, backends and records. Imports no Qt."""

import atexit
import gc
import os

# Nearly all objects of a start stay alive: looking through them again and again would take a tenth of its time.
gc.set_threshold(200_000, 10, 10)
atexit.register(gc.freeze)  # Python would look through them once more at its end
# Read when numpy is imported. It multiplies no matrices here, and each of OpenBLAS's threads waits busily for a while.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Read when numba is imported.
os.environ.setdefault("NUMBA_THREADING_LAYER_PRIORITY", "omp tbb workqueue")
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")  # saves colouring at each look-up
# Each library guesses in its own way where there is no home, or ends the program. In a device nothing can be kept.
if not os.path.isabs(os.environ.get("HOME", "")):
    os.environ.pop("HOME", None)
    os.environ["HOME"] = found if os.path.isabs(found := os.path.expanduser("~")) else os.devnull
