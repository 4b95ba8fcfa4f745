"""The board: the game being played, and where a person plays it."""
