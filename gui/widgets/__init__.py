"""What all rooms are built of: cards, boards drawn small, texts that fit."""
