"""Methods as text from the page, and their options as fields of a form."""

from __future__ import annotations

import ast
import inspect
from typing import Any, get_args

from dagwright.base.argument_types import option_hints
from dagwright.errors import OptionError
from dagwright.graph.notation import is_graph_text
from dagwright.io import networks
from dagwright.methods import registry
from dagwright.methods.method_like import as_method
from dagwright.methods.options import hinted_type
from dagwright.methods.registry import Kind

CUTTING: Kind = registry.entry("EqualWidth").kind
"""The kind of the rules that cut numbers into intervals."""


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
    kind = hinted_type(hint).type
    if kind in ("text", "choice", "names") or value in networks() or is_graph_text(value):
        return
    try:
        as_method(value, option, *(one for one in get_args(Kind)))
    except (OptionError, LookupError):
        raise OptionError(
            f"{option}={value!r} names a file, which the studio does not read; write the graph itself, such "
            "as 'A -> B; B -> C', or name a built-in network"
        ) from None


def is_method(name: str) -> bool:
    """Whether a method of the library has this name."""
    try:
        registry.entry(name)
    except LookupError:
        return False
    return True


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
            "gives": entry.gives,
            "text": f"{entry.name}()",
            "options": [
                {
                    "name": option.name,
                    "type": option.type,
                    "optional": option.optional,
                    "default": option.default,
                    "required": option.required,
                    "choices": list(option.choices),
                    "kinds": list(option.kinds),
                    "help": option.help,
                }
                for option in entry.options
            ],
        }
        for entry in registry.entries()
    ]
