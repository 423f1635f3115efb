"""What the packages of the web know of each other; that imports point one way is a test of the whole house."""

from __future__ import annotations

from pathlib import Path

from connectoe import web

FOLDER = Path(web.__file__).parent


def test_pages_import_nothing_from_the_json_api() -> None:
    for name in ("pages", "match_pages", "answers", "requests"):
        text = (FOLDER / "http" / f"{name}.py").read_text()
        assert "http.api" not in text
        assert "http.schemas" not in text


def test_services_and_renderers_know_nothing_of_requests() -> None:
    for package in ("service", "render"):
        for file in (FOLDER / package).rglob("*.py"):
            text = file.read_text()
            assert "fastapi" not in text, file
            assert "starlette" not in text, file
