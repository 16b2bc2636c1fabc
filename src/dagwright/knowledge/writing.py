"""From statements back to the arguments of Knowledge: the form that repr and the files show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dagwright.errors import KnowledgeError
from dagwright.knowledge.reading import read_independent, read_partial_order
from dagwright.knowledge.statements import (
    Allowed,
    Continuous,
    Forbidden,
    Independent,
    Leaf,
    MaxParents,
    Order,
    PartialOrder,
    Required,
    Root,
    Statement,
    Tiers,
)

ARGUMENTS = (
    *("required", "forbidden", "tiers", "order", "partial_order", "roots", "leaves", "max_parents"),
    *("allowed", "independent", "continuous", "groups"),
)


def documents(
    statements: Iterable[Statement], groups: Sequence[tuple[str, Sequence[str]]]
) -> list[dict[str, Any]]:
    """Arguments for one Knowledge, and for more where there are several orders, tiers or search spaces."""
    first: dict[str, Any] = {}
    single: list[tuple[str, Any]] = []
    bounds: dict[str, int] = {}
    for statement in statements:
        match statement:
            case Required(edge) | Forbidden(edge):
                first.setdefault(statement.kind, []).append(edge.plain())
            case Root(node) | Leaf(node):
                first.setdefault(statement.kind, []).append(node)
            case Independent():
                first.setdefault("independent", []).append(_plain_independence(statement))
            case MaxParents(node, most):
                bounds[node] = most
            case Tiers(tiers):
                plain = [
                    {"nodes": list(t.nodes), "inner": False} if not t.inner else list(t.nodes) for t in tiers
                ]
                single.append(("tiers", plain))
            case Continuous(nodes):
                single.append(("continuous", list(nodes)))
            case Order(nodes):
                single.append(("order", list(nodes)))
            case PartialOrder():
                single.append(("partial_order", _plain_partial_order(statement)))
            case Allowed(edges):
                single.append(("allowed", [edge.plain() for edge in edges]))
    if bounds:
        first["max_parents"] = bounds["*"] if set(bounds) == {"*"} else bounds
    all_documents = [first]
    for key, value in single:
        free = next((document for document in all_documents if key not in document), None)
        if free is None:
            free = {}
            all_documents.append(free)
        free[key] = value
    if groups:
        first["groups"] = {name: list(members) for name, members in groups}
    return [{key: document[key] for key in ARGUMENTS if key in document} for document in all_documents]


def _plain_partial_order(statement: PartialOrder) -> list[str] | list[list[str]]:
    texts = [f"{first} < {second}" for first, second in statement.pairs]
    if _reads_back(read_partial_order, texts, statement.pairs):
        return texts
    return [list(pair) for pair in statement.pairs]


def _plain_independence(statement: Independent) -> str | dict[str, list[str]]:
    text = str(statement).removeprefix("independent: ")
    if _reads_back(read_independent, text, [(statement.sides, statement.given)]):
        return text
    sides = {"nodes": list(statement.sides[0])}
    if len(statement.sides) > 1:
        sides = {"x": list(statement.sides[0]), "y": list(statement.sides[1])}
    return {**sides, "given": list(statement.given)}


def _reads_back(read: Callable[[Any], object], text: str | list[str], value: object) -> bool:
    try:
        return read(text) == value
    except KnowledgeError:
        return False
