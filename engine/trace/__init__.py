"""The record of a search, and queries on it that need no new search."""
