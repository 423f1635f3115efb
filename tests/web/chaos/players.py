"""People who play, watch, and write down what they were told."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from contextlib import suppress
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from connectoe import Match, load
from tests.web.chaos.clients import AWAY, Client, Report

GAMES = ("connect-four", "tic-tac-toe", "c4-twist", "connect-tac-toe", "semaphores", "ultimate", "shift-tac-toe")
MOST_MOVES = 60
"""After this many moves a player resigns."""
MOST_REFUSED = 5
"""How often in a row a page may be refused because the server is busy."""
UNDO, RESIGN = 0.05, 0.02
"""How often a player takes a move back, and resigns."""


class Ledger:
    """All that anybody was told about a match: every version has one content, for everybody and for ever."""

    def __init__(self, report: Report, made: dict[str, Any]) -> None:
        self.report = report
        self.id: str = made["id"]
        self.accepted: list[str] = []
        self.result: str | None = None
        self.version = 0
        """The newest version that a player was told."""
        self.watched = 0
        """The newest version that a watcher was told."""
        self._told: dict[int, tuple[Any, ...]] = {}
        self.note(made)

    def note(self, told: dict[str, Any]) -> None:
        """Compare what somebody is told with what was told before."""
        content = tuple(told["moves"]), told["result"]
        if self._told.setdefault(told["version"], content) != content:
            self.report.problem(
                f"{self.id}: version {told['version']} was {self._told[told['version']]}, now {content}"
            )

    def note_answer(self, told: dict[str, Any], moves: list[str], may_go_on: bool) -> None:
        """Note the answer to a player: the match stands after these moves, or has gone on after them."""
        self.note(told)
        if told["version"] < self.version:
            self.report.problem(f"{self.id}: version {told['version']} came after {self.version}")
        if told["moves"][: len(moves)] != moves or (len(told["moves"]) > len(moves) and not may_go_on):
            self.report.problem(f"{self.id}: {told['moves']} instead of {moves}")
        if self.result and told["result"] != self.result:
            self.report.problem(f"{self.id}: {told['result']} instead of {self.result}")
        self.version, self.accepted, self.result = told["version"], list(told["moves"]), told["result"]

    def check(self, told: dict[str, Any], is_with_engine: bool) -> None:
        """Compare the match as it is stored at the end with the last answer."""
        self.note_answer(told, self.accepted, may_go_on=is_with_engine)


class Player:
    """Somebody who plays one match after the other: alone against themselves, or against an engine."""

    def __init__(self, client: Client, seed: str, pause: float, is_with_engine: bool, watches: bool) -> None:
        self.client = client
        self.report = client.report
        self.chance = random.Random(seed)
        self.pause = pause
        self.is_with_engine = is_with_engine
        self.watches = watches
        self.ledgers: list[Ledger] = []

    async def play(self) -> None:
        """Play until the run is over."""
        while not self.report.is_over:
            await self._play_match()

    async def _play_match(self) -> None:
        game = self.chance.choice(GAMES)
        other = {"kind": "engine", "level": "random"} if self.is_with_engine else {"kind": "me"}
        answer = await self.client.ask("POST", "/api/v1/matches", json={"game": game, "seats": [{"kind": "me"}, other]})
        if answer.status_code == 429:  # this client has begun many
            await self.report.pause(5)
            return
        made = answer.json()
        ledger, match, secrets = Ledger(self.report, made), Match(load(game)), made["secrets"]
        self.ledgers.append(ledger)
        watching = asyncio.create_task(watch(self.client, ledger)) if self.watches else None
        while match.turn is not None and not ledger.result and not self.report.is_over:
            await self._take_turn(ledger, match, secrets.get(str(match.turn), ""))
            await self.report.pause(self.pause * 2 * self.chance.random())
        if watching:
            with suppress(TimeoutError):
                async with asyncio.timeout(60):
                    while ledger.watched < ledger.version:
                        await asyncio.sleep(0.05)
            if ledger.watched < ledger.version and not self.is_with_engine:
                self.report.problem(f"{ledger.id}: a watcher was not told of version {ledger.version}")
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)

    async def _take_turn(self, ledger: Ledger, match: Match, secret: str) -> None:
        path = f"/api/v1/matches/{ledger.id}"
        if not secret:  # the engine's turn
            told = (await self.client.ask("GET", path)).json()
            ledger.note_answer(told, ledger.accepted, may_go_on=True)
        elif self.chance.random() < RESIGN or match.ply >= MOST_MOVES:
            answer = await self.client.ask("POST", f"{path}/resign", secret)
            told = answer.json()["match"] if answer.status_code == 409 else answer.json()  # the first answer was lost
            ledger.note_answer(told, match.moves, may_go_on=False)
            if not told["result"]:
                self.report.problem(f"{ledger.id}: nobody has resigned")
        elif match.ply and not self.is_with_engine and self.chance.random() < UNDO:
            answer = await self.client.ask("POST", f"{path}/undo", secret, json={"ply": match.ply})
            self._note(ledger, answer, match.moves[:-1])
        else:
            move, begun = self.chance.choice(match.legal_moves()), time.monotonic()
            answer = await self.client.ask("POST", f"{path}/moves", secret, json={"move": move, "ply": match.ply})
            if self._note(ledger, answer, [*match.moves, move]):
                self.report.moves += 1
                self.report.waits.append(time.monotonic() - begun)
        while match.ply > len(ledger.accepted) or match.moves != ledger.accepted[: match.ply]:
            match.undo()
        for move in ledger.accepted[match.ply :]:
            match.play(move)

    def _note(self, ledger: Ledger, answer: Any, moves: list[str]) -> bool:
        if answer.status_code != 200:
            self.report.problem(f"{ledger.id}: {answer.status_code} {answer.text[:200]} after {moves}")
            ledger.result = "?"
            return False
        ledger.note_answer(answer.json(), moves, may_go_on=self.is_with_engine)
        return True

    async def check(self) -> None:
        """Compare all matches with what they are in the end."""
        for ledger in self.ledgers:
            answer = await self.client.ask("GET", f"/api/v1/matches/{ledger.id}")
            if answer.status_code != 200:
                self.report.problem(f"{ledger.id} is lost: {answer.status_code}")
            elif ledger.result != "?":
                ledger.check(answer.json(), self.is_with_engine)


async def watch(client: Client, ledger: Ledger) -> None:
    """Watch a match over live connections, one after the other."""
    address = f"{client.url.replace('http', 'ws')}/api/v1/matches/{ledger.id}/live"
    while True:
        with suppress(WebSocketException, *AWAY):
            async with connect(address, local_addr=(client.address, 0)) as live:
                newest = 0
                async for message in live:
                    told = json.loads(message)
                    if "moves" not in told:
                        continue
                    ledger.note(told)
                    if told["version"] < newest:
                        ledger.report.problem(f"{ledger.id}: a watcher was told {told['version']} after {newest}")
                    newest = told["version"]
                    ledger.watched = max(ledger.watched, newest)
        await asyncio.sleep(0.1)


async def look_around(client: Client) -> None:
    """Ask for what needs no database; it is served whatever else happens, unless the server is killed."""
    refused: Counter[str] = Counter()
    while not client.report.is_over:
        for path in ("/livez", "/about", "/static/style.css", "/rules/ultimate"):
            answer = await client.once("GET", path)
            refused[path] = refused[path] + 1 if answer is not None and answer.status_code == 503 else 0
            if refused[path] > MOST_REFUSED or (answer is not None and answer.status_code not in (200, 503)):
                client.report.problem(f"{path} is not served")
        await client.report.pause(0.2)
