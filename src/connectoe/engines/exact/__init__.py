"""Engines that prove what they say: tables of solved games, and the Connect Four family."""
