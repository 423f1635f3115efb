"""How to play Tic-tac-toe, step by step."""

from __future__ import annotations

from connectoe.core.exercises import Exercise, Task

LESSONS: tuple[Exercise, ...] = (
    Exercise(
        "Three in line",
        (
            Task(
                "You are X. Three of your marks in a row, column or diagonal win. You have two on a diagonal: put the "
                "third one on it.",
                "c1",
                "Three in line: you win.",
                otherwise="That makes no line of three. Look at your marks on a3 and b2: which square continues them?",
                hint="The diagonal goes down from the top left corner to the bottom right one.",
                aim="win",
            ),
        ),
        start="XO1/1X1/O2 X",
    ),
    Exercise(
        "Stop the other line",
        (
            Task(
                "You cannot win yet, but O has two in line and is about to. Take the square that O needs.",
                "a1",
                "Blocked. And look: now you threaten a2 and b1 at once, so you will win.",
                otherwise="Then O plays a1 and has three in line. Take that square yourself.",
                hint="O has marks on c3 and b2. Which square completes their diagonal?",
                aim="save",
            ),
        ),
        start="X1O/1O1/2X X",
    ),
    Exercise(
        "Two threats at once",
        (
            Task(
                "One threat can be blocked; two at once cannot. Find the square that gives you two lines with one "
                "square missing in each.",
                "c3",
                "Now both b3 and b2 win. O can take only one of them.",
                {"b2|b3|b1": "That makes at most one threat, and O blocks it."},
                "That makes no threat that O could not stop.",
                hint="You have a1 and a3. The third corner belongs to two lines.",
                replies="b2",
                aim="trap",
            ),
            Task("O has blocked the diagonal. Finish the other line.", "b3", aim="win", hint="Look at the top row."),
        ),
        start="X2/O2/X1O X",
    ),
    Exercise(
        "When you play second",
        (
            Task(
                "This time you are O, and X has begun in a corner. Only one answer keeps the game even.",
                "b2",
                "The middle belongs to four lines. Every other answer loses against best play.",
                otherwise="X can now build two threats at once and win. Which square belongs to the most lines?",
                hint="It is the square that every diagonal runs through.",
            ),
        ),
        moves="a1",
    ),
)
"""The advice in short: win if you can, else block, else make two threats. If both follow it, the game is a draw."""
