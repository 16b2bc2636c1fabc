"""The shapes of requests and answers: types as Python writes them, as JSON Schema, and as a check."""

from __future__ import annotations

import math
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from dagwright.errors import shortened

Schema = dict[str, Any]
MOST = 2**53
"""Whole numbers beyond this are not exact in every JSON reader."""
DEEPEST = 24
"""Levels of lists and objects inside each other."""
PARTIAL = "partial"
"""Marks a typed dict of which any fields may be left out: ``Annotated[State, PARTIAL]``."""
COMPONENTS = "#/components/schemas/"


class ShapeError(Exception):
    """A value that is not what it should be; ``place`` says where in the document."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(f"{place}: {message}" if place else message)
        self.place = place


def schema_of(hint: Any, named: dict[str, Schema] | None = None) -> Schema:
    """The JSON Schema of a type; typed dicts refuse fields that they do not name.

    With ``named``, the schema of each typed dict goes there under its name, and is referred to.

    >>> schema_of(list[str | None])
    {'type': 'array', 'items': {'anyOf': [{'type': 'string'}, {'type': 'null'}]}}
    """
    kind, inner = get_origin(hint) or hint, get_args(hint)
    if kind in (NotRequired, Required):
        return schema_of(inner[0], named)
    if kind is Annotated:
        return _part_of(inner[0], named)
    if kind is Any:
        return {}
    if kind in (Union, UnionType):
        return {"anyOf": [schema_of(one, named) for one in inner]}
    if kind is Literal:
        return {"enum": list(inner)}
    if is_typeddict(kind):
        return _object(kind, named) if named is None else _reference(kind, named)
    if kind is list:
        return {"type": "array", "items": schema_of(inner[0], named)}
    if kind is tuple:
        first = schema_of(inner[0], named)
        return {"type": "array", "items": first, "minItems": len(inner), "maxItems": len(inner)}
    if kind is dict:
        return {"type": "object", "additionalProperties": schema_of(inner[1], named)}
    plain: dict[Any, Schema] = {
        str: {"type": "string"},
        bool: {"type": "boolean"},
        int: {"type": "integer", "minimum": -MOST, "maximum": MOST},
        float: {"type": "number"},
        NoneType: {"type": "null"},
    }
    return plain[kind]


def _reference(kind: Any, named: dict[str, Schema]) -> Schema:
    name, found = kind.__name__, _object(kind, named)
    if named.setdefault(name, found) != found:
        raise TypeError(f"two shapes are called {name}")
    return {"$ref": f"{COMPONENTS}{name}"}


def _part_of(kind: Any, named: dict[str, Schema] | None) -> Schema:
    whole = _object(kind, named)
    part = {name: value for name, value in whole.items() if name != "required"}
    if named is None:
        return part
    name = f"Partial{kind.__name__}"
    named[name] = part
    return {"$ref": f"{COMPONENTS}{name}"}


def _object(kind: Any, named: dict[str, Schema] | None) -> Schema:
    hints = get_type_hints(kind, include_extras=True)
    found: Schema = {
        "type": "object",
        "properties": {name: schema_of(hint, named) for name, hint in hints.items()},
        "additionalProperties": False,
    }
    if needed := sorted(name for name, hint in hints.items() if _needed(kind, hint)):
        found["required"] = needed
    return found


def _needed(kind: Any, hint: Any) -> bool:
    """Whether a field must be there; `__required_keys__` does not know where annotations are texts."""
    marked = get_origin(hint)
    return marked is Required or (marked is not NotRequired and kind.__total__)


def require(schema: Schema, value: Any, place: str = "") -> None:
    """Refuse a value that a schema of `schema_of` does not allow."""
    _require(schema, value, place, 0)


def _require(schema: Schema, value: Any, place: str, depth: int) -> None:
    if depth > DEEPEST:
        raise ShapeError(place, "nested too deeply")
    if "anyOf" in schema:
        _require_any(schema["anyOf"], value, place, depth)
        return
    if "enum" in schema:
        if not any(value == one and type(value) is type(one) for one in schema["enum"]):
            choices = ", ".join(map(repr, schema["enum"]))
            raise ShapeError(place, f"choose one of {choices}, not {shortened(value)}")
        return
    expected = schema.get("type")
    if expected is not None and not _IS[expected](value):
        raise ShapeError(place, f"expected {_WORDS[expected]}, got {shortened(value)}")
    if isinstance(value, str):
        _require_text(value, place)
    elif (isinstance(value, float) and not math.isfinite(value)) or (
        isinstance(value, int) and not isinstance(value, bool) and abs(value) > MOST
    ):
        raise ShapeError(place, "a number that is too large")
    elif isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            raise ShapeError(place, f"expected {schema['minItems']} values, got {len(value)}")
        for at, one in enumerate(value):
            _require(schema.get("items", {}), one, f"{place}[{at}]", depth + 1)
    elif isinstance(value, dict):
        _require_object(schema, value, place, depth)


def _require_any(choices: list[Schema], value: Any, place: str, depth: int) -> None:
    problems = []
    for one in choices:
        try:
            _require(one, value, place, depth)
            return
        except ShapeError as problem:
            problems.append(problem)
    # The problem that lies deepest tells most: the value is of that kind, but something in it is wrong.
    raise max(problems, key=lambda problem: len(problem.place))


def _require_object(schema: Schema, value: dict[str, Any], place: str, depth: int) -> None:
    known = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            raise ShapeError(place, f"the field {name!r} is missing")
    for name, inner in value.items():
        _require_text(name, place)
        where = f"{place}.{name}" if place else name
        further = schema.get("additionalProperties", {})
        if name not in known and further is False:
            raise ShapeError(place, f"there is no field {name!r}; known: {', '.join(known)}")
        _require(known.get(name, further), inner, where, depth + 1)


def _require_text(text: str, place: str) -> None:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise ShapeError(place, "a text with half of a surrogate pair") from None


_IS: dict[str, Any] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "null": lambda value: value is None,
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}
_WORDS = {
    "string": "a text",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "null": "null",
    "array": "a list",
    "object": "an object",
}
