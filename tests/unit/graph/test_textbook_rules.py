from __future__ import annotations

import pytest

from dagwright.errors import GraphError, NoExtensionError
from dagwright.graph import Dag, Pdag, UndirectedGraph, random_dag
from dagwright.graph.textbook_rules import Oriented, alphabetical, orient, rule_1

# Jensen & Nielsen 2007, Section 7.1.1: with rules 1 to 3 only, the choice J -> I leaves no DAG.
KITE = UndirectedGraph.parse("I -- J; I -- K; I -- L; J -- K; J -- L")


def test_the_kite_has_no_dead_end() -> None:
    def toward_i(graph: Pdag) -> tuple[str, str]:
        a, b = graph.undirected_edges[0]
        return (b, a) if a == "I" else (a, b)

    done = orient(KITE, [("K", "J", "L")], choose=toward_i)
    assert ("I", "J") in done.dag.edges
    assert done.dag.v_structures() == (("K", "J", "L"),)
    assert any(step.rule == "Meek 3" and step.arc == ("I", "J") for step in done.trace)
    for seed in range(30):
        assert orient(KITE, [("K", "J", "L")], random_state=seed).dag.cpdag().count() == 3


def test_a_choice_cannot_run_into_the_fourth_rule_of_meek() -> None:
    # After K -> L the edge I - J must become I -> J although no rule of the book says so.
    diamond = UndirectedGraph.parse("I -- J; I -- K; I -- L; K -- L; L -- J")
    wishes = iter([("K", "L"), ("J", "I"), ("I", "J"), ("I", "K"), ("I", "L"), ("K", "I"), ("L", "I")])

    def next_open(graph: Pdag) -> tuple[str, str]:
        return next(wish for wish in wishes if tuple(sorted(wish)) in graph.undirected_edges)

    done = orient(diamond, [], choose=next_open)
    assert any(step.rule == "Meek 4" and step.arc == ("I", "J") for step in done.trace)
    assert done.dag.v_structures() == ()


def test_rule_1_needs_the_separators() -> None:
    skeleton = UndirectedGraph.parse("A -- C -- B; C -- D")
    separators = {("A", "B"): [], ("D", "A"): ["C"], ("B", "D"): ["C"]}
    assert rule_1(skeleton, separators) == (("A", "C", "B"),)
    with pytest.raises(GraphError, match="no separating set"):
        rule_1(skeleton, {("A", "B"): []})
    done = orient(skeleton, rule_1(skeleton, separators))
    assert done.dag == Dag.parse("A -> C <- B; C -> D")
    assert [str(step) for step in done.trace] == [
        "rule 1: A -> C (A -> C <- B)",
        "rule 1: B -> C (A -> C <- B)",
        "rule 2: C -> D (A -> C, A and D not adjacent)",
    ]


def test_conflicting_v_structures_are_named() -> None:
    # Jensen & Nielsen 2007, Figure 7.10: both v-structures claim the edge B - C.
    chain = UndirectedGraph.parse("A -- B -- C -- D")
    with pytest.raises(GraphError, match="'B' and 'C' are joined twice"):
        orient(chain, [("A", "B", "C"), ("B", "C", "D")])
    with pytest.raises(NoExtensionError, match="cycle A -- B -- C -- D -- A"):
        orient(UndirectedGraph.parse("A -- B -- C -- D -- A"), [])
    with pytest.raises(GraphError, match="not an undirected edge"):
        orient(chain, [], choose=lambda _: ("A", "D"))


def test_the_result_is_a_member_of_the_class() -> None:
    def run(dag: Dag, **options: object) -> Oriented:
        return orient(dag.skeleton(), dag.v_structures(), **options)  # type: ignore[arg-type]

    for seed in range(25):
        dag = random_dag(12, degree=3.5, random_state=seed)
        assert run(dag, random_state=seed).dag.equivalent(dag)
        assert run(dag, random_state=seed) == run(dag, random_state=seed)
        first = run(dag, choose=alphabetical)
        assert first.dag.equivalent(dag)
        assert len(first.trace) == len(dag.edges)


@pytest.mark.parametrize(
    ("skeleton", "collider", "reason"),
    [
        ("A -- B; C", ("A", "B", "C"), "needs an edge between 'C' and 'B'"),
        ("A -- B -- C -- A", ("A", "B", "C"), "the skeleton has an edge between 'A' and 'C'"),
    ],
)
def test_v_structures_lie_in_the_skeleton(skeleton: str, collider: tuple[str, str, str], reason: str) -> None:
    with pytest.raises(GraphError, match=reason):
        orient(UndirectedGraph.parse(skeleton), [collider])
