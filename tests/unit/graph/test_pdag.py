from __future__ import annotations

import pickle

import pytest

from dagwright import wire
from dagwright.base.numbering import Numbering
from dagwright.errors import NoExtensionError
from dagwright.graph import Dag, Pdag, UndirectedGraph


def test_parts_of_a_partially_directed_graph() -> None:
    graph = Pdag.parse("A -> C; B -> C; C -- D; D -- E")
    assert graph.parents("C") == ("A", "B")
    assert graph.children("A") == ("C",)
    assert graph.neighbors("D") == ("C", "E")
    assert graph.v_structures() == (("A", "C", "B"),)
    assert graph.chain_components() == [("A",), ("B",), ("C", "D", "E")]
    assert graph.skeleton() == UndirectedGraph.parse("A -- C; B -- C; C -- D; D -- E")
    assert pickle.loads(pickle.dumps(graph)) == graph
    assert not graph.is_cpdag()
    assert graph.closed() == Pdag.parse("A -> C; B -> C; C -> D; D -> E")
    assert graph.cpdag() == graph.closed()
    assert graph.count() == 1


def test_the_fourth_rule_acts_only_with_knowledge() -> None:
    # I - J, I - K, I - L, K -> L -> J with K and J not adjacent: K -> L is knowledge, not a v-structure.
    graph = Pdag.parse("I -- J; I -- K; I -- L; K -> L; L -> J")
    assert ("I", "J") in graph.closed().directed_edges
    assert all(("I", "J") in dag.edges for dag in graph.members())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # Jensen & Nielsen 2007, Figure 7.10: two v-structures that both want the edge B - C.
        ("A -> B; B -- C; D -> C", "B -- C cannot point either way"),
        ("A -- B -- C -- D -- A", "undirected cycle A -- B -- C -- D -- A has no chord"),
        ("A -> B; B -- C; C -- D; E -> D", "v-structure B -> C <- D|C -> D <- E|A -> B <- C"),
        # Z directs C -> A and X directs B -> C, against A -> B.
        ("A -> B; X -> B; Z -> B; Z -> C; B -- C; C -- A", "force the new v-structure C -> B <- X"),
    ],
)
def test_why_there_is_no_extension(text: str, message: str) -> None:
    graph = Pdag.parse(text)
    assert not graph.has_extension()
    assert not graph.is_cpdag()
    for ask in (graph.extension, graph.count, graph.sample, graph.cpdag, lambda: next(graph.members())):
        with pytest.raises(NoExtensionError, match=f"no DAG agrees with this graph: .*({message})"):
            ask()


@pytest.mark.parametrize("text", ["C -> B; A -- C", "A -> B; B -> C", "B -- A", "A; B"])
def test_edges_are_all_edges(text: str) -> None:
    graph = Pdag.parse(text)
    assert graph.edges == tuple(sorted((*graph.directed_edges, *graph.undirected_edges)))
    assert {frozenset(edge) for edge in graph.edges} == {frozenset(edge) for edge in graph.skeleton().edges}


def test_edges_of_a_dag_are_those_of_the_same_graph() -> None:
    dag = Dag.parse("C -> B; A -> B")
    assert Pdag(dag.nodes, dag.edges).edges == dag.edges
    assert wire.to_dict(Pdag.parse("C -> B; A -- C"))["graph"]["edges"] == [["C", "B"]]


def test_an_extendable_graph_that_is_no_chain_graph() -> None:
    graph = Pdag.parse("A -> B; B -- C; C -- A; D -- C; D -- A; D -- B")
    dag = graph.extension()
    assert ("A", "B") in dag.edges
    assert set(dag.v_structures()) == set(graph.v_structures())
    assert graph.count() == len(list(graph.members())) == 12


def test_complete_graphs_have_factorial_classes() -> None:
    names = [f"V{i:02}" for i in range(25)]
    graph = Pdag(names, [], [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]])
    assert graph.count() == 15511210043330985984000000
    tree = Pdag(names, [], [(names[i // 2], names[i]) for i in range(1, 25)])
    assert tree.count() == 25


def test_samples_repeat_with_the_seed() -> None:
    graph = Dag.parse("A -> B -> C -> D -> E; A -> C").cpdag()
    assert graph.sample(7) == graph.sample(7)
    assert len({graph.sample(seed) for seed in range(40)}) > 3


def test_a_graph_can_list_its_nodes_in_another_order() -> None:
    graph = Pdag.parse("A -> B; B -- C")
    listed = graph.listed(["C", "A", "B"])
    assert (listed, listed.nodes) == (graph, ("C", "A", "B"))
    dag = Dag.parse("A -> B; B -> C")
    other = dag.numbered(Numbering(["C", "A", "B"])).listed(["B", "C", "A"])
    assert (other, other.nodes, other.parents("C")) == (dag, ("B", "C", "A"), ("B",))
