"""What parallelism buys on the position on the board: measured here, drawn, and exported."""
