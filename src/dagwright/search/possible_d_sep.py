"""The second look of FCI: sets that neighbours do not offer (Spirtes, Glymour & Scheines 2000, ch. 6)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from dagwright.graph.edge_marks import EdgeMarks
from dagwright.search.block_cut import edge_blocks
from dagwright.search.colliders import Triplet
from dagwright.search.control import Control
from dagwright.search.link_law import LinkLaw, Pair
from dagwright.search.skeleton import Asker, Candidate, Skeleton, either_side, remove_separated


def possible_d_sep(marks: EdgeMarks, x: int, longest: int | None) -> set[int]:
    """The nodes at the end of paths from x whose inner nodes are colliders or tops of triangles.

    Only those can be needed to separate x from others (Colombo et al. 2012, Definition 3.3).
    """
    found: set[int] = set()
    reached = {(x, near): 1 for near in marks.near(x)}
    queue = deque(reached)
    while queue:
        before, here = queue.popleft()
        found.add(here)
        length = reached[before, here]
        if longest is not None and length >= longest:
            continue
        for after in marks.near(here):
            if after in (before, x) or (here, after) in reached:
                continue
            if marks.is_collider(before, here, after) or marks.joined(before, after):
                reached[here, after] = length + 1
                queue.append((here, after))
    return found


def separate_by_possible_d_sep(
    asker: Asker,
    law: LinkLaw,
    control: Control,
    found: Skeleton,
    colliders: Sequence[Triplet],
    max_size: int | None,
    longest: int | None,
) -> list[Pair]:
    """Remove the links that such sets separate; the sets are those of the graph as it came.

    They are also tried on the pairs that are apart by knowledge only.

    Members must also lie on a path between the two variables (Colombo et al. 2012, Definition 3.4). Sets of
    neighbours were asked about before.
    """
    marks = EdgeMarks(law.n, found.links())
    marks.put_colliders(colliders)
    sets = [possible_d_sep(marks, x, longest) for x in range(law.n)]
    blocks = edge_blocks(found.around)
    old = [set(near) for near in found.around]
    removed: list[Pair] = []
    size = 1
    while (max_size is None or size <= max_size) and found.stopped is None:
        waiting: list[Candidate] = []
        for x, y in [*found.links(), *found.unseparated()]:
            if (x, y) in law.required:
                continue
            sides = [
                [v for v in law.candidates(sets[at], x, y) if (x, y) not in blocks or v in blocks[x, y]]
                for at in (x, y)
            ]
            if max(map(len, sides)) >= size:
                waiting.append(((x, y), _unasked(sides, size, old[x], old[y])))
        if not waiting:
            break
        removed += remove_separated(asker, control, found, waiting, "possible d-sep", size)
        size += 1
    return removed


def _unasked(sides: Sequence[Sequence[int]], size: int, *asked: set[int]) -> Iterator[tuple[int, ...]]:
    return (given for given in either_side(sides, size) if not any(near.issuperset(given) for near in asked))
