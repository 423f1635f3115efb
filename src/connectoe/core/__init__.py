"""What a game is, and what is played with it: rules, states, matches, records."""
