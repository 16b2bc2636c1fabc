"""Places that stay: nodes that have one keep it, and only the others are given one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dagwright.graph.holders import shown_graph
from dagwright.show.diagram import PLAIN, Diagram, Style
from dagwright.show.diagram_scene import node_sizes, spacing_of
from dagwright.show.graph_diagram import graph_diagram
from dagwright.show.graph_edges import graph_of
from dagwright.show.layout import Layout, layered
from dagwright.show.layout.acyclic import Arc

Point = tuple[float, float]
Size = tuple[float, float]
GAP = 16.0
"""Pixels between a node that gets a place and those that have one."""
SAME = 0.5
"""Pixels by which a place may differ from that of the layout and still count as it."""


@dataclass(frozen=True)
class Places:
    """The center of each node, and a route for each edge whose ends stand where the layout put them."""

    positions: dict[str, Point]
    routes: dict[tuple[str, str], tuple[Point, ...]]
    width: float
    height: float


def place(
    thing: Any,
    *,
    kept: Mapping[str, Point] | None = None,
    sizes: Mapping[str, Size] | None = None,
    style: Style = PLAIN,
) -> Places:
    """Places for the nodes of a graph, a network, a result or a confidence.

    Parameters
    ----------
    kept
        Centers of nodes that must not move. A node without one is put near its neighbors, where it covers
        no other node.
    sizes
        Width and height of nodes; by default those that `draw` gives them.

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
    routes = {}
    for (start, end), look, route in zip(edges, diagram.edges, whole.routes, strict=True):
        shift = _shift(whole.centers[start], centers[start])
        other = _shift(whole.centers[end], centers[end])
        if abs(shift[0] - other[0]) < SAME and abs(shift[1] - other[1]) < SAME:
            routes[look.start, look.end] = tuple((x + shift[0], y + shift[1]) for x, y in route)
    width, height = _extent(boxes, centers)
    return Places(dict(zip(names, centers, strict=True)), routes, width, height)


def standing(diagram: Diagram, style: Style, positions: Mapping[str, Point]) -> Layout:
    """A layout of a diagram with nodes at given centers, its upper left corner at the origin."""
    names = [look.name for look in diagram.nodes]
    boxes, edges = node_sizes(diagram, style), _numbered(diagram)
    whole = layered(boxes, edges, spacing_of(len(names), style), style.direction)
    centers = _placed(names, boxes, edges, whole, positions)
    left = min((x - w / 2 for (x, _), (w, _) in zip(centers, boxes, strict=True)), default=0.0)
    top = min((y - h / 2 for (_, y), (_, h) in zip(centers, boxes, strict=True)), default=0.0)
    moved = [(x - left, y - top) for x, y in centers]
    routes = tuple(_straight(moved[a], boxes[a], moved[b], boxes[b]) for a, b in edges)
    return Layout(tuple(moved), routes, *_extent(boxes, moved), 0)


def _numbered(diagram: Diagram) -> list[Arc]:
    number = {look.name: at for at, look in enumerate(diagram.nodes)}
    return [(number[edge.start], number[edge.end]) for edge in diagram.edges]


def _shift(old: Point, new: Point) -> Point:
    return new[0] - old[0], new[1] - old[1]


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


def _straight(start: Point, size: Size, end: Point, other: Size) -> tuple[Point, ...]:
    """A line from the border of a box to that of another, as one cubic."""
    a, b = _border(start, size, end), _border(end, other, start)
    third = (b[0] - a[0]) / 3, (b[1] - a[1]) / 3
    return a, (a[0] + third[0], a[1] + third[1]), (b[0] - third[0], b[1] - third[1]), b


def _border(center: Point, size: Size, toward: Point) -> Point:
    dx, dy = toward[0] - center[0], toward[1] - center[1]
    across = [size[0] / 2 / abs(dx)] if dx else []
    along = [size[1] / 2 / abs(dy)] if dy else []
    share = min([*across, *along, 0.5])
    return center[0] + share * dx, center[1] + share * dy
