"""Quick verbs about a result: its layout, the evidence for an edge, what another graph would score."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from dagwright.confidence import Confidence
from dagwright.errors import OptionError, unknown_name
from dagwright.graph import Dag, compare
from dagwright.graph.holders import held_graph
from dagwright.learning.edge_evidence import evidence_card
from dagwright.learning.learned import Learned
from dagwright.learning.learned_comparison import compare_learned
from dagwright.learning.scoring import score
from dagwright.show.diagram import Style
from dagwright.show.placing import place
from dagwright.studio.verbs.graphs import graph_document
from dagwright.studio.verbs.models import learned_of, network_of, node_document
from dagwright.studio.verbs.work import Work

Model = dict[str, str]
"""A result or a network: {"original": path} or {"network": path}."""


def thing_of(model: Model) -> Any:
    """The thing to draw or compare: a result, a confidence or a network."""
    if model["kind"] == "learned":
        return Learned.from_json(Path(model["original"]).read_text(encoding="utf-8"))
    if model["kind"] == "confidence":
        return Confidence.from_json(Path(model["original"]).read_text(encoding="utf-8"))
    if "network" in model:
        return network_of(model["network"])
    raise OptionError(f"a result of the kind {model['kind']!r} has no graph of its own")


def layout(
    work: Work,  # noqa: ARG001
    *,
    model: Model,
    kept: dict[str, tuple[float, float]],
    sizes: dict[str, tuple[float, float]],
    direction: Any,
    also: list[list[str]],
) -> dict[str, Any]:
    """Places for the nodes; those that are kept do not move. Pairs in ``also`` have routes too."""
    found = place(
        thing_of(model),
        kept={node: (x, y) for node, (x, y) in kept.items()},
        sizes={node: (w, h) for node, (w, h) in sizes.items()},
        style=Style(direction=direction),
        also=[(start, end) for start, end in also],
    )
    return {
        "positions": found.positions,
        "routes": [
            {"from": start, "to": end, "points": points} for (start, end), points in found.routes.items()
        ],
        "width": found.width,
        "height": found.height,
    }


def node(work: Work, *, network: str, name: str) -> dict[str, Any]:  # noqa: ARG001
    """One node with its table."""
    return node_document(network_of(network), name, intervals=True)


def edge(
    work: Work,  # noqa: ARG001
    *,
    learned: str,
    source: list[str] | None,
    settings: dict[str, Any],
    start: str,
    end: str,
    rival: bool,
    confidence: str | None,
) -> dict[str, Any]:
    """The evidence card of an edge, with its strength where there is a confidence."""
    found = learned_of(learned, source, settings)
    if confidence is not None:
        sure = Confidence.from_json(Path(confidence).read_text(encoding="utf-8"))
        found = found.with_confidence(sure)
    for name in (start, end):
        if name not in found.graph:
            raise unknown_name("node", name, found.graph.nodes)
    if start == end:
        raise OptionError(f"an edge joins two nodes, not {start!r} with itself")
    card = evidence_card(found, start, end, rival=rival)
    return {**card.to_dict(), "facts": [list(fact) for fact in card.facts()], "text": str(card)}


def comparison(work: Work, *, first: Model, second: Model) -> dict[str, Any]:  # noqa: ARG001
    """The differences of the second graph from the first."""
    one, other = thing_of(first), thing_of(second)
    both = isinstance(one, Learned) and isinstance(other, Learned)
    learned = compare_learned(one, other) if both else None
    found: Any = compare(_graph(one), _graph(other)) if learned is None else learned.graphs
    apart = [list(edge) for edge in (found.changed if hasattr(found, "changed") else found.reversed)]
    first_graph, second_graph = (graph_document(_shown(thing)) for thing in (one, other))
    return {
        "text": str(found if learned is None else learned),
        "shd": found.shd,
        "equivalent": bool(found.equivalent),
        "missing": [list(edge) for edge in found.missing],
        "extra": [list(edge) for edge in found.extra],
        "reversed": apart,
        "score_gain": None if learned is None else learned.score_gain,
        "same_data": None if learned is None else learned.same_data,
        "first": first_graph,
        "second": second_graph,
        "edges": list(_union(first_graph, second_graph)),
    }


def _graph(thing: Any) -> Any:
    return thing.consensus(0.5) if isinstance(thing, Confidence) else thing


def _shown(thing: Any) -> Any:
    held = _graph(thing)
    return held.essential if isinstance(held, Learned) else held_graph(held)


def _union(first: dict[str, Any], second: dict[str, Any]) -> Any:
    """Every pair that is joined in one of the graphs, with how the second has it where both do."""
    known = {frozenset((edge["from"], edge["to"])): edge for edge in first["edges"]}
    later = {frozenset((edge["from"], edge["to"])): edge for edge in second["edges"]}
    for pair in dict.fromkeys([*known, *later]):
        edge = later.get(pair) or known[pair]
        where = "first" if pair not in later else "second" if pair not in known else "both"
        if where == "both" and _marks(known[pair]) != _marks(edge):
            where = "changed"
        yield {
            **{field: edge[field] for field in ("from", "to", "from_mark", "to_mark")},
            "in": where,
        }


def _marks(edge: dict[str, Any]) -> dict[str, str]:
    return {edge["from"]: edge["from_mark"], edge["to"]: edge["to_mark"]}


def what_if(
    work: Work,  # noqa: ARG001
    *,
    learned: str,
    source: list[str] | None,
    settings: dict[str, Any],
    changes: list[dict[str, str]],
) -> dict[str, Any]:
    """The score of the graph with some arcs added, removed or turned."""
    found = learned_of(learned, source, settings)
    if found.dag is None:
        raise OptionError("a change is scored on a DAG, and this result has none")
    dag = changed_dag(found.dag, changes)
    judges = {"score": found.score_spec, "structure_prior": found.structure_prior}
    before, after = (
        score(graph, found.table, **judges, missing=found.study.missing) for graph in (found.dag, dag)
    )
    by_node = {
        name: after.by_node[name] - value
        for name, value in before.by_node.items()
        if after.by_node[name] != value
    }
    knowledge = found.knowledge
    broken = [] if not knowledge else [str(one) for one in knowledge.check(dag)]
    difference = after.total - before.total
    return {
        "score": after.total,
        "before": before.total,
        "difference": difference,
        "bayes_factor_log10": difference / math.log(10),
        "equivalent": dag.equivalent(found.dag),
        "knowledge": broken,
        "graph": graph_document(dag, knowledge=None if broken else knowledge),
        "by_node": by_node,
        "definition": after.definition,
    }


def changed_dag(dag: Dag, changes: list[dict[str, str]]) -> Dag:
    """The DAG after some changes, one after the other."""
    for change in changes:
        start, end = change["from"], change["to"]
        for name in (start, end):
            if name not in dag:
                raise unknown_name("node", name, dag.nodes)
        arc = (start, end)
        if change["do"] == "add":
            dag = dag.with_edges(add=[arc])
            continue
        if arc not in dag.edges and arc[::-1] in dag.edges:
            arc = arc[::-1]
        if arc not in dag.edges:
            raise unknown_name("arc", f"{start} -> {end}", [f"{a} -> {b}" for a, b in dag.edges])
        dag = dag.with_edges(remove=[arc], add=[arc[::-1]] if change["do"] == "turn" else [])
    return dag
