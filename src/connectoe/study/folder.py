"""The folder of a study. Every file in it is written completely or not at all.

FOLDER/plan.json            the plan
FOLDER/chunks/00012.json    the result of chunk 12
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

from connectoe.atomic import atomic_file
from connectoe.core.errors import ConnectoeError
from connectoe.running.sources import code_of
from connectoe.study.chunks import ChunkResult
from connectoe.study.plan import Chunk, Plan, chunks_of, key_of, plan_from

log = logging.getLogger("connectoe")
PLAN = "plan.json"
CHUNKS = "chunks"
TO_CONTINUE = "What is finished is kept; run the same command to continue"

PARTS_OF_A_PLAN = {
    "source": "the game or its file",
    "variants": "the options",
    "rules": "the rules",
    "players": "the players",
    "pairings": "the games (their number, records, evaluations or random openings)",
    "seed": "the seed",
    "evaluation": "the simulations of the evaluation",
    "version": "the version of Connectoe",
}
CAN_BE_SHARED = {PARTS_OF_A_PLAN[name] for name in ("variants", "rules", "players", "pairings")}
"""Studies that differ only in these may have games in common."""


def write_file(path: Path, content: bytes) -> None:
    """Write a file of a study, completely or not at all."""
    try:
        with atomic_file(path) as file:
            file.write(content)
    except OSError as error:
        raise ConnectoeError(f"{path} cannot be written: {error.strerror or error}. {TO_CONTINUE}") from error


def prepare(plan: Plan, folder: Path) -> None:
    """Write the plan to its folder; a folder with the same plan is continued, one with another plan is refused."""
    path = folder / PLAN
    try:
        (folder / CHUNKS).mkdir(parents=True, exist_ok=True)
        known = path.read_text() if path.exists() else None
    except OSError as error:
        raise ConnectoeError(f"the folder {folder} cannot be used: {error.strerror or error}") from error
    except UnicodeDecodeError:
        known = ""  # not a plan
    if known is not None and known != plan.to_json():
        try:
            other = plan_from(known)
        except ConnectoeError as error:
            raise ConnectoeError(f"{path} cannot be continued, {error}: give another folder") from error
        asked, there = ({**each._asdict(), "source": code_of(each.source)} for each in (plan, other))
        differs = [words for name, words in PARTS_OF_A_PLAN.items() if asked[name] != there[name]]
        if differs:
            share = f", and --from {folder} to reuse what both have in common"
            raise ConnectoeError(
                f"{folder} holds another study (see {path}), which differs in {', '.join(differs)}: give another folder"
                f"{share if set(differs) <= CAN_BE_SHARED else ''}; or repeat the original command to continue it"
            )
    if known != plan.to_json():  # there is none, or only comments in the game's file have changed
        write_file(path, plan.to_json().encode())


def take_over(plan: Plan, folder: Path, others: Iterable[Path]) -> int:
    """Copy the chunks that other studies have already played; return how many."""
    there: dict[str, tuple[Path, Chunk]] = {}
    for other in others:
        their_plan = read_plan(other)
        there |= {key_of(their_plan, chunk): (other, chunk) for chunk in chunks_of(their_plan)}
    taken = 0
    for chunk in unfinished(plan, folder):
        place = there.get(key_of(plan, chunk))
        result = read_chunk(*place) if place else None
        if result:
            write_chunk(folder, replace(result, number=chunk.number))
            taken += 1
    return taken


def read_plan(folder: Path) -> Plan:
    """Return the plan of the study in a folder."""
    try:
        return plan_from((folder / PLAN).read_bytes().decode(errors="replace"))
    except OSError as error:
        raise ConnectoeError(f"there is no study in {folder}: {error.strerror or error}") from error


def chunk_path(folder: Path, number: int) -> Path:
    """Return the path of a chunk's file."""
    return folder / CHUNKS / f"{number:05d}.json"


def read_chunk(folder: Path, chunk: Chunk) -> ChunkResult | None:
    """Return the result of a chunk; None if it is not finished, or its file is damaged or of another chunk."""
    path = chunk_path(folder, chunk.number)
    try:
        result = ChunkResult.from_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        _tell(f"{path} is not used, {error}: its games are played again")
        return None
    return result if (result.number, result.seed) == (chunk.number, chunk.seed) else None


@cache
def _tell(problem: str) -> None:
    """Log once what is wrong with a file."""
    log.warning("%s", problem)


def write_chunk(folder: Path, result: ChunkResult) -> None:
    """Write the result of a chunk to its file."""
    write_file(chunk_path(folder, result.number), result.to_json())


def unfinished(plan: Plan, folder: Path) -> list[Chunk]:
    """Return the chunks that are still to be played."""
    return [chunk for chunk in chunks_of(plan) if read_chunk(folder, chunk) is None]
