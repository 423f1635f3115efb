"""Getting the engines of a game ready: compiling them once, in another process."""

from __future__ import annotations

import hashlib
import logging
import subprocess
import sys
from pathlib import Path
from threading import Event, Lock, Thread

from connectoe.core.catalogue import game_ids, load
from connectoe.core.game import Game
from connectoe.web.service.signals import Signal
from connectoe.web.service.views import Stored

log = logging.getLogger("connectoe.web")
THINKING = "thinking"


class Warming:
    """Compiles what a game's engines need, in another process so that this one goes on answering.

    That happens once; the results are kept in the cache folder.
    """

    def __init__(self) -> None:
        self.became_ready: Signal[Game] = Signal()
        self._ready: set[Game] = set()
        self.expected: set[Game] = set()
        """The games that are being compiled, or will be."""
        self._one_at_a_time = Lock()
        self._wanted_now = 0
        self._compiling: subprocess.Popen[bytes] | None = None
        self._is_over = Event()

    def is_ready(self, game: Game) -> bool:
        """Whether the engines of a game can start at once."""
        return game in self._ready or self._marker(game).exists()

    def note(self, stored: Stored) -> str:
        """Return what to tell somebody who waits for an engine's move."""
        return THINKING if stored.level_to_move == "random" else self.note_for(stored.match.game)

    def note_for(self, game: Game) -> str:
        """Return what to tell somebody who waits for an engine to analyse a game."""
        return THINKING if self.is_ready(game) else "getting the engine ready; this happens once"

    def make_ready(self, game: Game) -> None:
        """Compile if needed, and wait for it; games that somebody waits for come first."""
        self._wanted_now += 1
        try:
            self._make_ready(game)
        finally:
            self._wanted_now -= 1

    def _make_ready(self, game: Game) -> None:
        if game in self._ready:
            return
        marker = self._marker(game)
        with self._one_at_a_time:
            if not marker.exists() and not self._is_over.is_set():
                options = [part for name, value in game.options.items() for part in ("-O", f"{name}={value}")]
                command = [sys.executable, "-m", "connectoe", "warm", "--gently", game.id, *options]
                self._compiling = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                said = self._compiling.communicate()[1].decode(errors="replace")
                if self._compiling.returncode != 0:
                    if not self._is_over.is_set():
                        log.error("compiling %r failed: %s", game, said[-500:])
                    return
                marker.parent.mkdir(parents=True, exist_ok=True)
                marker.touch()
        self._ready.add(game)
        self.became_ready.send(game)

    def begin(self) -> None:
        """Make every game ready, one after the other, in the background."""
        self.expected.update(map(load, game_ids()))
        Thread(target=self._make_all_ready, name="warming", daemon=True).start()

    def end(self) -> None:
        """Stop compiling."""
        self._is_over.set()
        if self._compiling:
            self._compiling.terminate()

    def _make_all_ready(self) -> None:
        for game_id in game_ids():
            while self._wanted_now and not self._is_over.wait(0.2):
                pass
            if not self._is_over.is_set():
                self._make_ready(load(game_id))

    def _marker(self, game: Game) -> Path:
        from connectoe.engines.cache import cache_folder

        name = hashlib.sha256(f"{game.id} {game.options_text}".encode()).hexdigest()[:16]
        folder = cache_folder()
        assert folder is not None  # no foreign modules are named
        return folder / f"warm-{name}"
