from __future__ import annotations

import pytest

from dagwright.errors import CapacityError, GraphError
from dagwright.graph import Dag, Pdag, compare, random_dag, reference


def test_differences_of_two_dags() -> None:
    truth = Dag.parse("A -> B; B -> C; D -> C; E")
    guess = Dag.parse("B -> A; B -> C; C -> E; D")
    found = compare(truth, guess)
    assert found.missing == (("D", "C"),)
    assert found.extra == (("C", "E"),)
    assert found.reversed == (("A", "B"),)
    assert found.dag_shd == 3
    # Essential graphs: A - B, B -> C, D -> C against B - A, B - C, C - E.
    assert found.shd == 3
    assert found.skeleton_precision == pytest.approx(2 / 3)
    assert found.skeleton_recall == pytest.approx(2 / 3)
    assert found.skeleton_f1 == pytest.approx(2 / 3)
    assert (found.arrowhead_precision, found.arrowhead_recall, found.arrowhead_f1) == (1.0, 0.0, 0.0)
    assert found.diff == "~ A -> B  is  B -> A\n- D -> C\n+ C -> E"
    assert "structural Hamming distance 3" in str(found)
    assert '"D" -> "C" [color=red, style=dashed];' in found.to_dot()


def test_equal_and_equivalent_graphs() -> None:
    chain, turned = Dag.parse("A -> B -> C"), Dag.parse("C -> B -> A")
    found = compare(chain, turned)
    assert (found.shd, found.dag_shd, found.equivalent) == (0, 2, True)
    same = compare(chain, chain)
    assert (same.shd, same.dag_shd, same.sid, same.diff) == (0, 0, 0, "")
    assert same.skeleton_f1 == same.arrowhead_f1 == 1.0
    mixed = compare(chain, chain.cpdag())
    assert (mixed.shd, mixed.dag_shd) == (0, 2)
    assert mixed.diff.splitlines()[0] == "~ A -> B  is  A -- B"


def test_intervention_distance_of_the_paper() -> None:
    # Peters & Bühlmann 2015, Example 1: both estimates have Hamming distance 1.
    arcs = [(x, y) for x in ("X1", "X2") for y in ("Y1", "Y2", "Y3")]
    nodes = ["X1", "X2", "Y1", "Y2", "Y3"]
    truth = Dag(nodes, [*arcs, ("X1", "X2")])
    more = compare(truth, Dag(nodes, [*arcs, ("X1", "X2"), ("Y1", "Y2")]))
    turned = compare(truth, Dag(nodes, [*arcs, ("X2", "X1")]))
    assert (more.dag_shd, more.sid) == (1, 0)
    assert (turned.dag_shd, turned.sid) == (1, 8)


def test_intervention_distance_equals_the_definition() -> None:
    for seed in range(60):
        truth = random_dag(6, degree=2.5, random_state=seed)
        guess = random_dag(6, degree=2.5, random_state=1000 + seed)
        assert compare(truth, guess).sid == reference.structural_intervention_distance(truth, guess)


def test_intervention_distance_of_a_class_is_a_range() -> None:
    for seed in range(15):
        truth = random_dag(6, degree=2.5, random_state=seed)
        essential = random_dag(6, degree=2.5, random_state=2000 + seed).cpdag()
        distances = [compare(truth, member).sid for member in essential.members()]
        assert compare(truth, essential).sid_bounds == (min(distances), max(distances))
    pair = compare(Dag.parse("A -> B"), Pdag.parse("A -- B"))
    with pytest.raises(GraphError, match="from 0 to 2"):
        _ = pair.sid
    with pytest.raises(GraphError, match="needs a Dag"):
        _ = compare(Pdag.parse("A -- B"), Dag.parse("A -> B")).sid
    names = [f"V{i}" for i in range(9)]
    complete = Pdag(names, [], [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]])
    with pytest.raises(CapacityError, match="362880 members"):
        _ = compare(Dag(names), complete).sid_bounds


def test_graphs_over_different_nodes() -> None:
    assert compare(Dag(["A", "B"]), Dag(["A", "B", "C"])).shd == 0
    with pytest.raises(GraphError, match="only the first has 'B', only the second 'C'"):
        compare(Dag(["A", "B"]), Dag(["A", "C"]))
