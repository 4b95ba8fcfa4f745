"""What was counted: this search, its workers, and the runs before it."""
