from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys

import pytest

from dagwright.errors import CycleError, GraphError, NoExtensionError, UnknownNameError
from dagwright.graph import Dag, Pag, Pdag, UndirectedGraph, random_dag
from dagwright.graph.graph_like import as_dag

ASIA = Dag.parse(
    "asia -> tub; smoke -> lung; smoke -> bronc; tub -> either; lung -> either; either -> xray;"
    "either -> dysp; bronc -> dysp"
)


def test_equality_and_hash_ignore_the_order_of_nodes_and_edges() -> None:
    first = Dag(["A", "B", "C"], [("A", "B"), ("B", "C")])
    second = Dag(["C", "B", "A"], [("B", "C"), ("A", "B"), ("A", "B")])
    assert first == second
    assert hash(first) == hash(second)
    assert second.nodes == ("C", "B", "A")
    assert first != Dag(["A", "B", "C"], [("A", "B")])
    assert first != Dag(["A", "B", "C", "D"], [("A", "B"), ("B", "C")])
    assert first != UndirectedGraph(["A", "B", "C"], [("A", "B"), ("B", "C")])


def test_the_order_of_nodes_reaches_no_result() -> None:
    turned = Dag(reversed(ASIA.nodes), reversed(ASIA.edges))
    assert turned.edges == ASIA.edges
    assert turned.topological_order() == ASIA.topological_order()
    assert turned.cpdag().extension().edges == ASIA.cpdag().extension().edges
    assert [d.edges for d in turned.cpdag().members()] == [d.edges for d in ASIA.cpdag().members()]
    assert turned.cpdag().sample(5).edges == ASIA.cpdag().sample(5).edges


def test_the_hash_is_the_same_in_every_process() -> None:
    code = "from dagwright.graph import Dag; print(hash(Dag.parse('A -> B; B -> C; D')))"
    seen = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
        seen.add(int(done.stdout))
    assert seen == {hash(Dag.parse("A -> B; B -> C; D"))}


def test_a_cycle_is_spelled_out() -> None:
    with pytest.raises(CycleError, match=r"^the edges form a directed cycle: A -> B -> C -> A$"):
        Dag(["D", "C", "B", "A"], [("A", "B"), ("B", "C"), ("C", "A"), ("D", "A")])
    with pytest.raises(CycleError, match=r"A -> B -> A"):
        Dag(["A", "B"], [("A", "B"), ("B", "A")])


def test_errors_speak_of_edges() -> None:
    with pytest.raises(GraphError, match=r"^there is no edge 'A' -> 'B' to remove$"):
        Dag(["A", "B"]).with_edges(remove=[("A", "B")])
    with pytest.raises(GraphError, match=r"^the graph is a PAG, in which variables may be hidden"):
        as_dag(Pag.parse("A o-> B"))
    with pytest.raises(NoExtensionError, match="its directed edges force the new v-structure"):
        Pdag.parse("A -> B; X -> B; Z -> B; Z -> C; B -- C; C -- A").extension()


@pytest.mark.parametrize(
    ("nodes", "edges", "message"),
    [
        (["Smoke", "Lung"], [("Smok", "Lung")], "did you mean 'Smoke'"),
        (["A", "A"], [], "'A' is given twice"),
        (["A", 3], [], "3 is int"),
        ("AB", [], "use parse"),
        (["A", "B"], [("A", "A")], "edge to itself"),
        (["A", "B"], ["AB"], "pair of node names"),
        (["A", "B"], [("A", "B", "C")], "pair of node names"),
    ],
)
def test_unusable_nodes_and_edges_are_named(
    nodes: list[str], edges: list[tuple[str, str]], message: str
) -> None:
    with pytest.raises((GraphError, UnknownNameError), match=message):
        Dag(nodes, edges)


def test_an_unknown_node_is_met_with_the_nearest_name() -> None:
    for ask in (ASIA.parents, ASIA.children, ASIA.markov_blanket, ASIA.ancestors, ASIA.descendants):
        with pytest.raises(UnknownNameError, match="did you mean 'smoke'"):
            ask("smok")
    with pytest.raises(UnknownNameError, match="did you mean 'tub'"):
        ASIA.d_separated("asia", "smoke", given=["tubb"])


def test_relatives() -> None:
    assert ASIA.parents("dysp") == ("bronc", "either")
    assert ASIA.children("smoke") == ("bronc", "lung")
    assert ASIA.ancestors("xray") == ("asia", "either", "lung", "smoke", "tub")
    assert ASIA.descendants(["asia", "bronc"]) == ("dysp", "either", "tub", "xray")
    assert ASIA.markov_blanket("lung") == ("either", "smoke", "tub")
    assert ASIA.topological_order() == ("asia", "smoke", "bronc", "lung", "tub", "either", "dysp", "xray")
    assert ASIA.v_structures() == (("bronc", "dysp", "either"), ("lung", "either", "tub"))
    assert ("lung", "tub") in ASIA.moral().edges
    assert len(ASIA.skeleton().edges) == 8
    assert len(ASIA.moral().edges) == 10
    assert ASIA.ancestral(["lung"]) == Dag(["lung", "smoke"], [("smoke", "lung")])
    assert ASIA.adjacent("xray", "either")
    assert not ASIA.adjacent("asia", "smoke")
    assert len(ASIA) == 8
    assert "asia" in ASIA
    assert "Asia" not in ASIA


def test_d_separation_of_sets() -> None:
    assert ASIA.d_separated("asia", "smoke")
    assert ASIA.d_separated(["asia", "tub"], ["smoke", "bronc"])
    assert not ASIA.d_separated("asia", "smoke", given="xray")
    assert ASIA.d_separated("xray", ["asia", "smoke"], given="either")
    with pytest.raises(GraphError, match="'asia' twice"):
        ASIA.d_separated("asia", "smoke", given="asia")
    with pytest.raises(GraphError, match="at least one"):
        ASIA.d_separated([], "smoke")


def test_minimal_separators() -> None:
    found = set(ASIA.minimal_separators("smoke", "dysp"))
    assert found == {frozenset({"bronc", "either"}), frozenset({"bronc", "lung"})}
    assert list(ASIA.minimal_separators("asia", "smoke")) == [frozenset()]
    assert list(ASIA.minimal_separators("asia", "tub")) == []


def test_values_cannot_be_changed_and_can_be_copied_and_pickled() -> None:
    with pytest.raises(AttributeError, match="cannot be changed"):
        ASIA._nodes = None  # type: ignore[assignment]
    with pytest.raises(AttributeError, match="cannot be changed"):
        del ASIA._native
    assert pickle.loads(pickle.dumps(ASIA)) == ASIA
    assert pickle.loads(pickle.dumps(ASIA)).nodes == ASIA.nodes
    assert copy.deepcopy(ASIA) == ASIA


def test_new_graphs_from_old_ones() -> None:
    chain = Dag.parse("A -> B -> C")
    assert chain.with_edges(add=[("A", "C")], remove=[("B", "C")]) == Dag.parse("A -> B; A -> C")
    assert chain.renamed({"A": "Z"}) == Dag.parse("Z -> B -> C")
    assert chain.subgraph(["A", "C"]) == Dag(["A", "C"])
    assert Dag.from_edges([("B", "C"), ("A", "B")]) == chain
    assert Dag.from_parents({"C": ["A", "B"], "D": []}) == Dag(["A", "B", "C", "D"], [("A", "C"), ("B", "C")])
    with pytest.raises(GraphError, match="no edge 'C' -> 'A'"):
        chain.with_edges(remove=[("C", "A")])
    with pytest.raises(UnknownNameError):
        chain.renamed({"Q": "A"})


def test_graphs_without_edges_or_nodes() -> None:
    empty = Dag([])
    assert empty.edges == ()
    assert empty.topological_order() == ()
    assert empty.cpdag().count() == 1
    assert empty.as_text() == ""
    assert Dag.parse("") == empty
    lone = Dag(["A"])
    assert lone.cpdag().extension() == lone
    assert lone.markov_blanket("A") == ()


def test_five_thousand_nodes() -> None:
    dag = random_dag(5000, degree=4, random_state=3)
    essential = dag.cpdag()
    assert essential.extension().cpdag() == essential
    assert essential.closed() == essential
    assert dag.equivalent(essential.sample(1))
    assert len(dag.topological_order()) == 5000


def test_a_complete_graph_of_many_nodes() -> None:
    names = [f"V{i:03}" for i in range(300)]
    dag = Dag(names, [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]])
    assert not dag.cpdag().directed_edges
    assert dag.cpdag().extension().equivalent(dag)
