"""Who a request comes from if a proxy passes it on.

Every proxy appends the address of the client that asked it to `X-Forwarded-For`, so the last address is that of the
proxy's client, and what comes before it is only claimed. Older addresses count only if the last is itself a proxy
that is named as trusted.

uvicorn has a middleware for this too. It takes every trusted address for a proxy, so that where private networks are
trusted, it would believe what a client in such a network claims.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.types import ASGIApp, Receive, Scope, Send

from connectoe.core.errors import ConnectoeError

PRIVATE_NETWORKS = "127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,::1/128,fc00::/7,fe80::/10"
"""Where proxies are trusted unless FORWARDED_ALLOW_IPS names others."""


def plain_address(text: str) -> str:
    """Return an address without its port, and an IPv4 address as such; nothing if the text is no address.

    >>> [plain_address(text) for text in ("7.7.7.7:80", "[2001:db8::1]:80", "::ffff:7.7.7.7", "fe80::1%eth0", "nobody")]
    ['7.7.7.7', '2001:db8::1', '7.7.7.7', 'fe80::1', '']
    """
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return ""
    return str(address.ipv4_mapped or address) if isinstance(address, IPv6Address) else str(address)


class Proxies:
    """The proxies that are trusted.

    `allowed` lists addresses and networks, or is `*` for everyone who connects; without it, a proxy in a private
    network is trusted, but not a second one before it.
    """

    def __init__(self, allowed: str = "") -> None:
        self.is_everybody = allowed.strip() == "*"
        named = [] if self.is_everybody else _networks(allowed)
        self.networks = named or _networks(PRIVATE_NETWORKS)
        self.chain = named

    def believes(self, address: str) -> bool:
        """Whether a client with this address is trusted to name other addresses."""
        return self.is_everybody or _is_in(plain_address(address), self.networks)

    def client_in(self, forwarded: Iterable[str]) -> str:
        """Return the address of the client from all `X-Forwarded-For` lines, the last first; empty if they name none.

        >>> Proxies().client_in(["6.6.6.6", "6.6.6.6, 9.9.9.9:4000"])
        '9.9.9.9'
        >>> Proxies("10.0.0.0/8").client_in(["6.6.6.6, 9.9.9.9, 10.0.0.3"])
        '9.9.9.9'
        """
        client = ""
        for text in reversed(",".join(forwarded).split(",")):
            address = plain_address(text)
            if not address:
                break
            client = address
            if not _is_in(client, self.chain):
                break
        return client


def _networks(listed: str) -> list[IPv4Network | IPv6Network]:
    try:
        return [ip_network(part.strip(), strict=False) for part in listed.split(",") if part.strip()]
    except ValueError as error:
        raise ConnectoeError(f"FORWARDED_ALLOW_IPS lists addresses and networks: {error}") from None


def _is_in(address: str, networks: Iterable[IPv4Network | IPv6Network]) -> bool:
    return bool(address) and any(ip_address(address) in network for network in networks)


class Forwarded:
    """Wraps an application: requests from a trusted proxy get the address and the scheme that it names."""

    def __init__(self, app: ASGIApp, proxies: Proxies) -> None:
        self.app = app
        self.proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the application answer, knowing who asks."""
        if scope["type"] in ("http", "websocket"):
            peer = (scope.get("client") or ("", 0))[0]
            if self.proxies.believes(peer):
                self._believe(scope)
        await self.app(scope, receive, send)

    def _believe(self, scope: Scope) -> None:
        def lines(wanted: bytes) -> list[str]:
            return [value.decode("latin-1") for name, value in scope["headers"] if name == wanted]

        client = self.proxies.client_in(lines(b"x-forwarded-for"))
        if client:
            scope["client"] = (client, 0)
        protocol = ",".join(lines(b"x-forwarded-proto")).rpartition(",")[2].strip().lower()
        if protocol in ("http", "https"):
            scope["scheme"] = protocol.replace("http", "ws") if scope["type"] == "websocket" else protocol


def allowed_proxies() -> str:
    """Return which proxies the environment names; the variable is the one that uvicorn and gunicorn use."""
    return os.environ.get("FORWARDED_ALLOW_IPS", "")
