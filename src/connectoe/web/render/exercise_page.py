"""What the page of an exercise shows: a position, what to do, and the answer to the last press.

The address of the page holds everything: the right moves so far, the move that was tried last, and the hint that was
asked for. Lessons are made of exercises; anything else with a position and right moves can be shown like this.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from connectoe.core.exercises import Answer, Attempt
from connectoe.core.swapping import SWAP_MOVE
from connectoe.draw.text import text as text_picture
from connectoe.web.render.animation import steps_between
from connectoe.web.render.boards import BoardShown, board_shown, measures
from connectoe.web.render.match_page import scene_after, symbol_of

WORDS, MOVE = 1, 2
"""The hints there are: words, and the move itself."""


class Said(NamedTuple):
    """What stands above the task: the answer to the last move, and whether it was right."""

    words: str
    kind: str
    """`right`, `wrong` or `hint`; also a class of the style sheet."""


def link_to(address: str, played: Sequence[str] = (), tried: str = "", hint: int = 0) -> str:
    """Return the address of an exercise after some right moves, with the answer to a wrong one or a hint.

    >>> link_to("/learn/advanced/1", ["2W2"], tried="1W2")
    '/learn/advanced/1?played=2W2&tried=1W2'
    """
    fields = {"played": " ".join(played), "tried": tried, "hint": str(hint) if hint else ""}
    query = urlencode({name: value for name, value in fields.items() if value})
    return f"{address}?{query}" if query else address


def exercise_context(
    attempt: Attempt, *, address: str, tried: str = "", hint: int = 0, since: int | None = None, **more: Any
) -> dict[str, Any]:
    """Return what `exercise.html` shows.

    `address` is that of the exercise, `tried` a move that was not right, `hint` how much help is wanted, and `since`
    the ply that the page shows so far.
    """
    match, task = attempt.match, attempt.task
    game, outcome = match.game, match.outcome
    scene = scene_after(match, match.ply)
    hinted = task.moves[0] if task and hint >= (WORDS if not task.hint else MOVE) else ""
    board = board_shown(
        scene,
        action=address,
        fields={"played": " ".join(attempt.played)},
        tools=game.tools,
        pictures=game.tool_pictures,
        may_move=task is not None,
        steps=() if since is None else steps_between(match, since, match.ply),
        hint=hinted,
        refusals=game.refusals(match.state.position) if task and not outcome else (),
        otherwise="this is no place to play" if task else "",
        waiting=0 if game.tools else None,
        near="forced" if task else "last",  # once nothing is left to do, what was done is to be seen
    )
    link = link_to(address, attempt.played, tried, hint)
    return {
        "attempt": attempt,
        "exercise": attempt.exercise,
        "game": game,
        "match": match,
        "task": task,
        "said": _said(attempt, tried, hint),
        "board": _with_tool(board, hinted),
        "measures": measures(scene),
        "status_symbol": symbol_of(outcome.winner if outcome else match.turn, scene),
        "notes": [] if outcome else scene.notes,
        "text": text_picture(scene),
        "address": address,
        "link": link,
        "hint_link": link_to(address, attempt.played, hint=MOVE if hint else WORDS) if task and not hinted else "",
        "hint_words": "Show me the move" if hint else "Hint",
        **more,
    }


def _said(attempt: Attempt, tried: str, hint: int) -> Said | None:
    """Return the answer to a wrong move, else a hint, else the answer to the last right move."""
    task = attempt.task
    if tried and task:
        answer: Answer = attempt.answer(tried)
        return None if answer.is_right else Said(answer.words, "wrong")
    if hint and task:
        where = next((place.says for place in attempt.match.scene().targets if place.move == task.moves[0]), "")
        move = f"{where[:1].upper()}{where[1:]}." if where else move_in_words(task.moves[0])
        return Said(task.hint if task.hint and hint < MOVE else move, "hint")
    return Said(attempt.said, "right") if attempt.said else None


def move_in_words(move: str) -> str:
    """Return what to do where the board has no place to press."""
    return "Swap sides." if move == SWAP_MOVE else f"Play {move}."


def _with_tool(board: BoardShown, move: str) -> BoardShown:
    """Return the board with the tool in hand that a move needs."""
    kinds = next((button.classes.split() for button in board.buttons if button.move == move), [])
    if not any(f"tool-{tool.number}" in kinds for tool in board.tools):
        return board
    return board._replace(tools=[tool._replace(is_chosen=f"tool-{tool.number}" in kinds) for tool in board.tools])
