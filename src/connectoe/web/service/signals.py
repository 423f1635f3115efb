"""Signals: one part of the service tells others what happened, without knowing them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Message = TypeVar("Message")


class Signal(Generic[Message]):
    """Something that happens again and again, and the functions that are called each time, in order."""

    def __init__(self) -> None:
        self._receivers: list[Callable[[Message], object]] = []

    def connect(self, receiver: Callable[[Message], object]) -> None:
        """Call a function each time."""
        self._receivers.append(receiver)

    def send(self, message: Message) -> None:
        """Call every connected function."""
        for receiver in self._receivers:
            receiver(message)
