"""The page that describes the API, made from its OpenAPI description."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from fastapi import APIRouter, Request, Response

from connectoe.web.http.answers import page
from connectoe.web.http.pools import ReadingRoute
from connectoe.web.render.documents import as_html

router = APIRouter(include_in_schema=False, route_class=ReadingRoute)
Schema = Mapping[str, Any]


@router.get("/docs")
def _api_page(request: Request) -> Response:
    described = request.app.openapi()
    calls = [
        {
            "path": path,
            "method": method.upper(),
            "words": as_html("\n".join([call["description"], "", *_fields(_body(call, described), described)])),
            "example": _example(_body(call, described)),
        }
        for path, methods in described["paths"].items()
        for method, call in methods.items()
    ]
    return page(request, "api.html", calls=calls, words=as_html(described["info"]["description"]))


def _body(call: Schema, described: Schema) -> Schema:
    """Return the schema of the body of a call."""
    content = call.get("requestBody", {}).get("content", {})
    return _named(content.get("application/json", {}).get("schema", {}), described)


def _named(schema: Schema, described: Schema) -> Schema:
    """Return the schema that a reference refers to; empty if it is no reference."""
    found: Schema = described["components"]["schemas"].get(schema.get("$ref", "").rpartition("/")[2], {})
    return found


def _fields(schema: Schema, described: Schema, within: str = "") -> Iterator[str]:
    """Yield a line for each described field of a body, and of what it lists."""
    for name, field in schema.get("properties", {}).items():
        if field.get("description"):
            yield f"- `{within}{name}`: {field['description']}"
        yield from _fields(_named(field.get("items", {}), described), described, f"{name}[].")


def _example(schema: Schema) -> str:
    """Return a body to send, made from the examples of its fields."""
    fields = {
        name: field["examples"][0]
        for name, field in schema.get("properties", {}).items()
        if field.get("examples") and field["examples"][0] is not None
    }
    return json.dumps(fields) if fields else ""
