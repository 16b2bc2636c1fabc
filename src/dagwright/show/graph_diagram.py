"""From a graph and what is known about its edges and nodes to a diagram."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dagwright.errors import OptionError, unknown_name
from dagwright.graph.dag import Dag
from dagwright.graph.named_graph import Edge
from dagwright.knowledge import Knowledge
from dagwright.sentences import Argument
from dagwright.show.diagram import Bar, Density, Diagram, EdgeLook, KeyEntry, NodeLook
from dagwright.show.graph_edges import HIDDEN, INTERVENED, UNDECIDED, edges_of

THINNEST, THICKEST = 0.7, 4.2
EITHER_WAY = "direction undecided: either way fits equally well"
UNSURE = "direction unsure: less than 2/3 either way"


@dataclass(frozen=True)
class Weights:
    """A number for each edge, what to call it, and the number of the thickest line."""

    of: Mapping[frozenset[str], float]
    name: str
    unit: str = ""
    most: float = 1.0

    def width(self, edge: EdgeLook) -> float:
        share = min(max(self[edge] / self.most if self.most > 0 else 0.0, 0.0), 1.0)
        return THINNEST + (THICKEST - THINNEST) * share

    def __getitem__(self, edge: EdgeLook) -> float:
        return self.of.get(frozenset((edge.start, edge.end)), 0.0)

    def words(self, edge: EdgeLook) -> str:
        return f"{self.name} {self[edge]:.3g}{self.unit}"


def strengths(source: Any, edges: Iterable[EdgeLook]) -> Weights:
    """Strengths from a `Confidence`, a mapping of pairs, or a function of two names."""
    ask: Callable[[str, str], float]
    if isinstance(source, Mapping):
        given = {frozenset(pair): float(value) for pair, value in source.items()}
        return Weights(given, "strength")
    if hasattr(source, "strength"):
        ask = source.strength
    elif callable(source):
        ask = source
    else:
        raise OptionError(
            "strength is a Confidence, {(a, b): strength} or a function of two names, "
            f"not {type(source).__name__}"
        )
    return Weights(
        {frozenset((one.start, one.end)): float(ask(one.start, one.end)) for one in edges}, "strength"
    )


def graph_diagram(
    graph: Any,
    *,
    weights: Weights | None = None,
    threshold: float | None = None,
    knowledge: Knowledge | None = None,
    highlight: Iterable[str] = (),
    bars: Mapping[str, tuple[Bar, ...] | Density] | None = None,
    tones: Mapping[str, str] | None = None,
    heading: str = "",
    key: Iterable[KeyEntry] = (),
    undecided: str = EITHER_WAY,
    by_experiment: Collection[Edge] = (),
) -> Diagram:
    """The diagram of a graph.

    Parameters
    ----------
    weights
        Numbers of the edges; lines are as thick as these are large.
    threshold
        Edges with a smaller number are left out, and the key says how many.
    knowledge
        Edges that it requires carry a diamond.
    highlight
        Nodes to set off.
    bars, tones
        States or densities, and colors, of nodes.
    key
        Entries of the key that come first.
    undecided
        What the key says of edges without a direction.
    by_experiment
        Arcs whose direction an intervention decides.
    """
    edges = [
        replace(edge, color=INTERVENED, title=f"{edge.title}, oriented by intervention")
        if (edge.start, edge.end) in by_experiment
        else edge
        for edge in edges_of(graph)
    ]
    entries: list[KeyEntry] = list(key)
    if any(edge.color == UNDECIDED for edge in edges):
        sample = EdgeLook("", "", end_mark="none", color=UNDECIDED)
        entries.append(KeyEntry(undecided, sample))
    if any("circle" in (edge.start_mark, edge.end_mark) for edge in edges):
        entries.append(KeyEntry("circle: arrowhead or not, the data cannot tell", EdgeLook("", "", "circle")))
    if any(edge.color == INTERVENED for edge in edges):
        entries.append(KeyEntry("oriented by intervention", EdgeLook("", "", color=INTERVENED)))
    if any(edge.color == HIDDEN for edge in edges):
        entries.append(KeyEntry("a hidden common cause", EdgeLook("", "", "arrow", color=HIDDEN)))
    edges, more = _weighted(edges, weights, threshold)
    entries += more
    if knowledge is not None:
        edges, more = _given(edges, graph.nodes, knowledge)
        entries += more
    colors = dict(tones or {})
    for node in highlight:
        if node not in graph:
            raise unknown_name("node", node, graph.nodes)
        colors[node] = "orange"
    known = bars or {}
    nodes = tuple(_look(node, colors.get(node, ""), known.get(node, ())) for node in graph.nodes)
    kind = "arcs" if isinstance(graph, Dag) else "edges"
    label = f"graph of {len(nodes)} nodes and {len(edges)} {kind}"
    return Diagram(nodes, tuple(edges), tuple(entries), heading, label)


def _look(node: str, tone: str, content: tuple[Bar, ...] | Density) -> NodeLook:
    if isinstance(content, Density):
        return NodeLook(node, tone, density=content)
    return NodeLook(node, tone, content)


def _weighted(
    edges: list[EdgeLook], weights: Weights | None, threshold: float | None
) -> tuple[list[EdgeLook], list[KeyEntry]]:
    if weights is None:
        if threshold is not None:
            raise OptionError(
                Argument("threshold"),
                " needs the numbers it applies to: give ",
                Argument("strength"),
                " or ",
                Argument("information", True),
            )
        return edges, []
    kept = [edge for edge in edges if threshold is None or weights[edge] >= threshold]
    shown = [
        replace(edge, width=weights.width(edge), title=f"{edge.title}, {weights.words(edge)}")
        for edge in kept
    ]
    most = EdgeLook("", "", width=THICKEST, end_mark="none")
    key = [KeyEntry(f"line width: {weights.name}, {weights.most:.3g}{weights.unit} here", most)]
    if len(kept) < len(edges):
        hidden = len(edges) - len(kept)
        text = f"{hidden} edge{'s' if hidden > 1 else ''} below {threshold:g} not drawn"
        key.append(KeyEntry(text, EdgeLook("", "", end_mark="none", width=THINNEST, color="faint")))
    return shown, key


def _given(
    edges: list[EdgeLook], nodes: Iterable[str], knowledge: Knowledge
) -> tuple[list[EdgeLook], list[KeyEntry]]:
    resolved = knowledge.resolve(nodes)
    arcs: set[Edge] = set(resolved.required_arcs)
    pairs = {frozenset(pair) for pair in (*resolved.required_links, *arcs)}
    shown = [
        replace(edge, given=True, title=f"{edge.title}, required by knowledge")
        if frozenset((edge.start, edge.end)) in pairs
        else edge
        for edge in edges
    ]
    if not any(edge.given for edge in shown):
        return shown, []
    return shown, [KeyEntry("required by knowledge", EdgeLook("", "", end_mark="none", given=True))]
