"""Paths of a graph: one that conditioning leaves open, and how a path is written."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import pairwise

from dagwright.graph.dag import Dag
from dagwright.graph.edge_marks import ARROW, TAIL, EdgeMarks
from dagwright.graph.mag import Mag
from dagwright.graph.mark_notation import ARROWS
from dagwright.graph.marked_graph import MarkedGraph
from dagwright.graph.pdag import Pdag

Path = tuple[str, ...]


def marks_of(graph: Dag | Pdag | MarkedGraph) -> EdgeMarks:
    """The marks at the ends of the edges, by node number; a -- b of a Pdag has two tails."""
    if isinstance(graph, MarkedGraph):
        return graph._marks()
    number = graph._nodes.number
    marks = EdgeMarks(len(graph))
    for start, end in graph._directed:
        marks.join(number(start), number(end), TAIL, ARROW)
    for start, end in graph._undirected:
        marks.join(number(start), number(end), TAIL, TAIL)
    return marks


def open_path(graph: Dag | Mag, x: str, y: str, given: Iterable[str] = ()) -> Path | None:
    """A shortest path between two nodes that ``given`` leaves open; None where it separates them.

    >>> open_path(Dag.parse("X <- A -> C <- B -> Y"), "X", "Y", ["C"])
    ('X', 'A', 'C', 'B', 'Y')
    >>> open_path(Dag.parse("X <- A -> C <- B -> Y"), "X", "Y") is None
    True
    """
    marks, number = marks_of(graph), graph._nodes.number
    start, end, known = number(x), number(y), {number(node) for node in given}
    above = set().union(*(marks.ancestors(node) for node in known))
    # A shortest open walk visits no node twice, so walks need only remember how they came to a node.
    first = (start, False)
    before: dict[tuple[int, bool], tuple[int, bool]] = {}
    queue = deque([first])
    while queue:
        state = here, came_by_arrow = queue.popleft()
        if here == end:
            path = [here]
            while state != first:
                state = before[state]
                path.append(state[0])
            return graph._nodes.name_all(reversed(path))
        for other in marks.near(here):
            collider = came_by_arrow and marks.is_arrow(other, here)
            if here != start and (here not in above if collider else here in known):
                continue
            reached = (other, marks.is_arrow(here, other))
            if other != start and reached not in before:
                before[reached] = state
                queue.append(reached)
    return None


def path_text(graph: Dag | Pdag | MarkedGraph, path: Sequence[str]) -> str:
    """A path with the arrows of its edges.

    >>> path_text(Pdag.parse("A -- B; C -> B"), ["A", "B", "C"])
    'A -- B <- C'
    """
    marks, number = marks_of(graph), graph._nodes.number
    text = path[0]
    for start, end in pairwise(path):
        a, b = number(start), number(end)
        text += f" {ARROWS[marks.at[b][a], marks.at[a][b]]} {end}"
    return text
