"""Connections that cannot be held open idly: uvicorn's protocols with limits of time and size.

A client has some seconds to send a request, and some more to read what it asked for. One that is slower, or sends
more than a head of a request may have, is cut off; so is one that opens too many connections.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from connectoe.web.http.guard import LARGEST_BODY, LARGEST_HEAD, TOO_LARGE, TOO_LONG
from connectoe.web.service.limits import counted_as
from connectoe.web.service.refusals import TooMany

CHECKED_EVERY = 5.0
"""The seconds between two looks at whether a connection is too slow."""
LONGEST_HEAD = 10.0
"""The seconds that a client may take to send the head of a request."""
LONGEST_BODY = 30.0
"""The seconds that it may take to send the body."""
LONGEST_READING = 30.0
"""The seconds after which a client that has not read everything it was sent is cut off."""
MOST_AROUND = 4 * LARGEST_BODY
"""The bytes of a body as it is sent, in chunks that may be tiny, with all that may stand between and after them."""
MOST_PIPELINED = 10
"""How many requests of a connection may wait for the answer to an earlier one; browsers send one at a time."""
MOST_UNREAD = 256 * 1024
"""The bytes that wait at most for a client that sends pings and does not read the answers."""
MOST_AT_ONCE = 16 * 1024
"""The bytes that a client may send over a live connection at once; it has hardly anything to say there."""
MOST_PER_SECOND = 8 * 1024
"""The bytes that it may send per second after that."""
EACH_FRAME = 50
"""The bytes that a frame counts for besides its own: reading an empty one takes as long as reading a move."""
READ_AT_ONCE = 1024
"""The bytes after which it is looked at how many frames have come."""


class Watched:
    """What both kinds of connections have in common: clients are counted, and those that do not read are cut off."""

    config: Any
    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    client: tuple[str, int] | None

    def begin_watching(self) -> bool:
        """Begin to watch a new connection; return False if its client has too many already."""
        self._counted = ""
        self._unread_since: float | None = None
        self._next_look = self.loop.call_later(CHECKED_EVERY, self._look)
        state = self.config.app.state
        address = self.client[0] if self.client else ""
        if address and not (state.settings.behind_proxy and state.proxies.believes(address)):
            try:
                state.services.limits.count("connect", counted_as(address))
            except TooMany:
                return False
            self._counted = counted_as(address)
        return True

    def end_watching(self) -> None:
        """Stop watching a connection that is closed, or becomes another kind."""
        self._next_look.cancel()
        if self._counted:
            self.config.app.state.services.limits.count("connect", self._counted, -1)
            self._counted = ""

    def _look(self) -> None:
        """Cut off a client that has not read for too long, closed or not."""
        now = self.loop.time()
        if not self.transport.get_write_buffer_size():
            self._unread_since = None
        elif self._unread_since is None:
            self._unread_since = now
        if self._unread_since is not None and now - self._unread_since >= LONGEST_READING:
            self.transport.abort()
            return
        self.stop_waiting(now)
        self._next_look = self.loop.call_later(CHECKED_EVERY, self._look)

    def stop_waiting(self, now: float) -> None:
        """Close the connection if the client has not sent something in time."""


class Connection(Watched, HttpToolsProtocol):
    """A connection for requests and answers."""

    _due: float | None = None
    """When the head or the body of a request must have arrived; None while none is expected."""
    _is_in_body = False
    _size = 0
    """The bytes that have come of the head, or of the body."""
    _running: RequestResponseCycle | None = None
    """The request that is being answered; others may wait in `pipeline`."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Expect the head of a request."""
        super().connection_made(transport)
        self._due = self.loop.time() + LONGEST_HEAD
        if not self.begin_watching():
            self._refuse(429, "too many connections; close some of the others first")

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection, and the requests that came over it: nobody waits for their answers."""
        self.end_watching()
        if self._running:
            self._running.disconnected = True
            self._running.message_event.set()
        self.pipeline.clear()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read the next part of a request, unless that becomes too long."""
        if self.transport.is_closing():
            return
        self._size += len(data)
        if not self._is_in_body:
            self._due = self._due or self.loop.time() + LONGEST_HEAD
        super().data_received(data)
        if self._is_in_body and self._size > MOST_AROUND:
            self._give_up(413, TOO_LARGE)
        elif not self._is_in_body and self._size > LARGEST_HEAD:
            self._refuse(431, TOO_LONG)

    def on_headers_complete(self) -> None:
        """Expect the body of the request; refuse a client that asks much and waits for no answer."""
        if len(self.pipeline) >= MOST_PIPELINED:
            raise ValueError("too many requests without waiting for an answer")
        self._is_in_body, self._size = True, 0
        self._due = self.loop.time() + LONGEST_BODY
        super().on_headers_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def on_message_complete(self) -> None:
        """Expect nothing until the next request begins."""
        self._is_in_body, self._size = False, 0
        self._due = None
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Expect the next request; what belonged to this one is forgotten, since browsers keep connections open."""
        super().on_response_complete()
        if not self._is_in_body and self.cycle.response_complete:
            self.cycle = self.scope = self.headers = self._running = None  # type: ignore[assignment]

    def stop_waiting(self, now: float) -> None:
        """Close the connection if a request has not come in time; say why if no answer has begun."""
        if self._due is None or now < self._due or self.transport.is_closing():
            return
        self._give_up(408, "the request took too long to come")

    def handle_websocket_upgrade(self) -> None:
        """Become a live connection, which is counted and watched instead of this one."""
        self.end_watching()
        super().handle_websocket_upgrade()

    def _give_up(self, status: int, words: str) -> None:
        """Close the connection in the middle of a request, and say why if it is not being answered already."""
        if self._is_in_body and self.cycle.response_started:
            self.transport.close()
        else:
            self._refuse(status, words)

    def _refuse(self, status: int, words: str) -> None:
        """Answer without asking the application, and close the connection."""
        body = f"{words}\n".encode()
        head = f"content-type: text/plain; charset=utf-8\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
        self.transport.write(STATUS_LINE[status] + head.encode() + body)
        self.transport.close()


class Inbox:
    """What came over a live connection and has not been read, for one reader.

    It does what is needed of an `asyncio.Queue`, which takes 3 kB even if nothing is in it.
    """

    def __init__(self) -> None:
        self._messages: list[Any] = []
        self._reader: asyncio.Future[None] | None = None

    def empty(self) -> bool:
        """Whether everything has been read."""
        return not self._messages

    def put_nowait(self, message: Any) -> None:
        """Add a message."""
        self._messages.append(message)
        if self._reader and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Any:
        """Return the oldest message, as soon as there is one."""
        while not self._messages:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        return self._messages.pop(0)


class LiveConnection(Watched, WebSocketsSansIOProtocol):
    """A connection for live updates."""

    _may_send = float(MOST_AT_ONCE)
    _at = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to watch the client."""
        self.queue = Inbox()  # type: ignore[assignment]
        super().connection_made(transport)
        self._at = self.loop.time()
        if not self.begin_watching():
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self.end_watching()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what the client sends, unless that becomes too much, or it does not read the answers."""
        if not self.handshake_initiated:  # its length has been limited before
            super().data_received(data)
            return
        now = self.loop.time()
        self._may_send = min(MOST_AT_ONCE, self._may_send + (now - self._at) * MOST_PER_SECOND) - len(data)
        self._at = now
        for start in range(0, len(data), READ_AT_ONCE):
            if self.transport.is_closing() or self._is_too_much():
                break
            super().data_received(data[start : start + READ_AT_ONCE])
        if self._is_too_much():
            self.transport.abort()

    def _is_too_much(self) -> bool:
        """Whether the client has sent too much, or does not read the answers."""
        return self._may_send < 0 or self.transport.get_write_buffer_size() > MOST_UNREAD

    def handle_events(self) -> None:
        """Count the frames that have come, and let them be handled."""
        self._may_send -= EACH_FRAME * len(self.conn.events)
        super().handle_events()

    def start_keepalive(self) -> None:
        """Begin to send pings; what only the handshake needed is forgotten, since many connections stay for hours."""
        super().start_keepalive()
        for message in (self.request, self.response):
            message.headers.clear()
        self.scope["headers"] = []

    def send_receive_event_to_app(self) -> None:
        """Pass a message on; a text that is not UTF-8 is the client's fault, and closes the connection."""
        if self.close_sent or self.transport.is_closing():  # what comes after that is not read
            self.frames = []
            return
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                self.conn.send_close(1007)
                self.handle_parser_exception()
                return
        super().send_receive_event_to_app()

    def keepalive_timeout(self) -> None:
        """Cut off a client that does not answer a ping: it would not read the reason, either."""
        super().keepalive_timeout()
        self.transport.abort()
