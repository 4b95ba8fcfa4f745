"""The computer as a player: levels, move values, recommended searches, reviews, variations and game files."""
