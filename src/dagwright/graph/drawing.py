"""Text drawings: one row per node, and down from each node a rail to those it is joined to further below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dagwright.graph.notation import quote

if TYPE_CHECKING:
    from dagwright.graph.dag import Dag
    from dagwright.graph.pdag import Pdag

# What a rail cell is joined to as (above, below, right); the left always is. Arcs run along single rails,
# undirected edges along double ones.
JOINTS = {
    "->": {
        (True, True, True): "┼",
        (True, True, False): "┤",
        (True, False, True): "┴",
        (True, False, False): "┘",
        (False, True, True): "┬",
        (False, True, False): "┐",
    },
    "--": {
        (True, True, True): "╫",
        (True, True, False): "╢",
        (True, False, True): "╨",
        (True, False, False): "╜",
        (False, True, True): "╥",
        (False, True, False): "╖",
    },
}
PASSING = {"->": "│", "--": "║"}

Rail = tuple[str, str]  # the node it starts at, and the kind of edge


def _drawing_order(dag: Dag) -> list[str]:
    """Parents before children, a child as soon as its last parent is placed: keeps the rails short."""
    waiting = {node: len(dag.parents(node)) for node in dag.nodes}
    ready = sorted((node for node, count in waiting.items() if count == 0), reverse=True)
    order: list[str] = []
    while ready:
        node = ready.pop()
        order.append(node)
        for child in reversed(dag.children(node)):
            waiting[child] -= 1
            if waiting[child] == 0:
                ready.append(child)
    return order


def draw_graph(graph: Dag | Pdag, order_of: Dag) -> str:
    """The drawing that `Dag.as_text` and `Pdag.as_text` return; parents in ``order_of`` come first."""
    order = _drawing_order(order_of)
    row_of = {node: row for row, node in enumerate(order)}
    entering: dict[str, list[Rail]] = {node: [] for node in order}
    last_row: dict[Rail, int] = {}
    for kind, edges in (("->", graph._directed), ("--", graph._undirected)):
        for edge in edges:
            start, end = sorted(edge, key=row_of.__getitem__)
            entering[end].append((start, kind))
            last_row[start, kind] = max(last_row.get((start, kind), 0), row_of[end])
    shown = {node: node if node.isprintable() else quote(node) for node in order}
    width = max(map(len, shown.values()), default=0)
    rails: list[Rail | None] = []
    lines = []
    for row, node in enumerate(order):
        joined = set(entering[node])
        for kind in JOINTS:
            if (node, kind) in last_row:
                place = rails.index(None) if None in rails else len(rails)
                rails[place : place + 1] = [(node, kind)]
                joined.add((node, kind))
        reach = max((column for column, rail in enumerate(rails) if rail in joined), default=-1)
        has_parent = any(kind == "->" for _, kind in entering[node])
        cells = ["◀─" if has_parent else "──" if joined else "  "]
        for column, rail in enumerate(rails):
            right = column < reach
            if rail is None:
                cells.append("─" if right else " ")
            elif rail in joined:
                cells.append(JOINTS[rail[1]][(rail[0] != node, last_row[rail] > row, right)])
            else:
                cells.append(PASSING[rail[1]])
            cells.append("─" if right else " ")
        lines.append(f"{shown[node]:<{width}} {''.join(cells)}".rstrip())
        rails = [None if rail is None or last_row[rail] <= row else rail for rail in rails]
    return "\n".join(lines)
