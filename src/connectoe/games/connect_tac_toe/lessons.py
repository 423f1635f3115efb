"""How to play Connect Tac Toe, step by step."""

from __future__ import annotations

from connectoe.core.exercises import Exercise, Task

LESSONS: tuple[Exercise, ...] = (
    Exercise(
        "Discs and marks",
        (
            Task(
                "You are X. Each turn you drop a disc or place a mark. Begin with a disc in the middle column, d.",
                "d1",
                "It has fallen to the floor.",
                otherwise="That is another column. Column d is the one in the middle.",
                replies="e1",
            ),
            Task(
                "Marks do not fall. They stay where you put them, but never higher than the highest disc. Take a mark "
                "and put it on c1.",
                "+c1",
                "A mark stays in its cell. After a mark you owe a disc: your next turn has to be one.",
                {"..": "That is a disc. Choose the mark above the board first."},
                "That is another cell. c1 is right beside your disc.",
                replies="e2",
            ),
            Task(
                "You owe a disc, so no mark can be placed now. Drop a disc anywhere.",
                "a1 b1 c2 d2 e3 f1 g1",
                "Now you are free again to choose between a disc and a mark.",
            ),
        ),
    ),
    Exercise(
        "Four discs win",
        (
            Task(
                "Four of your discs in line win. You have three in the bottom row.",
                "b1 f1",
                "Four discs in line: you win.",
                {"[+].+": "That is a mark, and marks do not count together with discs."},
                "That does not continue your row c1, d1, e1.",
                hint="Both ends of your row are free.",
                aim="win",
            ),
        ),
        moves="d1 d2 e1 e2 c1 c2",
    ),
    Exercise(
        "Three marks win",
        (
            Task(
                "Three of your marks in line win as well. You have two.",
                "+d1",
                "Three marks in line: you win.",
                {"d1": "A disc stops O there, but it does not continue your marks. Take a mark."},
                "That completes no line, and O threatens to play d1.",
                hint="Your marks are on b1 and c1.",
                aim="win",
            ),
        ),
        moves="a1 g1 +b1 g2 a2 f1 +c1 f2 b2 e1",
    ),
    Exercise(
        "Through a mark",
        (
            Task(
                "A falling disc stops at a disc, but passes through marks if you like. O has put a mark above the cell "
                "that you need. Drop your disc through it.",
                "e1",
                "The mark did not stop it: four discs in line.",
                {
                    "e3": "That disc came to rest on top of the mark. In the same column you can also choose e1.",
                    "[+].+": "That is a mark, and marks do not count together with discs.",
                },
                "That does not continue your row b1, c1, d1.",
                hint="The cell is e1, under the mark.",
                aim="win",
            ),
        ),
        start="7/7/7/7/3Oo2/OXXX3 X O",
    ),
    Exercise(
        "Stop the marks",
        (
            Task(
                "O has two marks in line and owes no disc. Close the cell that O needs.",
                "e1 +e1",
                "A disc or a mark closes a cell. The disc is often better: after it you owe nothing.",
                otherwise="Then O puts a third mark on e1.",
                hint="O's marks are on c1 and d1.",
                aim="save",
            ),
        ),
        start="7/7/7/6X/1X4O/XXoo2O X -",
    ),
    Exercise(
        "Threaten both ways",
        (
            Task(
                "You owe a disc, so your third mark on e1 has to wait. Drop the disc so that it threatens as well.",
                "c1 d1",
                "Three discs and two marks: O can stop only one of them, and you finish the other.",
                {"e1": "That blocks the cell that your own marks need."},
                "That threatens nothing, so O has time to close e1.",
                hint="You have discs on a1 and b1. Add the third in the same row.",
                aim="trap",
            ),
        ),
        start="7/7/7/OO5/OO5/XX3xx X X",
    ),
)
