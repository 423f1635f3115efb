"""Commands about Shift Tac Toe, one file per command."""
