"""How much work pages are: the processor time of each page in this process, the first time and later.

    python bench/pages.py          every page of every game

Processor time hardly depends on what else the machine does.
"""

from __future__ import annotations

import statistics
import time
import warnings

from connectoe import game_ids
from connectoe.web.http.app import Settings, make_app
from connectoe.web.service.limits import UNLIMITED

warnings.simplefilter("ignore")
from fastapi.testclient import TestClient  # noqa: E402

TIMES = 7


def work_of(client: TestClient, path: str) -> tuple[float, float]:
    """Return the milliseconds of processor time of the first answer, and the median of the later ones."""
    taken = []
    for _ in range(TIMES):
        began = time.process_time()
        client.get(path).raise_for_status()
        taken.append(1000 * (time.process_time() - began))
    return taken[0], statistics.median(taken[1:])


def main() -> None:
    """Measure and print a table, with most work first."""
    app = make_app(Settings("sqlite://", prepares="nothing", shares=UNLIMITED))
    kinds = {"gallery": "/", "choice of an analysis": "/analyse", "API": "/docs", "your matches": "/matches"}
    for game_id in game_ids():
        kinds |= {f"{kind} {game_id}": f"/{kind}/{game_id}" for kind in ("rules", "new", "analyse")}
    site = "http://localhost"
    with TestClient(app, base_url=site, headers={"Origin": site}) as client:
        client.get("/about")
        found = {kind: work_of(client, path) for kind, path in kinds.items()}
        for game_id in game_ids():
            wish = {"game": game_id, "seats": [{"kind": "me"}, {"kind": "me"}]}
            made = client.post("/api/v1/matches", json=wish).json()
            found[f"match {game_id}"] = work_of(client, f"/matches/{made['id']}")
    print("| page | first time | later |\n|---|--:|--:|")
    for kind, (first, later) in sorted(found.items(), key=lambda one: -one[1][1]):
        print(f"| {kind} | {first:.1f} ms | {later:.1f} ms |")


if __name__ == "__main__":
    main()
