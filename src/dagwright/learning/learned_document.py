"""A result of learning as a JSON document: its fields, and how they are read back."""

from __future__ import annotations

from typing import Any

from dagwright.base.documents import require_fields, require_format
from dagwright.base.json_numbers import read_numbers
from dagwright.confidence.confidence import Confidence
from dagwright.confidence.lazy_confidence import LazyConfidence
from dagwright.errors import FormatError
from dagwright.learning.learned_graphs import read_graphs
from dagwright.search.problem import Separation, Stopped, TraceStep
from dagwright.search.study import Study

FORMAT = "dagwright-learned"
FORMAT_VERSION = 2
JSON_FIELDS = {
    "nodes": list[str],
    "score": float | None,
    "score_name": str | None,
    "score_definition": str | None,
    "method": str,
    "trace": list[tuple[str, str, str, float]],
    "evaluations": int,
    "seconds": float,
    "seed": str,
    "stopped": Stopped | None,
    "optimal": bool,
    "gap": float | None,
    "assumptions": list[str],
    "warnings": list[str],
    "notes": dict[str, Any],
    "data": dict[str, Any],
    "versions": dict[str, Any],
    "study": dict[str, Any],
}
_OF_A_SEPARATION = {
    "x": str,
    "y": str,
    "given": list[str],
    "statistic": float | None,
    "df": float | None,
    "p_value": float | None,
    "effect": float | None,
    "note": str,
}


def read_fields(document: Any) -> dict[str, Any]:
    """The fields of a `Learned` from what its `to_dict` gave."""
    require_format("a learned network", document, FORMAT, FORMAT_VERSION)
    document = _with_numbers(document)
    require_fields("a learned network", document, JSON_FIELDS)
    try:
        graph, dag = read_graphs(document)
        return {
            "graph": graph,
            "dag": dag,
            "score": document["score"],
            "score_name": document["score_name"],
            "score_definition": document["score_definition"],
            "method": document["method"],
            "trace": tuple(TraceStep(*step) for step in document["trace"]),
            "evaluations": document["evaluations"],
            "seconds": document["seconds"],
            "seed": document["seed"],
            "stopped": document["stopped"],
            "optimal": document["optimal"],
            "gap": document["gap"],
            "assumptions": tuple(document["assumptions"]),
            "warnings": tuple(document["warnings"]),
            "notes": document["notes"],
            "data": document["data"],
            "versions": document["versions"],
            "study": Study.from_dict(document["study"]),
            "works": tuple(map(str, document.get("works", ()))),
            "separations": tuple(map(_separation, document.get("separations", ()))),
            "lazy_confidence": LazyConfidence(
                None if document.get("confidence") is None else Confidence.from_dict(document["confidence"])
            ),
        }
    except (KeyError, TypeError, ValueError) as problem:
        raise FormatError(f"a learned network with a missing or malformed field: {problem}") from None


def _with_numbers(document: dict[str, Any]) -> dict[str, Any]:
    """The document with its infinite numbers; notes may hold numbers anywhere, and names of variables."""
    nodes = document.get("nodes")
    names = [name for name in nodes if isinstance(name, str)] if isinstance(nodes, list) else []
    fields = {name: hint for name, hint in JSON_FIELDS.items() if name not in ("data", "study", "versions")}
    read: dict[str, Any] = read_numbers(document, fields, names)
    return read


def _separation(document: Any) -> Separation:
    if not isinstance(document, dict):
        raise FormatError("a separation must be a JSON object")
    document = read_numbers(document, _OF_A_SEPARATION)
    require_fields("a separation", document, _OF_A_SEPARATION)
    return Separation(**{**document, "given": tuple(document["given"])})
