"""The board: the current game, and its controls."""
