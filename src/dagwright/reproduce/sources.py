"""Data, graphs and parameters of the texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from dagwright.data import Table
from dagwright.graph.dag import Dag
from dagwright.graph.pdag import Pdag
from dagwright.learning.learn import learn
from dagwright.model import BayesianNetwork


def weighted_table(names: Sequence[str], cells: dict[str, int]) -> Table:
    """Cells such as {"112": 3}: one digit per column, states 1 and 2, weighted rows."""
    codes = np.array([[int(digit) - 1 for digit in cell] for cell in cells])
    return Table(list(names), list(codes.T), [["1", "2"]] * len(names), weights=list(cells.values()))


def table_7_2() -> Table:
    """Jensen & Nielsen 2007, Table 7.2: ten cases of two binary variables."""
    return weighted_table(["X1", "X2"], {"11": 2, "21": 2, "12": 6})


def table_7_4() -> Table:
    """Jensen & Nielsen 2007, Table 7.4: 32 cases of three binary variables."""
    return weighted_table("ABC", {"111": 11, "122": 3, "211": 12, "212": 6})


FIGURE_7_3 = Dag(list("ABCDE"), [("A", "C"), ("A", "D"), ("B", "D"), ("C", "E"), ("D", "E")])


# The graph that Example 7.1 ends in, read from its text: the figure is not available.
EXAMPLE_7_1 = Dag.parse("A -> B; A -> C; C -> F; D -> A; D -> B; D -> F; E -> D; F -> G")


def cold_or_angina() -> Table:
    """A distribution with the pairwise mutual information of Jensen & Nielsen 2007, Table 7.3.

    The book prints the table and not the parameters behind it; these are fitted to the table. Cold
    and Angina are causes of Fever and Sore throat, Angina of Spots.
    """
    cold = np.array([1 - 0.2050646116709972, 0.2050646116709972])
    angina = np.array([0.98844614, 0.00832143, 0.00323243])
    fever = np.array(
        [
            [0.2825662402369029, 0.9989283502844037, 0.7015660879290447],
            [0.4512703766638664, 0.9991803480993401, 0.7717426508957441],
        ]
    )
    sore = np.array(
        [
            [0.00448250335606637, 0.018746982166441772, 0.9991482385797168],
            [0.07691564437613918, 0.09014224991082331, 0.9992102121314412],
        ]
    )
    spots = np.array([0.000482622117, 0.114707258, 0.560100071])
    both = [np.stack([1 - p, p], axis=-1) for p in (fever, sore, spots)]
    joint = np.einsum("c,a,caf,cas,ap->cafsp", cold, angina, *both)
    return Table.from_distribution(joint / joint.sum(), ["Cold", "Angina", "Fever", "Sore", "Spots"])


def _rows(*ones: float) -> list[list[float]]:
    return [[1 - p, p] for p in ones]


def example_1() -> tuple[BayesianNetwork, BayesianNetwork]:
    """The two networks of Lam & Bacchus 1994, Example 1: A -> B -> C with and without A -> C.

    The figure does not print all numbers; these follow from the text, with P(a1) = 0.3.
    """
    states = {"A": ["a0", "a1"], "B": ["b0", "b1"], "C": ["c0", "c1"]}
    shared: dict[str, Any] = {"A": [0.7, 0.3], "B": _rows(0.1, 0.8)}
    full = BayesianNetwork(
        Dag(["A", "B", "C"], [("A", "B"), ("A", "C"), ("B", "C")]),
        states,
        shared | {"C": [_rows(0.2, 0.8), _rows(0.1, 0.7)]},
    )
    chain = BayesianNetwork(
        Dag(["A", "B", "C"], [("A", "B"), ("B", "C")]), states, shared | {"C": _rows(0.15, 0.75)}
    )
    return full, chain


# Lam & Bacchus 1994, Figure 4: P(c1 | b0), P(c1 | b1), and what differs from P(e1 | a, b, c, d) = 0.1.
FIGURE_4 = (
    ((0.2, 0.8), {"1111": 0.9, "1011": 0.15, "1001": 0.08}),
    ((0.2, 0.85), {"1111": 0.9, "1110": 0.09, "1100": 0.11, "1011": 0.8, "0101": 0.13}),
    ((0.15, 0.8), {"1111": 0.9, "1101": 0.8, "1011": 0.12, "0011": 0.087}),
    ((0.2, 0.3), {"1111": 0.9}),
)


def figure_4(number: int) -> BayesianNetwork:
    """Set 1 to 4 of Lam & Bacchus 1994, Figure 4: b -> c and a, b, c, d -> e, with fair roots."""
    c1, exceptions = FIGURE_4[number - 1]
    e1 = np.full((2, 2, 2, 2), 0.1)
    for cell, probability in exceptions.items():
        e1[tuple(map(int, cell))] = probability
    names = ["a", "b", "c", "d", "e"]
    return BayesianNetwork(
        Dag(names, [("b", "c"), *((parent, "e") for parent in "abcd")]),
        {x: [0, 1] for x in names},
        {x: [0.5, 0.5] for x in "abd"} | {"c": _rows(*c1), "e": np.stack([1 - e1, e1], axis=-1)},
    )


def learn_dag(data: Any, **how: Any) -> Dag:
    """`learn` with a search that answers with a DAG."""
    return cast(Dag, learn(data, **how).graph)


def learn_class(data: Any = None, **how: Any) -> Pdag:
    """`learn` with a search that answers with an equivalence class."""
    return cast(Pdag, learn(data, **how).graph)


def arcs(graph: Dag) -> str:
    """The arcs of a graph on one line; "no arcs" if there are none."""
    return ", ".join(f"{start} -> {end}" for start, end in graph.edges) or "no arcs"
