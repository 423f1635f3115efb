"""Engines of other programs in tournaments: `exec:COMMAND` starts one and talks to it line by line.

The program reads from its standard input:

    game connect-four cols=7 rows=6 connect=4    once; it answers `ready`, or with its name `ready Lefty 2`
    new 1                                        a game begins, and the program is player 1 (0 moves first)
    position 7/7/7/7/7/3X3 O                     then, whenever it is to move: the position,
    moves d                                      the moves so far,
    legal a b c d e f g                          the legal moves,
    go 10                                        and the seconds it has

After `go` it answers with one line, the move. `quit` comes at the end. Empty lines and lines that begin with `info` are
ignored, but the time goes on. A program that answers with anything else, too late, or not at all loses that game, and
the record says why. examples/engine.py is a complete engine.
"""

from __future__ import annotations

import queue
import shlex
import subprocess
import threading
from contextlib import suppress

from connectoe.core.errors import ConnectoeError
from connectoe.core.game import Game
from connectoe.core.match import Match

PREFIX = "exec:"
SECONDS = 10.0
"""The time an engine has for a move by default."""
STARTING = 30.0
"""The time it has to say that it is ready."""
LONGEST_LINE = 10_000
"""How much of a line is read, in characters; moves are shorter."""


class Forfeit(ConnectoeError):
    """Raised when an engine loses a game by forfeit.

    >>> raise Forfeit("'z9' is not a move")
    Traceback (most recent call last):
    connectoe.arena.external.Forfeit: 'z9' is not a move
    """


class ExternalPlayer:
    """A player that is another program.

    >>> import connectoe, sys
    >>> program = "[print('ready Lefty' if l.startswith('game') else 'a' if l.startswith('go') else 'info', flush=True)"
    >>> command = shlex.join([sys.executable, "-c", f"import sys\\n{program} for l in sys.stdin]"])
    >>> match = Match(connectoe.load("connect-four"))
    >>> with ExternalPlayer(PREFIX + command, match.game) as lefty:
    ...     lefty.choose(match), lefty.describes
    ('a', 'Lefty')
    """

    def __init__(self, name: str, game: Game, seconds: float = SECONDS) -> None:
        self.name = name
        self.game = game
        self.seconds = seconds
        self.said: queue.Queue[str | None] = queue.Queue()
        """Its answers, one for each question; None when its output has ended."""
        self.is_asked = threading.Event()
        self.is_asked.set()  # it may say that it is ready before the game is sent
        self.said_nothing = False
        """Whether it answered the last question with an empty line."""
        try:
            words = shlex.split(name.removeprefix(PREFIX))
            if not words:
                raise ValueError("there is no command after exec:")
            self.process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", errors="replace"
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise ConnectoeError(f"the engine {name!r:.80} cannot be started: {why}") from error
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()
        try:
            answer = self._answer_to(f"game {game.id} {game.options_text}".strip(), STARTING)
            if answer.split()[:1] != ["ready"]:
                raise Forfeit(f"it said {answer[:60]!r}, not 'ready'")
        except Forfeit as problem:
            self.close()
            raise ConnectoeError(f"the engine {name!r:.80} cannot take part: {problem}") from None
        self.describes = answer.removeprefix("ready").strip() or "an engine of another program"

    def new_game(self, seat: int) -> None:
        """Tell the engine that a game begins, and which player it is."""
        self._tell(f"new {seat}")

    def choose(self, match: Match) -> str:
        """Return the engine's move; raise Forfeit if it does not answer with a legal one."""
        legal = match.legal_moves()
        while not self.said.empty():  # what it says without being asked is not an answer
            if self.said.get() is None:
                self.said.put(None)
                break
        lines = [
            f"position {match.state.text}",
            f"moves {' '.join(match.moves)}".strip(),
            f"legal {' '.join(legal)}",
            f"go {self.seconds:g}",
        ]
        move = self._answer_to("\n".join(lines), self.seconds)
        if move not in legal:
            known = match.game.move_numbers.get(move)
            why = (
                f"a move is {match.game.move_help or 'one of the legal moves'}"
                if known is None
                else match.game.why_illegal(match.state.position, known)
            )
            raise Forfeit(f"it played {move[:40]!r} in {match.state.text}: {why}")
        return move

    def _listen(self) -> None:
        """Keep the first line after each question, and drop all others at once, however much a program may say."""
        assert self.process.stdout
        with suppress(ValueError, OSError):
            line_begins = True
            while part := self.process.stdout.readline(LONGEST_LINE):
                if line_begins and self.is_asked.is_set():
                    self._hear(part.strip())
                line_begins = part.endswith("\n")
        self.said.put(None)

    def _hear(self, line: str) -> None:
        if not line:
            self.said_nothing = True
        elif not line.startswith("info"):
            self.is_asked.clear()
            self.said.put(line)

    def _tell(self, text: str) -> None:
        assert self.process.stdin
        try:
            self.process.stdin.write(text + "\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise Forfeit(self._ended()) from None

    def _answer_to(self, question: str, seconds: float) -> str:
        self.said_nothing = False
        self.is_asked.set()
        self._tell(question)
        try:
            answer = self.said.get(timeout=seconds)
        except queue.Empty:
            within = f"within {seconds:g} second{'' if seconds == 1 else 's'}"
            if self.said_nothing:
                raise Forfeit(f"it answered with an empty line, and with no other {within}") from None
            raise Forfeit(f"it did not answer {within}") from None
        self.is_asked.clear()
        if answer is None:
            self.said.put(None)
            raise Forfeit(self._ended())
        return answer

    def _ended(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            return f"its program ended with status {self.process.wait(1)}"
        return "its program closed its output"

    def close(self) -> None:
        """End the engine's program."""
        with suppress(Forfeit):
            self._tell("quit")
        try:
            self.process.wait(1)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.listener.join(1)
        for stream in (self.process.stdin, self.process.stdout):
            # A program's own children may keep its output open; closing it would disturb a thread that still listens.
            if stream and (stream is self.process.stdin or not self.listener.is_alive()):
                with suppress(OSError):
                    stream.close()

    def __enter__(self) -> ExternalPlayer:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()


class RunningEngines:
    """The engines that were started in this process; each is kept for its next game."""

    def __init__(self) -> None:
        self.engines: dict[tuple[str, Game, float], ExternalPlayer] = {}

    def engine(self, name: str, game: Game, seconds: float) -> ExternalPlayer:
        """Return the engine of this name, started if necessary; raise Forfeit if it cannot be started."""
        key = name, game, seconds
        if key not in self.engines:
            try:
                self.engines[key] = ExternalPlayer(name, game, seconds)
            except ConnectoeError as error:
                raise Forfeit(str(error)) from error
        return self.engines[key]

    def end(self, name: str) -> None:
        """End the programs of this name; the next game starts a new one."""
        for key in [key for key in self.engines if key[0] == name]:
            self.engines.pop(key).close()

    def close(self) -> None:
        """End all programs."""
        while self.engines:
            self.engines.popitem()[1].close()

    def __enter__(self) -> RunningEngines:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()
