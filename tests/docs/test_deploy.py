"""The files in docs/deploy, tried with the programs they are for."""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import shutil
import socket
import ssl
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

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
    """A port that nobody uses, and that the system gives to no connection meanwhile."""
    while True:
        port = random.randrange(20_000, 32_000)
        with suppress(OSError), socket.create_server(("", port)):
            return str(port)


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
            for path in ("/metrics", "/livez", "/health%7A", "/%6Detrics"):
                assert browser.get(path).status_code == 403, path
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


def test_a_server_whose_database_is_away_is_neither_restarted_nor_taken_out_of_service() -> None:
    for name in ("haproxy.cfg", "Containerfile"):
        lines = (FILES / name).read_text().splitlines()
        [check] = [line for line in lines if "httpchk" in line or "HEALTHCHECK" in line]
        assert "/livez" in check.partition("#")[0]


def verified(unit: Path) -> tuple[int, str]:
    """What systemd says of a unit: a status, and what is wrong with it."""
    assert shutil.which("systemd-analyze"), "tests need systemd; `make test` installs it where it can"
    checked = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
    return checked.returncode, checked.stderr


def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / "connectoe.service"
    text = (FILES / "connectoe.service").read_text().replace("/opt/connectoe/bin/connectoe", "/bin/true")
    unit.write_text(text)
    assert verified(unit) == (0, "")
    unit.write_text(text.replace("NoNewPrivileges=yes", "NoNewPrivilege=yes"))
    assert "NoNewPrivilege'" in verified(unit)[1]  # else the check would show nothing


def test_systemd_finds_the_unit_well_shut_in(tmp_path: Path) -> None:
    """On a scale of systemd's own from 0 to 10, in which a service without any of these settings has 9.6."""
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager"]
    judged = subprocess.run(
        [*command, str(FILES / "connectoe.service")], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert judged.returncode == 0, judged.stdout + judged.stderr


# The container. Where these tests are run there may be no builder of images, so it is not built: what it says is read,
# and the commands in it are run with other places.


class Instruction(NamedTuple):
    """A line of a Containerfile: its name, the words after it, and the stage it belongs to."""

    name: str
    text: str
    stage: int

    @property
    def words(self) -> list[str]:
        """The words of a command, in either form."""
        return list(json.loads(self.text)) if self.text.startswith("[") else shlex.split(self.text)


INSTRUCTIONS = {"FROM", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "CMD"}


def instructions() -> list[Instruction]:
    text = re.sub(r"^#.*\n", "", (FILES / "Containerfile").read_text(), flags=re.MULTILINE)
    stage, found = -1, list[Instruction]()
    for line in filter(None, text.replace("\\\n", " ").splitlines()):
        name, _, rest = line.partition(" ")
        stage += name == "FROM"
        found.append(Instruction(name, rest.strip(), stage))
    return found


def only(name: str) -> Instruction:
    """The one instruction of a name in the last stage."""
    last = instructions()[-1].stage
    [found] = [one for one in instructions() if (one.name, one.stage) == (name, last)]
    return found


def test_the_container_needs_no_root_and_writes_only_to_its_volumes() -> None:
    everything = instructions()
    assert {one.name for one in everything} == INSTRUCTIONS
    assert everything[0].name == "FROM"
    stages = [one.text.partition(" AS ")[2] for one in everything if one.name == "FROM"]
    [copied] = [one.words for one in everything if one.name == "COPY" and one.stage == 1]
    assert copied[0].removeprefix("--from=") in stages[:1]
    assert int(only("USER").text) >= 10_000
    volumes = only("VOLUME").words
    [made] = [one.text for one in everything if one.name == "RUN" and one.stage == 1]
    assert f"--uid {only('USER').text} " in made
    assert made.endswith(" ".join(volumes))
    environment = dict(word.split("=", 1) for word in only("ENV").words)
    assert environment["CONNECTOE_CACHE"] in volumes
    command = only("CMD").words
    database = command[command.index("--database") + 1].removeprefix("sqlite:///")
    assert str(Path(database).parent) in volumes
    assert command[command.index("--port") + 1] == only("EXPOSE").text


def test_the_container_installs_what_it_starts() -> None:
    project = tomllib.loads((FILES.parents[1] / "pyproject.toml").read_text())["project"]
    [install] = [one.text for one in instructions() if one.name == "RUN" and one.stage == 0]
    [(source, extra)] = re.findall(r"install [^']*'([^'[]+)\[(\w+)\]'", install)
    assert source in [one.words[-1] for one in instructions() if one.name == "COPY"]
    assert extra in project["optional-dependencies"]
    [folder] = re.findall(r"-m venv (\S+)", install)
    programs = [only("CMD").words[0], only("HEALTHCHECK").text.split('"')[1]]
    assert programs == [f"{folder}/bin/{name}" for name in ("connectoe", "python")]
    assert "connectoe" in project["scripts"]


def test_the_command_of_the_container_runs_and_its_health_check_finds_it_healthy(tmp_path: Path) -> None:
    data, cache, port = tmp_path / "data", tmp_path / "cache", free_port()
    for folder in (data, cache):
        folder.mkdir(mode=0o700)
    places = {"/var/lib/connectoe": str(data), "8000": port, "0.0.0.0": "127.0.0.1"}

    def elsewhere(words: list[str]) -> list[str]:
        for place, other in places.items():
            words = [word.replace(place, other) for word in words]
        return words

    command = elsewhere(only("CMD").words)[1:]
    check = elsewhere(json.loads(only("HEALTHCHECK").text.removeprefix("CMD ")))[1:]
    environment = os.environ | {"CONNECTOE_CACHE": str(cache), "PYTHONDONTWRITEBYTECODE": "1", "HOME": "/nonexistent"}
    with (tmp_path / "log").open("w") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "connectoe", *command, "--no-warming"], env=environment, stderr=log
        )
    try:

        def is_healthy() -> bool:
            assert server.poll() is None, (tmp_path / "log").read_text()
            return subprocess.run([sys.executable, *check], capture_output=True, check=False).returncode == 0

        until(is_healthy)
        assert (data / "matches.db").exists()
    finally:
        server.terminate()
        server.wait(30)
    assert subprocess.run([sys.executable, *check], capture_output=True, check=False).returncode != 0
