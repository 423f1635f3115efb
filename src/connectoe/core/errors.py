"""Errors caused by input; each message says what was wrong and what would be right."""


class ConnectoeError(ValueError):
    """The base class of all errors; the message is meant for the person who caused it.

    >>> import connectoe
    >>> connectoe.load("chess")
    Traceback (most recent call last):
    connectoe.core.errors.UnknownGame: there is no game 'chess'; ...
    """


class UnknownGame(ConnectoeError):
    """There is no game of that name, or a file does not define one.

    >>> import connectoe
    >>> connectoe.load("conect-four")
    Traceback (most recent call last):
    connectoe.core.errors.UnknownGame: there is no game 'conect-four'; did you mean 'connect-four'?
    """

    why: str = ""
    """Why its file cannot be imported, without the name of the file."""


class IncompleteGame(ConnectoeError, TypeError):
    """A game does not define something that the contract requires.

    >>> import connectoe
    >>> class Speechless(connectoe.Game):
    ...     make_rules = staticmethod(lambda: None)
    >>> Speechless().notation()
    Traceback (most recent call last):
    connectoe.core.errors.IncompleteGame: Speechless does not define its notation
    """


class BadGame(ConnectoeError):
    """A game breaks the contract: its rules are inconsistent or do not compile.

    >>> import connectoe
    >>> from connectoe.games.tic_tac_toe import TicTacToe
    >>> class Nameless(TicTacToe):
    ...     id = ""
    >>> connectoe.load(Nameless)
    Traceback (most recent call last):
    connectoe.core.errors.BadGame: the game Nameless breaks the contract: its id is a word like 'my-game', not ''
    """

    why: str = ""
    """What is wrong, without the name of the game."""
    file: str = ""
    """The name of the file with the mistake, where that is known."""
    line: int | None = None
    function: str = ""
    """The name of the function with the mistake, where that is known and the line is not."""


class UnknownPlayer(ConnectoeError):
    """There is no player of that name, or its engine has no such setting.

    >>> import connectoe
    >>> from connectoe.players import player
    >>> player("grandmaster", connectoe.load("tic-tac-toe"))
    Traceback (most recent call last):
    connectoe.core.errors.UnknownPlayer: there is no player 'grandmaster'; ...
    """


class BadOption(ConnectoeError):
    """The game has no such option, or the value is out of range.

    >>> import connectoe
    >>> connectoe.load("c4-twist", bombs=-1)
    Traceback (most recent call last):
    connectoe.core.errors.BadOption: bombs=-1 is out of range: ...
    """


class IllegalMove(ConnectoeError):
    """A text is no move of the game, or the rules forbid the move now.

    >>> import connectoe
    >>> connectoe.load("tic-tac-toe").start.play("b2").play("b2")
    Traceback (most recent call last):
    connectoe.core.errors.IllegalMove: 'b2' is not legal: there is a mark on b2 already
    """


class BadPosition(ConnectoeError):
    """A position text cannot be read or is impossible.

    >>> import connectoe
    >>> connectoe.load("connect-four").state("7/7/7/7/3X3/7 O")
    Traceback (most recent call last):
    connectoe.core.errors.BadPosition: the disc on d2 floats: nothing is under it
    """


class BadRecord(ConnectoeError):
    """A record of a match cannot be read, or its moves or result contradict the rules.

    >>> import connectoe
    >>> connectoe.read_matches("1. b2 a1")
    Traceback (most recent call last):
    connectoe.core.errors.BadRecord: line 1: a record begins with [Connectoe "1"]
    """


class TooMuchWork(ConnectoeError):
    """A task has used up the CPU time that it was given.

    >>> import connectoe
    >>> from connectoe.core.budget import cpu_seconds
    >>> with cpu_seconds(0):
    ...     connectoe.Match(connectoe.load("tic-tac-toe")).play("b2")
    Traceback (most recent call last):
    connectoe.core.errors.TooMuchWork: this takes more computing than one request may ask for; send less at a time
    """
