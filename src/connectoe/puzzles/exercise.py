"""A puzzle as an exercise, to be solved on a page or in a terminal like a step of a lesson."""

from __future__ import annotations

from connectoe.core.exercises import Exercise, Task
from connectoe.puzzles.puzzle import Puzzle
from connectoe.puzzles.solving import judge
from connectoe.puzzles.wording import hints, said_of, task


def exercise_of(puzzle: Puzzle) -> Exercise:
    """Return the exercise of playing a puzzle's line: a task for each move of the solver, with the defence to it.

    >>> import connectoe
    >>> from connectoe.puzzles.puzzle import puzzle_from
    >>> puzzle = puzzle_from(connectoe.load("tic-tac-toe"), "win\\t5\\ttable\\ta1 b1\\ta3 a2 b2 c2 c3\\t-\\t-")
    >>> [(each.words, each.right, each.replies) for each in exercise_of(puzzle).tasks]
    [('X to move and win in 3 moves.', 'a3', 'a2'), ('Now win in 2.', 'b2', 'c2'), ('Now win in 1.', 'c3', '')]
    """
    tasks: list[Task] = []
    left, places, known_hints = puzzle.own_moves, _own_places(puzzle), hints(puzzle)
    for place in places:
        following = [later for later in places if later > place]
        until = following[0] if following else place + 1 if puzzle.goal == "draw" else len(puzzle.line)
        move = puzzle.line[place]
        judgement = judge(puzzle, puzzle.line[: place + 1])
        hint = known_hints[0] if not tasks and len(known_hints) > 1 else ""
        tasks.append(
            Task(
                words=f"Now win in {left}." if tasks else task(puzzle),
                right=move,
                says=said_of(puzzle, move, judgement),
                replies=" ".join(puzzle.line[place + 1 : until]),
                hint=hint,
            )
        )
        left -= 1
    title = "Save the draw" if puzzle.goal == "draw" else f"Win in {puzzle.own_moves}"
    return Exercise(title, tuple(tasks), moves=" ".join(puzzle.moves))


def _own_places(puzzle: Puzzle) -> list[int]:
    """Return the places of the solver's moves in the line."""
    state, places = puzzle.state, []
    for place, move in enumerate(puzzle.line):
        if state.turn == puzzle.state.turn:
            places.append(place)
        state = state.play(move)
    return places
