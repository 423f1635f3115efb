"""Connectoe in the browser: pages, an API, live matches, and their storage. Needs the extra `connectoe[web]`."""
