"""Graphs as immutable values: DAGs, partially directed and undirected graphs, and their algorithms."""

from dagwright.graph.comparison import Comparison, compare
from dagwright.graph.counting import count_dags, count_equivalence_classes
from dagwright.graph.dag import Dag
from dagwright.graph.mag import Mag
from dagwright.graph.oracle import GraphOracle, Oracle, StatementOracle, as_oracle
from dagwright.graph.pag import Pag
from dagwright.graph.pdag import Pdag
from dagwright.graph.query import Query, Verdict
from dagwright.graph.random_graph import random_dag
from dagwright.graph.textbook_rules import orient
from dagwright.graph.undirected import UndirectedGraph

__all__ = [
    "Comparison",
    "Dag",
    "GraphOracle",
    "Mag",
    "Oracle",
    "Pag",
    "Pdag",
    "Query",
    "StatementOracle",
    "UndirectedGraph",
    "Verdict",
    "as_oracle",
    "compare",
    "count_dags",
    "count_equivalence_classes",
    "orient",
    "random_dag",
]
