"""Renderers of scenes: SVG for pages, notebooks and files, text for terminals."""
