"""The layered drawing of a graph: from sizes of nodes and edges to places and curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from dagwright.show.layout.acyclic import Arc, acyclic, components
from dagwright.show.layout.coordinates import horizontal
from dagwright.show.layout.leaf_blocks import leaf_blocks
from dagwright.show.layout.levels import Levels
from dagwright.show.layout.packing import shelves
from dagwright.show.layout.ranks import ranks
from dagwright.show.layout.routes import Bands, Point, routed

Size = tuple[float, float]


@dataclass(frozen=True)
class Spacing:
    """Distances in pixels: between nodes of a layer, around edges that pass, between layers and parts."""

    nodes: float = 24.0
    edges: float = 12.0
    layers: float = 46.0
    parts: float = 40.0


USUAL = Spacing()


@dataclass(frozen=True)
class Layout:
    """The center of each node, a chain of cubics for each edge, and the size of the whole.

    A route runs from the first to the second node of the edge as it was given; its points are the start, then
    two controls and an end for each piece.
    """

    centers: tuple[Point, ...]
    routes: tuple[tuple[Point, ...], ...]
    width: float
    height: float
    crossings: int


def layered(
    sizes: Sequence[Size],
    edges: Sequence[Arc],
    spacing: Spacing = USUAL,
    direction: Literal["down", "right"] = "down",
) -> Layout:
    """Nodes in layers, edges leading down (or to the right) where no cycle forbids it.

    Parameters
    ----------
    sizes
        Width and height of each node.
    edges
        Pairs of node numbers, at most one for each two nodes.
    """
    if direction == "right":
        flat = layered([(h, w) for w, h in sizes], edges, spacing)
        return Layout(
            tuple((y, x) for x, y in flat.centers),
            tuple(tuple((y, x) for x, y in route) for route in flat.routes),
            flat.height,
            flat.width,
            flat.crossings,
        )
    parts = components(len(sizes), edges)
    part_of = {node: number for number, part in enumerate(parts) for node in part}
    edges_of: list[list[int]] = [[] for _ in parts]
    for number, (start, _) in enumerate(edges):
        edges_of[part_of[start]].append(number)
    drawn = []
    for part, inside in zip(parts, edges_of, strict=True):
        local = {node: number for number, node in enumerate(part)}
        arcs = [(local[edges[number][0]], local[edges[number][1]]) for number in inside]
        drawn.append(_part([sizes[node] for node in part], arcs, spacing))
    corners, width, height = shelves([(one.width, one.height) for one in drawn], spacing.parts)
    centers: list[Point] = [(0.0, 0.0)] * len(sizes)
    routes: list[tuple[Point, ...]] = [()] * len(edges)
    for part, inside, one, (dx, dy) in zip(parts, edges_of, drawn, corners, strict=True):
        for node, (x, y) in zip(part, one.centers, strict=True):
            centers[node] = (x + dx, y + dy)
        for number, route in zip(inside, one.routes, strict=True):
            routes[number] = tuple((x + dx, y + dy) for x, y in route)
    return Layout(tuple(centers), tuple(routes), width, height, sum(one.crossings for one in drawn))


def _part(sizes: Sequence[Size], edges: Sequence[Arc], spacing: Spacing) -> Layout:
    """One connected part, its upper left corner at the origin; blocks of leaves stand as one node."""
    blocks = leaf_blocks(sizes, edges, spacing.nodes)
    if not blocks:
        return _plain_part(sizes, edges, spacing)
    leaves = {leaf for block in blocks for leaf in block.leaves}
    inner = [node for node in range(len(sizes)) if node not in leaves]
    local = {node: number for number, node in enumerate(inner)}
    kept = [number for number, arc in enumerate(edges) if leaves.isdisjoint(arc)]
    arcs = [(local[edges[number][0]], local[edges[number][1]]) for number in kept]
    for at, block in enumerate(blocks, len(inner)):
        hub = local[block.hub]
        arcs.append((hub, at) if block.below else (at, hub))
    found = _plain_part([*(sizes[node] for node in inner), *(one.size for one in blocks)], arcs, spacing)
    centers: list[Point] = [(0.0, 0.0)] * len(sizes)
    routes: list[tuple[Point, ...]] = [()] * len(edges)
    for node, center in zip(inner, found.centers, strict=False):
        centers[node] = center
    for number, route in zip(kept, found.routes, strict=False):
        routes[number] = route
    for at, block in enumerate(blocks):
        middle, stem = found.centers[len(inner) + at], found.routes[len(kept) + at]
        for leaf, center in zip(block.leaves, block.centers(middle, sizes), strict=True):
            centers[leaf] = center
        branches = block.routes(stem[0] if block.below else stem[-1], middle)
        for number, route in zip(block.edges, branches, strict=True):
            routes[number] = route
    return Layout(tuple(centers), tuple(routes), found.width, found.height, found.crossings)


def _plain_part(sizes: Sequence[Size], edges: Sequence[Arc], spacing: Spacing) -> Layout:
    """A connected part whose nodes all stand in layers."""
    if len(sizes) == 1:
        ((w, h),) = sizes
        return Layout(((w / 2, h / 2),), (), w, h, 0)
    arcs = acyclic(len(sizes), edges)
    levels = Levels(ranks(len(sizes), arcs), arcs)
    ordered = levels.ordered()
    layers = ordered.layers

    def apart(left: int, right: int) -> float:
        half = sum(sizes[v][0] / 2 for v in (left, right) if v < levels.n)
        return half + (spacing.nodes if left < levels.n and right < levels.n else spacing.edges)

    x = horizontal(levels, layers, apart)
    bands = _bands(levels, layers, x, sizes, spacing)
    routes = routed(levels, layers, x, sizes, bands)
    turned = [
        list(reversed(r)) if arc != edge else r for r, arc, edge in zip(routes, arcs, edges, strict=True)
    ]
    left = min([x[v] - sizes[v][0] / 2 for v in range(levels.n)] + [p[0] for r in routes for p in r])
    right = max([x[v] + sizes[v][0] / 2 for v in range(levels.n)] + [p[0] for r in routes for p in r])
    middle = [(top + bottom) / 2 for top, bottom in zip(bands.top, bands.bottom, strict=True)]
    return Layout(
        tuple((x[v] - left, middle[levels.layer[v]]) for v in range(levels.n)),
        tuple(tuple((px - left, py) for px, py in route) for route in turned),
        right - left,
        bands.bottom[-1],
        ordered.crossings,
    )


def _bands(
    levels: Levels,
    layers: Sequence[Sequence[int]],
    x: Sequence[float],
    sizes: Sequence[Size],
    spacing: Spacing,
) -> Bands:
    """Layers as high as their highest node, further apart where edges run far to the side."""
    reach: list[list[float]] = [[] for _ in layers]
    for a, b in levels.segments:
        reach[levels.layer[a]].append(abs(x[a] - x[b]))
    top, bottom, y = [], [], 0.0
    for k, layer in enumerate(layers):
        height = max(sizes[v][1] for v in layer if v < levels.n)
        top.append(y)
        bottom.append(y + height)
        far = sorted(reach[k])[int(0.9 * (len(reach[k]) - 1))] if reach[k] else 0.0
        y += height + spacing.layers * min(1.0 + far / 500.0, 2.5)
    return Bands(top, bottom)
