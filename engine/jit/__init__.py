"""The compilation of kernels: numba's settings, its cache, and machine code for basic operations."""
