"""How to play Semaphores, step by step."""

from __future__ import annotations

from connectoe.core.exercises import Exercise, Task

LESSONS: tuple[Exercise, ...] = (
    Exercise(
        "Three of a colour",
        (
            Task(
                "The lights belong to nobody. The player who completes three of one colour in line wins. Put a green "
                "light on an empty square and win.",
                "c2",
                "Three green lights in a row, and you made the last one: you win.",
                {"a2|b2": "That turned a green light yellow, so two of a kind became one."},
                "There are not yet three green lights next to each other in line.",
                hint="The two green lights are on a2 and b2.",
                aim="win",
            ),
        ),
        start="4/GG2/4 X",
    ),
    Exercise(
        "Green turns yellow",
        (
            Task(
                "Press a green light and it turns yellow. Complete the yellow line.",
                "c2",
                "Three yellow lights in a row: you win.",
                {"a2|b2": "That turned a yellow light red and broke the line."},
                "That is no yellow line. Turn the green light next to the two yellow ones.",
                hint="The yellow lights are on a2 and b2.",
                aim="win",
            ),
        ),
        start="4/YYGG/4 X",
    ),
    Exercise(
        "Yellow turns red",
        (
            Task(
                "Press a yellow light and it turns red. Red stays to the end of the game. Complete the red line.",
                "c2",
                "Three red lights in a row: you win.",
                otherwise="That is no red line. Which light can become the third red one?",
                hint="The red lights are on a2 and b2.",
                aim="win",
            ),
        ),
        start="4/RRY1/4 X",
    ),
    Exercise(
        "Do not help",
        (
            Task(
                "Two of a colour with a third place in line are a gift: the other player completes them. Make a move "
                "after which O has no line of three.",
                "b2 d1",
                "Now one light is green and the other yellow, and no third light makes a line.",
                otherwise="Three places in line now need only one green light, and O puts it there.",
                hint="A third green light helps O, wherever it is. Change one of the two that are there.",
                aim="save",
            ),
        ),
        start="4/1G2/3G X",
    ),
    Exercise(
        "Leave only bad moves",
        (
            Task(
                "You cannot pass in this game. Make a move after which everything that O can do lets you win.",
                "d1",
                "Whatever O does now, you can complete a line. Near the end, count the safe moves that are left.",
                otherwise="After that O wins at once, or has a safe move left.",
                hint="A red light can never be changed again. Use up the last safe move.",
                aim="trap",
            ),
        ),
        start="2RR/1G2/R2Y X",
    ),
)
