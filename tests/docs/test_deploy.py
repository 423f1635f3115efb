"""The files in docs/deploy, tried with the programs they are for."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

from tests.waiting import until
from tests.web.serving import Served, served

pytestmark = pytest.mark.slow
FILES = Path(__file__).parents[2] / "docs" / "deploy"
NAME = "play.example.org"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(f"sqlite:///{tmp_path_factory.mktemp('deploy')}/m.db", behind_proxy=True) as running:
        yield running


def free_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return str(free.getsockname()[1])


class Behind:
    """A proxy in front of a server, both on this machine; what the file for it says about places is changed."""

    def __init__(self, folder: Path, server: Served) -> None:
        self.folder = folder
        self.port, self.plain_port = free_port(), free_port()
        self.upstream = server.url.removeprefix("http://")
        self.url = f"https://localhost:{self.port}"
        self.certificate, self.key = folder / "certificate.pem", folder / "key.pem"
        subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2", "-nodes"]
        made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-keyout", str(self.key), "-out"]
        subprocess.run([*made, str(self.certificate), *subject], check=True, capture_output=True)
        (folder / f"{NAME}.pem").write_text(self.certificate.read_text() + self.key.read_text())

    def write(self, name: str, changes: dict[str, str], begin: str = "", end: str = "") -> Path:
        """Write the file from the docs, with these places changed."""
        text = (FILES / name).read_text()
        for place, other in ({"127.0.0.1:8000": self.upstream} | changes).items():
            assert place in text
            text = text.replace(place, other)
        file = self.folder / name
        file.write_text(f"{begin}{text}{end}")
        return file

    def nginx(self) -> list[str]:
        changes = {
            f"/etc/letsencrypt/live/{NAME}/fullchain.pem": str(self.certificate),
            f"/etc/letsencrypt/live/{NAME}/privkey.pem": str(self.key),
            "listen 443": f"listen {self.port}",
            "listen 80": f"listen {self.plain_port}",
            "/var/log/nginx": str(self.folder),
            NAME: "localhost",
        }
        paths = "".join(
            f"{kind}_temp_path {self.folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        begin = f"daemon off; pid {self.folder}/pid; error_log {self.folder}/main.log;\nevents {{}}\nhttp {{ {paths}\n"
        return ["nginx", "-p", str(self.folder), "-c", str(self.write("nginx.conf", changes, begin, "}"))]

    def caddy(self) -> list[str]:
        changes = {
            f"{NAME} {{": f"localhost:{self.port} {{\n\ttls {self.certificate} {self.key}",
            "\tlog default {": "\tadmin off\n\tauto_https off\n\tlog default {",
            "/var/log/caddy": str(self.folder),
        }
        return ["caddy", "run", "--config", str(self.write("Caddyfile", changes)), "--adapter", "caddyfile"]

    def haproxy(self) -> list[str]:
        changes = {
            f"/etc/haproxy/{NAME}.pem": str(self.folder / f"{NAME}.pem"),
            "bind :443": f"bind 127.0.0.1:{self.port}",
            "bind :80": f"bind 127.0.0.1:{self.plain_port}",
            "log /dev/log local0": "log stdout format raw local0",
        }
        return ["haproxy", "-f", str(self.write("haproxy.cfg", changes))]

    def logged(self) -> str:
        """Everything that the proxy has written."""
        return "".join(file.read_text() for file in self.folder.glob("*.log"))


@pytest.mark.parametrize("command", [Behind.nginx, Behind.caddy, Behind.haproxy], ids=["nginx", "caddy", "haproxy"])
def test_people_play_through_a_proxy_that_logs_no_secret(
    command: Callable[[Behind], list[str]], server: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/sbin", prepend=os.pathsep)  # it is not in the path of every user
    assert shutil.which(command.__name__), f"tests need {command.__name__}; `make test` installs it where it can"
    monkeypatch.setenv("HOME", str(tmp_path))
    behind = Behind(tmp_path, server)
    with (tmp_path / "output.log").open("w") as output:
        proxy = subprocess.Popen(command(behind), stdout=output, stderr=output)
    trusted = ssl.create_default_context(cafile=str(behind.certificate))
    try:
        with httpx.Client(base_url=behind.url, verify=trusted, headers={"Origin": behind.url}) as browser:

            def answers() -> bool:
                assert proxy.poll() is None, behind.logged()
                try:
                    return browser.get("/about", headers={"X-Forwarded-For": "6.6.6.6"}).status_code == 200
                except httpx.TransportError:
                    return False

            until(answers)
            assert set(browser.cookies) == {"__Host-connectoe"}
            assert browser.get("/metrics").status_code == 403
            new = {"game": "connect-four", "seats": [{"kind": "me"}, {"kind": "open"}]}
            made = browser.post("/api/v1/matches", json=new).json()
            match, secret, invite = made["id"], made["secrets"]["0"], made["invite"]
            assert f"{behind.url}/matches/{match}/join/{invite}" in browser.get(f"/matches/{match}").text
            for path in (f"/matches/{match}/join/{invite}", f"/matches/{match}/seat/{secret}"):
                assert browser.get(path, headers={"Referer": f"{behind.url}{path}"}).status_code in (200, 303)
            address = f"{behind.url}/api/v1/matches/{match}/live?x=/&secret={secret}"
            with connect(address.replace("https", "wss"), ssl=trusted) as live:
                assert match in str(live.recv())
        until(lambda: "/live" in behind.logged())
    finally:
        proxy.terminate()
        proxy.wait(30)
    for text in (secret, invite):
        assert text not in behind.logged()
    assert f"/matches/{match}/seat/" in behind.logged()


def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    assert shutil.which("systemd-analyze"), "tests need systemd; `make test` installs it where it can"
    unit = tmp_path / "connectoe.service"
    unit.write_text((FILES / "connectoe.service").read_text().replace("/opt/connectoe/bin/connectoe", "/bin/true"))
    checked = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")
