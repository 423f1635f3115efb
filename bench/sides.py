"""The two ends of a comparison: sides that answer questions, each in its own process and environment, and the asker.

A question is a line of JSON on standard input, `{"ask": NAME, …}`; the answer is a line of JSON on standard output.
Only the standard library is used here, because connectoe is not in the environments of the peers.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ENVIRONMENTS = HERE / ".venvs"
PACKAGES = {"open_spiel": ("open_spiel>=2",), "pgx": ("pgx", "jax"), "bitbully": ("bitbully",)}
"""The packages of each peer, from PyPI."""
PEER_NAMES = {"connect-four": "connect_four", "tic-tac-toe": "tic_tac_toe", "ultimate": "ultimate_tic_tac_toe"}
"""The names of the games in open_spiel and pgx."""


class PeerMissing(Exception):
    """A peer could not be installed or has stopped; the message says why."""


def answer(answers: Mapping[str, Callable[..., Any]]) -> None:
    """Answer questions until there are no more; what the library itself prints goes to standard error."""
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        question = json.loads(line)
        reply = answers[question.pop("ask")](**question)
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


class Side:
    """One of the sides: a Python with a script that answers."""

    def __init__(self, python: str, script: str, environment: Mapping[str, str] | None = None) -> None:
        self.script = script
        self.process = subprocess.Popen(
            [python, str(HERE / script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **(environment or {})},
        )

    def ask(self, what: str, **details: Any) -> Any:
        """Return the answer to a question."""
        assert self.process.stdin
        assert self.process.stdout
        try:
            self.process.stdin.write(json.dumps({"ask": what, **details}) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise PeerMissing(f"{self.script} has stopped") from None
        reply = self.process.stdout.readline()
        if not reply:
            raise PeerMissing(f"{self.script} stopped at the question {what!r}")
        return json.loads(reply)

    def __enter__(self) -> Side:
        return self

    def __exit__(self, *problem: object) -> None:
        assert self.process.stdin
        assert self.process.stdout
        if problem[0] is not None:
            self.process.kill()
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def our_side(cache: str | None = None) -> Side:
    """Return a process of connectoe; with its own cache folder if one is given."""
    return Side(sys.executable, "connectoe_side.py", {"CONNECTOE_CACHE": cache} if cache else None)


def python_with(peer: str) -> str:
    """Return the Python of an environment that has this peer; make the environment if needed."""
    folder = ENVIRONMENTS / peer
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    if version_of(peer, str(python)) is None:
        print(f"installing {' and '.join(PACKAGES[peer])} from PyPI", file=sys.stderr)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES[peer]]
        for command in ([sys.executable, "-m", "venv", str(folder)], pip):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                said = (done.stderr or done.stdout).strip().splitlines()[-1:]
                raise PeerMissing(f"{peer} cannot be installed: {' '.join(said)}")
    return str(python)


def version_of(peer: str, python: str) -> str | None:
    """Return the version of a peer that this Python has, or None."""
    program = f"from importlib.metadata import version; print(version({peer!r}))"
    try:
        done = subprocess.run([python, "-c", program], capture_output=True, text=True)
    except OSError:
        return None
    return done.stdout.strip() or None
