"""Plyscope's window: views over the engine. Imports neither numba nor mpi4py."""
