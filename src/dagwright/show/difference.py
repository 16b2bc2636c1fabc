"""Two graphs in one picture: what both have, what only one has, what points differently."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Literal

from dagwright.errors import OptionError
from dagwright.graph.dag import Dag
from dagwright.graph.holders import HoldsEssential, shown_graph, targets_among
from dagwright.show.colors import Theme, checked_theme
from dagwright.show.diagram import PLAIN, Diagram, EdgeLook, KeyEntry, NodeLook, Style
from dagwright.show.diagram_scene import assembled, laid_out
from dagwright.show.graph_edges import edges_of, graph_of
from dagwright.show.picture import Picture
from dagwright.show.scene import Scene

View = Literal["overlay", "side by side"]
Pair = frozenset[str]

# Color and dash both tell: one of them is enough.
BOTH = EdgeLook("", "")
FIRST_ONLY = EdgeLook("", "", color="orange", dash=(7, 4), width=2.0)
SECOND_ONLY = EdgeLook("", "", color="blue", width=2.4)
TURNED = EdgeLook("", "", color="purple", dash=(9, 3, 2, 3), width=2.0)


def draw_difference(
    first: Any,
    second: Any,
    *,
    names: tuple[str, str] = ("first", "second"),
    view: View = "overlay",
    style: Style = PLAIN,
    theme: Theme = "auto",
    path: str | os.PathLike[str] | None = None,
) -> Picture:
    """Both graphs as one picture.

    Of a result it shows the essential graph, and then of a DAG beside it too: arcs that the data could have
    turned are no difference.

    Parameters
    ----------
    names
        What the key calls the two.
    view
        "overlay" draws both on top of each other, "side by side" each for itself with its nodes in the same
        places.

    >>> from dagwright import Dag
    >>> picture = draw_difference(Dag.parse("A -> B; C"), Dag.parse("B -> A; A -> C"))
    >>> "1 edge only in second" in picture.svg
    True
    """
    graphs = _alike(first, second)
    one, other = ({_pair(edge): edge for edge in edges_of(graph)} for graph in graphs)
    kinds = {pair: _kind(one.get(pair), other.get(pair)) for pair in {**one, **other}}
    nodes = _nodes(graphs, names)
    if view == "overlay":
        shown = [_styled(other.get(pair) or one[pair], kinds[pair]) for pair in kinds]
        diagram = Diagram(nodes, tuple(shown), _key(kinds.values(), names), label="difference of two graphs")
        scene = assembled(diagram, style, *laid_out(diagram, style))
    elif view == "side by side":
        scene = _side_by_side(nodes, (one, other), kinds, names, style)
    else:
        raise OptionError(f"view is 'overlay' or 'side by side', not {view!r}")
    picture = Picture(scene, checked_theme(theme))
    if path is not None:
        picture.save(path)
    return picture


def _alike(first: Any, second: Any) -> tuple[Any, Any]:
    """Both graphs, or the essential graphs of both where one is a result of learning."""
    one, other = (graph_of(shown_graph(thing)) for thing in (first, second))
    if any(isinstance(thing, HoldsEssential) for thing in (first, second)):
        targets = targets_among(first, second)
        one, other = (graph.cpdag(targets) if isinstance(graph, Dag) else graph for graph in (one, other))
    return one, other


def _pair(edge: EdgeLook) -> Pair:
    return frozenset((edge.start, edge.end))


def _ends(edge: EdgeLook) -> dict[str, str]:
    return {edge.start: edge.start_mark, edge.end: edge.end_mark}


def _kind(one: EdgeLook | None, other: EdgeLook | None) -> EdgeLook:
    if one is None:
        return SECOND_ONLY
    if other is None:
        return FIRST_ONLY
    return BOTH if _ends(one) == _ends(other) else TURNED


def _styled(edge: EdgeLook, kind: EdgeLook) -> EdgeLook:
    return replace(edge, color=kind.color, dash=kind.dash, width=kind.width)


def _nodes(graphs: tuple[Any, Any], names: tuple[str, str]) -> tuple[NodeLook, ...]:
    """The nodes of both; those that only one has are set off."""
    union = dict.fromkeys((*graphs[0].nodes, *graphs[1].nodes))
    looks = []
    for node in union:
        if node in graphs[0] and node in graphs[1]:
            looks.append(NodeLook(node))
        else:
            where = 0 if node in graphs[0] else 1
            kind = (FIRST_ONLY, SECOND_ONLY)[where]
            looks.append(NodeLook(node, kind.color, dash=kind.dash, title=f"{node}, only in {names[where]}"))
    return tuple(looks)


def _key(kinds: Iterable[EdgeLook], names: tuple[str, str]) -> tuple[KeyEntry, ...]:
    found = list(kinds)
    words = (
        (BOTH, "in both"),
        (FIRST_ONLY, f"only in {names[0]}"),
        (SECOND_ONLY, f"only in {names[1]}"),
        (TURNED, f"with another direction in {names[0]}"),
    )
    entries = []
    for kind, text in words:
        count = sum(one is kind for one in found)
        if count:
            entries.append(KeyEntry(f"{count} edge{'s' if count > 1 else ''} {text}", kind))
    return tuple(entries)


def _side_by_side(
    nodes: tuple[NodeLook, ...],
    edges: tuple[dict[Pair, EdgeLook], dict[Pair, EdgeLook]],
    kinds: dict[Pair, EdgeLook],
    names: tuple[str, str],
    style: Style,
) -> Scene:
    """One layout of all edges; each side shows its own. The key under the left side is of the differences."""
    everything = Diagram(nodes, tuple(edges[1].get(pair) or edges[0][pair] for pair in kinds))
    shapes, layout = laid_out(everything, style)
    routes = dict(zip(kinds, layout.routes, strict=True))
    scenes = []
    for side, name in enumerate(names):
        own: list[EdgeLook] = []
        along = []
        for pair, edge in edges[side].items():
            placed = edges[1].get(pair) or edges[0][pair]
            along.append(routes[pair] if placed.start == edge.start else routes[pair][::-1])
            own.append(_styled(edge, replace(kinds[pair])))
        key = _key((kinds[pair] for pair in kinds if pair in edges[side]), names)
        diagram = Diagram(nodes, tuple(own), key, heading=name)
        scenes.append(assembled(diagram, style, shapes, replace(layout, routes=tuple(along))))
    left, right = scenes
    height = max(left.height, right.height)
    items = (*left.items, *(item.moved(left.width, 0.0) for item in right.items))
    return Scene(left.width + right.width, height, items, f"{names[0]} and {names[1]} side by side")
