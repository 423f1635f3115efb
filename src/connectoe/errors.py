"""What can be wrong with what people give us; each error says what was wrong and what would be right."""


class ConnectoeError(ValueError):
    """Anything Connectoe refuses; its text is meant to be read by the person who caused it.

    >>> import connectoe
    >>> connectoe.load("chess")
    Traceback (most recent call last):
    connectoe.errors.UnknownGame: there is no game 'chess'; ...
    """


class UnknownGame(ConnectoeError):
    """No game of that name, or a file that defines none."""


class BadOption(ConnectoeError):
    """An option the game does not have, or a value outside its range."""


class IllegalMove(ConnectoeError):
    """A text that is no move of the game, or a move that its rules forbid now."""


class BadPosition(ConnectoeError):
    """A position text that cannot be read, or that no game could reach."""


class BadRecord(ConnectoeError):
    """A record of a match that cannot be read, or whose moves or result do not fit the rules."""
