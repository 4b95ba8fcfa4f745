"""The record of a search, and what can be told from it without searching again."""
