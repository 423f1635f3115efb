"""Playing and replaying at a terminal."""
