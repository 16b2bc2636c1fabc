"""Numbers and graphs of Jensen & Nielsen (2007), Chapter 7, where needed in corrected form."""

from __future__ import annotations

from itertools import combinations

from dagwright.graph import Dag, GraphOracle, Pdag, StatementOracle, UndirectedGraph
from dagwright.graph.counting import (
    all_dags,
    count_dags,
    count_dags_in_tiers,
    count_dags_on_order,
    count_equivalence_classes,
)
from dagwright.graph.equivalence import upper_neighbors

# Figure 7.3; the same graph serves the run of Section 7.1.3.
FIGURE_7_3 = Dag.parse("A -> C; A -> D; B -> D; C -> E; D -> E")


def edges(*texts: str) -> set[tuple[str, str]]:
    return {(text[0], text[-1]) for text in texts}


def test_number_of_dags() -> None:
    exact = {
        6: 3781503,
        7: 1138779265,
        8: 783702329343,
        10: 4175098976430598143,
        12: 521939651343829405020504063,
        15: 237725265553410354992180218286376719253505,
        20: 2344880451051088988152559855229099188899081192234291298795803236068491263,
    }
    assert [count_dags(n) for n in range(1, 6)] == [1, 3, 25, 543, 29281]
    assert {n: count_dags(n) for n in exact} == exact
    # Table 7.1 rounds all to two digits; for n = 20 it prints 2.35e72, which should be 2.34e72.
    printed = {9: "1.2e+15", 13: "1.9e+31", 18: "9.9e+58", 22: "1.1e+87", 24: "9.4e+102"}
    assert {n: f"{float(count_dags(n)):.1e}" for n in printed} == printed
    assert f"{float(count_dags(20)):.2e}" == "2.34e+72"


def test_orders_and_tiers() -> None:
    assert count_dags_on_order(10) == 35184372088832
    assert count_dags_in_tiers([2, 2, 3, 3]) == 773094113280000


def test_expert_statements_cut_by_these_factors() -> None:
    """Section 7.3.2 says "between 2 and 3"; counted, an arc that is present cuts by more than 3."""
    totals = {2: (3, 1, 1), 3: (25, 9, 8), 4: (543, 207, 168)}
    for n, (total, absent, directed) in totals.items():
        dags = list(all_dags(n))
        assert len(dags) == total
        assert sum((0, 1) not in arcs and (1, 0) not in arcs for arcs in dags) == absent
        assert sum((0, 1) in arcs for arcs in dags) == directed


def test_number_of_equivalence_classes() -> None:
    assert [count_equivalence_classes(n) for n in range(1, 6)] == [1, 2, 11, 185, 8782]


def test_hierarchy_of_the_classes_of_three_variables() -> None:
    """Figure 7.17: per number of arcs, how many classes are one arc above each class, and the class sizes."""
    classes = {Dag(list("ABC"), [("ABC"[a], "ABC"[b]) for a, b in arcs]).cpdag() for arcs in all_dags(3)}
    rows: dict[int, list[tuple[int, int]]] = {}
    for essential in classes:
        size = len(essential.skeleton().edges)
        rows.setdefault(size, []).append((len(upper_neighbors(essential)), essential.count()))
    assert {size: sorted(row) for size, row in rows.items()} == {
        0: [(3, 1)],
        1: [(4, 2), (4, 2), (4, 2)],
        2: [(1, 1), (1, 1), (1, 1), (1, 3), (1, 3), (1, 3)],
        3: [(0, 6)],
    }


def test_independences_of_figure_7_3() -> None:
    """The printed list lacks I(B,E|A,D); these are all thirteen."""
    oracle = GraphOracle(FIGURE_7_3)
    found = []
    for a, b in combinations("ABCDE", 2):
        others = [node for node in "ABCDE" if node not in (a, b)]
        for size in range(4):
            found += [
                f"I({a},{b}|{','.join(given)})"
                for given in combinations(others, size)
                if oracle.independent(a, b, given)
            ]
    assert sorted(found) == [
        "I(A,B|)",
        "I(A,B|C)",
        "I(A,E|B,C,D)",
        "I(A,E|C,D)",
        "I(B,C|)",
        "I(B,C|A)",
        "I(B,C|A,D)",
        "I(B,C|A,D,E)",
        "I(B,E|A,C,D)",
        "I(B,E|A,D)",
        "I(B,E|C,D)",
        "I(C,D|A)",
        "I(C,D|A,B)",
    ]
    assert oracle.queries == 80


def test_essential_graph_of_section_7_1_3() -> None:
    essential = FIGURE_7_3.cpdag()
    assert set(essential.directed_edges) == edges("A->D", "B->D", "C->E", "D->E")
    assert set(essential.undirected_edges) == edges("A-C")
    assert essential.count() == 2


def test_example_7_1_and_figure_7_4() -> None:
    final = Dag.parse("A -> B; A -> C; C -> F; D -> A; D -> B; D -> F; E -> D; F -> G")
    assert final.v_structures() == (("C", "F", "D"),)
    essential = final.cpdag()
    assert set(essential.directed_edges) == edges("C->F", "D->F", "F->G")
    assert set(essential.undirected_edges) == edges("A-B", "A-C", "A-D", "B-D", "D-E")
    assert essential.count() == 10
    fixed = edges("C->F", "D->F", "F->G")
    expected = [
        edges("A->B", "A->C", "A->D", "B->D", "D->E"),
        edges("A->B", "A->C", "A->D", "D->B", "D->E"),
        edges("A->B", "A->D", "B->D", "C->A", "D->E"),
        edges("A->B", "A->D", "C->A", "D->B", "D->E"),
        edges("A->C", "A->D", "B->A", "B->D", "D->E"),
        edges("A->B", "A->C", "D->A", "D->B", "D->E"),
        edges("A->B", "A->C", "D->A", "D->B", "E->D"),
        edges("A->C", "B->A", "B->D", "D->A", "D->E"),
        edges("A->C", "B->A", "D->A", "D->B", "D->E"),
        edges("A->C", "B->A", "D->A", "D->B", "E->D"),
    ]
    members = [set(dag.edges) for dag in essential.members()]
    assert len(members) == 10
    assert all(fixed | free in members for free in expected)


def test_exercise_7_3() -> None:
    answer = Dag.parse("C -> B; C -> E; D -> B; D -> E; E -> A")
    assert answer.v_structures() == (("C", "B", "D"), ("C", "E", "D"))
    assert answer.cpdag() == Pdag(answer.nodes, answer.edges)
    assert answer.cpdag().count() == 1
    listed = ["I(C,D|)", "I(A,B|E)", "I(A,C|E)", "I(A,D|E)", "I(B,E|C,D)"]
    assert all(GraphOracle(answer).independent(q.x, q.y, q.given) for q in StatementOracle(listed).statements)


def test_kite_that_refutes_the_claim_about_rule_4() -> None:
    kite = Pdag.parse("K -> J <- L; I -- J; I -- K; I -- L")
    essential = kite.cpdag()
    assert set(essential.directed_edges) == edges("I->J", "K->J", "L->J")
    assert set(essential.undirected_edges) == edges("I-K", "I-L")
    assert essential.count() == 3
    assert not any(("J", "I") in dag.edges for dag in essential.members())


def test_conflict_of_figure_7_10() -> None:
    """With a hidden cause of B and C no DAG over A, B, C, D alone has the same independences."""
    hidden = Dag.parse("A -> B <- H -> C <- D")
    pairs = [pair for pair in combinations("ABCD", 2) if hidden.d_separated(*pair)]
    assert pairs == [("A", "C"), ("A", "D"), ("B", "D")]
    skeleton = UndirectedGraph.parse("A -- B -- C -- D")
    assert not Pdag(skeleton.nodes, [("A", "B"), ("D", "C")], [("B", "C")]).has_extension()
