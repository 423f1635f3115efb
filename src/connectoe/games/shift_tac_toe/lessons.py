"""How to play Shift Tac Toe, step by step."""

from __future__ import annotations

from connectoe.core.exercises import Exercise, Task

LESSONS: tuple[Exercise, ...] = (
    Exercise(
        "Drop and slide",
        (
            Task(
                "You are O and begin. Drop a piece into the middle column.",
                "2",
                "It has fallen to the bottom. Each turn you drop a piece or slide a row.",
                {"[789]": "That slides a row. Drop a piece this time."},
                "That is another column. Take the middle one.",
                replies="3",
            ),
            Task(
                "Now slide: move the bottom row one step to the left.",
                "9",
                "All pieces of the row have moved one place. The slider sticks out on the left now.",
                {"[123]": "That drops a piece. The arrows beside the rows slide them."},
                "That is another row. Take the bottom one.",
            ),
        ),
    ),
    Exercise(
        "Three in line",
        (
            Task(
                "Three of your pieces in line inside the 3x3 grid win. Drop the third one.",
                "2",
                "Three in a row: you win.",
                {"[789]": "A slide does not add a piece. You need one more."},
                "That fills no gap: a row of three needs the middle column.",
                hint="Your pieces stand in the left and the right column.",
                aim="win",
            ),
        ),
        start="5/5/O1O2 RRR O",
    ),
    Exercise(
        "Slide a line into the grid",
        (
            Task(
                "Three of your pieces stand side by side, but one of them is outside the grid and does not count. "
                "Bring it in.",
                "9",
                "The row moved left: X's piece left the grid and yours came in. You win.",
                {"[123]": "No piece that you drop completes a line. One is already there: slide it in."},
                "That row is empty. Slide the bottom one.",
                hint="Slide the bottom row to the left.",
                aim="win",
            ),
        ),
        start="5/5/XOOO1 RRR O",
    ),
    Exercise(
        "Pieces fall",
        (
            Task(
                "A piece with nothing under it falls. Pull the bottom row away from under the right column and see "
                "what falls into it.",
                "9",
                "The row went left, and the O above it fell into the gap: three in a row.",
                {"[123]": "No piece that you drop completes a line. Use the fall."},
                "That slide completes no line. Move the bottom row.",
                hint="Slide the bottom row to the left: the right column loses its support.",
                aim="win",
            ),
        ),
        start="2X2/3O1/XOO2 RCR O",
    ),
    Exercise(
        "Slide a line out of the grid",
        (
            Task(
                "X has three pieces side by side, one of them still outside. X can win by a slide or a drop. One move "
                "stops both.",
                "9",
                "Two of the three are outside now, and one step back brings in only one of them.",
                {
                    "[123]": "A piece that you drop does not stop X's slide to the right.",
                    "6": "That slides X's whole line into the grid, and X wins.",
                },
                "X still wins: with a drop into the right column or a slide to the right.",
                hint="Push the row further out.",
                aim="save",
            ),
        ),
        start="5/5/XXX2 CCC O",
    ),
    Exercise(
        "A drop and a slide",
        (
            Task(
                "The strongest threats are of two kinds. Make one that wins by a drop, and another by a slide.",
                "3",
                "You threaten a third piece in the right column, and to slide the bottom row left so that this one "
                "falls in. X cannot stop both.",
                {"1": "The left column is blocked by X at the bottom.", "[5789]": "A slide now gives X time."},
                "That makes no two threats at once.",
                hint="Build on the right column, where the bottom row can be pulled away.",
                aim="trap",
            ),
        ),
        start="5/5/XOO2 RCR O",
    ),
)
