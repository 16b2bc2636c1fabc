from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest

from dagwright.errors import CycleError, GraphError
from dagwright.graph import Dag, Pdag, UndirectedGraph

GRAPHS = [
    Dag.parse("z -> b; b -> a; z -> a; q"),
    Pdag.parse("z -> b; b -- a; q"),
    UndirectedGraph.parse("z -- b; b -- a; q"),
]


@pytest.mark.parametrize("graph", GRAPHS, ids=lambda graph: type(graph).__name__)
def test_there_and_back(graph: Any) -> None:
    kind = type(graph)
    assert kind.from_numpy(graph.to_numpy(), graph.nodes) == graph
    assert kind.from_networkx(graph.to_networkx()) == graph
    assert kind.from_frame(graph.to_frame(), nodes=graph.nodes) == graph
    assert kind.from_frame(graph.to_frame("pandas"), nodes=graph.nodes) == graph
    assert kind.parse(graph.to_string()) == graph


def test_a_matrix_has_its_rows_in_the_order_of_the_nodes() -> None:
    dag = Dag(["z", "a"], [("z", "a")])
    assert dag.to_numpy().tolist() == [[0, 1], [0, 0]]
    assert Pdag(["z", "a"], [], [("z", "a")]).to_numpy().tolist() == [[0, 1], [1, 0]]
    assert Dag.from_numpy(np.array([[0, 0.7], [0, 0]])) == Dag.parse("X1 -> X2")


def test_frames_of_either_library() -> None:
    dag = Dag.parse("a -> b; c -> b")
    assert isinstance(dag.to_frame(), pl.DataFrame)
    assert dag.to_frame("pandas").equals(
        pd.DataFrame({"from": ["a", "c"], "edge": ["->", "->"], "to": ["b", "b"]}, dtype=str)
    )
    assert Dag.from_frame(pl.DataFrame({"from": ["a", "c"], "to": ["b", "b"]})) == dag
    assert Dag(["a"]).to_frame().shape == (0, 3)


def test_networkx_names_become_text() -> None:
    assert Dag.from_networkx(nx.DiGraph([(1, 2)])) == Dag.parse("1 -> 2")
    graph = GRAPHS[0].to_networkx()
    assert list(graph.nodes) == ["z", "b", "a", "q"]
    assert isinstance(GRAPHS[2].to_networkx(), nx.Graph)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Dag.from_numpy(np.zeros((2, 3))), "square"),
        (lambda: Dag.from_numpy(np.zeros((2, 2)), ["a"]), "2 rows but 1 node"),
        (lambda: Dag.from_numpy(np.ones((2, 2)) - np.eye(2)), "is undirected"),
        (lambda: Dag.from_numpy(np.eye(2)), "is undirected|edge to itself"),
        (lambda: Dag.from_networkx(nx.Graph([("a", "b")])), "is undirected"),
        (lambda: Dag.from_frame(pl.DataFrame({"a": ["x"]})), "'from' and 'to'"),
        (lambda: Pdag.from_frame(pl.DataFrame({"from": ["x"], "edge": ["=>"], "to": ["y"]})), "'=>'"),
        (lambda: Dag.from_networkx(nx.DiGraph([("a", "b"), ("b", "c"), ("c", "a")])), "a -> b -> c -> a"),
    ],
)
def test_what_is_no_graph_is_refused(build: Any, message: str) -> None:
    with pytest.raises((GraphError, CycleError), match=message):
        build()


@pytest.mark.parametrize("make", [Dag, Pdag, UndirectedGraph])
def test_a_graph_is_not_taken_for_a_list_of_nodes(make: Any) -> None:
    with pytest.raises(GraphError, match=r"a list of names, not a graph: .*; from_networkx\(\) reads it"):
        make(nx.DiGraph([("a", "b")]))
