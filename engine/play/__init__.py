"""The computer as a player: levels, the strongest search, reviews of games, and games as files."""
