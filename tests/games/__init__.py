"""Tests of the games, one file each, with their perft tables."""
