"""The client against servers that are away, broken or no Connectoe server; tests/web has it play real matches."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from connectoe import ConnectoeError
from connectoe.client import SeatHeld, Server, ServerError, join_by_link

PLAYED = b'{"version": 1, "ply": 1}'


class Answering(ThreadingHTTPServer):
    """A server that gives prepared answers, one after the other, then the last again and again."""

    block_on_close = False  # a client keeps its connection open
    answers: list[tuple[int, bytes]]
    requests: list[tuple[str, str, str]]


class Answer(BaseHTTPRequestHandler):
    """One prepared answer; no content stands for a connection that is closed without an answer."""

    server: Answering
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        self.server.requests.append((self.command, self.path, body))
        status, content = self.server.answers[0]
        if len(self.server.answers) > 1:
            del self.server.answers[0]
        if not content:
            self.close_connection = True
            return
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_POST = do_GET  # noqa: N815 - the library's names

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture
def answering() -> Iterator[Answering]:
    """Such a server."""
    with Answering(("127.0.0.1", 0), Answer) as server:
        server.answers, server.requests = [], []
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


def seat_at(answering: Answering, patience: float = 10) -> SeatHeld:
    return SeatHeld(Server(f"http://127.0.0.1:{answering.server_port}", patience), "match", 0, "secret")


def test_a_move_is_sent_again_while_the_server_is_away(answering: Answering) -> None:
    answering.answers = [(502, b"<html>Bad Gateway"), (503, b'{"error": "starting"}'), (200, b""), (200, PLAYED)]
    assert seat_at(answering).play("d", 0) == {"version": 1, "ply": 1}
    assert len(answering.requests) == 4
    assert len(set(answering.requests)) == 1


def test_a_move_is_given_up_when_the_server_stays_away(answering: Answering) -> None:
    answering.answers = [(503, b'{"error": "the database is away"}')]
    with pytest.raises(ServerError, match="the database is away") as refused:
        seat_at(answering, patience=0).play("d", 0)
    assert refused.value.status == 503


@pytest.mark.parametrize(
    ("status", "content", "problem"),
    [
        (409, b'{"error": "it is not your turn"}', "it is not your turn"),
        (500, b"<html>oops", "HTTP status 500"),
        (500, b"[1]", "HTTP status 500"),
        (200, b"<html>some other site", "answers, but not as a Connectoe server does"),
        (200, b"", "cannot be reached: "),
    ],
)
def test_a_bad_answer_is_reported_in_words_and_not_asked_for_again(
    status: int, content: bytes, problem: str, answering: Answering
) -> None:
    answering.answers = [(status, content)]
    with pytest.raises(ServerError, match=problem):
        seat_at(answering).read()
    assert len(answering.requests) == 1


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:9", "http://127.0.0.1:99999", "http://a..b", "http://[::1", "x y"]
)
def test_an_address_without_a_server_is_reported_in_words(address: str) -> None:
    with pytest.raises(ConnectoeError, match="cannot be reached|a server's address is like"):
        Server(address).create("connect-four")


@pytest.mark.parametrize("link", ["", "http://host/matches/ID", "ftp://host/matches/id/join/code"])
def test_a_text_that_is_no_link_to_join_is_refused_in_words(link: str) -> None:
    with pytest.raises(ConnectoeError, match="a link to join looks like"):
        join_by_link(link)


@pytest.mark.parametrize("package", ["httpx", "websockets"])
def test_a_missing_package_is_named_with_the_way_to_get_it(package: str) -> None:
    script = f"import sys; sys.modules[{package!r}] = None; import connectoe.client"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert f"ImportError: connectoe.client needs more packages ({package}" in run.stderr
    assert run.stderr.rstrip().endswith("pip install 'connectoe[client]'")
