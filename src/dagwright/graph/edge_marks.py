"""Marks at the ends of edges between numbered nodes: what graphs with hidden variables are made of."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

Pair = tuple[int, int]
EndMarks = tuple[tuple[int, int, int, int], ...]

CIRCLE, ARROW, TAIL = 1, 2, 3


class EdgeMarks:
    """A graph that is being oriented: ``at[a][b]`` is the mark at b on the edge between a and b.

    >>> marks = EdgeMarks(3, [(0, 1), (1, 2)])
    >>> marks.put(0, 1, ARROW), marks.put(0, 1, TAIL), marks.is_arrow(0, 1)
    (True, False, True)
    """

    __slots__ = ("at",)

    def __init__(self, n: int, edges: Iterable[Pair] = ()) -> None:
        self.at: list[dict[int, int]] = [{} for _ in range(n)]
        for a, b in sorted((min(edge), max(edge)) for edge in edges):
            self.join(a, b, CIRCLE, CIRCLE)

    @staticmethod
    def of(n: int, edges: Iterable[tuple[int, int, int, int]]) -> EdgeMarks:
        """From (a, mark at a, mark at b, b)."""
        marks = EdgeMarks(n)
        for a, at_a, at_b, b in edges:
            marks.join(a, b, at_a, at_b)
        return marks

    def join(self, a: int, b: int, at_a: int, at_b: int) -> None:
        self.at[a][b] = at_b
        self.at[b][a] = at_a

    def copy(self) -> EdgeMarks:
        twin = EdgeMarks(0)
        twin.at = [dict(near) for near in self.at]
        return twin

    def __len__(self) -> int:
        return len(self.at)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EdgeMarks) and self.at == other.at

    __hash__ = None  # type: ignore[assignment]

    def ends(self) -> EndMarks:
        """Every edge once as (a, mark at a, mark at b, b) with a < b, sorted."""
        return tuple(
            (a, self.at[b][a], self.at[a][b], b)
            for a in range(len(self.at))
            for b in sorted(self.at[a])
            if a < b
        )

    def edges(self) -> list[Pair]:
        return [(a, b) for a, _, _, b in self.ends()]

    def near(self, a: int) -> list[int]:
        """The nodes joined to ``a``, ascending."""
        return sorted(self.at[a])

    def joined(self, a: int, b: int) -> bool:
        return b in self.at[a]

    def put(self, a: int, b: int, mark: int) -> bool:
        """Set the mark at b if it is still a circle; whether that changed something."""
        if self.at[a][b] != CIRCLE or mark == CIRCLE:
            return False
        self.at[a][b] = mark
        return True

    def put_colliders(self, triples: Iterable[tuple[int, int, int]]) -> None:
        """Arrowheads at c for every (a, c, b), where there still are circles."""
        for a, c, b in triples:
            self.put(a, c, ARROW)
            self.put(b, c, ARROW)

    def colliders(self) -> list[tuple[int, int, int]]:
        """The unshielded triples with arrowheads in the middle."""
        return [triple for triple in self.unshielded() if self.is_collider(*triple)]

    def is_circle(self, a: int, b: int) -> bool:
        """Whether a and b are joined with a circle at b."""
        return self.at[a].get(b) == CIRCLE

    def is_arrow(self, a: int, b: int) -> bool:
        """Whether a and b are joined with an arrowhead at b: a *-> b."""
        return self.at[a].get(b) == ARROW

    def is_tail(self, a: int, b: int) -> bool:
        """Whether a and b are joined with a tail at b: a *- b."""
        return self.at[a].get(b) == TAIL

    def is_parent(self, a: int, b: int) -> bool:
        """a -> b"""
        return self.is_arrow(a, b) and self.is_tail(b, a)

    def is_confounded(self, a: int, b: int) -> bool:
        """a <-> b"""
        return self.is_arrow(a, b) and self.is_arrow(b, a)

    def is_collider(self, a: int, c: int, b: int) -> bool:
        """a *-> c <-* b"""
        return self.is_arrow(a, c) and self.is_arrow(b, c)

    def unshielded(self) -> Iterator[tuple[int, int, int]]:
        """Every (a, c, b) with a and b joined to c and not to each other, a < b."""
        for c in range(len(self.at)):
            for a, b in combinations(self.near(c), 2):
                if not self.joined(a, b):
                    yield a, c, b

    def may_lead(self, a: int, b: int) -> bool:
        """Whether a - b can be a -> b: no arrowhead at a, no tail at b (potentially directed)."""
        return self.joined(a, b) and not self.is_arrow(b, a) and not self.is_tail(a, b)

    def ancestors(self, node: int) -> set[int]:
        """The nodes with a directed path to ``node``, itself included."""
        return self._above([node], self.is_parent)

    def possible_ancestors(self, nodes: Iterable[int]) -> set[int]:
        """The nodes with a path to one of ``nodes`` that can be directed, themselves included."""
        return self._above(nodes, self.may_lead)

    def _above(self, nodes: Iterable[int], step: Callable[[int, int], bool]) -> set[int]:
        front = list(nodes)
        seen = set(front)
        while front:
            here = front.pop()
            for other in self.at[here]:
                if other not in seen and step(other, here):
                    seen.add(other)
                    front.append(other)
        return seen

    def uncovered_paths(
        self, start: Pair, step: Callable[[int, int], bool], avoid: Iterable[int] = ()
    ) -> dict[Pair, list[int]]:
        """Uncovered paths that begin with ``start``, one by each last edge, the shortest first.

        On an uncovered path every node but the ends has neighbors that are not joined to each other.
        ``step`` says which edges may be walked.
        """
        banned = set(avoid)
        found = {start: list(start)}
        queue = deque([start])
        while queue:
            before, here = queue.popleft()
            path = found[before, here]
            for after in self.near(here):
                if (here, after) in found or after in banned or after in path or self.joined(before, after):
                    continue
                if step(here, after):
                    found[here, after] = [*path, after]
                    queue.append((here, after))
        return found
