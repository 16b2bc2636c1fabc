"""Text drawings of DAGs: one row per node, one vertical rail per node that has children."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dagwright.graph.notation import quote

if TYPE_CHECKING:
    from dagwright.graph.dag import Dag

# The four neighbours a rail cell may be joined to, as (above, below, right): the left is always joined.
JOINTS = {
    (True, True, True): "┼",
    (True, True, False): "┤",
    (True, False, True): "┴",
    (True, False, False): "┘",
    (False, True, True): "┬",
    (False, True, False): "┐",
}


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


def draw_dag(dag: Dag) -> str:
    """The drawing that `Dag.draw` returns."""
    order = _drawing_order(dag)
    row_of = {node: row for row, node in enumerate(order)}
    last_row = {node: max((row_of[child] for child in dag.children(node)), default=-1) for node in order}
    shown = {node: node if node.isprintable() else quote(node) for node in order}
    width = max(map(len, shown.values()), default=0)
    rails: list[str | None] = []
    rail_of: dict[str, int] = {}
    lines = []
    for row, node in enumerate(order):
        entering = {rail_of[parent] for parent in dag.parents(node)}
        joined = set(entering)
        if last_row[node] >= 0:
            rail_of[node] = rails.index(None) if None in rails else len(rails)
            rails[rail_of[node] : rail_of[node] + 1] = [node]
            joined.add(rail_of[node])
        reach = max(joined, default=-1)
        cells = ["◀─" if entering else "──" if joined else "  "]
        for column, owner in enumerate(rails):
            right = column < reach
            if column in joined and owner is not None:
                below = last_row[owner] > row
                cells.append(JOINTS[(column in entering, below, right)])
            elif owner is not None:
                cells.append("│")
            else:
                cells.append("─" if right else " ")
            cells.append("─" if right else " ")
        lines.append(f"{shown[node]:<{width}} {''.join(cells)}".rstrip())
        rails = [None if owner is None or last_row[owner] <= row else owner for owner in rails]
    return "\n".join(lines)
