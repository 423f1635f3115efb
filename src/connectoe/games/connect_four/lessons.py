"""How to play Connect Four, step by step."""

from __future__ import annotations

from connectoe.core.exercises import Exercise, Task

LESSONS: tuple[Exercise, ...] = (
    Exercise(
        "Discs fall",
        (
            Task(
                "You are X. A disc falls to the lowest empty cell of its column. Drop one into the middle column, d.",
                "d",
                "It has fallen to the floor, and O has put a disc on top of it.",
                otherwise="That is another column. Column d is the one in the middle.",
                replies="d",
            ),
            Task(
                "Drop another one into column d.",
                "d",
                "It rests on O's disc. A column takes six discs.",
                otherwise="That is another column. Column d is the one in the middle.",
            ),
        ),
    ),
    Exercise(
        "Four in line",
        (
            Task(
                "Four of your discs in line win. You have three next to each other: add the fourth.",
                "b",
                "Four in line: you win.",
                otherwise="That is not next to your three discs c1, d1 and e1. One end of them is still free.",
                hint="O has closed the right end, f1. The left end is free.",
                aim="win",
            ),
        ),
        start="7/7/7/7/2O1O2/2XXXO1 X",
    ),
    Exercise(
        "Diagonals count",
        (
            Task(
                "A line may run upwards too. Your discs b1, c2 and d3 climb to the right. Add the fourth.",
                "e",
                "The three discs in column e carried yours up to the diagonal. You win.",
                otherwise="Follow the diagonal b1, c2, d3: the next cell is e4.",
                hint="Three discs lie in column e, so the next one rests on e4.",
                aim="win",
            ),
        ),
        start="7/7/7/3XO2/2XOX2/1XOXOO1 X",
    ),
    Exercise(
        "Block",
        (
            Task(
                "O has three in a row. You cannot win now, so stop O.",
                "a",
                "Blocked: that row is closed at both ends.",
                otherwise="Then O drops a disc into column a and has four in a row.",
                hint="O holds b1, c1 and d1. One end is closed by your disc on e1.",
                aim="save",
            ),
        ),
        start="7/7/7/7/2X4/1OOOX1X X",
    ),
    Exercise(
        "Three with open ends",
        (
            Task(
                "Two threats at once win. Make three in a row whose two ends are both free.",
                "b e",
                "Both ends win now, and O can close only one.",
                {"a|f": "That leaves a gap. O fills it and the threat is gone."},
                "That is not in the row of your two discs. O gets time to close an end.",
                hint="Put a disc right next to c1 or d1.",
                aim="trap",
            ),
        ),
        start="7/7/7/7/2OO3/2XX3 X",
    ),
    Exercise(
        "Look one cell higher",
        (
            Task(
                "O wins with a disc on e2, but e1 is empty, so nothing rests there yet. Play anywhere except the "
                "column that would help O.",
                "a b c d f g",
                "Good. A disc on e1 gives the other player e2, so leave that column to O.",
                {"e": "Your disc on e1 is the step that O needed: O drops into e and wins on e2."},
                hint="Before you drop a disc, look at the cell right above it.",
                aim="save",
            ),
        ),
        start="7/7/7/2X4/XOOO3/OXXO1X1 X",
    ),
    Exercise(
        "Two threats, one above the other",
        (
            Task(
                "You would win on d2 and also on d3. Start the column yourself.",
                "d",
                "O has to take d2, or you win there.",
                otherwise="O gets time to prepare. Column d is where both of your winning cells are.",
                hint="With a disc on d1, you threaten d2. What happens after O takes it?",
                replies="d",
                aim="trap",
            ),
            Task(
                "O has taken d2. Which cell is free now?",
                "d",
                "Four in line. Two winning cells, one right above the other, decide many games.",
                otherwise="The cell above O's last disc is d3, and you win there.",
                aim="win",
            ),
        ),
        start="7/7/4X2/2O1O1O/2X1XXX/OXO1OXO X",
    ),
)
