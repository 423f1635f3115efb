"""How to play Ultimate ultimate tic-tac-toe, step by step."""

from __future__ import annotations

from connectoe.core.exercises import Exercise, Task

SENDING = "4X2O1,9,9,9,9,9,9,9,9"
"""A 9x9 board on which O's last turn was made: its marks sent X to 3x3 board 8 of 9x9 board 5."""
NEARLY = "XO1X4O:21"
"""A 3x3 board with two marks of X in line, on which X has two tallies and O has one."""
WON = "=X,=X,=X,9,9,9,9,9,9"
"""A 9x9 board that X has won."""

LESSONS: tuple[Exercise, ...] = (
    Exercise(
        "Two marks a turn",
        (
            Task(
                "You are X. Everything is numbered 1 to 9 in reading order: the nine 9x9 boards, the 3x3 boards in "
                "them, and their cells. You play on the framed board, 5.4. Put your mark on its cell 3: 5.4.3.",
                "5.4.3",
                "That was the first half of your turn.",
                otherwise="That is another cell. 5.4.3 is the top right cell of the framed 3x3 board.",
            ),
            Task(
                "Now you place a mark for your opponent on the same 3x3 board. Put O's mark on cell 4.",
                "+4",
                "Your mark on cell 3 and O's on cell 4 sent O to 3x3 board 3 of 9x9 board 4. O has played there.",
                otherwise="That is another cell. Cell 4 is the middle one on the left.",
                replies="4.3.7 +5",
            ),
        ),
        moves="1.1.1 +2 2.1.4 +5",
    ),
    Exercise(
        "Your marks send your opponent",
        (
            Task(
                "Your first mark names the 3x3 board that O must play on, your second the 9x9 board around it. Send O "
                "to 3x3 board 9 of 9x9 board 1. The first mark first.",
                "5.7.9",
                "Any second mark now sends O to a 3x3 board with the number 9.",
                otherwise="The first mark names the 3x3 board. For board 9, it goes on cell 9, at the bottom right.",
            ),
            Task(
                "Now O's mark, which names the 9x9 board: number 1.",
                "+1",
                "That sent O to 3x3 board 9 of 9x9 board 1, and O has played there.",
                otherwise="The second mark names the 9x9 board. For number 1, it goes on cell 1, at the top left.",
                replies="1.9.5 +3",
            ),
        ),
        moves="5.5.3 +4 4.3.7 +5",
    ),
    Exercise(
        "A tally",
        (
            Task(
                "Three marks in line on a 3x3 board give a tally. You have two on the framed board. Make it three.",
                "8.5.7",
                "Three in line. Your turn is not over: O's mark comes next.",
                otherwise="That does not complete your line on cells 8 and 9.",
                hint="The bottom row of the framed board: cell 7 is empty.",
            ),
            Task(
                "Place O's mark. Your own line counts first, whatever it does.",
                "+1 +2 +3 +6",
                "The tally stands above the board, and the board is cleared: it can be played on again.",
            ),
        ),
        moves="5.5.5 +8 8.5.5 +8 8.5.9 +4 4.9.5 +8",
    ),
    Exercise(
        "Do not give tallies away",
        (
            Task(
                "O has two marks on a diagonal of the framed board. Put your own mark on cell 2.",
                "8.5.2",
                "Now O's mark is due.",
                otherwise="For this exercise take cell 2, in the middle of the top row.",
            ),
            Task(
                "If the mark that you place for O completes a line of O, the tally is O's. Place it without that.",
                "+4 +6 +7",
                "No line, no tally. Think of both marks before you place the first.",
                {"[+]9": "That completes O's diagonal 1, 5, 9: a tally for O."},
                hint="O's marks are on cells 1 and 5.",
            ),
        ),
        start="-/-/-/-/-/-/-/9,9,9,9,O1X1O2X1,9,9,9,9/- X 8.5",
    ),
    Exercise(
        "Three tallies complete a board",
        (
            Task(
                "You have two tallies on the framed board. One more line completes it.",
                "5.8.7",
                "That is the line. Now O's mark.",
                otherwise="That does not complete your line on cells 1 and 4.",
                hint="Your marks stand on top of each other on the left.",
            ),
            Task(
                "Place O's mark, to end your turn.",
                "+3 +5 +6 +8",
                "The 3x3 board is yours for good. Three completed 3x3 boards in line win a 9x9 board.",
            ),
        ),
        start=f"-/{SENDING}/-/-/9,9,9,9,9,9,9,{NEARLY},9/-/-/-/- X 5.8",
    ),
    Exercise(
        "Three 9x9 boards win",
        (
            Task(
                "You have won the 9x9 boards 1 and 9, and in board 5 the 3x3 boards 2 and 5 are yours. Complete the "
                "framed one: it gives you three in line on all levels.",
                "5.8.7",
                "Now O's mark, and it is done.",
                otherwise="That does not complete your line on cells 1 and 4.",
                hint="The same cell as in the step before.",
            ),
            Task(
                "Place O's mark.",
                "+3 +5 +6 +8",
                "A line, a third tally, a third 3x3 board, a third 9x9 board: you win the game.",
                aim="win",
            ),
        ),
        start=f"{WON}/{SENDING}/-/-/9,=X,9,9,=X,9,9,{NEARLY},9/-/-/-/{WON} X 5.8",
    ),
)
