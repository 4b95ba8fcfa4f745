"""Work away from the window's thread: searches, compilation, and files."""
