"""State that the window's views show: the game, the current search, the computer as a player, and what is derived from
these."""
