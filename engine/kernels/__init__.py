"""The search itself, in functions that run as plain Python and compiled: stack, recursion, orders, table, tasks."""
