"""What the window's views show: the game, the search at hand, the computer as a player, and what follows from them."""
