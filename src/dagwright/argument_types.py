"""Whether the value of an option can be what its annotation says; what cannot be known counts as possible."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from dagwright.errors import OptionError

WORDS = {
    float: "a number",
    int: "a whole number",
    str: "a text",
    bool: "True or False",
    NoneType: "None",
    Mapping: "a dict",
    Callable: "a function",
}


def require_fitting(method: Callable[..., object], name: str, given: Mapping[str, object]) -> None:
    """Refuse arguments of a method that are of another kind than it takes, naming option, value and kind."""
    made = method.__init__ if inspect.isclass(method) else method
    try:
        hints = get_type_hints(made)
    except NameError:  # an annotation that only a type checker can resolve
        return
    for option, value in given.items():
        hint = hints.get(option, Any)
        if not _fits(value, hint):
            raise OptionError(f"{name} takes {_in_words(hint)} as {option}, not {value!r}")


def _fits(value: object, hint: Any) -> bool:
    kind = get_origin(hint) or hint
    if kind in (Union, UnionType):
        return any(_fits(value, one) for one in get_args(hint))
    if kind is Literal:
        return value in get_args(hint)
    if kind in (int, float):
        return isinstance(value, int | kind) and not isinstance(value, bool)
    if kind is tuple:  # lists are as good
        return isinstance(value, list | tuple)
    if kind is Callable:
        return callable(value)
    try:
        return not isinstance(kind, type) or isinstance(value, kind)
    except TypeError:  # a protocol that cannot be checked while running
        return True


def _in_words(hint: Any) -> str:
    kind = get_origin(hint) or hint
    if kind in (Union, UnionType):
        return " or ".join(dict.fromkeys(_in_words(one) for one in get_args(hint)))
    if kind is Literal:
        return " or ".join(map(repr, get_args(hint)))
    if kind in WORDS:
        return WORDS[kind]
    if isinstance(kind, type) and issubclass(kind, Iterable):
        return "a list"
    return f"a {getattr(kind, '__name__', kind)}"
