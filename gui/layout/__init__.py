"""The zones of the window: the tree in the centre, the drawers on the right, the strip of figures below."""
