"""HTML from the templates in the folder `templates`; everything they are given is escaped."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

TEMPLATES = Path(__file__).parent / "templates"
environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, auto_reload=False)


def html(template: str, **context: Any) -> str:
    """Return the HTML that a template makes of its context."""
    return environment.get_template(template).render(context)


@lru_cache(maxsize=8192)
def _html_of(place: Hashable, macro: str) -> Markup:
    """Return the HTML that a macro of `_places.html` makes of a place."""
    return Markup(getattr(environment.get_template("_places.html").module, macro)(place))


environment.filters["html_of"] = _html_of
