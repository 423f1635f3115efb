"""Signals: one part of the service tells others what happened, without knowing them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Told = TypeVar("Told")


class Signal(Generic[Told]):
    """Something that happens again and again, and the functions that are called each time, in order."""

    def __init__(self) -> None:
        self._receivers: list[Callable[[Told], object]] = []

    def connect(self, receiver: Callable[[Told], object]) -> None:
        """Call a function each time."""
        self._receivers.append(receiver)

    def send(self, told: Told) -> None:
        """Call every connected function."""
        for receiver in self._receivers:
            receiver(told)
