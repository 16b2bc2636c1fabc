"""Pictures of graphs over time: one node for each series, or one for each series and lag."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from dagwright.data.windows import Moment, moment_of, moments_of
from dagwright.errors import OptionError
from dagwright.graph.holders import shown_graph
from dagwright.show.colors import Theme
from dagwright.show.diagram import PLAIN, Diagram, EdgeLook, KeyEntry, Mark, NodeLook
from dagwright.show.diagram_scene import assembled, node_shapes, node_sizes
from dagwright.show.drawing import diagram_picture, saved_picture
from dagwright.show.graph_edges import edges_of, graph_of
from dagwright.show.layout import Layout
from dagwright.show.picture import Picture

Point = tuple[float, float]
ACROSS, DOWN, LANE = 64.0, 34.0, 6.0
"""Pixels between columns, between rows, and between edges that go side by side."""


def draw_summary(thing: Any, *, theme: Theme = "auto", path: str | os.PathLike[str] | None = None) -> Picture:
    """A picture with one node for each series; edges say the lags of their arcs.

    Parameters
    ----------
    thing
        A graph over windows such as ``x[t-1] -> y[t]``, or what has one: a result of `learn`, a network.
    theme, path
        As in `draw`.

    >>> from dagwright import Dag
    >>> picture = draw_summary(Dag.parse("x[t-1] -> x[t]; x[t-2] -> y[t]"))
    >>> "own past" in picture.svg
    True
    """
    graph, edges = _parts(thing)
    moments = moments_of(graph.nodes)
    names = tuple(dict.fromkeys(_series(node) for node in graph.nodes))
    own: dict[str, list[int]] = {name: [] for name in names}
    between: dict[tuple[str, str], list[tuple[bool, EdgeLook, int]]] = {}
    for edge in edges:
        a, b = _series(edge.start), _series(edge.end)
        lag = _lag(edge.start) or _lag(edge.end)
        if a == b:
            own[a].append(lag)
        else:
            pair = (min(a, b), max(a, b))
            between.setdefault(pair, []).append((a == pair[0], edge, lag))
    drawn, more = [], dict[str, list[str]]()
    for pair, found in sorted(between.items()):
        edge, words = _joined(pair, found)
        changing = all(any(moment.series == end for moment in moments.values()) for end in pair)
        drawn.append(edge if changing else replace(edge, label=""))
        more.setdefault(edge.start, []).extend(words)
    nodes = tuple(
        NodeLook(
            name,
            lines=(*((f"own past: {_lags(own[name])}",) if own[name] else ()), *more.get(name, ())),
            dash=() if any(moment.series == name for moment in moments.values()) else (4, 3),
        )
        for name in names
    )
    key = (KeyEntry("numbers at edges are lags; 0 is the same step", EdgeLook("a", "b")),)
    return diagram_picture(Diagram(nodes, tuple(drawn), key, "", "Summary graph"), PLAIN, theme, path)


def _joined(pair: tuple[str, str], found: Sequence[tuple[bool, EdgeLook, int]]) -> tuple[EdgeLook, list[str]]:
    """All arcs between two series as one edge, and words for its first node about arcs the other way."""
    forward = sorted(lag for along, edge, lag in found if along and edge.end_mark == "arrow")
    backward = sorted(lag for along, edge, lag in found if not along and edge.end_mark == "arrow")
    either = sorted(lag for _, edge, lag in found if edge.end_mark != "arrow")
    start, end = pair if forward or not backward else pair[::-1]
    there, back = (forward, backward) if (start, end) == pair else (backward, forward)
    words = [f"from {end}: {_lags(back)}"] if back else []
    words += [f"undirected with {end}: {_lags(either)}"] if either and there else []
    label = ", ".join(map(str, there or either))
    marks: tuple[Mark, Mark] = ("arrow" if back else "none", "arrow" if there else "none")
    title = f"{start} {'→' if there else '–'} {end}: {label}" + "".join(f"; {each}" for each in words)
    return EdgeLook(start, end, *marks, label=label, title=title), words


def draw_slices(thing: Any, *, theme: Theme = "auto", path: str | os.PathLike[str] | None = None) -> Picture:
    """A picture with one column for each lag and one row for each series; arcs lead to the current step.

    Parameters
    ----------
    thing, theme, path
        As in `draw_summary`.

    >>> from dagwright import Dag
    >>> picture = draw_slices(Dag.parse("x[t-1] -> x[t]; x[t-2] -> y[t]"))
    >>> picture.scene.label
    'Time-slice graph'
    """
    graph, edges = _parts(thing)
    moments = moments_of(graph.nodes)
    rows = tuple(dict.fromkeys(moment.series for moment in moments.values()))
    static = tuple(node for node in graph.nodes if node not in moments)
    longest = max(moment.lag for moment in moments.values())
    shown = [*static, *(str(Moment(name, lag)) for lag in range(longest, -1, -1) for name in rows)]
    nodes = tuple(
        NodeLook(name, dash=() if name in moments or name not in static else (4, 3)) for name in shown
    )
    key = (KeyEntry("every step repeats these arcs", EdgeLook("a", "b")),)
    diagram = Diagram(nodes, edges, key, "", "Time-slice graph")
    sizes = dict(zip(shown, node_sizes(diagram, PLAIN), strict=True))
    layout = _grid(edges, sizes, rows, static, longest)
    scene = assembled(diagram, PLAIN, node_shapes(diagram, PLAIN), layout)
    return saved_picture(scene, theme, path)


def _grid(
    edges: Sequence[EdgeLook],
    sizes: dict[str, tuple[float, float]],
    rows: Sequence[str],
    static: Sequence[str],
    longest: int,
) -> Layout:
    """Columns by lag, rows by series; what does not change over time stands in a column before all others."""
    columns: list[list[str]] = [list(static)] if static else []
    columns += [[str(Moment(name, lag)) for name in rows] for lag in range(longest, -1, -1)]
    high = max(h for _, h in sizes.values())
    centers: dict[str, Point] = {}
    column_of: dict[str, int] = {}
    middles: list[float] = []
    left = 0.0
    for at, column in enumerate(columns):
        wide = max(sizes[name][0] for name in column)
        middles.append(left + wide / 2)
        for row, name in enumerate(column):
            centers[name] = (left + wide / 2, high / 2 + row * (high + DOWN))
            column_of[name] = at
        left += wide + ACROSS
    width = left - ACROSS
    height = max(y for _, y in centers.values()) + high / 2
    widths = [max(sizes[name][0] for name in column) for column in columns]
    routes: list[tuple[Point, ...]] = []
    used: Counter[tuple[int, int]] = Counter()
    for edge in edges:
        (ax, ay), (bx, by) = centers[edge.start], centers[edge.end]
        (aw, ah), (bw, bh) = sizes[edge.start], sizes[edge.end]
        if column_of[edge.start] == column_of[edge.end]:
            sign = 1 if by > ay else -1
            if abs(by - ay) < 1.5 * (high + DOWN):
                start, end = (ax, ay + sign * ah / 2), (bx, by - sign * bh / 2)
                routes.append((start, _share(start, end, 1 / 3), _share(start, end, 2 / 3), end))
            else:
                out = max(ax + aw / 2, bx + bw / 2) + 0.8 * ACROSS
                width = max(width, out)
                routes.append(((ax + aw / 2, ay), (out, ay), (out, by), (bx + bw / 2, by)))
            continue
        points = [(ax + aw / 2, ay)]
        for at in range(column_of[edge.start] + 1, column_of[edge.end]):
            # Between two rows, where no node stands; above the first row if the edge stays on it.
            share = (middles[at] - ax) / (bx - ax)
            lane = round((ay + share * (by - ay) - high / 2) / (high + DOWN) - 0.5)
            aside = (used[at, lane] + 1) // 2 * (LANE if used[at, lane] % 2 else -LANE)
            used[at, lane] += 1
            y = high + DOWN / 2 + lane * (high + DOWN) + aside
            points += [(middles[at] - widths[at] / 2, y), (middles[at] + widths[at] / 2, y)]
        points.append((bx - bw / 2, by))
        routes.append(_smooth(points))
    top = min(0.0, *(y for route in routes for _, y in route)) if routes else 0.0
    moved = tuple((x, y - top) for x, y in centers.values())
    shifted = tuple(tuple((x, y - top) for x, y in route) for route in routes)
    return Layout(moved, shifted, width, height - top, 0)


def _share(start: Point, end: Point, share: float) -> Point:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _smooth(points: Sequence[Point]) -> tuple[Point, ...]:
    """Cubics through points, level at each of them."""
    route = [points[0]]
    for (ax, ay), (bx, by) in pairwise(points):
        half = (bx - ax) / 2
        route += [(ax + half, ay), (bx - half, by), (bx, by)]
    return tuple(route)


def _parts(thing: Any) -> tuple[Any, tuple[EdgeLook, ...]]:
    """The graph, and its edges from earlier to later nodes."""
    graph = graph_of(shown_graph(thing))
    if not any(moment.lag == 0 for moment in moments_of(graph.nodes).values()):
        raise OptionError("the graph has no node of a current step, such as 'x[t]'; learn it from windows")
    edges = []
    for edge in edges_of(graph):
        if edge.end_mark != "arrow" and _lag(edge.start) < _lag(edge.end):
            edge = replace(edge, start=edge.end, end=edge.start)
        edges.append(edge)
    return graph, tuple(edges)


def _series(node: str) -> str:
    moment = moment_of(node)
    return node if moment is None else moment.series


def _lag(node: str) -> int:
    moment = moment_of(node)
    return 0 if moment is None else moment.lag


def _lags(lags: Sequence[int]) -> str:
    return ("lag " if len(lags) == 1 else "lags ") + ", ".join(map(str, sorted(lags)))
