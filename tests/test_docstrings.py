"""Everything public says what it is and shows it: a docstring with an example, which the doctests then run."""

from __future__ import annotations

from collections.abc import Iterator
from doctest import DocTestParser
from functools import cached_property
from importlib import import_module
from inspect import isclass, isfunction, unwrap
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

import click

import connectoe

HAVE_HELP_INSTEAD = ("connectoe.commands", "connectoe.__main__", "connectoe.web")
"""Programs, not the library: commands explain themselves by --help, the server by its OpenAPI description."""


def modules() -> Iterator[ModuleType]:
    for found in walk_packages(connectoe.__path__, "connectoe."):
        if not found.name.startswith(HAVE_HELP_INSTEAD):
            yield import_module(found.name)


def is_of_click(thing: object) -> bool:
    return isinstance(thing, click.Command) or (
        isclass(thing) and issubclass(thing, click.Command | click.ClickException)
    )


def public_things() -> Iterator[tuple[str, Any, type | None]]:
    """Every public class, function, method and property of the package: its name, itself and the class it is of."""
    for module in modules():
        for name, thing in vars(module).items():
            is_own = getattr(thing, "__module__", None) == module.__name__ and getattr(thing, "__name__", "") == name
            if name.startswith("_") or not is_own or is_of_click(thing):
                continue
            if isclass(thing) or isfunction(unwrap(thing)):
                yield f"{module.__name__}.{name}", thing, None
            if isclass(thing):
                for member, function in public_members(thing):
                    yield f"{module.__name__}.{name}.{member}", function, thing


def public_members(owner: type) -> Iterator[tuple[str, Any]]:
    """The methods and properties that a class defines itself; fields of tuples and data are no such thing."""
    for name, member in vars(owner).items():
        function = plain_function(member)
        if (
            not name.startswith("_")
            and isfunction(function)
            and function.__qualname__ == f"{owner.__qualname__}.{name}"
        ):
            yield name, function


def plain_function(member: object) -> Any:
    if isinstance(member, property):
        return member.fget
    if isinstance(member, cached_property):
        return member.func
    return unwrap(member) if callable(member) else getattr(member, "__func__", None)


def has_example(thing: Any) -> bool:
    return bool(DocTestParser().get_examples(thing.__doc__ or ""))


def is_shown_by_its_contract(name: str, owner: type | None) -> bool:
    """Whether a method overrides one of this package that has an example, which then holds for both."""
    bases = owner.__mro__[1:] if owner else ()
    contracts = [plain_function(vars(base).get(name.rpartition(".")[2])) for base in bases]
    return any(
        isfunction(contract) and contract.__module__.startswith("connectoe.") and has_example(contract)
        for contract in contracts
    )


def test_the_search_finds_functions_classes_methods_and_properties_but_no_fields_and_no_commands() -> None:
    names = {name for name, _, _ in public_things()}
    assert names >= {
        "connectoe.board.lines",
        "connectoe.engines.compiling.spinner",
        "connectoe.engines.cache.cache_folder",
        "connectoe.game.Game",
        "connectoe.game.Game.state",
        "connectoe.game.Game.move_texts",
        "connectoe.game.Outcome.result",
        "connectoe.games.c4_twist.C4Twist.read",
        "connectoe.scene.Scene.add_grid",
    }
    assert not names & {"connectoe.game.Outcome.winner", "connectoe.scene.Scene.cells", "connectoe.cli.main"}
    assert "connectoe.games.tic_tac_toe.TicTacToe.make_rules" not in names


def test_everything_public_has_a_docstring() -> None:
    without = [name for name, thing, _ in public_things() if not thing.__doc__]
    assert not without, "\n".join(["these have no docstring:", *without])


def test_everything_public_has_an_example() -> None:
    without = [
        name
        for name, thing, owner in public_things()
        if not has_example(thing) and not is_shown_by_its_contract(name, owner)
    ]
    assert not without, "\n".join(["these have no example (>>>) in their docstring:", *without])
