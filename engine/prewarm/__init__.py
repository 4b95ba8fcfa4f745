"""Compiles kernels before they are needed, in a background process and a fork of it."""
