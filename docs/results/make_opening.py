"""Work out the opening book of Connect Four that comes with the package: `python docs/results/make_opening.py`.

It writes `src/connectoe/engines/exact/connect_four_opening.txt`: the scores of all positions of up to 5 discs, and what
a perfect player does in each position that it meets up to 9 discs. No chance is involved, so there is no seed. What the
text has already is kept, and what was found is written every minute, so that a run can be interrupted and continued.
With the argument `anew`, everything is worked out again.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable

from connectoe import load
from connectoe.engines.exact.opening_book import FILE, START, ConnectFourWithBook, book_lines, image, position_after

MOST_DISCS = 9
ALL_UP_TO = 5
MEGABYTES = 512
"""A large table: the positions have much in common."""
SECONDS_BETWEEN_WRITES = 60


def main() -> None:
    """Solve what is not in the text yet, and write the text."""
    solver = ConnectFourWithBook(load("connect-four"), MEGABYTES)
    if sys.argv[1:] == ["anew"]:
        solver.book = {}
    else:
        solver.book = dict(solver.book)
    lines = {} if not solver.book else {key_of(solver, line): line for line in FILE.read_text().splitlines()}
    began = written = time.perf_counter()
    nodes = 0
    for number, line in enumerate(book_lines(solver, MOST_DISCS, ALL_UP_TO)):
        lines[key_of(solver, line)] = line
        now = time.perf_counter()
        if solver.nodes > nodes:
            print(f"{now - began:7.1f} s  {solver.nodes / 1e6:9.1f} million nodes  {number:6}  {line}", flush=True)
            nodes = solver.nodes
        if now - written > SECONDS_BETWEEN_WRITES:
            write(lines.values())
            written = now
    write(lines.values())


def key_of(solver: ConnectFourWithBook, line: str) -> tuple[int, int]:
    """Return the key of a line's position in the book."""
    discs, _ = image(solver.game, position_after(solver.game, line.split()[0]))
    return discs


def write(lines: Iterable[str]) -> None:
    """Write the text, positions with few discs first."""
    ordered = sorted(lines, key=lambda line: (len(line.split()[0].replace(START, "")), line))
    new = FILE.with_suffix(".new")
    new.write_text("".join(f"{line}\n" for line in ordered))
    new.replace(FILE)


if __name__ == "__main__":
    main()
