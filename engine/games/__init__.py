"""One game per file. `engine.registry` finds them here."""
