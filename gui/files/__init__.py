"""Saved games: the File menu, the files, and the current game from one run to the next."""
