"""Places that stay: nodes that have one keep it, and only the others are given one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dagwright.base.numbering import Numbering
from dagwright.errors import OptionError, unknown_name
from dagwright.graph.holders import shown_graph
from dagwright.show.diagram import PLAIN, Diagram, Style
from dagwright.show.diagram_scene import node_sizes, spacing_of
from dagwright.show.graph_diagram import graph_diagram
from dagwright.show.graph_edges import graph_of
from dagwright.show.layout import Layout, layered
from dagwright.show.layout.acyclic import Arc
from dagwright.show.layout.around import Route, Size, around, passes_behind

Point = tuple[float, float]
GAP = 16.0
"""Pixels between a node that gets a place and those that have one."""
SAME = 0.5
"""Pixels by which a place may differ from that of the layout and still count as it."""


@dataclass(frozen=True)
class Places:
    """The center of each node and a route for each edge: that of the layout, or one around the nodes."""

    positions: dict[str, Point]
    routes: dict[tuple[str, str], Route]
    width: float
    height: float


def place(
    thing: Any,
    *,
    kept: Mapping[str, Point] | None = None,
    sizes: Mapping[str, Size] | None = None,
    style: Style = PLAIN,
    also: Sequence[tuple[str, str]] = (),
) -> Places:
    """Places for the nodes of a graph, a network, a result or a confidence.

    Parameters
    ----------
    kept
        Centers of nodes that must not move. A node without one is put near its neighbors, where it covers
        no other node.
    sizes
        Width and height of nodes; by default those that `draw` gives them.
    also
        Pairs of nodes that are drawn joined although the graph has no such edge. They move no node; each has
        a route around the nodes in its way.

    >>> from dagwright import Dag
    >>> first = place(Dag.parse("A -> B; B -> C"))
    >>> second = place(Dag.parse("A -> B; B -> C; A -> D"), kept=first.positions)
    >>> all(second.positions[node] == first.positions[node] for node in "ABC")
    True
    """
    diagram = graph_diagram(graph_of(shown_graph(thing)))
    names = [look.name for look in diagram.nodes]
    given = sizes or {}
    boxes = [given.get(name, size) for name, size in zip(names, node_sizes(diagram, style), strict=True)]
    edges = _numbered(diagram)
    whole = layered(boxes, edges, spacing_of(len(names), style), style.direction)
    centers = _placed(names, boxes, edges, whole, kept or {})
    routes = _routes(whole, boxes, edges, centers)
    ends = [(look.start, look.end) for look in diagram.edges]
    found = dict(zip(ends, routes, strict=True))
    further = [pair for pair in dict.fromkeys(also) if pair not in found]
    found |= zip(further, around(centers, boxes, _pairs(further, names)), strict=True)
    width, height = _extent(boxes, centers)
    return Places(dict(zip(names, centers, strict=True)), found, width, height)


def _pairs(pairs: Sequence[tuple[str, str]], names: Sequence[str]) -> list[Arc]:
    """Pairs of nodes by number; refused where they are no pairs of different nodes."""
    number = Numbering(names).number
    for start, end in pairs:
        for name in (start, end):
            if name not in number:
                raise unknown_name("node", name, names)
        if start == end:
            raise OptionError(f"an edge joins two different nodes, not {start!r} with itself")
    return [(number[start], number[end]) for start, end in pairs]


def standing(diagram: Diagram, style: Style, positions: Mapping[str, Point]) -> Layout:
    """A layout of a diagram with nodes at given centers, its upper left corner at the origin."""
    names = [look.name for look in diagram.nodes]
    boxes, edges = node_sizes(diagram, style), _numbered(diagram)
    whole = layered(boxes, edges, spacing_of(len(names), style), style.direction)
    centers = _placed(names, boxes, edges, whole, positions)
    left = min((x - w / 2 for (x, _), (w, _) in zip(centers, boxes, strict=True)), default=0.0)
    top = min((y - h / 2 for (_, y), (_, h) in zip(centers, boxes, strict=True)), default=0.0)
    moved = [(x - left, y - top) for x, y in centers]
    return Layout(tuple(moved), tuple(_routes(whole, boxes, edges, moved)), *_extent(boxes, moved), 0)


def _numbered(diagram: Diagram) -> list[Arc]:
    number = {look.name: at for at, look in enumerate(diagram.nodes)}
    return [(number[edge.start], number[edge.end]) for edge in diagram.edges]


def _routes(
    whole: Layout, boxes: Sequence[Size], edges: Sequence[Arc], centers: Sequence[Point]
) -> list[Route]:
    """Those of the layout where both ends are as far apart in it and no node is in the way now."""
    shifts = [(x - x0, y - y0) for (x0, y0), (x, y) in zip(whole.centers, centers, strict=True)]
    same = all(_equal(shift, shifts[0]) for shift in shifts)
    routes: list[Route] = []
    anew: list[int] = []
    for number, (edge, route) in enumerate(zip(edges, whole.routes, strict=True)):
        dx, dy = shifts[edge[0]]
        moved = tuple((x + dx, y + dy) for x, y in route)
        routes.append(moved)
        kept = same or (
            _equal(*(shifts[end] for end in edge)) and not passes_behind(moved, edge, centers, boxes)
        )
        if not kept:
            anew.append(number)
    for number, found in zip(anew, around(centers, boxes, [edges[at] for at in anew]), strict=True):
        routes[number] = found
    return routes


def _equal(shift: Point, other: Point) -> bool:
    return abs(shift[0] - other[0]) < SAME and abs(shift[1] - other[1]) < SAME


def _extent(boxes: Sequence[Size], centers: Sequence[Point]) -> Size:
    if not boxes:
        return 0.0, 0.0
    pairs = list(zip(boxes, centers, strict=True))
    wide = max(x + w / 2 for (w, _), (x, _) in pairs) - min(x - w / 2 for (w, _), (x, _) in pairs)
    high = max(y + h / 2 for (_, h), (_, y) in pairs) - min(y - h / 2 for (_, h), (_, y) in pairs)
    return wide, high


def _placed(
    names: Sequence[str],
    boxes: Sequence[Size],
    edges: Sequence[Arc],
    whole: Layout,
    kept: Mapping[str, Point],
) -> list[Point]:
    """The centers of all nodes; those that are kept first, then each other one near its neighbors."""
    found: dict[int, Point] = {at: kept[name] for at, name in enumerate(names) if name in kept}
    if not found:
        return list(whole.centers)
    near: list[list[int]] = [[] for _ in names]
    for start, end in edges:
        near[start].append(end)
        near[end].append(start)
    waiting = [at for at in range(len(names)) if at not in found]
    while waiting:
        # The node with most neighbors that have a place comes next, so that parts grow from what is there.
        at = max(waiting, key=lambda node: (sum(other in found for other in near[node]), -node))
        waiting.remove(at)
        beside = [other for other in near[at] if other in found]
        anchors = beside or list(found)
        dx = sum(found[other][0] - whole.centers[other][0] for other in anchors) / len(anchors)
        dy = sum(found[other][1] - whole.centers[other][1] for other in anchors) / len(anchors)
        wanted = whole.centers[at][0] + dx, whole.centers[at][1] + dy
        found[at] = _free(wanted, boxes[at], [(found[other], boxes[other]) for other in found])
    return [found[at] for at in range(len(names))]


def _free(wanted: Point, size: Size, taken: Sequence[tuple[Point, Size]]) -> Point:
    """The first place to the right, to the left or below where the node covers no other."""

    def clear(at: Point) -> bool:
        return all(
            abs(at[0] - x) >= (size[0] + w) / 2 + GAP or abs(at[1] - y) >= (size[1] + h) / 2 + GAP
            for (x, y), (w, h) in taken
        )

    step_x, step_y = size[0] + GAP, size[1] + GAP
    for row in range(len(taken) + 1):
        for column in range(len(taken) + 1):
            for side in (1, -1) if column else (1,):
                at = wanted[0] + side * column * step_x, wanted[1] + row * step_y
                if clear(at):
                    return at
    raise AssertionError("a row below all nodes is always free")
