"""Texts of the engine: numbers and descriptions of searches."""
