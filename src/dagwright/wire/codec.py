"""Values to JSON and back, and their JSON Schema, by the types that their fields declare.

Dataclasses and named tuples become objects, tuples and sets become arrays, mappings become objects with text
keys, graphs become their nodes and edges. Infinite and undefined numbers, which JSON lacks, become "inf",
"-inf" and "nan".
"""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from dagwright.base.json_numbers import NOT_FINITE, written_numbers
from dagwright.errors import DagwrightError, FormatError
from dagwright.graph.dag import Dag
from dagwright.graph.mag import Mag
from dagwright.graph.pag import Pag
from dagwright.graph.pdag import Pdag
from dagwright.graph.query import Query
from dagwright.graph.undirected import UndirectedGraph
from dagwright.knowledge.checking import edges_of

MARKED = (Mag, Pag)
GRAPHS: dict[type, str] = {Dag: "dag", Pdag: "pdag", Mag: "mag", Pag: "pag", UndirectedGraph: "undirected"}
_PAIRS = {"type": "array", "items": {"type": "array", "items": {"type": "string"}}}
_GRAPH_FIELDS = {
    "kind": {"enum": list(GRAPHS.values())},
    "nodes": {"type": "array", "items": {"type": "string"}},
    "edges": _PAIRS,
    "undirected": _PAIRS,
    "marked": _PAIRS,
}


def encoded(value: Any) -> Any:
    """A value as what JSON can hold."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | float | str):
        return written_numbers(value)
    if type(value) in GRAPHS:
        return _graph_entry(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {name: encoded(getattr(value, name)) for name in _field_types(type(value))}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: encoded(getattr(value, name)) for name in value._fields}
    if isinstance(value, Mapping):
        return {str(key): encoded(inner) for key, inner in value.items()}
    if isinstance(value, np.ndarray):
        return encoded(value.tolist())
    if isinstance(value, Set):
        return sorted(map(encoded, value))
    if isinstance(value, Sequence):
        return [encoded(inner) for inner in value]
    raise FormatError(f"JSON cannot hold a {type(value).__name__}")


def decoded(value: Any, hint: Any) -> Any:
    """The value of a declared type that JSON stands for; FormatError where it is another."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return value
    if hint is None or hint is type(None):
        return _checked(value, value is None, "null")
    if origin is Literal:
        return _checked(value, value in inner, f"one of {', '.join(map(repr, inner))}")
    if origin in (Union, types.UnionType):
        return _first_fitting(value, inner)
    if hint is bool:
        return _checked(value, isinstance(value, bool), "true or false")
    if hint is int:
        return _checked(value, isinstance(value, int) and not isinstance(value, bool), "a whole number")
    if hint is float:
        if value in NOT_FINITE:
            return float(value)
        return float(
            _checked(value, isinstance(value, int | float) and not isinstance(value, bool), "a number")
        )
    if hint is str:
        return _checked(value, isinstance(value, str), "text")
    if hint in GRAPHS:
        return _graph_of(value, hint)
    if _is_record(hint):
        return _record_of(value, hint)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping_of(value, inner)
    if isinstance(origin, type) and issubclass(origin, Sequence | Set):
        return _collection_of(value, origin, inner)
    raise FormatError(f"no form of {hint} is known")


def schema_of(hint: Any) -> dict[str, Any]:
    """The JSON Schema of a declared type."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return {}
    if hint is None or hint is type(None):
        return {"type": "null"}
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [schema_of(one) for one in inner]}
    if hint is float:
        return {"anyOf": [{"type": "number"}, {"enum": list(NOT_FINITE)}]}
    plain = {bool: "boolean", int: "integer", str: "string"}
    if hint in plain:
        return {"type": plain[hint]}
    if hint in GRAPHS:
        own = {**_GRAPH_FIELDS, "kind": {"const": GRAPHS[hint]}}
        return {"type": "object", "properties": own, "required": ["kind", "nodes"]}
    if _is_record(hint):
        members = {name: schema_of(one) for name, one in _field_types(hint).items()}
        return {"type": "object", "properties": members, "required": list(members)}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": schema_of(inner[1])}
    if isinstance(origin, type) and issubclass(origin, Sequence | Set):
        if origin is tuple and inner[-1] is not Ellipsis:
            return {"type": "array", "prefixItems": [schema_of(one) for one in inner], "items": False}
        return {"type": "array", "items": schema_of(inner[0])}
    raise FormatError(f"no form of {hint} is known")


def _is_record(hint: Any) -> bool:
    return isinstance(hint, type) and (is_dataclass(hint) or hasattr(hint, "_fields"))


def _field_types(record: type) -> dict[str, Any]:
    hints = get_type_hints(record)
    names = [one.name for one in fields(record)] if is_dataclass(record) else record._fields  # type: ignore[attr-defined]
    return {name: hints[name] for name in names}


def _checked(value: Any, fits: bool, wanted: str) -> Any:
    if not fits:
        shown = str(value)
        raise FormatError(f"{wanted} is expected, not {shown if len(shown) <= 40 else shown[:37] + '...'}")
    return value


def _first_fitting(value: Any, hints: tuple[Any, ...]) -> Any:
    problems = []
    for hint in hints:
        try:
            return decoded(value, hint)
        except FormatError as problem:
            problems.append(str(problem))
    raise FormatError(" or ".join(dict.fromkeys(problems)))


def _record_of(value: Any, record: type) -> Any:
    _checked(value, isinstance(value, dict), f"an object ({record.__name__})")
    parts = {}
    for name, hint in _field_types(record).items():
        if name not in value:
            raise FormatError(f"{record.__name__} without the field {name!r}")
        try:
            parts[name] = decoded(value[name], hint)
        except FormatError as problem:
            raise FormatError(f"{name}: {problem}") from None
    try:
        return Query(parts["x"], parts["y"], parts["given"]) if record is Query else record(**parts)
    except DagwrightError as problem:
        raise FormatError(f"{record.__name__}: {problem}") from None


def _mapping_of(value: Any, inner: tuple[Any, ...]) -> dict[Any, Any]:
    _checked(value, isinstance(value, dict), "an object")
    key = int if inner[0] is int else str
    try:
        return {key(name): decoded(one, inner[1]) for name, one in value.items()}
    except ValueError as problem:
        raise FormatError(str(problem)) from None


def _collection_of(value: Any, origin: type, inner: tuple[Any, ...]) -> Any:
    _checked(value, isinstance(value, list), "an array")
    if origin is tuple and inner[-1] is not Ellipsis:
        _checked(value, len(value) == len(inner), f"an array of {len(inner)}")
        return tuple(decoded(one, hint) for one, hint in zip(value, inner, strict=True))
    members = [decoded(one, inner[0]) for one in value]
    return members if origin is list else frozenset(members) if issubclass(origin, Set) else tuple(members)


def _graph_entry(graph: Any) -> dict[str, Any]:
    kind = {"kind": GRAPHS[type(graph)], "nodes": list(graph.nodes)}
    if isinstance(graph, MARKED):
        return {**kind, "marked": [list(edge) for edge in graph.edges]}
    directed, undirected = edges_of(graph)
    return {
        **kind,
        "edges": [list(edge) for edge in directed],
        "undirected": [list(edge) for edge in undirected],
    }


def _graph_of(value: Any, hint: type) -> Any:
    kind = GRAPHS[hint]
    _checked(value, isinstance(value, dict) and value.get("kind") == kind, f"a graph of kind {kind!r}")
    try:
        nodes = decoded(value["nodes"], list[str])
        if hint in MARKED:
            return hint(nodes, decoded(value["marked"], list[tuple[str, str, str]]))
        edges, links = (decoded(value[name], list[tuple[str, str]]) for name in ("edges", "undirected"))
        if hint is Pdag:
            return Pdag(nodes, edges, links)
        return hint(nodes, links if hint is UndirectedGraph else edges)
    except KeyError as problem:
        raise FormatError(f"a graph without the field {problem}") from None
    except DagwrightError as problem:
        raise FormatError(f"a graph that cannot be: {problem}") from None
