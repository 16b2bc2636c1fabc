"""Interventional equivalence by its definition, for tests: small, slow and plain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product

Arcs = frozenset[tuple[int, int]]
Target = frozenset[int]


def all_dags(n: int) -> Iterator[Arcs]:
    """Every DAG over n nodes."""
    pairs = list(combinations(range(n), 2))
    for kinds in product(range(3), repeat=len(pairs)):
        arcs = frozenset(
            (a, b) if kind == 1 else (b, a) for (a, b), kind in zip(pairs, kinds, strict=True) if kind
        )
        if acyclic(n, arcs):
            yield arcs


def acyclic(n: int, arcs: Arcs) -> bool:
    left = set(range(n))
    while left:
        roots = {node for node in left if not any(b == node and a in left for a, b in arcs)}
        if not roots:
            return False
        left -= roots
    return True


def skeleton_and_v_structures(arcs: Arcs) -> tuple[frozenset[Target], frozenset[tuple[int, int, int]]]:
    joined = frozenset(frozenset(arc) for arc in arcs)
    found = {
        (a, c, b) for a, c in arcs for b, d in arcs if c == d and a < b and frozenset((a, b)) not in joined
    }
    return joined, frozenset(found)


def signature(arcs: Arcs, targets: Iterable[Target]) -> tuple[object, ...]:
    """What all experiments together can see: the classes of the graphs without the arcs into each target."""
    cut = (frozenset(arc for arc in arcs if arc[1] not in target) for target in targets)
    return tuple(map(skeleton_and_v_structures, cut))


def essential(members: Iterable[Arcs]) -> tuple[frozenset[tuple[int, int]], frozenset[Target]]:
    """Arcs of all members, and pairs that they direct in both ways."""
    listed = list(members)
    arcs = frozenset.intersection(*listed)
    return arcs, frozenset(frozenset(arc) for arc in listed[0] - arcs)


def conservative(n: int, targets: Iterable[Target]) -> bool:
    """Whether every node is free in some experiment."""
    listed = list(targets)
    return bool(listed) and all(any(node not in target for target in listed) for node in range(n))
