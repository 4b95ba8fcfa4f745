"""The pictures of the tree that a search walked."""
