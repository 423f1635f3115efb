"""How to play C4 with a Twist, step by step."""

from __future__ import annotations

from connectoe.core.exercises import Exercise, Task

LESSONS: tuple[Exercise, ...] = (
    Exercise(
        "Four in line",
        (
            Task(
                "You are X. Discs fall to the lowest empty cell of a column, and four in line win: across, upright or "
                "diagonally. Win now.",
                "d",
                "Four discs on top of each other: you win.",
                {"[*].": "That is the bomb. Take a disc for this one."},
                "That completes no line. You have three discs on top of each other in column d.",
                hint="Put the fourth disc on your tower.",
                aim="win",
            ),
        ),
        start="7/7/7/3X3/2OX3/2OXO2 X 1 1",
    ),
    Exercise(
        "Block, and keep the bomb",
        (
            Task(
                "Each player has one bomb. O is about to win in the bottom row. Stop O with a disc and keep your bomb.",
                "f",
                "One disc was enough, and you still have your bomb.",
                {
                    "[*][cde]": "That stops O as well, but your only bomb is gone. A disc is enough here.",
                    "[*].": "That column holds none of O's three discs: O still wins with f, and the bomb is gone.",
                },
                "Then O drops a disc into column f and has four in a row.",
                hint="O holds c1, d1 and e1. The left end is closed.",
            ),
        ),
        start="7/7/7/7/3X3/1XOOO1X X 1 1",
    ),
    Exercise(
        "The bomb",
        (
            Task(
                "Now both ends of O's row are open, and a disc closes only one. Take the bomb and blast a column that "
                "O needs.",
                "*c *d *e",
                "The whole column is gone, your own discs in it too. That was your turn, and your only bomb.",
                {
                    "b": "Then O plays f.",
                    "f": "Then O plays b.",
                    "[*].": "That column holds none of O's three discs, so O still wins.",
                },
                "O wins at either end of the row: b1 or f1.",
                hint="Choose the bomb above the board, then column c, d or e.",
                aim="save",
            ),
        ),
        start="7/7/7/7/3X3/X1OOO1X X 1 1",
    ),
    Exercise(
        "Count the bombs",
        (
            Task(
                "O could blast a row of three with open ends too. But O's bomb is spent. Make three in a row with both "
                "ends free.",
                "b e",
                "O cannot blast it any more and can close only one end. You win with the next disc.",
                {
                    "[*].": "Keep the bomb. O has none left, so your own threats count double now.",
                    "a|f": "That leaves a gap, and O fills it.",
                },
                "That is not next to your discs c1 and d1.",
                hint="Put a disc right next to your two in the bottom row.",
                aim="trap",
            ),
        ),
        start="7/7/7/7/2OO3/2XX3 X 1 0",
    ),
    Exercise(
        "Clear the way",
        (
            Task(
                "A bomb attacks, too. O's discs in column d block two of your rows at once. Blast them.",
                "*d",
                "You threaten d1, so O has to fill it.",
                {"[*].": "That takes your own discs or changes nothing. Which column blocks you?"},
                "Discs do not help while O's discs stand on d1 and d2.",
                hint="Your rows of three end at column d.",
                replies="d",
                aim="trap",
            ),
            Task(
                "O has filled d1 again. Now the second row.",
                "d",
                "Four in line. A bomb that opens two cells of yours, one above the other, wins.",
                otherwise="Look at d2: it completes your second row.",
                aim="win",
            ),
        ),
        start="7/7/O6/O1O4/XXXO3/XXXO1O1 X 1 0",
    ),
)
