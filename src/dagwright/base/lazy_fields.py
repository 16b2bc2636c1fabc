"""Fields of an immutable value that are computed when they are first read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Self

__all__ = ["LazyFields"]

WAITING = "_waiting"


class LazyFields:
    """A frozen dataclass some of whose fields may be computed later, once; a copy or a pickle has them all.

    Such a field has no default, or one from a factory: a plain default is an attribute of the class and hides
    that the value is still to come.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Circle(LazyFields):
    ...     radius: float
    ...     area: float
    >>> circle = Circle(2.0, 0.0).with_later({"area": lambda: 3.14 * 2.0**2})
    >>> circle
    Circle(radius=2.0, area=12.56)
    """

    def with_later(self, fields: Mapping[str, Callable[[], Any]]) -> Self:
        """This new value, with functions that compute some of its fields."""
        for name in fields:
            self.__dict__.pop(name)
        self.__dict__[WAITING] = dict(fields)
        return self

    def __getattr__(self, name: str) -> Any:
        """Called where the ordinary way finds nothing."""
        make = self.__dict__.get(WAITING, {}).get(name)
        if make is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        # Two threads may both compute the value, which is the same.
        value = self.__dict__[name] = make()
        self.__dict__[WAITING].pop(name, None)
        return value

    def __getstate__(self) -> dict[str, Any]:
        for name in tuple(self.__dict__.get(WAITING, ())):
            getattr(self, name)
        return {name: value for name, value in self.__dict__.items() if name != WAITING}
