"""The circumstances of a measurement."""

from __future__ import annotations

import os
import platform
import subprocess
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any


def circumstances() -> dict[str, Any]:
    """Return the commit, the machine, its load and the time."""
    describe = ["git", "describe", "--always", "--dirty"]
    asked = subprocess.run(describe, capture_output=True, text=True, check=False, cwd=Path(__file__).parent)
    return {
        "connectoe": version("connectoe"),
        "commit": asked.stdout.strip() or "unknown",
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "load": [round(load, 1) for load in os.getloadavg()] if hasattr(os, "getloadavg") else None,
        "when": time.strftime("%Y-%m-%d %H:%M:%S%z"),
    }
