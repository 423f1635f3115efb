"""Puzzles in words: the task, hints, and the value of a move."""

from __future__ import annotations

from datetime import date

from connectoe.puzzles.puzzle import PROOFS, Puzzle
from connectoe.puzzles.solving import Judgement
from connectoe.puzzles.themes import UNDER_THREAT, special_moves, themes
from connectoe.puzzles.training import Training


def task(puzzle: Puzzle) -> str:
    """Return what is to be done.

    >>> import connectoe
    >>> from connectoe.puzzles.puzzle import puzzle_from
    >>> puzzle = puzzle_from(connectoe.load("tic-tac-toe"), "win\\t5\\ttable\\ta1 b1\\ta3 a2 b2 c2 c3\\t-\\tb2")
    >>> task(puzzle)
    'X to move and win in 3 moves.'
    >>> hints(puzzle)[0]
    'b2 looks good, but it is not the move.'
    """
    symbol = puzzle.game.symbols[puzzle.state.turn or 0]
    if puzzle.goal == "draw":
        return f"{symbol} to move and save the draw: every other move loses."
    return f"{symbol} to move and win in {puzzle.own_moves} move{'s' if puzzle.own_moves != 1 else ''}."


def hints(puzzle: Puzzle) -> list[str]:
    """Return hints in words, from a slight one to the move itself."""
    found = []
    if UNDER_THREAT in themes(puzzle):
        found.append("Your opponent threatens to win at once: most moves lose right away.")
    if puzzle.tempting:
        found.append(f"{puzzle.tempting} looks good, but it is not the move.")
    kinds = puzzle.game.special_moves
    if kinds:
        special = special_moves(puzzle)
        others = " or ".join(kinds)
        found.append(f"The first move is a {special[0]}." if special else f"The first move is not a {others}.")
    if len(puzzle.solution) > 1:
        found.append(f"The first move is written {puzzle.solution[0]}{'_' * (len(puzzle.solution) - 1)}.")
    found.append(f"The first move is {puzzle.solution}.")
    return found


def said_of(puzzle: Puzzle, move: str, judgement: Judgement) -> str:
    """Return the judgement of a move as a sentence."""
    if judgement.leaves_the_line:
        return f"{move} solves it too; the line is {' '.join(puzzle.line)}."
    if judgement.verdict == "solved":
        return f"{move} solves it."
    if judgement.verdict == "right":
        return f"{move} is right. {judgement.reply} is the longest defence." if judgement.reply else f"{move} is right."
    if judgement.reply:
        return f"{move} loses to {judgement.reply}."
    return f"{move} does not save the draw." if puzzle.goal == "draw" else f"{move} does not win in time."


def proof_in_words(puzzle: Puzzle) -> str:
    """Return what the solution rests on."""
    if puzzle.goal == "draw":
        return f"Proven by {PROOFS[puzzle.proof]}: every other move loses within {puzzle.plies} plies."
    if puzzle.proof == "search":
        return f"Proven by {PROOFS[puzzle.proof]}: no other move wins within {puzzle.depth} plies."
    return f"Proven by {PROOFS[puzzle.proof]}: no other move wins at all."


def progress_of(training: Training, today: date) -> str:
    """Return how practice goes, in words; empty before the first puzzle.

    >>> training = Training()
    >>> training.note("abc", solved=True)
    >>> training.note_day(date(2026, 11, 18), solved=True)
    >>> progress_of(training, date(2026, 11, 18))
    'Puzzle of the day: 1 day in a row · 1 solved in a row · 1 of 1 solved · grade 1 suits you'
    """
    found = []
    if days := training.days_in_a_row(today):
        found.append(f"Puzzle of the day: {days} day{'s' if days != 1 else ''} in a row")
    if training.tried:
        best = f" (best {training.best_streak})" if training.best_streak > training.streak else ""
        found.append(f"{training.streak} solved in a row{best}")
        found.append(f"{training.solved} of {training.tried} solved")
        found.append(f"grade {int(training.grade)} suits you")
    return " · ".join(found)
