"""Tournaments between players, their ratings, and engines of other programs."""
