"""One algorithm per file: first the textbook recursion, then the rules of its compiled kernel. `engine.registry` finds
them here."""
