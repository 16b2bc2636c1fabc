"""Checks of graphs of every kind, and background knowledge applied to partially directed graphs."""

from __future__ import annotations

import pytest

from dagwright.errors import KnowledgeError
from dagwright.graph.dag import Dag
from dagwright.graph.pdag import Pdag
from dagwright.graph.undirected import UndirectedGraph
from dagwright.knowledge import Knowledge, apply_knowledge

NAMES = ["A", "B", "C", "D"]


def problems(known: Knowledge, graph: Dag | Pdag | UndirectedGraph) -> list[str]:
    return [violation.problem for violation in known.check(graph)]


def test_a_dag_that_breaks_everything() -> None:
    known = Knowledge(
        required=["A -> B", "C -- D"],
        forbidden=["B -> C"],
        tiers=[["A"], ["B", "C", "D"]],
        max_parents={"A": 0},
    )
    dag = Dag(NAMES, [("B", "C"), ("B", "A")])
    assert [str(violation) for violation in known.check(dag)] == [
        "A has 1 parents (max_parents: at most 0)",
        "B -> A is in the graph (forbidden by max_parents: at most 0 for A; tier 1 before tier 2 (A, B))",
        "B -> C is in the graph (forbidden by forbidden: B -> C)",
        "C -- D is not in the graph (required: C -- D)",
    ]
    with pytest.raises(KnowledgeError, match="violates the knowledge") as caught:
        known.require(dag)
    assert len(caught.value.conflicts) == 4
    known.require(Dag(NAMES, [("A", "B"), ("D", "C")]))


def test_a_missing_required_arc() -> None:
    assert problems(Knowledge(required=["A -> B"]), Dag(NAMES)) == ["A -> B is not in the graph"]


def test_a_pdag_must_direct_what_is_decided() -> None:
    open_chain = Pdag(NAMES, undirected=[("A", "B"), ("B", "C")])
    assert problems(Knowledge(tiers=[["A"], ["B"]]), open_chain) == ["A -- B is not directed A -> B"]
    assert problems(Knowledge(required=["B -> A"]), open_chain) == ["A -- B is not directed B -> A"]
    assert problems(Knowledge(required=["A -- B"]), open_chain) == []
    assert problems(Knowledge(forbidden=["A -- B"]), open_chain) == ["A -- B is in the graph"]


def test_a_pdag_must_have_a_direction_within_the_bounds() -> None:
    triangle = Pdag(NAMES, undirected=[("A", "B"), ("B", "C"), ("A", "C")])
    assert problems(Knowledge(max_parents=1), triangle) == [
        "the edges between A, B, C cannot be oriented without a cycle"
    ]
    assert problems(Knowledge(max_parents=2), triangle) == []
    collider = Pdag(NAMES, directed=[("A", "B"), ("C", "B")])
    assert problems(Knowledge(max_parents=1), collider) == ["B has 2 parents"]


def test_an_undirected_graph_is_checked_for_adjacencies() -> None:
    graph = UndirectedGraph(NAMES, [("A", "B")])
    assert problems(Knowledge(tiers=[["A"], ["B"]], max_parents=1), graph) == []
    assert problems(Knowledge(forbidden=["A -- B"]), graph) == ["A -- B is in the graph"]
    assert problems(Knowledge(required=["B -> C"]), graph) == ["B -> C is not in the graph"]


def test_other_variables_are_refused() -> None:
    resolved = Knowledge().resolve(NAMES)
    with pytest.raises(KnowledgeError, match="different variables: D"):
        resolved.check(Dag(NAMES[:3]))


def test_what_knowledge_decided_is_kept_apart_from_what_follows() -> None:
    tree = Pdag(NAMES, undirected=[("A", "B"), ("B", "C"), ("C", "D")])
    applied = apply_knowledge(tree, Knowledge(tiers=[["B"], ["C"]]))
    assert applied.by_knowledge == (("B", "C"),)
    assert applied.by_rules == (("C", "D"),)
    assert applied.by_data == ()
    assert applied.graph.undirected_edges == (("A", "B"),)
    assert applied.conflicts == ()


def test_the_fourth_rule_acts() -> None:
    # Meek (1995), rule 4: A -- B, A -- C, A -- D, C -> D -> B, with B and C not adjacent: A -> B.
    graph = Pdag(NAMES, undirected=[("A", "B"), ("A", "C"), ("A", "D"), ("C", "D"), ("B", "D")])
    applied = apply_knowledge(graph, Knowledge(required=["C -> D", "D -> B"]))
    assert ("A", "B") in applied.by_rules
    assert applied.conflicts == ()


def test_the_data_keep_their_directions() -> None:
    collider = Pdag(NAMES, directed=[("A", "C"), ("B", "C"), ("C", "D")])
    applied = apply_knowledge(collider, Knowledge(required=["A -> C"]))
    assert applied.by_data == (("A", "C"), ("B", "C"), ("C", "D"))
    assert applied.by_knowledge == applied.by_rules == ()
    assert applied.graph == collider


def test_knowledge_overrules_the_data_and_says_so() -> None:
    collider = Pdag(NAMES, directed=[("A", "C"), ("B", "C")], undirected=[("A", "D")])
    applied = apply_knowledge(collider, Knowledge(roots=["C"], forbidden=["A -- D"], required=["B -> D"]))
    assert applied.by_knowledge == (("B", "D"), ("C", "A"), ("C", "B"))
    assert [text.split(":")[0] for text in applied.conflicts] == [
        "A -- D is removed",
        "B -> D is added",
        "A -> C is turned",
        "B -> C is turned",
    ]


def test_data_that_close_a_cycle_with_the_knowledge_lose_their_direction() -> None:
    path = Pdag(NAMES, directed=[("A", "B"), ("B", "C"), ("D", "C")])
    known = Knowledge(required=["C -> A"])
    applied = apply_knowledge(path, known)
    assert known.check(applied.graph) == []
    assert any("A -> B loses its direction" in text for text in applied.conflicts)
    assert ("D", "C") in applied.by_data


def test_colliders_that_only_the_knowledge_makes_are_reported() -> None:
    chain = Pdag(["A", "B", "C"], undirected=[("A", "B"), ("B", "C")])
    applied = apply_knowledge(chain, Knowledge(leaves=["B"]).resolve(chain.nodes))
    assert applied.graph.directed_edges == (("A", "B"), ("C", "B"))
    assert applied.conflicts == ("A -> B <- C is a collider that the graph did not have",)


def test_a_cycle_of_decided_edges_loses_an_edge() -> None:
    triangle = Pdag(["A", "B", "C"], undirected=[("A", "B"), ("B", "C"), ("A", "C")])
    known = Knowledge(forbidden=["B -> A", "C -> B", "A -> C"])
    applied = apply_knowledge(triangle, known)
    assert known.check(applied.graph) == []
    assert len(applied.graph.directed_edges) == 2
    assert "closes a cycle" in applied.conflicts[0]
