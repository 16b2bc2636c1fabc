"""Graphs with marked edges as values: text, JSON, pickles, Graphviz, comparison."""

from __future__ import annotations

import copy
import pickle

import pytest

import dagwright as dw
from dagwright.graph.mark_notation import has_marks

TEXT = "A -> B; B <-> C; C -- D; D o-> B; E o- A; E o-o F; G"


def test_text_there_and_back() -> None:
    pag = dw.Pag.parse(TEXT)
    assert str(pag) == TEXT
    assert dw.Pag.parse("B <- A; C <-> B; D -- C; B <-o D; A -o E; F o-o E\nG") == pag
    assert pag.nodes == tuple("ABCDEFG")
    assert repr(pag) == f"Pag.parse({TEXT!r})"
    assert repr(dw.Pag([f"x{at}" for at in range(31)])) == "<Pag: 31 nodes, 0 edges>"


def test_marks_and_neighbors() -> None:
    pag = dw.Pag.parse(TEXT)
    assert [pag.mark("A", "B"), pag.mark("B", "A"), pag.mark("B", "D"), pag.mark("A", "C")] == [
        "arrow",
        "tail",
        "circle",
        None,
    ]
    assert pag.neighbors("B") == ("A", "C", "D")
    assert pag.directed_edges == (("A", "B"),)
    assert pag.bidirected_edges == (("B", "C"),)
    assert pag.undirected_edges == (("C", "D"),)
    assert pag.skeleton().edges == (("A", "B"), ("A", "E"), ("B", "C"), ("B", "D"), ("C", "D"), ("E", "F"))
    assert pag.adjacent("B", "A")
    assert "G" in pag
    assert len(pag) == 7


@pytest.mark.parametrize("name", ["o-o", "o->", "o-", "o", "-o", "a o-> b", "--", 'say "o"', "x-o", "\n"])
def test_any_name_survives(name: str) -> None:
    pag = dw.Pag([name, "B"], [(name, "o->", "B")])
    assert dw.Pag.parse(str(pag)) == pag
    assert dw.Pag.from_json(pag.to_json()) == pag
    assert dw.Pag([name]) == dw.Pag.parse(str(dw.Pag([name])))


def test_equal_values_are_equal_in_every_process() -> None:
    pag = dw.Pag.parse(TEXT)
    other = dw.Pag(reversed(pag.nodes), pag.edges)
    assert pag == other
    assert hash(pag) == hash(other)
    assert pickle.loads(pickle.dumps(pag)) == pag
    assert copy.deepcopy(pag) is pag
    assert dw.Mag.parse("A -> B") != dw.Pag.parse("A -> B")
    assert hash(dw.Mag.parse("A -> B")) != hash(dw.Pag.parse("A -> B"))
    assert dw.Pag.parse("A o-> B") != dw.Pag.parse("B o-> A")
    with pytest.raises(AttributeError, match="cannot be changed"):
        pag._ends = ()


def test_graphviz() -> None:
    assert dw.Pag.parse('A o-> B; "say \\"x\\""').to_dot().splitlines() == [
        "digraph pag {",
        "  edge [dir=both];",
        '  "A";',
        '  "B";',
        '  "say \\"x\\"";',
        '  "A" -> "B" [arrowtail=odot, arrowhead=normal];',
        "}",
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("A o-> B; B o-o A", "joined twice"),
        ("A o-> A", "edge to itself"),
        ("A o->", "no name after it"),
        ("o-> A", "must alternate"),
        ("A B", "must alternate"),
        ("A > B", "cannot read"),
    ],
)
def test_unreadable_text(text: str, problem: str) -> None:
    with pytest.raises(dw.DagwrightError, match=problem):
        dw.Pag.parse(text)


def test_edges_are_triples_with_known_arrows() -> None:
    with pytest.raises(dw.GraphError, match="triple"):
        dw.Pag(["A", "B"], [("A", "B")])
    with pytest.raises(dw.UnknownNameError, match="=>"):
        dw.Pag(["A", "B"], [("A", "=>", "B")])
    with pytest.raises(dw.FormatError, match="not the JSON"):
        dw.Pag.from_json("{}")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("A o-> B", "has a circle"),
        ("A -> B -> C -> A", "not ancestral"),
        ("A -> B -> C; A <-> C", "'A', an ancestor of 'C'"),
        ("A -- B <-> C", "'B' has an undirected edge and an arrowhead"),
    ],
)
def test_what_is_no_ancestral_graph_is_refused(text: str, problem: str) -> None:
    with pytest.raises(dw.GraphError, match=problem):
        dw.Mag.parse(text)


def test_a_graph_that_is_not_maximal() -> None:
    # A <-> B <-> C <-> D with B -> D and C -> A: B and C are colliders and ancestors of the ends.
    mag = dw.Mag.parse("A <-> B; B <-> C; C <-> D; B -> D; C -> A")
    assert mag.inseparable() == [("A", "D")]
    assert not mag.is_maximal()
    assert dw.Mag.parse("A <-> B; B <-> C; C <-> D; B -> D; C -> A; A <-> D").is_maximal()


def test_hidden_and_selection_nodes() -> None:
    dag = dw.Dag.parse("A -> B <- H -> C; A -> S <- C; C -> D")
    assert str(dag.latent_projection(hidden="H")) == "A -> B; A -> S; B <-> C; C -> D; C -> S"
    assert str(dag.latent_projection(hidden="H", selection="S")) == "A -- C; A -> B; C -> B; C -> D"
    assert dag.latent_projection().directed_edges == dag.edges
    with pytest.raises(dw.GraphError, match="both hidden and a selection"):
        dag.latent_projection("H", "H")
    with pytest.raises(dw.UnknownNameError, match="'X'"):
        dag.latent_projection(hidden="X")


def test_a_class_without_members() -> None:
    for text in ("A o-o B; B o-o C; C o-o D; D o-o A", "A -> B; B -> C; C -> A", "A o-> B; B -> C; A <-> C"):
        pag = dw.Pag.parse(text)
        assert not pag.is_valid()
    with pytest.raises(dw.GraphError, match="no ancestral graph"):
        dw.Pag.parse("A o-o B; B o-o C; C o-o D; D o-o A").mag()
    assert not dw.Pag.parse("A o-> B").is_valid()
    assert dw.Pag.parse("A o-o B").is_valid()


def test_comparison_mark_by_mark() -> None:
    truth, guess = dw.Pag.parse("A o-> B; B <-> C; C -> D"), dw.Pag.parse("A o-> B; B -> C; A o-o D; C; D")
    found = dw.compare(truth, guess)
    assert found.shd == 3
    assert found.missing == (("C", "->", "D"),)
    assert found.extra == (("A", "o-o", "D"),)
    assert found.changed == (("B", "<->", "C"),)
    assert not found.equivalent
    assert (found.skeleton_precision, found.skeleton_recall, found.skeleton_f1) == (2 / 3, 2 / 3, 2 / 3)
    assert (found.arrowhead_precision, found.arrowhead_recall, found.arrowhead_f1) == (1.0, 0.5, 2 / 3)
    assert (found.tail_precision, found.tail_recall, found.tail_f1) == (0.0, 0.0, 0.0)
    assert str(found).splitlines()[1:] == ["+ A o-o D", "~ B <-> C  is  B -> C", "- C -> D"]


def test_comparison_with_a_dag_compares_classes() -> None:
    dag = dw.Dag.parse("A -> C <- B; C -> D")
    pag = dw.Pag.parse("A o-> C; B o-> C; C -> D")
    assert dw.compare(dag, pag).equivalent
    assert dw.compare(pag, dag.cpdag()).equivalent
    assert dw.compare(dag.latent_projection(), dag).equivalent
    assert not dw.compare(dag, dw.Pag.parse("A o-o B; C")).equivalent  # D is alone in the second


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("A o-> B", True),
        ("A <-> B", True),
        ("A -> B; B -- C", False),
        ('"o-o" -> B', False),
        ("o -> B", False),
    ],
)
def test_texts_with_marks_are_recognized(text: str, marked: bool) -> None:
    assert has_marks(text) == marked
