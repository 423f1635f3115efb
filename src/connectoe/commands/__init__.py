"""The commands of `connectoe`, one file each, named like the command in it. Adding a file adds a command."""
