"""How to play Advanced Tic Tac Toe, step by step."""

from __future__ import annotations

from connectoe.core.exercises import Exercise, Task

LESSONS: tuple[Exercise, ...] = (
    Exercise(
        "In from the edge",
        (
            Task(
                "You are X. Pieces are placed on the edge, facing the board. Then O places one, and all pieces march "
                "one step. Put your 2 on the left edge, beside the middle row.",
                "2W2",
                "O has placed its 5, and both pieces have stepped onto the board. Now O has the crown and has placed "
                "first: its 3 waits at the bottom.",
                {"[1345]W2": "The place is right, but for this exercise take piece 2."},
                "That is another edge place. It is the one on the left (west) beside the middle row: W2.",
                replies="5E3 3Sc",
            ),
            Task(
                "Your turn. Put any piece on the left edge beside the top row.",
                "1W3 3W3 4W3 5W3",
                "All pieces marched again, each the way it faces. A piece crosses the board in three steps and then "
                "returns to its owner's hand.",
                otherwise="That is another edge place. It is the one on the left (west) beside the top row: W3.",
            ),
        ),
    ),
    Exercise(
        "Three in line",
        (
            Task(
                "You win if three of your pieces are in line after the march. Your two pieces will step to b1 and b2. "
                "Place a piece that will stand on b3 then.",
                "3Nb 4Nb 5Nb 4Sb",
                "All three arrived together: three in line, you win.",
                {
                    "[345]W3|[345]E3": "That piece steps into a corner of the board, and not to b3.",
                    "[345]Sb": "b1 will be taken by your 1, so this piece does not stand on b3 after the march.",
                },
                "After the march, that piece does not stand on b3.",
                hint="The top edge place above column b leads to b3.",
                aim="win",
            ),
        ),
        start="X1Ea1,X2Ea2 O 5E3",
    ),
    Exercise(
        "Single file",
        (
            Task(
                "The 1s move first, then the 2s, up to the 5s. Your 1 and 2 march one behind the other in the middle "
                "row. Send a third one after them.",
                "3W2 4W2 5W2 4E2",
                "The 1 stepped first, then the 2, and the new piece made it three: small numbers lead. You "
                "placed last, so O could not answer. Plan your lines for such rounds.",
                otherwise="After the march, that piece is not in line with the other two.",
                hint="They came from the left edge, beside the middle row.",
                aim="win",
            ),
        ),
        start="X1Eb2,X2Ea2 O 5E3",
    ),
    Exercise(
        "A 4 always moves",
        (
            Task(
                "After the march your 2 and 3 will be on a1 and a3. You need a2, but O's 5 is in the way there. Only "
                "one piece pushes everything ahead of it: the 4.",
                "4W2",
                "The 4 pushed O's 5 on to b2: three in line. Nothing stops a 4.",
                {
                    "[135]W2": "O's 5 blocks it. A piece that is blocked on the edge goes back to your hand.",
                    "4.+": "The 4 is the right piece, but from there it does not get to a2.",
                },
                "Your line needs a piece on a2.",
                hint="The 4, from the left edge beside the middle row.",
                aim="win",
            ),
        ),
        start="X2Wb1,X3Wb3,O5Wa2 O 1E1",
    ),
    Exercise(
        "A 1 is light",
        (
            Task(
                "Now a 1 of O is in your way. A 2, a 3 or a 5 pushes a 1 one step, if the square behind it is free.",
                "2W2 3W2",
                "The light 1 was pushed on, and your line is complete.",
                {"1W2": "A 1 does not push a 1. Take a heavier piece."},
                "Your line needs a piece on a2.",
                hint="Your 4 and 5 will be on a1 and a3. The missing square is a2.",
                aim="win",
            ),
        ),
        start="X4Wb1,X5Wb3,O1Wa2 O 2E1",
    ),
    Exercise(
        "Push them out of line",
        (
            Task(
                "After the march O will have three in line in column b: the 2 on b1, the 5 on b2, the 4 on b3. You "
                "place last. Upset it.",
                "4Sb 4W2",
                "One piece of O is not where O wanted it, and the line is broken.",
                {
                    "4.+": "The 4 is the right piece, but from there it meets none of them in time.",
                    "[1235]..": "O's three pieces still arrive in line. Only a 4 can push them.",
                },
                hint="Push the 5 from behind, before it moves: then it goes one step too far.",
                aim="save",
            ),
        ),
        start="O2Wc1,O5Ea2 O 4Nb",
    ),
    Exercise(
        "Nobody stops a 4",
        (
            Task(
                "You have the crown, so O answers before the march. Your 2 and 5 march up column b. Add the third so "
                "that O cannot spoil it, whatever O does.",
                "4Sb 4Nb",
                "O's own 4 was on the board, so O had nothing to push with. A 4 in hand while O's is on the board: "
                "that wins games.",
                {
                    "[13]Sb": "It moves before the 5 has made room, is blocked, and goes back to your hand.",
                    "4.+": "The 4 is the right piece. Place it at one end of column b.",
                },
                "Column b is where your pieces are, and only one piece is never blocked there.",
                hint="Your 4 moves even if the square ahead is taken.",
                replies="1Sc",
                aim="trap",
            ),
        ),
        start="X2Nb2,X5Nb1,O4Ec3 X -",
    ),
)
