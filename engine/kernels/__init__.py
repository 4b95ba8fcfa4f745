"""Search functions that run as plain Python and compiled: stack, recursion, move orders, transposition table, tasks."""
