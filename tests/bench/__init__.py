"""Benchmarks of the engine against references: `python -m tests.bench`."""
