"""Pictures of the tree that a search visited."""
