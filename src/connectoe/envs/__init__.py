"""Games as those who train players know them.

- `batch`: thousands of games at once, compiled, as numpy arrays;
- `pettingzoo`: one game for two agents, by turns (needs `connectoe[train]`);
- `gymnasium`: one game against a named opponent (needs `connectoe[train]`);
- `open_spiel`: a game for OpenSpiel's algorithms (needs `connectoe[open-spiel]`).

All of them show a position alike, see `observing`: as planes, (planes, rows, columns) of small ints, from the side of
the player who looks; moves are the game's own ints, and a mask tells the legal ones.
"""
