"""What the engine says to people: numbers, descriptions of searches, and sentences that can be translated."""
