"""Work out the opening book of Connect Four that comes with the package: `python docs/results/make_opening.py`.

It writes `src/connectoe/engines/exact/connect_four_opening.txt`: what a perfect player does in each position that it
meets up to 9 discs, and in all positions there are up to 3 discs. No chance is involved, so there is no seed. What the
text has already is kept; with `anew`, everything is worked out.
"""

from __future__ import annotations

import sys
import time

from connectoe import load
from connectoe.engines.exact.opening_book import FILE, ConnectFourWithBook, book_lines

MOST_DISCS = 9
ALL_UP_TO = 3
MEGABYTES = 1024
"""A large table: the positions have much in common."""


def main() -> None:
    """Solves the positions layer by layer, and writes the text."""
    solver = ConnectFourWithBook(load("connect-four"), MEGABYTES)
    if sys.argv[1:] == ["anew"]:
        solver.book = {}
    began = time.perf_counter()
    lines: list[str] = []

    def tell(line: str) -> None:
        print(f"{time.perf_counter() - began:7.1f} s  {solver.nodes / 1e6:9.1f} million nodes  {line}", flush=True)

    for layer in book_lines(solver, MOST_DISCS, ALL_UP_TO, tell):
        lines += layer
    FILE.write_text("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    main()
