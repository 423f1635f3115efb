"""Commands about Connect Four, one file per command."""
