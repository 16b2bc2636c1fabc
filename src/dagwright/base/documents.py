"""JSON documents: written so that any program can read them, and checked field by field before use.

Files and requests come from anyone; nothing in them is used before it is checked.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from dagwright.errors import FormatError

SHOWN = 60
KINDS = {
    "dagwright-confidence": "edge strengths",
    "dagwright-dynamic-network": "a dynamic network",
    "dagwright-learned": "a result of learning",
    "dagwright-network": "a network",
    "dagwright-report": "a report",
    "dagwright-study": "a study",
}
"""Documents that users have in files, by their format."""
Read = TypeVar("Read")


def parsed_json(text: str | bytes) -> Any:
    """The document of a JSON text; what is none, or is nested too deeply, is refused."""
    try:
        return json.loads(text)
    except RecursionError:
        raise FormatError("not JSON that can be read: it is nested too deeply") from None
    except ValueError as problem:
        raise FormatError(f"not JSON: {problem}") from None


def as_json(document: Any, *, indent: int | None) -> str:
    """A document for programs; JSON has no infinities, they become null.

    >>> as_json({"gap": float("inf")}, indent=None)
    '{"gap": null}'
    """
    return json.dumps(_finite(document), indent=indent, ensure_ascii=False, allow_nan=False)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def require_format(what: str, document: Any, name: str, version: int) -> None:
    """An error where a document is not `what`: its format has another name or version."""
    if not isinstance(document, Mapping) or document.get("format") != name:
        other = KINDS.get(str(document.get("format")), "") if isinstance(document, Mapping) else ""
        raise FormatError(f"not {what}: " + (f"it holds {other}" if other else f"'format' is not {name!r}"))
    given = document.get("format_version")
    if given != version:
        raise FormatError(f"{what} of format version {given}; this dagwright reads {version}")


def loaded(path: str | Path, read: Callable[[str], Read]) -> Read:
    """The result of `read` on the text of a file; every error names the file."""
    try:
        return read(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FormatError(f"no such file: {path}") from None
    except FormatError as problem:
        raise FormatError(f"{path}: {problem}") from None
    except UnicodeDecodeError:
        raise FormatError(f"{path} is not a text file") from None


def require_fields(what: str, document: Mapping[str, Any], fields: Mapping[str, Any]) -> None:
    """Refuse a document that lacks a field or has a value of another type in it.

    Types are written as for type checkers: ``float | None``, ``list[str]``, ``dict[str, Any]``; a tuple type
    stands for a list of that length.

    >>> require_fields("a graph", {"nodes": [3]}, {"nodes": list[str]})
    Traceback (most recent call last):
    ...
    dagwright.errors.FormatError: a graph with a malformed field 'nodes': expected a list of texts, got [3]
    """
    for name, hint in fields.items():
        if name not in document:
            raise FormatError(f"{what} without the field {name!r}")
        if not _is(document[name], hint):
            shown = repr(document[name])
            shown = shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}..."
            raise FormatError(f"{what} with a malformed field {name!r}: expected {_words(hint)}, got {shown}")


def _is(value: Any, hint: Any) -> bool:
    kind, inner = get_origin(hint) or hint, get_args(hint)
    if kind is Any:
        return True
    if kind in (Union, UnionType):
        return any(_is(value, one) for one in inner)
    if kind is Literal:
        return isinstance(value, str) and value in inner
    if kind in (None, NoneType):
        return value is None
    if kind in (int, float):
        return isinstance(value, int | kind) and not isinstance(value, bool) and _fits_a_float(value)
    if kind is list:
        return isinstance(value, list) and all(_is(one, inner[0]) for one in value)
    if kind is tuple:
        return isinstance(value, list) and len(value) == len(inner) and all(map(_is, value, inner))
    if kind is dict:
        return isinstance(value, dict) and all(_is(one, inner[1]) for one in value.values())
    return isinstance(value, kind)


def _fits_a_float(value: float) -> bool:
    try:
        float(value)
    except OverflowError:
        return False
    return True


_WORDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", NoneType: "null"}
_MANY = {str: "texts", int: "whole numbers", float: "numbers", Any: "values"}


def _words(hint: Any) -> str:
    kind, inner = get_origin(hint) or hint, get_args(hint)
    if kind in (Union, UnionType):
        return " or ".join(_words(one) for one in inner)
    if kind is Literal:
        return " or ".join(map(repr, inner))
    if kind is list:
        return f"a list of {_MANY.get(inner[0]) or 'lists'}"
    if kind is tuple:
        return f"a list of {len(inner)} values"
    return "an object" if kind is dict else _WORDS.get(kind, "a value")
