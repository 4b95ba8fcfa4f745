"""Counters: of the current search, its workers, and earlier runs."""
