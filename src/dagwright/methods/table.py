"""The methods of a kind as a table for the documentation."""

from __future__ import annotations

from collections.abc import Iterator

from dagwright.methods.entry import Entry, Kind
from dagwright.methods.registry import entries
from dagwright.methods.traits import GraphKind

GRAPHS: dict[GraphKind, str] = {
    "dag": "DAG",
    "cpdag": "CPDAG",
    "pag": "PAG",
    "undirected": "undirected",
}


def methods_table(kind: Kind) -> str:
    """A Markdown table of the methods of a kind, from what their classes declare.

    >>> print(methods_table("estimation").splitlines()[0])
    | Method | What it does | Source |
    """
    rows = list(entries(kind))
    facts = [tuple(_facts(entry)) for entry in rows]
    titles = ["Method", "What it does", *(title for title, _ in facts[0]), "Source"]
    lines = [titles, ["---"] * len(titles)]
    for entry, declared in zip(rows, facts, strict=True):
        lines.append([f"`{entry.signature}`", entry.summary, *(text for _, text in declared), entry.citation])
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


def _facts(entry: Entry) -> Iterator[tuple[str, str]]:
    if entry.kind == "search":
        yield "Gives", GRAPHS[entry.method.gives]
    if entry.kind in ("search", "posterior", "inference"):
        yield "Exact", "yes" if entry.exact else "no"
    if entry.kind in ("score", "measure", "prior"):
        yield "Equivalent", {True: "yes", False: "no", None: "by its options"}[entry.equivalent]
    if entry.kind in ("score", "test", "measure"):
        yield "Data", ", ".join(sorted(entry.takes or ()))
