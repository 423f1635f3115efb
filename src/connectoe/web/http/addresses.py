"""Addresses of this server that others can reach, for links that work even when sent from `localhost`."""

from __future__ import annotations

import socket
from ipaddress import ip_address

from fastapi import Request

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - what it means to listen there is the user's decision # nosec
"""The addresses that stand for all interfaces of a machine."""
NOWHERE = ("192.0.2.1", 9)
"""An address that nobody has; nothing is sent to it."""


def address_at_home() -> str:
    """Return the address of this machine in its local network; empty if it is in none."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(NOWHERE)
            found = str(probe.getsockname()[0])
    except OSError:
        return ""
    return "" if is_this_machine(found) else found


def is_this_machine(host: str) -> bool:
    """Whether a host name means the machine that it is used on.

    >>> is_this_machine("localhost"), is_this_machine("127.0.0.1"), is_this_machine("192.168.1.7")
    (True, True, False)
    """
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def address_for_others(request: Request) -> str:
    """Return the address of this server for links that are sent to others, without a slash at the end."""
    at_home: str = request.app.state.settings.at_home
    base = request.url
    if at_home and is_this_machine(base.hostname or ""):
        base = base.replace(hostname=at_home)
    return f"{base.scheme}://{base.netloc}"


def is_at_the_server(request: Request) -> bool:
    """Whether a request comes from the machine that the server runs on, and not through a proxy there."""
    is_passed_on = "x-forwarded-for" in request.headers and not request.app.state.settings.behind_proxy
    return request.client is not None and is_this_machine(request.client.host) and not is_passed_on
