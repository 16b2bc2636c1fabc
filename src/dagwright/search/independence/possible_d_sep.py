"""The second look of FCI: sets that neighbors do not offer (Spirtes, Glymour & Scheines 2000, ch. 6)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence

from dagwright.graph.edge_marks import EdgeMarks
from dagwright.search.control import Control
from dagwright.search.independence.block_cut import edge_blocks
from dagwright.search.independence.numbered_knowledge import NumberedKnowledge, Pair
from dagwright.search.independence.skeleton import Candidate, Skeleton, either_side, remove_separated
from dagwright.search.independence.tester import PairTester

Sides = Callable[[int, int], Sequence[Collection[int]]]
"""For x and y, the nodes that a set between them may be made of, as x and as y offer them."""


def textbook_sides(marks: EdgeMarks, longest: int | None) -> Sides:
    """Possible-D-Sep of either end; the marks are those of unshielded colliders.

    These arrowheads may be wrong where an edge is still to go, so nothing more can be concluded from them.
    """
    sets = [possible_d_sep(marks, x, longest) for x in range(len(marks))]
    return lambda x, y: (sets[x], sets[y])


def narrow_sides(marks: EdgeMarks, longest: int | None) -> Sides:
    """Less of it, by marks that hold whatever edges are still to go, as those of RFCI do.

    D-SEP(x, y), which separates x and y if anything does, has only ancestors of x, of y or of a selection
    variable. An arrowhead at a node says that it is no ancestor of selection, and then it must have a path to
    x or y that can be directed (Zhang 2008, section 4).
    """
    free = {v for v in range(len(marks)) if not any(marks.is_arrow(near, v) for near in marks.at[v])}

    def sides(x: int, y: int) -> Sequence[Collection[int]]:
        above = marks.possible_ancestors((x, y))
        return [possible_d_sep(marks, end, longest, above) & (above | free) for end in (x, y)]

    return sides


def possible_d_sep(
    marks: EdgeMarks, x: int, longest: int | None, between: Collection[int] | None = None
) -> set[int]:
    """The nodes at the end of paths from x whose inner nodes are colliders or tops of triangles.

    Only those can be needed to separate x from others (Colombo et al. 2012, Definition 3.3). With ``between``
    the inner nodes must also be of these.
    """
    found: set[int] = set()
    reached = {(x, near): 1 for near in marks.near(x)}
    queue = deque(reached)
    while queue:
        before, here = queue.popleft()
        found.add(here)
        length = reached[before, here]
        if (longest is not None and length >= longest) or (between is not None and here not in between):
            continue
        for after in marks.near(here):
            if after in (before, x) or (here, after) in reached:
                continue
            if _may_collide(marks, before, here, after):
                reached[here, after] = length + 1
                queue.append((here, after))
    return found


def _may_collide(marks: EdgeMarks, a: int, c: int, b: int) -> bool:
    """Of triples whose ends are not joined, all colliders have arrowheads."""
    if marks.joined(a, b):
        return not marks.is_tail(a, c) and not marks.is_tail(b, c)
    return marks.is_collider(a, c, b)


def separate_by_possible_d_sep(
    tester: PairTester,
    knowledge: NumberedKnowledge,
    control: Control,
    found: Skeleton,
    sides: Sides,
    max_size: int | None,
) -> int:
    """Remove the edges that such sets separate, and return the largest size that was asked about.

    They are also tried on the pairs that are apart by knowledge only. Members must also lie on a path between
    the two variables (Colombo et al. 2012, Definition 3.4). Sets of neighbors were asked about before.
    """
    blocks = edge_blocks(found.around)
    old = [set(near) for near in found.around]
    offered: dict[Pair, list[list[int]]] = {}
    for x, y in [*found.edges(), *found.unseparated()]:
        if (x, y) not in knowledge.required:
            inside = blocks.get((x, y))
            offered[x, y] = [
                [v for v in knowledge.candidates(side, x, y) if inside is None or v in inside]
                for side in sides(x, y)
            ]
    size = 1
    while (max_size is None or size <= max_size) and found.stopped is None:
        waiting: list[Candidate] = [
            ((x, y), _unasked(lists, size, old[x], old[y]))
            for (x, y), lists in offered.items()
            if (x, y) not in found.separated and max(map(len, lists)) >= size
        ]
        if not waiting:
            break
        remove_separated(tester, control, found, waiting, "possible d-sep", size)
        size += 1
    return size - 1


def _unasked(sides: Sequence[Sequence[int]], size: int, *tried: set[int]) -> Iterator[tuple[int, ...]]:
    return (given for given in either_side(sides, size) if not any(near.issuperset(given) for near in tried))
