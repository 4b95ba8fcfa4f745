"""Games that are kept: the File menu, the files, and the game at hand from one run to the next."""
