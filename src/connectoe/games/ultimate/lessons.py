"""How to play Ultimate tic-tac-toe, step by step."""

from __future__ import annotations

from connectoe.core.exercises import Exercise, Task

LESSONS: tuple[Exercise, ...] = (
    Exercise(
        "Where you play sends your opponent",
        (
            Task(
                "You are X. The square you choose inside a small board is the board that O must play on next. Put your "
                "mark on the top right square of the middle board, f6.",
                "f6",
                "Top right square, so O had to play on the top right board. O took its middle square, h8.",
                otherwise="That is another square. f6 is the top right square of the board in the middle.",
                replies="h8",
            ),
            Task(
                "O's mark is on the middle square, so you must play on the middle board: it is framed. Choose any "
                "empty square there.",
                "d4 e4 f4 d5 e5 f5 d6 e6",
                "And your square again decides where O goes.",
            ),
        ),
    ),
    Exercise(
        "Win a small board",
        (
            Task(
                "Three in line win a small board. You must play on the top left one, and you have two in line there.",
                "b7",
                "The top left board is yours, and closed. Nobody can play there any more.",
                otherwise="That does not complete your line b9, b8.",
                hint="Your marks stand on top of each other. The third square is b7.",
            ),
        ),
        moves="b9 d9 b8 d6",
    ),
    Exercise(
        "Three boards in line win",
        (
            Task(
                "The bottom middle and bottom right boards are yours. Win the bottom left one too.",
                "c2",
                "Three small boards in line: you win the game.",
                otherwise="That does not complete your line a2, b2 in the framed board.",
                hint="Continue your two marks to the right.",
                aim="win",
            ),
        ),
        moves="f2 i4 h2 f6 g9 a9 a8 b4 d2 a4 b2 e4 e2 d4 a2 c4 g1 c1 i3 g7",
    ),
    Exercise(
        "Look where you send",
        (
            Task(
                "O has won the top left and middle left boards, and on the bottom left one O needs only c1 for the "
                "third. Choose your square so that O cannot get there.",
                "h4 h5 h6",
                "O must play on a board where nothing can be decided yet.",
                {
                    "g4": "That is a bottom left square: it sends O to the bottom left board, and O wins with c1.",
                    "g6|i6": "That sends O to a finished board. So O may play on any board, and wins with c1.",
                },
                hint="Keep away from bottom left squares, and from squares that name a finished board.",
                aim="save",
            ),
        ),
        moves="a2 a4 a3 a7 b1 f3 g9 c9 g7 c3 g8 b4 d2 c4 i3 i4 g3 b8 d6 i5 g5 c2",
    ),
    Exercise(
        "A board is not worth the game",
        (
            Task(
                "You could win the middle board with d5. But first look where that sends O: O needs only f9 to win the "
                "top row. Find a square that is safe.",
                "e4 f4 f5",
                "You keep the game. Where you send your opponent often matters more than the square itself.",
                {
                    "d5": "You win the middle board, but send O to the middle left one, which is finished. So O may "
                    "play anywhere, and wins with f9.",
                    "e6": "That sends O straight to the top middle board, where f9 wins.",
                    "f6": "That sends O to a finished board. So O may play anywhere, and wins with f9.",
                },
                hint="The bottom squares, and f5, send O to boards that are open and harmless.",
                aim="save",
            ),
        ),
        moves="c9 h7 d3 a7 b3 e8 d6 a8 a4 a2 c6 i8 g4 c2 h6 d7 a3 a9 c3 g8 b5 e5 d4 d2 i3 h8",
    ),
)
