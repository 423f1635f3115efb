"""HTML from the templates in the folder `templates`; everything they are given is escaped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader

TEMPLATES = Path(__file__).parent / "templates"
environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, auto_reload=False)


def html(template: str, **context: Any) -> str:
    """Return the HTML that a template makes of its context."""
    return environment.get_template(template).render(context)
