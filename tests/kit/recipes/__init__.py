"""Recipes of built-in games."""
