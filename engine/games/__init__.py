"""One game a file. `engine.registry` finds them here by itself."""
