"""Names and their numbers, as one value for tables, problems and graphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Numbering"]


class Numbering:
    """Different names in an order: the first has number 0.

    Attributes
    ----------
    names
        The names by number.
    number
        The number of each name.

    >>> columns = Numbering(["b", "a", "c"])
    >>> columns.number["a"], columns.names[0], columns.number_all(["c", "b"])
    (1, 'b', [2, 0])
    >>> columns.alphabetical()
    Numbering(('a', 'b', 'c'))
    """

    __slots__ = ("names", "number")

    names: tuple[str, ...]
    number: Mapping[str, int]

    def __init__(self, names: Iterable[str]) -> None:
        given = tuple(names)
        number = {name: at for at, name in enumerate(given)}
        if len(number) != len(given):
            twice = next(name for at, name in enumerate(given) if number[name] != at)
            raise ValueError(f"{twice!r} has two numbers; names must differ")
        object.__setattr__(self, "names", given)
        object.__setattr__(self, "number", MappingProxyType(number))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a numbering cannot be changed ({name}); make a new one")

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.number

    def __eq__(self, other: object) -> bool:
        return self.names == other.names if isinstance(other, Numbering) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.names)

    def __repr__(self) -> str:
        return f"Numbering({self.names!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Numbering, (self.names,)

    def name_all(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """The names of these numbers, in the same order."""
        return tuple(map(self.names.__getitem__, numbers))

    def number_all(self, names: Iterable[str]) -> list[int]:
        """The numbers of these names, in the same order; KeyError for a name that has none."""
        return list(map(self.number.__getitem__, names))

    def alphabetical(self) -> Numbering:
        """The same names in alphabetical order."""
        return Numbering(sorted(self.names))

    def places_in(self, other: Numbering) -> NDArray[np.uint32]:
        """For each number here the number of the same name there."""
        return np.array(other.number_all(self.names), dtype=np.uint32)
