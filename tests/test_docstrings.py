"""The public API shows how it is used: every function and class that `connectoe` exports has an example."""

from __future__ import annotations

from doctest import DocTestParser
from inspect import isclass, isfunction

import pytest

import connectoe

EXPORTED = [name for name in connectoe.__all__ if isfunction(thing := getattr(connectoe, name)) or isclass(thing)]


@pytest.mark.parametrize("name", EXPORTED)
def test_the_docstring_of_an_exported_name_has_an_example(name: str) -> None:
    assert DocTestParser().get_examples(getattr(connectoe, name).__doc__ or ""), f"connectoe.{name} has no example"
