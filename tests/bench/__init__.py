"""How fast the engine is, measured side by side: `python -m tests.bench`."""
