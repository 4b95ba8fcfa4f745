"""Kernels compiled before they are needed: beside the program, and in two processes."""
