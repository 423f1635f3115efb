"""How much one client may ask for."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address
from threading import Lock

from connectoe.web.service.refusals import TooMany

Shares = dict[str, tuple[int, float]]
SHARES: Shares = {
    "create": (30, 240.0),
    "join": (30, 240.0),
    "engines": (20, 120.0),
    "analyse": (400, 3600.0),
    "compile": (10, 40.0),
    "connect": (400, 0.0),
    "watch": (200, 0.0),
}
"""What a client may do at once, and then per hour; analyses count in seconds, connections while they last."""
UNLIMITED: Shares = dict.fromkeys(SHARES, (1_000_000_000, 1.0))
LONGEST_ADDRESS = 60


class ClientLimits:
    """How often a client may do what: a number at once, and a number per hour after that.

    What lasts, such as a connection, is held and given back when it ends.

    >>> limits = ClientLimits({"create": (2, 60)}, clock=lambda: 0.0)
    >>> limits.count("create", "somebody"), limits.count("create", "somebody"), limits.count("create", "another")
    (None, None, None)
    >>> limits.count("create", "somebody")
    Traceback (most recent call last):
    connectoe.web.service.refusals.TooMany: that is too much at once: try again in 60 seconds
    """

    MOST_CLIENTS = 100_000

    def __init__(self, shares: Shares, clock: Callable[[], float] = time.monotonic) -> None:
        self.shares = shares
        self.clock = clock
        self._left: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def count(self, what: str, client: str, amount: float = 1) -> None:
        """Count one, or an amount; raise TooMany if the client has used up its share."""
        most, per_hour = self.shares[what]
        now = self.clock()
        with self._lock:
            left, at = self._left.pop((what, client), (float(most), now))
            left = min(most, left + (now - at) * per_hour / 3600)
            is_enough = left >= amount
            self._left[what, client] = (left - amount * is_enough, now)
            if len(self._left) > self.MOST_CLIENTS:
                self._left.popitem(last=False)
        if not is_enough:
            wait = f"try again in {round((amount - left) * 3600 / per_hour)} seconds" if per_hour else ""
            raise TooMany(f"that is too much at once: {wait or 'close one of the others first'}")

    @contextmanager
    def holding(self, what: str, client: str) -> Iterator[None]:
        """Take one, and give it back at the end."""
        self.count(what, client)
        try:
            yield
        finally:
            self.count(what, client, -1)


def counted_as(address: str) -> str:
    """Return what the client with an address is counted as.

    Of an IPv6 address that is the first half, since one household has all addresses that begin with it; unless it
    stands for an IPv4 address, as on a server that listens to both.

    >>> counted_as("2001:db8::1"), counted_as("::ffff:7.7.7.7")
    ('2001:db8::', '7.7.7.7')
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:LONGEST_ADDRESS]
    if not isinstance(parsed, IPv6Address):
        return address
    return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64))
