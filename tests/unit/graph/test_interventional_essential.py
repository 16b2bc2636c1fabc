"""Interventional essential graphs against listing all members of each class."""

from __future__ import annotations

from itertools import chain, combinations, product

import numpy as np
import pytest

import dagwright as dw
from dagwright import _core
from interventional_classes import Arcs, Target, acyclic, all_dags, conservative, essential, signature

SUBSETS = {
    n: [frozenset(s) for s in chain.from_iterable(combinations(range(n), k) for k in range(n + 1))]
    for n in range(6)
}


def native(n: int, arcs: Arcs) -> _core.MixedGraph:
    edges = np.array(sorted(arcs), dtype=np.uint32).reshape(-1, 2)
    return _core.MixedGraph(n, edges, np.zeros((0, 2), dtype=np.uint32))


def check(n: int, dags: list[Arcs], targets: list[Target]) -> None:
    classes: dict[object, list[Arcs]] = {}
    for arcs in dags:
        classes.setdefault(signature(arcs, targets), []).append(arcs)
    listed = [sorted(target) for target in targets]
    for members in classes.values():
        wanted = essential(members)
        for arcs in members:
            found = _core.essential_graph(native(n, arcs), listed)
            assert frozenset(map(tuple, found.directed().tolist())) == wanted[0]
            assert frozenset(map(frozenset, found.undirected().tolist())) == wanted[1]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_graph_under_every_family_of_targets(n: int) -> None:
    dags = list(all_dags(n))
    for size in range(1, len(SUBSETS[n]) + 1):
        for family in combinations(SUBSETS[n], size):
            if conservative(n, family):
                check(n, dags, list(family))


def test_every_graph_of_four_nodes_under_families_of_up_to_two_targets() -> None:
    dags = list(all_dags(4))
    rng = np.random.default_rng(4)
    families = [
        family for size in (1, 2) for family in combinations(SUBSETS[4], size) if conservative(4, family)
    ]
    for at in rng.choice(len(families), 12, replace=False):
        check(4, dags, list(families[at]))


@pytest.mark.parametrize("seed", range(200))
def test_graphs_of_five_nodes_under_random_families(seed: int) -> None:
    rng = np.random.default_rng(seed)
    order = rng.permutation(5).tolist()
    arcs = frozenset((a, b) for a, b in combinations(order, 2) if rng.random() < 0.5)
    targets: list[Target] = []
    while not conservative(5, targets):
        targets = [SUBSETS[5][at] for at in rng.choice(32, int(rng.integers(1, 5)), replace=False)]
    turned = (
        frozenset(arc[::-1] if turn else arc for arc, turn in zip(sorted(arcs), turns, strict=True))
        for turns in product((False, True), repeat=len(arcs))
    )
    check(5, [one for one in turned if acyclic(5, one)], targets)


def test_no_targets_is_the_essential_graph() -> None:
    dag = dw.Dag.parse("A -> B -> C; D -> C; A -> E")
    assert dag.cpdag() == dag.cpdag([]) == dag.cpdag([()])
    assert dag.cpdag(["A"]) == dw.Pdag.parse("A -> B; B -> C; D -> C; A -> E")


def test_equivalence_under_interventions() -> None:
    one, other = dw.Dag.parse("A -> B -> C"), dw.Dag.parse("A <- B -> C")
    assert one.equivalent(other)
    assert one.equivalent(dw.Dag.parse("A <- B -> C"), targets=["C"])
    assert not one.equivalent(other, targets=["A"])


def test_an_unknown_target_is_named() -> None:
    with pytest.raises(dw.DagwrightError, match="Z"):
        dw.Dag.parse("A -> B").cpdag(["Z"])


def test_the_distance_is_between_interventional_classes() -> None:
    plain = dw.compare("A -> B", "B -> A")
    under = dw.compare("A -> B", "B -> A", targets=["A"])
    assert (plain.shd, under.shd) == (0, 1)
    assert "interventional essential graphs" in str(under)
