"""Plyscope's engine: games, search algorithms, backends and records. Imports no Qt."""

import os

# numba reads these when it is imported.
os.environ.setdefault("NUMBA_THREADING_LAYER_PRIORITY", "omp tbb workqueue")
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")  # saves colouring at each look-up
