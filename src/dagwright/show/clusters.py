"""Large graphs in groups: nodes that hang together become one, edges between groups are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dagwright.base.wording import count_of
from dagwright.errors import OptionError, unknown_name
from dagwright.show.diagram import Diagram, EdgeLook, KeyEntry, Mark, NodeLook
from dagwright.show.graph_edges import edges_of

MOST_LINES = 6
MOST_CONNECTIONS, FEWEST_HIDDEN = 1.5, 15
"""Connections that are drawn for each group, if there are more than this many; the weakest are left out."""


def communities(
    nodes: Sequence[str], edges: Iterable[Sequence[str]], most: int | None = None
) -> list[list[str]]:
    """Groups with many edges inside and few between: greedy merging by modularity (Clauset et al. 2004).

    Merging goes on while modularity grows or, where ``most`` is given, until there are as few groups; groups
    without edges between them are never merged.

    >>> communities("ABCDEF", ["AB", "BC", "AC", "CD", "DE", "EF", "DF"])
    [['A', 'B', 'C'], ['D', 'E', 'F']]
    """
    number = {node: position for position, node in enumerate(nodes)}
    between: list[dict[int, float]] = [{} for _ in nodes]
    total = 0
    for a, b in edges:
        i, j = number[a], number[b]
        between[i][j] = between[i].get(j, 0.0) + 1.0
        between[j][i] = between[j].get(i, 0.0) + 1.0
        total += 1
    degree = [sum(near.values()) for near in between]
    members: dict[int, list[int]] = {position: [position] for position in range(len(nodes))}
    while len(members) > 1:
        best: tuple[float, int, int] | None = None
        for i in members:
            for j, joined in between[i].items():
                if i < j:
                    gain = joined / total - degree[i] * degree[j] / (2.0 * total * total)
                    if best is None or gain > best[0] + 1e-15:
                        best = gain, i, j
        if best is None or (best[0] <= 0 if most is None else len(members) <= most):
            break
        _, i, j = best
        for k, joined in between[j].items():
            del between[k][j]
            if k != i:
                between[i][k] = between[k][i] = between[i].get(k, 0.0) + joined
        between[j] = {}
        degree[i] += degree[j]
        members[i] += members.pop(j)
    return [[nodes[at] for at in sorted(group)] for group in members.values()]


def cluster_diagram(
    graph: Any, clusters: bool | int | Mapping[str, str] | Iterable[Iterable[str]]
) -> Diagram:
    """One node for each group with its members' names, and how many edges lead from group to group.

    Parameters
    ----------
    clusters
        True for groups by modularity, a number for at most about that many, or your own: ``{node: group}`` or
        lists of nodes.
    """
    edges = edges_of(graph)
    groups = _groups(graph, clusters, [(edge.start, edge.end) for edge in edges])
    degree = Counter(end for edge in edges for end in (edge.start, edge.end))
    home = {node: name for name, members in groups.items() for node in members}
    looks = []
    for name, members in groups.items():
        if members == [name]:
            looks.append(NodeLook(name))
            continue
        ranked = _by_edges(members, degree)
        shown = ranked if len(ranked) <= MOST_LINES + 1 else ranked[:MOST_LINES]
        more = (f"and {len(ranked) - len(shown)} more",) if len(shown) < len(ranked) else ()
        looks.append(NodeLook(name, "blue", lines=(*shown, *more), title=", ".join(sorted(members))))
    joined = _joined(edges, home)
    drawn = _backbone(joined)
    key = [
        KeyEntry("a group: its node with most edges, and the number of others", NodeLook("", "blue")),
        KeyEntry("edges between groups, with their number", EdgeLook("", "", width=3.0)),
    ]
    if hidden := sum(joined.values()) - sum(drawn.values()):
        faint = EdgeLook("", "", end_mark="none", width=0.7, color="faint")
        key.append(KeyEntry(f"{count_of(hidden, 'edge')} between groups that share few not drawn", faint))
    return Diagram(
        tuple(looks),
        tuple(drawn),
        tuple(key),
        label=f"{len(home)} nodes in {len(groups)} groups",
    )


def _by_edges(members: Iterable[str], degree: Counter[str]) -> list[str]:
    """Nodes of most edges first."""
    return sorted(members, key=lambda node: (-degree[node], node))


def _groups(graph: Any, clusters: Any, edges: list[tuple[str, str]]) -> dict[str, list[str]]:
    """The members of each group by its name; nodes that no group has are groups of their own."""
    if clusters is True or (isinstance(clusters, int) and not isinstance(clusters, bool)):
        if clusters is not True and clusters < 1:
            raise OptionError(f"clusters is at least 1, not {clusters}")
        found = communities(graph.nodes, edges, None if clusters is True else clusters)
        degree = Counter(end for pair in edges for end in pair)
        named: dict[str, list[str]] = {}
        for members in found:
            lead, *_ = _by_edges(members, degree)
            named[lead if len(members) == 1 else f"{lead} +{len(members) - 1}"] = members
        return named
    given: dict[str, list[str]] = {}
    if isinstance(clusters, Mapping):
        for node, group in clusters.items():
            given.setdefault(str(group), []).append(node)
    else:
        for position, group in enumerate(clusters, 1):
            given[f"group {position}"] = list(group)
    seen: dict[str, str] = {}
    for name, members in given.items():
        for node in members:
            if node not in graph:
                raise unknown_name("node", node, graph.nodes)
            if node in seen:
                raise OptionError(f"node {node!r} is in two groups, {seen[node]!r} and {name!r}")
            seen[node] = name
    for node in graph.nodes:
        if node not in seen:
            if node in given:
                raise OptionError(
                    f"node {node!r} has the name of a group that it is not in; rename the group"
                )
            given[node] = [node]
    return given


def _backbone(joined: Mapping[EdgeLook, int]) -> dict[EdgeLook, int]:
    """The strongest connections: enough to hold together what hangs together, then as many as can be read."""
    root = {group: group for edge in joined for group in (edge.start, edge.end)}

    def find(group: str) -> str:
        while root[group] != group:
            group = root[group]
        return group

    ranked = sorted(joined, key=lambda edge: (-joined[edge], edge.start, edge.end))
    needed = []
    for edge in ranked:
        start, end = find(edge.start), find(edge.end)
        if start != end:
            root[start] = end
            needed.append(edge)
    most = max(len(needed), FEWEST_HIDDEN, round(MOST_CONNECTIONS * len(root)))
    others = [edge for edge in ranked if edge not in needed]
    kept = {*needed, *others[: most - len(needed)]}
    return {edge: count for edge, count in joined.items() if edge in kept}


def _joined(edges: Iterable[EdgeLook], home: Mapping[str, str]) -> dict[EdgeLook, int]:
    """An edge for each two groups that have some between them, and how many these are."""
    counts: dict[tuple[str, str], int] = {}
    heads: dict[tuple[str, str], int] = {}
    for edge in edges:
        start, end = home[edge.start], home[edge.end]
        if start != end:
            counts[start, end] = counts.get((start, end), 0) + 1
            heads[start, end] = heads.get((start, end), 0) + (edge.end_mark == "arrow")
    result: dict[EdgeLook, int] = {}
    for start, end in counts:
        back = counts.get((end, start), 0)
        if back and (back, end) > (counts[start, end], start):
            continue  # drawn the way in which most edges lead
        count = counts[start, end] + back
        marks: tuple[Mark, Mark] = (
            "arrow" if heads.get((end, start)) else "none",
            "arrow" if heads[start, end] else "none",
        )
        words = f"{start} → {end}: {counts[start, end]}" + (f", back: {back}" if back else "")
        width = min(1.2 + 0.45 * count, 6.0)
        result[EdgeLook(start, end, *marks, width=width, title=words, label=str(count))] = count
    return result
