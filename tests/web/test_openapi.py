"""The API does what its description says, whatever it is sent."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from connectoe.client import Server
from tests.web.serving import Process

pytestmark = pytest.mark.slow

CHECKS = "not_a_server_error,status_code_conformance,response_schema_conformance,content_type_conformance"


def test_no_request_that_schemathesis_can_think_of_makes_the_server_fail(tmp_path: Path) -> None:
    program = Path(sys.executable).parent / "schemathesis"
    assert program.exists() or shutil.which("schemathesis")
    quick = ("--unlimited", "--no-warming", "--longest-analysis", "0")
    server = Process(f"sqlite:///{tmp_path}/matches.db", None, *quick)
    try:
        seat = Server(server.url).create("tic-tac-toe", opponent="random")  # so that requests are about a match
        httpx.get(f"{server.url}/api/v1/matches/{seat.match_id}/values/0", timeout=300)  # its engine is ready now
        (tmp_path / "schemathesis.toml").write_text(f'[parameters]\nmatch_id = "{seat.match_id}"\n')
        run = subprocess.run(
            [
                str(program),
                "run",
                f"{server.url}/api/v1/openapi.json",
                "--checks",
                CHECKS,
                "--request-timeout",
                "120",
                "--max-examples",
                "15",
                "--seed",
                "1",
                "--generation-database",
                "none",
                "--header",
                f"Authorization: Bearer {seat.secret}",
            ],
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
            cwd=tmp_path,
            env={**os.environ, "NO_COLOR": "1"},
        )
        assert run.returncode == 0, run.stdout[-6000:] + run.stderr[-2000:]
        assert "Traceback" not in server.logged()
    finally:
        server.stop()
