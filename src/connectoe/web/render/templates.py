"""HTML from the templates in the folder `templates`; all values are escaped."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
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


def part(macro: str, *args: Any) -> Markup:
    """Return the HTML that a macro of `_kept.html` makes of its arguments."""
    return Markup(getattr(environment.get_template("_kept.html").module, macro)(*args))


@lru_cache(maxsize=8192)
def _place_html(place: Hashable, macro: str) -> Markup:
    return part(macro, place)


def _html_of(places: Iterable[Hashable], macro: str) -> Markup:
    """Return the HTML of places on a board; the same place is made once."""
    return Markup("".join([_place_html(place, macro) for place in places]))


environment.filters["html_of"] = _html_of
