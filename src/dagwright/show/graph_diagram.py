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
from dagwright.show.diagram import Bar, Density, Diagram, KeyEntry, LinkLook, NodeLook
from dagwright.show.graph_links import HIDDEN, INTERVENED, UNDECIDED, links_of

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

    def width(self, link: LinkLook) -> float:
        share = min(max(self[link] / self.most if self.most > 0 else 0.0, 0.0), 1.0)
        return THINNEST + (THICKEST - THINNEST) * share

    def __getitem__(self, link: LinkLook) -> float:
        return self.of.get(frozenset((link.start, link.end)), 0.0)

    def words(self, link: LinkLook) -> str:
        return f"{self.name} {self[link]:.3g}{self.unit}"


def strengths(source: Any, links: Iterable[LinkLook]) -> Weights:
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
        {frozenset((one.start, one.end)): float(ask(one.start, one.end)) for one in links}, "strength"
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
    links = [
        replace(link, color=INTERVENED, title=f"{link.title}, oriented by intervention")
        if (link.start, link.end) in by_experiment
        else link
        for link in links_of(graph)
    ]
    entries: list[KeyEntry] = list(key)
    if any(link.color == UNDECIDED for link in links):
        sample = LinkLook("", "", end_mark="none", color=UNDECIDED)
        entries.append(KeyEntry(undecided, sample))
    if any("circle" in (link.start_mark, link.end_mark) for link in links):
        entries.append(KeyEntry("circle: arrowhead or not, the data cannot tell", LinkLook("", "", "circle")))
    if any(link.color == INTERVENED for link in links):
        entries.append(KeyEntry("oriented by intervention", LinkLook("", "", color=INTERVENED)))
    if any(link.color == HIDDEN for link in links):
        entries.append(KeyEntry("a hidden common cause", LinkLook("", "", "arrow", color=HIDDEN)))
    links, more = _weighted(links, weights, threshold)
    entries += more
    if knowledge is not None:
        links, more = _given(links, graph.nodes, knowledge)
        entries += more
    colors = dict(tones or {})
    for node in highlight:
        if node not in graph:
            raise unknown_name("node", node, graph.nodes)
        colors[node] = "orange"
    known = bars or {}
    nodes = tuple(_look(node, colors.get(node, ""), known.get(node, ())) for node in graph.nodes)
    kind = "arcs" if isinstance(graph, Dag) else "links"
    label = f"graph of {len(nodes)} nodes and {len(links)} {kind}"
    return Diagram(nodes, tuple(links), tuple(entries), heading, label)


def _look(node: str, tone: str, content: tuple[Bar, ...] | Density) -> NodeLook:
    if isinstance(content, Density):
        return NodeLook(node, tone, density=content)
    return NodeLook(node, tone, content)


def _weighted(
    links: list[LinkLook], weights: Weights | None, threshold: float | None
) -> tuple[list[LinkLook], list[KeyEntry]]:
    if weights is None:
        if threshold is not None:
            raise OptionError(
                Argument("threshold"),
                " needs the numbers it applies to: give ",
                Argument("strength"),
                " or ",
                Argument("information", True),
            )
        return links, []
    kept = [link for link in links if threshold is None or weights[link] >= threshold]
    shown = [
        replace(link, width=weights.width(link), title=f"{link.title}, {weights.words(link)}")
        for link in kept
    ]
    most = LinkLook("", "", width=THICKEST, end_mark="none")
    key = [KeyEntry(f"line width: {weights.name}, {weights.most:.3g}{weights.unit} here", most)]
    if len(kept) < len(links):
        hidden = len(links) - len(kept)
        text = f"{hidden} edge{'s' if hidden > 1 else ''} below {threshold:g} not drawn"
        key.append(KeyEntry(text, LinkLook("", "", end_mark="none", width=THINNEST, color="faint")))
    return shown, key


def _given(
    links: list[LinkLook], nodes: Iterable[str], knowledge: Knowledge
) -> tuple[list[LinkLook], list[KeyEntry]]:
    resolved = knowledge.resolve(nodes)
    arcs: set[Edge] = set(resolved.required_arcs)
    pairs = {frozenset(pair) for pair in (*resolved.required_links, *arcs)}
    shown = [
        replace(link, given=True, title=f"{link.title}, required by knowledge")
        if frozenset((link.start, link.end)) in pairs
        else link
        for link in links
    ]
    if not any(link.given for link in shown):
        return shown, []
    return shown, [KeyEntry("required by knowledge", LinkLook("", "", end_mark="none", given=True))]
