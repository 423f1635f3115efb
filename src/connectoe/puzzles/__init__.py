"""Puzzles: positions with exactly one right move, proven, graded, and solved by play.

>>> import connectoe
>>> from connectoe.puzzles.store import puzzles_of
>>> puzzle = puzzles_of(connectoe.load("connect-four"))[0]
>>> puzzle.state.legal_moves().count(puzzle.solution)
1
"""
