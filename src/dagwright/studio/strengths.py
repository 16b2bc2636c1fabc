"""The edge strengths of a learned result, from the newest bootstrap or posterior that was run on it."""

from __future__ import annotations

from typing import Any

Document = dict[str, Any]


def newest_confidence(results: list[Document], result: str) -> Document | None:
    """The newest confidence of a result among all results of a project, newest first."""
    return next((one for one in results if one["kind"] == "confidence" and one.get("of") == result), None)


def with_strengths(document: Document, results: list[Document]) -> Document:
    """The document of a result as the page gets it: a learned result with the strengths of its edges."""
    if document["kind"] != "learned":
        return document
    sure = newest_confidence(results, document["id"])
    if sure is None:
        return {**document, "confidence": None}
    known = {frozenset((one["start"], one["end"])): one for one in sure["edges"]}
    graphs = {field: _graph(document[field], known) for field in ("graph", "dag")}
    return {**document, **graphs, "confidence": sure["id"]}


def _graph(graph: Document | None, known: dict[frozenset[str], Document]) -> Document | None:
    if graph is None:
        return None
    return {**graph, "edges": [{**edge, **_strength(edge, known)} for edge in graph["edges"]]}


def _strength(edge: Document, known: dict[frozenset[str], Document]) -> Document:
    """A pair without an entry was adjacent in no network: strength 0, and nothing about its direction."""
    found = known.get(frozenset((edge["from"], edge["to"])))
    if found is None:
        return {"strength": 0.0, "direction": None}
    way = found["direction"]
    if way is not None and found["start"] != edge["from"]:
        way = 1.0 - way
    return {"strength": found["strength"], "direction": way}
