"""What can be wrong with what people give us; each error says what was wrong and what would be right."""


class ConnectoeError(ValueError):
    """Anything Connectoe refuses; its text is meant to be read by the person who caused it.

    >>> import connectoe
    >>> connectoe.load("chess")
    Traceback (most recent call last):
    connectoe.errors.UnknownGame: there is no game 'chess'; ...
    """


class UnknownGame(ConnectoeError):
    """No game of that name, or a file that defines none.

    >>> import connectoe
    >>> connectoe.load("conect-four")
    Traceback (most recent call last):
    connectoe.errors.UnknownGame: there is no game 'conect-four'; did you mean 'connect-four'?
    """


class IncompleteGame(ConnectoeError, TypeError):
    """A game that does not say something the contract asks for.

    >>> import connectoe
    >>> class Speechless(connectoe.Game):
    ...     make_rules = staticmethod(lambda: None)
    >>> Speechless().notation()
    Traceback (most recent call last):
    connectoe.errors.IncompleteGame: Speechless does not say its notation
    """


class BadGame(ConnectoeError):
    """A game that breaks the contract: its rules do what rules must not, or do not compile.

    >>> import connectoe
    >>> from connectoe.games.tic_tac_toe import TicTacToe
    >>> class Nameless(TicTacToe):
    ...     id = ""
    >>> connectoe.load(Nameless)
    Traceback (most recent call last):
    connectoe.errors.BadGame: the game Nameless breaks the contract: its id is a word like 'my-game', not ''
    """


class UnknownPlayer(ConnectoeError):
    """No player of that name, or settings its engine does not have.

    >>> import connectoe
    >>> from connectoe.players import player
    >>> player("grandmaster", connectoe.load("tic-tac-toe"))
    Traceback (most recent call last):
    connectoe.errors.UnknownPlayer: there is no player 'grandmaster'; ...
    """


class BadOption(ConnectoeError):
    """An option the game does not have, or a value outside its range.

    >>> import connectoe
    >>> connectoe.load("c4-twist", bombs=-1)
    Traceback (most recent call last):
    connectoe.errors.BadOption: bombs=-1 is out of range: ...
    """


class IllegalMove(ConnectoeError):
    """A text that is no move of the game, or a move that its rules forbid now.

    >>> import connectoe
    >>> connectoe.load("tic-tac-toe").start.play("b2").play("b2")
    Traceback (most recent call last):
    connectoe.errors.IllegalMove: 'b2' is not legal: there is a mark on b2 already
    """


class BadPosition(ConnectoeError):
    """A position text that cannot be read, or that no game could reach.

    >>> import connectoe
    >>> connectoe.load("connect-four").state("7/7/7/7/3X3/7 O")
    Traceback (most recent call last):
    connectoe.errors.BadPosition: the disc on d2 floats: nothing is under it
    """


class BadRecord(ConnectoeError):
    """A record of a match that cannot be read, or whose moves or result do not fit the rules.

    >>> import connectoe
    >>> connectoe.read_matches("1. b2 a1")
    Traceback (most recent call last):
    connectoe.errors.BadRecord: line 1: a record begins with [Connectoe "1"]
    """
