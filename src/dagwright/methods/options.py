"""The options of a method with their types, defaults and help, from its fields and its docstring."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin

from dagwright.base.argument_types import option_hints
from dagwright.methods.notation import as_code

OptionType = Literal["integer", "number", "text", "flag", "choice", "names", "method", "other"]

KINDS: Mapping[str, tuple[str, ...]] = {
    "search": ("search",),
    "score": ("score", "test"),
    "test": ("test",),
    "by": ("search",),
    "maximize": ("search",),
    "correction": ("correction",),
    "structure_prior": ("prior",),
}
"""Options that take another method, and what it may be."""

PLAIN: Mapping[Any, OptionType] = {int: "integer", float: "number", str: "text", bool: "flag"}
PARAMETER = re.compile(r"^(\w[\w, ]*)\n((?:[ ]{4}.*\n?|\n)+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a method.

    Attributes
    ----------
    optional
        Whether it may be None.
    default
        A number, text, flag or None; other values as they are written in Python.
    code
        The default as `repr` writes it; None for an option that must be given.
    choices
        The values to choose from, for an option of the type "choice".
    kinds
        What the method may be, for an option of the type "method".
    """

    name: str
    type: OptionType
    optional: bool
    default: bool | int | float | str | None
    code: str | None
    choices: tuple[Any, ...]
    kinds: tuple[str, ...]
    help: str

    @property
    def required(self) -> bool:
        """Whether it has no default."""
        return self.code is None

    def __str__(self) -> str:
        return self.name if self.code is None else f"{self.name}={self.code}"


class HintedType(NamedTuple):
    """The meaning of an annotation: the kind of field, whether it may be None, the choices."""

    type: OptionType
    optional: bool = False
    choices: tuple[Any, ...] = ()


def options_of(method: type) -> tuple[Option, ...]:
    """The options of a method, in the order of its constructor.

    >>> from dagwright import BDeu
    >>> [(one.name, one.type, one.default) for one in options_of(BDeu)]
    [('ess', 'number', 1.0)]
    """
    hints, helps = option_hints(method), _helps(method)
    made = {one.name: one for one in fields(method)} if is_dataclass(method) else {}
    found = []
    for name, option in inspect.signature(method).parameters.items():
        kind, optional, choices = hinted_type(hints.get(name, Any))
        factory = made[name].default_factory if name in made else MISSING
        default = option.default if factory is MISSING else factory()
        required = default is option.empty
        if name in KINDS and kind in ("other", "text"):
            kind = "method"
        kinds = KINDS.get(name, ()) if kind == "method" else ()
        shown, code = (None, None) if required else (_shown(default), repr(default))
        found.append(Option(name, kind, optional, shown, code, choices, kinds, helps.get(name, "")))
    return tuple(found)


def hinted_type(hint: Any) -> HintedType:
    """The kind of option for a type."""
    kind, inner = get_origin(hint) or hint, get_args(hint)
    if kind in (Union, UnionType):
        rest = [one for one in inner if one is not NoneType]
        if len(rest) == 1:
            return hinted_type(rest[0])._replace(optional=True)
        names = {hinted_type(one).type for one in rest}
        return HintedType("number" if names <= {"integer", "number"} else "other", len(rest) < len(inner))
    if kind is Literal:
        return HintedType("choice", choices=inner)
    if kind in (tuple, list, Sequence, Iterable, Collection):
        return HintedType("names" if inner and inner[0] is str else "other")
    return HintedType(PLAIN.get(kind, "other"))


def _shown(default: Any) -> bool | int | float | str | None:
    if default is None or isinstance(default, bool | int | float | str):
        return default
    return as_code(default) if is_dataclass(default) else repr(default)


@functools.cache
def _helps(method: type) -> dict[str, str]:
    """The help for each option from the docstrings of a class and its bases, in one line."""
    found: dict[str, str] = {}
    for one in reversed(method.__mro__):
        found |= _parameters(inspect.cleandoc(one.__doc__ or ""))
    return found


def _parameters(text: str) -> dict[str, str]:
    _, _, listed = text.partition("Parameters\n----------\n")
    listed = re.split(r"\n\n(?=\w+\n---)", listed)[0]
    found = {}
    for names, body in PARAMETER.findall(f"{listed}\n"):
        for name in names.split(","):
            found[name.strip()] = " ".join(body.split(">>>")[0].split())
    return found
