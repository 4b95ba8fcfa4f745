"""Plyscope's window: views over the engine. Imports neither numba nor mpi4py."""

import os

# PySide6 makes each of its classes when it is first used. Two threads that do so at once end the program without a
# word (6.11.3): the window's and, for one, that which imports pyqtgraph, which uses all classes.
os.environ.setdefault("PYSIDE6_OPTION_LAZY", "0")
