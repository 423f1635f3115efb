"""The games, one file each. Adding a file adds a game: nothing is registered."""
