"""The speedup of parallel search on the board's position: measured, drawn, and exported."""
