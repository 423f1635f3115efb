"""Clients that send too slowly, too much or too often, or do not read what they asked for."""

from __future__ import annotations

import gc
import random
import socket
import struct
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress

import httpx
import pytest

from connectoe import load
from connectoe.web.http import connections
from connectoe.web.service.keys import Keys
from connectoe.web.service.limits import UNLIMITED, ClientLimits
from connectoe.web.service.seating import Wish
from tests.waiting import until
from tests.web.chaos.hostile import PING, PONG, TEXT, UPGRADE, frame, nonsense
from tests.web.serving import Served, served

COMPRESSED = 0x40
"""What the kind of a frame has if its data are compressed."""
NOT_UTF_8 = struct.pack("!H", 1007)
WRONG = struct.pack("!H", 1002)
"""The code with which a connection is closed whose client does not keep to the protocol."""
MOST = 20
"""How many connections a client has in these tests."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with less patience than usual, on a system that keeps little for clients that do not read."""
    begin = connections.Watched.begin_watching

    def begin_with_little_space(connection: connections.Watched) -> bool:
        connection.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        return begin(connection)

    folder = tmp_path_factory.mktemp("connections")
    with (
        pytest.MonkeyPatch.context() as impatient,
        served(f"sqlite:///{folder}/m.db", shares=UNLIMITED | {"connect": (MOST, 0.0)}) as running,
    ):
        impatient.setattr(connections.Watched, "begin_watching", begin_with_little_space)
        impatient.setattr(connections, "CHECKED_EVERY", 0.05)
        for limit in ("LONGEST_HEAD", "LONGEST_BODY", "LONGEST_READING"):
            impatient.setattr(connections, limit, 0.5)
        yield running


def has_connections(server: Served) -> bool:
    limits: ClientLimits = server.app.state.services.limits
    return limits._left.get(("connect", "127.0.0.1"), (MOST, 0))[0] < MOST


@pytest.fixture
def connect(server: Served) -> Iterator[Callable[[], socket.socket]]:
    """Opens connections to the server, which are closed at the end."""
    opened: list[socket.socket] = []

    def connect() -> socket.socket:
        host, _, port = server.url.removeprefix("http://").partition(":")
        opened.append(socket.socket())
        opened[-1].settimeout(30)
        opened[-1].setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        opened[-1].connect((host, int(port)))
        return opened[-1]

    yield connect
    for connection in opened:
        connection.close()
    until(lambda: not has_connections(server))


def answer_of(connection: socket.socket) -> str:
    """What the server sends until it closes the connection."""
    told = b""
    while part := connection.recv(65536):
        told += part
    return told.decode()


Connect = Callable[..., socket.socket]


def test_a_request_that_does_not_come_is_not_waited_for(connect: Connect) -> None:
    for begun in (b"", b"\r\n", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\n"):
        connection = connect()
        connection.sendall(begun)
        assert answer_of(connection).startswith("HTTP/1.1 408 ")


def test_a_body_that_does_not_come_is_not_waited_for(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    head = b"%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nrecord="
    connection = connect()
    connection.sendall(head % b"POST /analyse")
    assert answer_of(connection).startswith("HTTP/1.1 408 ")
    monkeypatch.setattr(connections, "LONGEST_BODY", 3.0)  # enough for the answer on a busy machine
    connection = connect()
    connection.sendall(head % b"GET /livez")  # answered without the body
    assert answer_of(connection).startswith("HTTP/1.1 200 ")


def test_a_client_may_wait_between_two_requests_only_for_a_moment(connect: Connect) -> None:
    connection = connect()
    connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")
    connection.sendall(b"\r\n")
    assert "HTTP/1.1 408 " in answer_of(connection)


def test_a_head_that_never_ends_is_refused(connect: Connect) -> None:
    for line in (b"a" * 17_000, b"\r\na: b" * 3_000):
        connection = connect()
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: " + line)
        assert answer_of(connection).startswith("HTTP/1.1 431 ")


@pytest.mark.parametrize("endless", [b"1;" + b"a" * 65536, b"0\r\n" + b"a: b\r\n" * 10_000])
def test_what_stands_around_a_body_must_end_too(connect: Connect, endless: bytes) -> None:
    connection = connect()
    connection.sendall(b"POST /analyse HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + endless)
    send_until_cut_off(connection, b"a" * 65536)


def test_a_client_that_does_not_read_its_answers_is_cut_off(connect: Connect, server: Served) -> None:
    connect().sendall(b"GET /static/style.css HTTP/1.1\r\nHost: localhost\r\n\r\n" * 10)
    until(lambda: has_connections(server))
    until(lambda: not has_connections(server))


def test_a_client_that_waits_for_no_answers_is_refused(
    connect: Connect, server: Served, caplog: pytest.LogCaptureFixture
) -> None:
    connection = connect()
    connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20)
    assert " 400 " in answer_of(connection)
    assert "Traceback" not in caplog.text


def test_a_head_has_no_body(connect: Connect) -> None:
    connection = connect()
    connection.sendall(b"HEAD /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert answer_of(connection).endswith("\r\n\r\n")


def test_the_connections_of_one_client_are_limited(connect: Connect, server: Served) -> None:
    held = [connect() for _ in range(MOST)]
    assert answer_of(connect()).startswith("HTTP/1.1 429 ")
    held[0].close()
    with httpx.Client() as client:
        until(lambda: client.get(f"{server.url}/healthz").status_code == 200)


# Live connections.


@pytest.fixture
def watch(server: Served, connect: Connect) -> Connect:
    """Opens live connections of the first player of a new match, and reads nothing from them."""
    matches = server.app.state.services.matches
    made = matches.create(Keys(), load("tic-tac-toe"), (Wish("me"), Wish("open")))
    head = f"GET /api/v1/matches/{made.id}/live HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {made.secrets[0]}"

    def watch(more: str = "") -> socket.socket:
        connection = connect()
        connection.sendall(f"{head}\r\n{more}{UPGRADE}".encode())
        assert connection.recv(4096).startswith(b"HTTP/1.1 101 ")
        until(lambda: server.app.state.services.watchers.is_here(made.id, 0))
        return connection

    return watch


def nobody_watches(server: Served) -> bool:
    return not server.app.state.services.watchers.watched


def send_until_cut_off(connection: socket.socket, data: bytes) -> None:
    with suppress(ConnectionError):
        for _ in range(1_000):
            connection.sendall(data)
        pytest.fail("the server reads on and on")


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets clients leave what they are sent unread for as long as they like."""
    monkeypatch.setattr(connections, "LONGEST_READING", 3600.0)


@pytest.mark.usefixtures("patient")
def test_a_client_that_sends_pings_and_does_not_read_is_cut_off(
    server: Served, watch: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MOST_AT_ONCE", 2**30)
    monkeypatch.setattr(connections.LiveConnection, "_may_send", 2.0**30)
    send_until_cut_off(watch(), frame(PING, b"." * 125) * 100)
    until(lambda: nobody_watches(server))


@pytest.mark.usefixtures("patient")
def test_a_client_has_little_to_say_over_a_live_connection(server: Served, watch: Connect) -> None:
    connection = watch()
    connection.sendall(frame(TEXT, b"hello") + frame(PONG) + frame(PING))
    until(lambda: b"\x8a\x00" in connection.recv(65536))  # a pong
    send_until_cut_off(connection, frame(PONG, b"." * 125) * 100)
    until(lambda: nobody_watches(server))


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("kind", [TEXT, PING, PONG])
def test_a_client_may_not_send_many_short_messages_instead(kind: int, server: Served, watch: Connect) -> None:
    """Each takes as long as a long one, and nobody else is served meanwhile."""
    connection = watch()
    with suppress(ConnectionError):  # it may be cut off before all is sent
        connection.sendall(frame(kind) * 1_000)
    until(lambda: nobody_watches(server))


@pytest.mark.usefixtures("patient")
def test_a_client_that_stops_reading_is_not_present_for_long(
    server: Served, watch: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("connectoe.web.http.sockets.ALIVE_EVERY", 0.0)
    watch()
    monkeypatch.setattr(connections, "LONGEST_READING", 0.5)
    until(lambda: nobody_watches(server))


@pytest.mark.usefixtures("patient")
def test_a_client_that_answers_no_ping_is_cut_off(
    server: Served, watch: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("connectoe.web.http.sockets.ALIVE_EVERY", 0.0)  # there is much that it has not read
    begun: list[connections.LiveConnection] = []
    start = connections.LiveConnection.start_keepalive

    def start_and_note(connection: connections.LiveConnection) -> None:
        begun.append(connection)
        start(connection)

    monkeypatch.setattr(connections.LiveConnection, "start_keepalive", start_and_note)
    watch()
    [connection] = begun
    connection.loop.call_soon_threadsafe(connection.keepalive_timeout)
    until(lambda: nobody_watches(server) and not has_connections(server))


def test_an_idle_live_connection_takes_little_memory(server: Served, watch: Connect) -> None:
    """A server has thousands of them; the routing and the headers of their handshakes used to stay with them."""

    def in_use() -> int:
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        opened = [watch() for _ in range(12)]
        until(lambda: server.app.state.services.watchers.count == 12)
        with_them = in_use()
        for connection in opened:
            connection.close()
        until(lambda: nobody_watches(server) and not has_connections(server))
        assert (with_them - in_use()) / 12 < 30_000
    finally:
        tracemalloc.stop()


# Nonsense.


@pytest.mark.parametrize("seed", range(12))
def test_no_nonsense_over_a_live_connection_disturbs_the_server(
    seed: int, server: Served, watch: Connect, caplog: pytest.LogCaptureFixture
) -> None:
    chance, connection = random.Random(seed), watch()
    with suppress(ConnectionError):  # it may be cut off
        for _ in range(30):
            connection.sendall(nonsense(chance))
        connection.close()
    until(lambda: nobody_watches(server))
    assert httpx.get(f"{server.url}/healthz").status_code == 200
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("seed", range(6))
def test_no_nonsense_in_a_handshake_disturbs_the_server(
    seed: int, server: Served, connect: Connect, caplog: pytest.LogCaptureFixture
) -> None:
    chance = random.Random(seed)
    lines = [f"GET /matches/none/live{chance.choice(('', '?secret=' + 'a' * 500))} HTTP/1.1", "Host: localhost"]
    lines += UPGRADE.split("\r\n")[:-2]
    lines += ["Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=99", "Sec-WebSocket-Protocol: a, a"]
    for _ in range(10):
        changed = bytearray("\r\n".join(chance.sample(lines[1:], chance.randint(3, len(lines) - 1))).encode())
        for _ in range(chance.randint(0, 3)):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        connection = connect()
        with suppress(ConnectionError):  # it may be refused at once
            connection.sendall(lines[0].encode() + b"\r\n" + bytes(changed) + b"\r\n\r\n" + nonsense(chance))
            connection.recv(65536)
        connection.close()
    assert httpx.get(f"{server.url}/livez").status_code == 200
    assert "Traceback" not in caplog.text


def test_a_packed_frame_is_refused_and_not_unpacked(watch: Connect) -> None:
    connection = watch("Sec-WebSocket-Extensions: permessage-deflate\r\n")
    packing = zlib.compressobj(wbits=-15)
    packed = packing.compress(bytes(3_000_000)) + packing.flush(zlib.Z_SYNC_FLUSH)
    connection.sendall(frame(TEXT | COMPRESSED, packed[:-4]))
    until(lambda: WRONG in connection.recv(65536))


@pytest.mark.parametrize("times", [1, 2])
def test_a_text_that_is_not_utf_8_closes_the_connection_and_is_no_failure(
    times: int, server: Served, watch: Connect, caplog: pytest.LogCaptureFixture
) -> None:
    connection = watch("")
    connection.sendall(frame(TEXT, b"\xa7") * times)
    until(lambda: NOT_UTF_8 in connection.recv(65536))
    until(lambda: nobody_watches(server))
    assert "Traceback" not in caplog.text
