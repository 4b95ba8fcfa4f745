"""The rules of games: the contract, sets of moves, boards as data, and what games on a grid have in common."""
