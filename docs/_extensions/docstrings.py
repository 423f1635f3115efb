"""Docstrings as they are written here, for Sphinx: a block that is indented after a blank line is shown as it is."""

from __future__ import annotations

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata


def keep_indented_blocks(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Mark every indented block of a docstring as literal."""
    marked: list[str] = []
    is_within = False
    for line in lines:
        is_indented = line.startswith("    ")
        if is_indented and not is_within and (not marked or not marked[-1]):
            marked += ["::", ""]
        if line.strip():
            is_within = is_indented
        marked.append(line)
    lines[:] = marked


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register with Sphinx."""
    app.connect("autodoc-process-docstring", keep_indented_blocks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
