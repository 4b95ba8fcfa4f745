"""Plyscope's engine: games, searches, where they run, and the record of what they did. Imports no Qt."""
