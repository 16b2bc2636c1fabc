"""Methods as text from the page, and their options as fields of a form."""

from __future__ import annotations

import ast
import functools
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from dagwright.base.argument_types import option_hints
from dagwright.errors import OptionError
from dagwright.graph.notation import is_graph_text
from dagwright.io import networks
from dagwright.methods import registry
from dagwright.methods.method_like import as_method
from dagwright.methods.notation import as_code
from dagwright.methods.registry import Kind

CUTTING: Kind = registry.entry("EqualWidth").kind
"""The kind of the rules that cut numbers into intervals."""
KINDS: Mapping[str, tuple[Kind, ...]] = {
    "search": ("search",),
    "score": ("score", "test"),
    "test": ("test",),
    "by": ("search",),
    "maximize": ("search",),
    "correction": ("correction",),
    "structure_prior": ("prior",),
}
"""Options that take another method, and what it may be."""


def method_of(text: str | None, *kinds: Kind) -> Any:
    """The method of one of these kinds, or of any, that a text from the page names; None for None.

    A text may stand where a method takes a graph, but not the path of a file: the page names no files.
    """
    if text is None:
        return None
    _refuse_paths(text)
    return as_method(text, kinds[0] if kinds else "method", *(kinds or get_args(Kind)))


def _refuse_paths(text: str) -> None:
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return  # which the parser of methods refuses in its own words
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            continue
        try:
            method = registry.entry(call.func.id).method
        except LookupError:
            continue
        hints = option_hints(method)
        order = list(inspect.signature(method).parameters)
        given = [*zip(order, call.args, strict=False), *((one.arg or "", one.value) for one in call.keywords)]
        for option, value in given:
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                _require_no_path(option, value.value, hints.get(option, Any))


def _require_no_path(option: str, value: str, hint: Any) -> None:
    kind = _type(hint)[0]
    if kind in ("text", "choice", "names") or value in networks() or is_graph_text(value):
        return
    try:
        as_method(value, option, *(one for one in get_args(Kind)))
    except (OptionError, LookupError):
        raise OptionError(
            f"{option}={value!r} names a file, which the studio does not read; write the graph itself, such "
            "as 'A -> B; B -> C', or name a built-in network"
        ) from None


def list_methods() -> list[dict[str, Any]]:
    """Every method with its options."""
    return [
        {
            "kind": entry.kind,
            "name": entry.name,
            "summary": entry.summary,
            "citation": entry.citation,
            "exact": entry.exact,
            "equivalent": entry.equivalent,
            "gives": None,
            "text": f"{entry.name}()",
            "options": _options(entry.method),
        }
        for entry in registry.entries()
    ]


def _options(method: type) -> list[dict[str, Any]]:
    hints, helps = option_hints(method), _helps(method)
    made = {one.name: one for one in fields(method)} if is_dataclass(method) else {}
    found = []
    for name, option in inspect.signature(method).parameters.items():
        kind, optional, choices = _type(hints.get(name, Any))
        factory = made[name].default_factory if name in made else MISSING
        default = option.default if factory is MISSING else factory()
        required = default is option.empty
        if name in KINDS and kind in ("other", "text"):
            kind = "method"
        found.append(
            {
                "name": name,
                "type": kind,
                "optional": optional,
                "default": None if required else _shown(default),
                "required": required,
                "choices": choices,
                "kinds": list(KINDS.get(name, ())) if kind == "method" else [],
                "help": helps.get(name, ""),
            }
        )
    return found


def _shown(default: Any) -> Any:
    if default is None or isinstance(default, bool | int | float | str):
        return default
    return as_code(default) if is_dataclass(default) else repr(default)


def _type(hint: Any) -> tuple[str, bool, list[Any]]:
    """The kind of field for a type, whether it may be empty, and what to choose from."""
    kind, inner = get_origin(hint) or hint, get_args(hint)
    if kind in (Union, UnionType):
        rest = [one for one in inner if one is not NoneType]
        if len(rest) == 1:
            return _type(rest[0])[0], True, _type(rest[0])[2]
        names = {_type(one)[0] for one in rest}
        wide = "number" if names <= {"integer", "number"} else "other"
        return wide, len(rest) < len(inner), []
    if kind is Literal:
        return "choice", False, list(inner)
    if kind in (tuple, list) or getattr(kind, "__name__", "") in ("Sequence", "Iterable", "Collection"):
        return ("names" if inner and inner[0] is str else "other"), False, []
    plain = {int: "integer", float: "number", str: "text", bool: "flag"}
    return plain.get(kind, "other"), False, []


PARAMETER = re.compile(r"^(\w[\w, ]*)\n((?:[ ]{4}.*\n?|\n)+)", re.MULTILINE)


@functools.cache
def _helps(method: Callable[..., object]) -> dict[str, str]:
    """What the docstring says of each option, in one line."""
    text = inspect.getdoc(method) or ""
    _, _, listed = text.partition("Parameters\n----------\n")
    listed = re.split(r"\n\n(?=\w+\n---)", listed)[0]
    found = {}
    for names, body in PARAMETER.findall(f"{listed}\n"):
        for name in names.split(","):
            found[name.strip()] = " ".join(body.split(">>>")[0].split())
    return found
