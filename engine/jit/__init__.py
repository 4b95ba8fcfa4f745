"""How kernels are compiled: numba's settings, its cache, and the machine code of the smallest operations."""
