"""What plays, counts and solves: compiled once for each game and its options."""
