"""Count the openings of the published studies for the analysis board: `python docs/results/make_openings.py`.

It reads the records in `docs/results/studies/` and writes `src/connectoe/web/service/openings/`; `openings.py` beside
that folder says what is in the texts. Only games between players who look ahead are counted, and each variant of a game
is counted in the study that has most games of it: studies share games, and none may count twice.
"""

from __future__ import annotations

import gzip
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from connectoe import Match, read_matches
from connectoe.web.service.openings import FOLDER, HEADING

STUDIES = Path(__file__).parent / "studies"
MOST_PLIES = 8
FEWEST_GAMES = 2
HALVES = {"0": 2, "draw": 1, "1": 0}

Line = tuple[str, ...]


def main() -> None:
    """Writes a text for each game."""
    studies: dict[str, dict[str, list[Match]]] = defaultdict(dict)
    for file in sorted(STUDIES.glob("*/games.txt.gz")):
        matches = read_matches(gzip.decompress(file.read_bytes()).decode())
        variants: dict[str, list[Match]] = defaultdict(list)
        for match in matches:
            if "random" not in match.players:
                variants[match.game.options_text].append(match)
        for options, played in variants.items():
            known = studies[played[0].game.id]
            if len(played) > len(known.get(options, [])):
                known[options] = played
    FOLDER.mkdir(exist_ok=True)
    for game_id, variants in studies.items():
        lines = [line for options, played in variants.items() for line in lines_of(options, played)]
        if len(lines) > len(variants):
            (FOLDER / f"{game_id}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            print(f"{game_id}: {len(lines)} lines")


def lines_of(options: str, matches: list[Match]) -> Iterator[str]:
    """Yield the heading of a variant and the lines of its openings, each move after the one before it."""
    games: Counter[Line] = Counter()
    halves: Counter[Line] = Counter()
    for match in matches:
        assert match.outcome, "a study plays its games to the end"
        moves = tuple(match.moves[:MOST_PLIES])
        for ply in range(1, len(moves) + 1):
            games[moves[:ply]] += 1
            halves[moves[:ply]] += HALVES[match.outcome.result]
    yield f"{HEADING}{len(matches)} {options}".rstrip()
    for line in sorted(line for line, times in games.items() if times >= FEWEST_GAMES):
        yield f"{len(line)} {line[-1]} {games[line]} {halves[line]}"


if __name__ == "__main__":
    main()
