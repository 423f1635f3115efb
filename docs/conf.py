"""Settings of Sphinx, which builds this documentation (`make docs`). Neither building nor reading needs the network."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "src"), str(HERE / "_extensions")]

import connectoe  # noqa: E402

project = "Connectoe"
author = "the Connectoe contributors"
project_copyright = author
version = release = connectoe.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_click", "docstrings", "links", "openapi"]
exclude_patterns = ["_build", "results/studies"]
nitpicky = True
nitpick_ignore_regex = [
    ("py:.*", r"(?!connectoe\.).*"),  # other libraries: linking to their pages would need the network
    ("py:class", r"connectoe\..*"),  # types in signatures that are not part of the reference
]
highlight_language = "text"
default_role = "code"  # in docstrings, `names` are code

myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True}
python_use_unqualified_type_names = True
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = f"Connectoe {version}"
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0067a5", "color-brand-content": "#0067a5"},
    "dark_css_variables": {"color-brand-primary": "#6cb8ea", "color-brand-content": "#6cb8ea"},
}
