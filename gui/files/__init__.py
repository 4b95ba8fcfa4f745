"""Games that are kept: the File menu, the files, and the current game from one run to the next."""
