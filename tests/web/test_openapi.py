"""The API does what its description says, whatever it is sent."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.web.serving import Process

CHECKS = "not_a_server_error,status_code_conformance,response_schema_conformance,content_type_conformance"


def test_no_request_that_schemathesis_can_think_of_makes_the_server_fail(tmp_path: Path) -> None:
    program = Path(sys.executable).parent / "schemathesis"
    assert program.exists() or shutil.which("schemathesis")
    server = Process(f"sqlite:///{tmp_path}/matches.db", None, "--unlimited", "--no-warming")
    try:
        run = subprocess.run(
            [
                str(program),
                "run",
                f"{server.url}/api/v1/openapi.json",
                "--checks",
                CHECKS,
                "--max-examples",
                "15",
                "--seed",
                "1",
                "--generation-database",
                "none",
                "--exclude-path-regex",
                "/(hint|values|analyse)",  # minutes of thinking; they are asked by hand in test_api.py
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
