"""Objects with options: which options there are, and the value chosen for each."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar, Self

from connectoe.core.errors import BadOption
from connectoe.core.options import SWAP, Option, OptionValue


class Configured:
    """A game with a value chosen for each option. Two of the same class with the same values are equal.

    Options are class attributes, made by `option`; a subclass inherits them and may replace them.
    """

    id: ClassVar[str]
    option_list: ClassVar[tuple[Option, ...]] = ()
    swap: OptionValue = SWAP.default
    """Whether matches are played by the pie rule; an option that every game has."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        own = [value._replace(name=name) for name, value in vars(cls).items() if isinstance(value, Option)]
        inherited = [choice for choice in cls.option_list if choice.name not in {mine.name for mine in own}]
        cls.option_list = (*inherited, *own)

    def __init__(self, /, **options: object) -> None:
        known = {choice.name: choice for choice in self.all_options()}
        for name in options:
            if name not in known:
                raise BadOption(f"{self.id} has no option {name[:40]!r}; its options are: {', '.join(known) or 'none'}")
        self._options: dict[str, OptionValue] = {
            name: choice.value(options.get(name, choice.default)) for name, choice in known.items()
        }
        for name, value in self._options.items():
            setattr(self, name, value)
        if self.swap == "no":
            del self._options[SWAP.name]  # a match without the pie rule need not say so

    @classmethod
    def all_options(cls) -> tuple[Option, ...]:
        """Return the options of the game, and those that every game has."""
        return (*cls.option_list, SWAP)

    @property
    def options(self) -> dict[str, OptionValue]:
        """The chosen value of each option, as a copy.

        >>> import connectoe
        >>> connectoe.load("ultimate").options
        {'won_boards': 'closed', 'undecided': 'draw'}
        """
        return dict(self._options)

    @property
    def options_text(self) -> str:
        """The options on one line: 'cols=7 rows=6 connect=4'."""
        return " ".join(f"{name}={value}" for name, value in self.options.items())

    @cached_property
    def plain(self) -> Self:
        """The same game without the pie rule, as engines know it: the rules are the same."""
        return self if self.swap == "no" else type(self)(**{**self.options, SWAP.name: "no"})

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Configured) and self._options == other._options

    def __hash__(self) -> int:
        return hash((type(self), tuple(self._options.items())))

    def __repr__(self) -> str:
        changed = [
            f"{choice.name}={getattr(self, choice.name)!r}"
            for choice in self.all_options()
            if getattr(self, choice.name) != choice.default
        ]
        return f"load({', '.join([repr(self.id), *changed])})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (type(self), self.options)


def _made_again(configured: type[Configured], options: dict[str, OptionValue]) -> Configured:
    return configured(**options)
