"""`python -m connectoe` is the command `connectoe`."""

from connectoe.cli import main

main()
