from __future__ import annotations

from itertools import pairwise

import pytest

from dagwright.errors import CycleError, FormatError, GraphError
from dagwright.graph import Dag, Pdag, UndirectedGraph

ODD_NAMES = [
    "a b",
    'say "hi"',
    "x->y",
    "p--q",
    "semi;colon",
    "back\\slash",
    "line\nbreak",
    "",
    "ünïcode",
    "a-b",
    "-",
    " ",
]


def test_odd_names_survive() -> None:
    dag = Dag(ODD_NAMES, list(pairwise(ODD_NAMES)))
    assert Dag.parse(dag.to_string()) == dag
    alone = Dag(ODD_NAMES)
    assert Dag.parse(alone.to_string()) == alone


def test_chains_backward_arrows_and_lines() -> None:
    pdag = Pdag.parse("A -> B <- C\nB -- D; E;\n\n")
    assert pdag.directed_edges == (("A", "B"), ("C", "B"))
    assert pdag.undirected_edges == (("B", "D"),)
    assert pdag.nodes == ("A", "B", "C", "D", "E")
    assert str(pdag) == "A -> B; B -- D; C -> B; E"
    assert Pdag.parse("A->B--C") == Pdag("ABC".replace("", " ").split(), [("A", "B")], [("B", "C")])


def test_the_short_form_evaluates_to_the_graph() -> None:
    dag = Dag.parse('A -> "b c"; D')
    assert eval(repr(dag)) == dag


@pytest.mark.parametrize("text", ["A -> ", "-> A", "A -> -> B", "A B", "A -> ; B", 'A -> "B', "A > B"])
def test_text_that_is_no_graph_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match="write for example"):
        Pdag.parse(text)


def test_the_wrong_kind_of_edge_is_named() -> None:
    with pytest.raises(GraphError, match="'A' -- 'B'"):
        Dag.parse("A -- B")
    with pytest.raises(GraphError, match="'A' -> 'B'"):
        UndirectedGraph.parse("A -> B")
    with pytest.raises(GraphError, match=r"joined twice, by A -> B and by A -- B"):
        Pdag.parse("A -> B; A -- B")
    with pytest.raises(GraphError, match="joined twice"):
        Pdag.parse("A -> B; B -> A")
    with pytest.raises(CycleError, match="A -> B -> C -> A"):
        Pdag.parse("A -> B -> C -> A; D -- A")


def test_model_strings_of_bnlearn_are_read() -> None:
    assert Dag.parse("[A][B|A][C|A:B]") == Dag.parse("A -> B; A -> C; B -> C")
    assert Dag.parse(" [A] [x y|A] ") == Dag(["A", "x y"], [("A", "x y")])
    for text in ("[A][]", "[A][B|]", "[A][A]"):
        with pytest.raises(FormatError, match="the model string has"):
            Dag.parse(text)


def test_a_name_in_brackets_is_written_so_that_it_is_read_back() -> None:
    for graph in (Dag(["[0,1]"]), Dag(["[0,1]", "[1,2]"], [("[0,1]", "[1,2]")])):
        assert Dag.parse(str(graph)) == graph
