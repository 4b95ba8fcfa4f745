"""The rules of games: the contract, sets of moves, boards as data, and functions shared by games on a grid."""
