"""Following pieces through a match, so that each keeps one id while it is in play, wherever it goes.

A scene names its pieces by their places. Where pieces travel, the stages of a move show where each of them goes.
"""

from __future__ import annotations

from collections.abc import Sequence

from connectoe.core.state import State
from connectoe.scene import Piece

STORED_EVERY = 8
"""How many plies apart the ids are stored, so that long matches are not followed from the start."""

Ids = dict[str, str]
"""For each id in the scene of a state, the id the piece got when it came into play."""


class PieceIds:
    """The ids of the pieces in the states of one match."""

    def __init__(self) -> None:
        self._stored: dict[int, Ids] = {}

    def copy(self) -> PieceIds:
        """Return an independent copy."""
        twin = PieceIds()
        twin._stored = dict(self._stored)
        return twin

    def forget(self, ply: int) -> None:
        """Forget a state that was taken back."""
        self._stored.pop(ply, None)

    def named(self, pieces: Sequence[Piece], states: Sequence[State], ply: int) -> list[Piece]:
        """Return pieces of the state after `ply` moves under the ids they keep."""
        if not states[0].game.pieces_travel:
            return list(pieces)
        ids = self._ids_at(states, ply)
        return [piece._replace(id=ids.get(piece.id, piece.id)) for piece in pieces]

    def _ids_at(self, states: Sequence[State], ply: int) -> Ids:
        known = ply - ply % STORED_EVERY
        while known and known not in self._stored:
            known -= STORED_EVERY
        ids = self._stored[known] if known else {piece.id: piece.id for piece in states[0].scene().pieces}
        for number in range(known + 1, ply + 1):
            ids = _ids_after(ids, states[number], number)
            if number % STORED_EVERY == 0:
                self._stored[number] = ids
        return ids


def _ids_after(ids: Ids, state: State, ply: int) -> Ids:
    """Return the ids after one more move; a piece is recognised by its place in the last stage of the move."""
    if state.last is None:  # the players have swapped sides
        return ids
    stages = state.game.stages(state.last.before, state.last.move)
    arrived = {(piece.x, piece.y): piece.id for piece in stages[-1]} if stages else {}
    after = {}
    for piece in state.game.scene(state.position).pieces:
        before = arrived.get((piece.x, piece.y), "") if stages else piece.id
        after[piece.id] = ids.get(before, f"{piece.id}-{ply}")
    return after
