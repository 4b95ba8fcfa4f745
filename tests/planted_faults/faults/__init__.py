"""One group of faults a file."""
