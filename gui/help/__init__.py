"""Help: pages, keys, the command palette, the tour, the first hint, and error messages."""
