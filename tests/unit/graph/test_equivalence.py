from __future__ import annotations

from itertools import permutations

import pytest

from dagwright.errors import CycleError, GraphError
from dagwright.graph import Dag, Pdag, random_dag
from dagwright.graph.counting import all_dags
from dagwright.graph.equivalence import covered_edges, lower_neighbors, reversals, upper_neighbors


def classes(n: int) -> dict[Pdag, list[Dag]]:
    names = "ABCDE"[:n]
    found: dict[Pdag, list[Dag]] = {}
    for arcs in all_dags(n):
        dag = Dag(list(names), [(names[a], names[b]) for a, b in arcs])
        found.setdefault(dag.cpdag(), []).append(dag)
    return found


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_neighbor_classes_are_those_of_the_members(n: int) -> None:
    found = classes(n)
    upper: dict[Pdag, set[Pdag]] = {essential: set() for essential in found}
    lower: dict[Pdag, set[Pdag]] = {essential: set() for essential in found}
    for essential, dags in found.items():
        for dag in dags:
            for x, y in permutations(dag.nodes, 2):
                if dag.adjacent(x, y):
                    continue
                try:
                    richer = dag.with_edges(add=[(x, y)]).cpdag()
                except CycleError:
                    continue
                upper[essential].add(richer)
                lower[richer].add(essential)
    for essential in found:
        assert set(upper_neighbors(essential)) == upper[essential]
        assert set(lower_neighbors(essential)) == lower[essential]


def test_reversals_stay_in_the_class_and_are_shortest() -> None:
    for seed in range(30):
        dag = random_dag(9, degree=4, random_state=seed)
        goal = dag.cpdag().sample(seed)
        steps = reversals(dag, goal)
        assert len(steps) == len(set(dag.edges) - set(goal.edges))
        for x, y in steps:
            assert (x, y) in covered_edges(dag)
            dag = dag.with_edges(add=[(y, x)], remove=[(x, y)])
            assert dag.equivalent(goal)
        assert dag == goal


def test_no_reversals_between_classes() -> None:
    with pytest.raises(GraphError, match="not equivalent"):
        reversals(Dag.parse("A -> B -> C"), Dag.parse("A -> B <- C"))
    assert not Dag.parse("A -> B").equivalent(Dag.parse("A -> C"))


def test_covered_edges() -> None:
    assert covered_edges(Dag.parse("A -> B; A -> C; B -> C")) == (("A", "B"), ("B", "C"))
    assert covered_edges(Dag.parse("A -> C <- B")) == ()
