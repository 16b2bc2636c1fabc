from __future__ import annotations

import pytest

from dagwright.errors import FormatError, GraphError, UnknownNameError
from dagwright.graph import Dag, GraphOracle, Query, StatementOracle, UndirectedGraph, as_oracle
from dagwright.graph.oracle import as_query, pairwise_markov_network


def test_a_graph_answers_and_logs_in_order() -> None:
    oracle = GraphOracle(Dag.parse("A -> C; B -> C"))
    verdicts = oracle.test([Query("B", "A", "C"), Query("A", "B"), Query(["A", "B"], "C")])
    assert [verdict.independent for verdict in verdicts] == [False, True, False]
    assert verdicts[0].p_value is None
    assert [(str(query), answer) for query, answer in oracle.log] == [
        ("I(B,A|C)", False),
        ("I(A,B|)", True),
        ("I({A,B},C|)", False),
    ]
    assert oracle.queries == 3


def test_statements_are_symmetric_and_unlisted_means_dependent() -> None:
    oracle = as_oracle(["I(A,B|C,D)", ("E", "A"), Query("B", "C", "A"), "I({A, B}, E | )"])
    assert oracle.nodes == ("A", "B", "C", "D", "E")
    assert oracle.independent("B", "A", ["D", "C"])
    assert not oracle.independent("A", "B", "C")
    assert oracle.independent("A", "E")
    assert oracle.independent("E", ["B", "A"])
    assert oracle.queries == 4


def test_statement_texts() -> None:
    assert as_query('I("a name", B | c d, "e,f")') == Query("a name", "B", ["c d", "e,f"])
    assert as_query("I(A,B)") == Query("A", "B")
    for text in ("A indep B", "I(A)", "I(A,B,C|D)", "I(A B,,C)", "I(A;{B)"):
        with pytest.raises(FormatError, match="cannot read the statement"):
            as_query(text)
    with pytest.raises(GraphError, match="twice"):
        as_query("I(A,B|A)")


def test_unknown_variables_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="'Z'"):
        StatementOracle(["I(A,Z)"], nodes=["A", "B"])
    with pytest.raises(UnknownNameError, match="'Z'"):
        GraphOracle(Dag(["A", "B"])).independent("A", "Z")


def test_the_markov_network_of_an_undirected_oracle_is_its_graph() -> None:
    graph = UndirectedGraph.parse("A -- B -- C -- D -- A; D -- E; F")
    assert pairwise_markov_network(GraphOracle(graph)) == graph
    dag = Dag.parse("A -> C; B -> C; C -> D")
    assert pairwise_markov_network(GraphOracle(dag)) == dag.moral()


def test_an_oracle_is_passed_through() -> None:
    oracle = GraphOracle(Dag(["A", "B"]))
    assert as_oracle(oracle) is oracle
