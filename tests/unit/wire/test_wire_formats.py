"""Every result as a JSON document, and back; the published schemas fit the documents."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

import dagwright as dw
from dagwright import wire
from dagwright.errors import FormatError, OptionError
from dynamic_networks import vector_autoregression

ROOT = Path(__file__).parents[3]
ROWS = {"a": [0, 0, 1, 1] * 10, "b": [0, 0, 1, 1] * 10, "c": [0, 1] * 20}
SETS = dw.candidates(ROWS)
RESULTS: dict[str, Any] = {
    "study": dw.Study(search=dw.HillClimb(), knowledge=dw.Knowledge(tiers=[["a"], ["b"]])),
    "learned": dw.learn(ROWS),
    "confidence": dw.bootstrap(ROWS, search=dw.HillClimb(), replicates=3),
    "knowledge": dw.Knowledge(required=["a -> b"], max_parents=2),
    "dag": dw.Dag.parse("a -> b; c"),
    "class": dw.Dag.parse("a -> b; c").cpdag(),
    "pag": dw.learn(oracle=dw.Dag.parse("a -> b; c -> b"), search=dw.FCI()).graph,
    "undirected": dw.UndirectedGraph.parse("a -- b; c"),
    "blanket": dw.blanket(ROWS, "a", log=True),
    "neighbors": dw.neighbors(ROWS, "c"),
    "rivals": dw.rivals(ROWS, 4),
    "candidates": SETS,
    "cross-validation": dw.cross_validate(ROWS, {"hc": {"search": dw.HillClimb()}}, folds=2),
    "comparison": dw.compare("a -> b; c", "b -> a; a -> c"),
    "forecast": dw.forecast(ROWS),
    "dynamic-network": vector_autoregression([1.0], [[[0.5]]], [[0]], [1.0]),
    "solution": dw.solve(SETS),
}


@pytest.mark.parametrize("name", RESULTS)
def test_round_trip(name: str) -> None:
    result = RESULTS[name]
    text = json.dumps(wire.to_dict(result), allow_nan=False)
    again = wire.from_dict(json.loads(text))
    assert type(again) is type(result)
    assert wire.to_dict(again) == json.loads(text)
    if name != "candidates":  # it holds arrays of the core
        assert again == result


def test_infinite_numbers_survive() -> None:
    stopped = dw.rivals(ROWS, 4, time_limit=0.0)
    assert stopped.best == float("-inf")
    document = json.loads(json.dumps(wire.to_dict(stopped), allow_nan=False))
    assert wire.from_dict(document) == stopped


@pytest.mark.parametrize("name", RESULTS)
def test_documents_fit_the_published_schemas(name: str) -> None:
    document = json.loads(json.dumps(wire.to_dict(RESULTS[name])))
    schema = json.loads(
        (ROOT / "docs" / "reference" / "schemas" / f"{wire.format_for(RESULTS[name]).kind}.json").read_text()
    )
    assert fits(document, schema) == ""
    assert fits({**document, "format": "other"}, schema) != ""


def test_schemas_are_the_generated_ones() -> None:
    for path, text in runpy.run_path(str(ROOT / "tools" / "make_schemas.py"))["texts"]().items():
        assert path.read_text(encoding="utf-8") == text, f"run python tools/make_schemas.py: {path.name}"


@pytest.mark.parametrize(
    "name", ["blanket", "rivals", "candidates", "comparison", "forecast", "solution", "dag"]
)
def test_damaged_documents_are_refused(name: str) -> None:
    whole = wire.to_dict(RESULTS[name])
    read = set(whole) - set(wire.format_for(RESULTS[name]).derived(RESULTS[name]))
    for field in sorted(
        read - {"stopped", "note", "notes", "score_name", "max_parents", "within", "limits", "most"}
    ):
        with pytest.raises(FormatError):
            wire.from_dict({key: value for key, value in whole.items() if key != field})
        with pytest.raises(FormatError):
            wire.from_dict({**whole, field: {"not": "this"}})


def test_what_has_no_format() -> None:
    with pytest.raises(OptionError, match="a set has no wire format"):
        wire.to_dict(set())
    with pytest.raises(FormatError, match="names no wire format"):
        wire.from_dict({"format": "dagwright-nothing"})


def fits(value: Any, schema: dict[str, Any]) -> str:
    """Why a value does not fit a schema, in the part of JSON Schema that is used, or nothing."""
    if "anyOf" in schema:
        reasons = [fits(value, one) for one in schema["anyOf"]]
        return "" if "" in reasons else "; ".join(reasons)
    if "const" in schema:
        return "" if value == schema["const"] else f"{value!r} is not {schema['const']!r}"
    if "enum" in schema:
        return "" if value in schema["enum"] else f"{value!r} is not in {schema['enum']}"
    kinds = {
        "object": dict,
        "array": list,
        "string": str,
        "integer": int,
        "number": int | float,
        "boolean": bool,
        "null": type(None),
    }
    if "type" in schema and not isinstance(value, kinds[schema["type"]]):
        return f"{value!r} is not of type {schema['type']}"
    if isinstance(value, dict):
        lacking = [name for name in schema.get("required", ()) if name not in value]
        if lacking:
            return f"lacks {lacking[0]}"
        other = schema.get("additionalProperties", {})
        parts = {name: schema.get("properties", {}).get(name, other) for name in value}
        return "".join(fits(value[name], part) for name, part in parts.items())
    if isinstance(value, list):
        first = schema.get("prefixItems")
        each = first if first is not None else [schema.get("items", {})] * len(value)
        return "wrong length" if len(each) != len(value) else "".join(map(fits, value, each))
    return ""
