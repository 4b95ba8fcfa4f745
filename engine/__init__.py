"""Plyscope's engine: games, searches, where they run, and the record of what they did. Imports no Qt."""

import os

# numba reads these when it is loaded, whoever does so first.
os.environ.setdefault("NUMBA_THREADING_LAYER_PRIORITY", "omp tbb workqueue")
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")  # at each look-up it would colour for nobody
