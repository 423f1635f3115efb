"""Games as environments for training players.

- `batch`: thousands of games at once, compiled, as numpy arrays;
- `pettingzoo`: one game for two agents, by turns (needs `connectoe[train]`);
- `gymnasium`: one game against a named opponent (needs `connectoe[train]`);
- `open_spiel`: a game for OpenSpiel's algorithms (needs `connectoe[open-spiel]`).

All of them show a position in the same way, see `observing`: as planes, (planes, rows, columns) of small ints, from the
point of view of one player. Moves are the game's own ints, and a mask marks the legal ones.
"""
