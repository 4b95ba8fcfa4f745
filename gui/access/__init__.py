"""The window by keyboard and as text."""
