"""The ordering dial: the leaves that alpha-beta visits on the board's position, by the order of its moves."""
