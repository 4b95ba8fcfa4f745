"""Work outside the window's thread: searches, compilation, and files."""
