"""The games, one folder per game. Adding a folder adds a game: nothing is registered."""
