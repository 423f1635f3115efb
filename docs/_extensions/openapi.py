"""The directive `openapi`: every call of the web API, from the description that the server gives of itself."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from connectoe.web.http.app import Settings, make_app

Schema = Mapping[str, Any]


def referred(schema: Schema, described: Schema) -> Schema:
    """Return the schema that a reference names; the schema itself if it is no reference."""
    name = schema.get("$ref", "").rpartition("/")[2]
    found: Schema = described["components"]["schemas"][name] if name else schema
    return found


def kind(schema: Schema) -> str:
    """Return the type of a value, as in 'array of string' or 'string or null'."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(kind(each) for each in schema["anyOf"]))
    if schema.get("type") == "array":
        return f"array of {kind(schema.get('items', {}))}"
    if "const" in schema or "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema.get("enum", [schema.get("const")]))
    return str(schema.get("type", "anything"))


def call(path: str, method: str, facts: Schema, described: Schema) -> Iterator[str]:
    """Yield the lines about one call, as Markdown."""
    yield from (f"### {method.upper()} `{path}`", "", facts.get("description", facts.get("summary", "")), "")
    rows = [
        (field["name"], f"{kind(field['schema'])}, in the {field['in']}", field.get("description", ""))
        for field in facts.get("parameters", [])
        if field["in"] == "query"
    ]
    body = referred(
        facts.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {}), described
    )
    required = body.get("required", ())
    for name, field in body.get("properties", {}).items():
        rows.append((name, kind(field) + (", required" if name in required else ""), field.get("description", "")))
    yield from table(("field", "type", "meaning"), rows)
    example = {
        name: field["examples"][0]
        for name, field in body.get("properties", {}).items()
        if field.get("examples") and field["examples"][0] is not None
    }
    if example:
        yield from ("```json", json.dumps(example), "```", "")
    answers = []
    for code, answer in facts["responses"].items():
        content = answer.get("content", {})
        schema = content.get("application/json", {}).get("schema", {})
        answers.append(f"{code} ({kind(schema)})" if code < "300" and schema else code)
    yield from (f"Answers: {', '.join(answers)}.", "")


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a Markdown table; nothing if it has no rows. The first column is code."""
    if not rows:
        return
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    for name, *others in rows:
        yield f"| `{name}` | {' | '.join(text.replace('|', '/') for text in others)} |"
    yield ""


class OpenApi(SphinxDirective):
    """All calls, and the types they answer with."""

    def run(self) -> list[nodes.Node]:
        """Return the calls and the types as sections."""
        logging.getLogger("alembic").setLevel(logging.WARNING)
        described = make_app(Settings()).openapi()
        lines = [described["info"]["description"], "", "## Calls", ""]
        for path, methods in described["paths"].items():
            for method, facts in methods.items():
                lines += call(path, method, facts, described)
        lines += ["## Types", ""]
        for name, schema in described["components"]["schemas"].items():
            fields = [
                (field, kind(its), its.get("description", "")) for field, its in schema.get("properties", {}).items()
            ]
            lines += [
                f"### {name}",
                "",
                schema.get("description", ""),
                "",
                *table(("field", "type", "meaning"), fields),
            ]
        return self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directive with Sphinx."""
    app.add_directive("openapi", OpenApi)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
