"""Textbook numbers of trees and of description lengths.

Jensen & Nielsen 2007 (Exercise 7.15, Example 7.3), Lam & Bacchus 1994, Rebane & Pearl 1987.
"""

from __future__ import annotations

import numpy as np
import pytest

import dagwright as dw
from dagwright.reproduce.sources import cold_or_angina

CELLS = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 0], [1, 0, 1]])
THREE = dw.Table(list("ABC"), list(CELLS.T), [["1", "2"]] * 3, weights=[11, 3, 12, 6])


def test_exercise_7_15() -> None:
    for pair, bits in (("BC", 0.1905937853952042), ("AB", 0.12091656367200691), ("AC", 0.012659105721698836)):
        assert dw.mutual_information(THREE, *pair, unit="bits") == pytest.approx(bits, abs=1e-12)
    found = dw.learn(THREE, search=dw.ChowLiu())
    assert found.graph.skeleton().edges == (("A", "B"), ("B", "C"))
    assert found.score / np.log(2) == pytest.approx(-63.462463531926, abs=1e-9)


def test_the_tree_of_example_7_3() -> None:
    data = cold_or_angina()
    found = dw.learn(data, search=dw.ChowLiu(root="Fever")).graph
    assert str(found) == "Angina -> Sore; Angina -> Spots; Fever -> Angina; Sore -> Cold"
    weight = sum(dw.mutual_information(data, *edge, unit="bits") for edge in found.edges)
    assert weight == pytest.approx(0.072163, abs=2e-6)


def test_weights_by_number_of_arcs_in_table_7_4() -> None:
    """Joining A and B after B and C turns the first arc: with two arcs A -> B <- C is the heaviest."""
    for strategy in ("by-arcs", "every-dag"):
        frontier = dw.learn(THREE, search=dw.MdlSearch(strategy)).notes["frontier"]
        assert [point["weight"] for point in frontier] == pytest.approx(
            [0.0, 0.19059378539520422, 0.4488644887230293, 0.461523594444728], abs=1e-12
        )
        assert frontier[2]["heaviest"] == "A -> B; C -> B"


def test_shortest_descriptions_of_table_7_4() -> None:
    usual = dw.learn(THREE, search=dw.MdlSearch("every-dag"))
    assert str(usual.graph) == "A -> B; C -> B"
    assert usual.optimal
    coarse = dw.learn(THREE, score=dw.MDL(d=16), search=dw.MdlSearch("every-dag"))
    assert coarse.graph.edges == ()
    assert coarse.notes["frontier"][0]["length"] == pytest.approx(121.43079470207675, abs=1e-9)


def test_encoding_of_a_node_with_four_parents() -> None:
    """Section 3.1 of Lam & Bacchus 1994: four parents take 4 log2(n) bits and 324 numbers of d bits."""
    states = {"x": 5, "a": 3, "b": 3, "c": 3, "d": 3}
    data = dw.Table(list(states), [[0]] * 5, [list(range(r)) for r in states.values()])
    dag = dw.Dag(list(states), [(parent, "x") for parent in "abcd"])
    length = dw.description_length(dag, data, d=1.0).by_node["x"]
    assert length.parameters == pytest.approx(324.0)
    assert length.parents == pytest.approx(4 * np.log2(5))


def test_huffman_code_of_the_example() -> None:
    lengths = dw.evidence.code_lengths({"most": 500, "many": 300, **{f"few {at}": 20 for at in range(10)}})
    assert lengths.huffman == 2180
    assert lengths.entropy == pytest.approx(2149.860916204807, abs=1e-9)
    assert lengths.fixed == 4000
    assert lengths.kraft == pytest.approx(1.0)


def test_a_polytree() -> None:
    """A -> C <- B, C -> D: A and B are independent, which makes C a collider, and C -> D follows."""
    a, b, c, d = np.ix_(*[[0, 1]] * 4)
    joint = 0.25 * np.where(c == (a & b), 0.95, 0.05) * np.where(d == c, 0.9, 0.1)
    data = dw.Table.from_distribution(joint, list("ABCD"), sample_size=10_000)
    assert str(dw.learn(data, search=dw.Polytree()).graph) == "A -> C; B -> C; C -> D"
