"""One algorithm a file: the textbook recursion on top, its compiled kernel below. `engine.registry` finds them here."""
