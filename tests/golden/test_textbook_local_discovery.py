"""Markov blankets of the examples of the texts, with the questions that lead to them."""

from __future__ import annotations

import pytest

import dagwright as dw
from dagwright.graph.oracle import GraphOracle

# Jensen & Nielsen 2007, Figure 7.3.
FIG_7_3 = dw.Dag(list("ABCDE"), [("A", "C"), ("A", "D"), ("B", "D"), ("C", "E"), ("D", "E")])
BLANKETS = {"A": "BCD", "B": "AD", "C": "ADE", "D": "ABCE", "E": "CD"}
# No DAG has exactly its independences (Pearl 1988, section 3.3).
SQUARE = dw.UndirectedGraph.parse("A -- B -- C -- D -- A")
METHODS = [dw.GrowShrink(), dw.IAMB(), dw.InterIAMB(), dw.FastIAMB(), dw.FdrIAMB()]


def asked(method: object, target: str) -> list[str]:
    oracle = GraphOracle(FIG_7_3)
    dw.blanket(oracle=oracle, target=target, method=method)
    return [f"{query}{'' if independent else '*'}" for query, independent in oracle.log]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
@pytest.mark.parametrize("target", "ABCDE")
def test_blankets_of_figure_7_3(method: object, target: str) -> None:
    assert dw.blanket(oracle=FIG_7_3, target=target, method=method).members == tuple(BLANKETS[target])


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
def test_the_square_is_found_from_all_its_corners(method: object) -> None:
    for target, expected in {"A": "BD", "B": "AC", "C": "BD", "D": "AC"}.items():
        assert dw.blanket(oracle=SQUARE, target=target, method=method).members == tuple(expected)
    found = dw.learn(oracle=SQUARE, search=method)
    assert found.graph == SQUARE
    assert found.warnings == ()


def test_the_blankets_together_are_the_moral() -> None:
    assert dw.learn(oracle=FIG_7_3, search=dw.IAMB()).graph == FIG_7_3.moral()


def test_questions_of_iamb() -> None:
    # An asterisk marks dependence. Growing adds C, D and B, shrinking keeps them all.
    assert asked(dw.IAMB(), "A") == [
        *("I(A,B|)", "I(A,C|)*", "I(A,D|)*", "I(A,E|)*"),
        *("I(A,B|C)", "I(A,D|C)*", "I(A,E|C)*"),
        *("I(A,B|C,D)*", "I(A,E|C,D)"),
        "I(A,E|B,C,D)",
        *("I(A,C|B,D)*", "I(A,D|B,C)*"),
    ]


def test_questions_of_grow_shrink() -> None:
    # The order is C, D, E, B: the dependent ones first.
    assert asked(dw.GrowShrink(), "A") == [
        *("I(A,B|)", "I(A,C|)*", "I(A,D|)*", "I(A,E|)*"),
        *("I(A,D|C)*", "I(A,E|C,D)", "I(A,B|C,D)*"),
        "I(A,E|B,C,D)",
        *("I(A,C|B,D)*", "I(A,D|B,C)*"),
    ]


def test_questions_of_mmpc() -> None:
    # B goes at once and E by {C, D}; D and C stay, since nothing separates them from A.
    oracle = GraphOracle(FIG_7_3)
    assert dw.neighbors(oracle=oracle, target="A", method=dw.MMPC(symmetry="or")).members == ("C", "D")
    assert [str(query) for query, _ in oracle.log] == [
        *("I(A,B|)", "I(A,C|)", "I(A,D|)", "I(A,E|)"),
        *("I(A,D|C)", "I(A,E|C)"),
        *("I(A,E|D)", "I(A,E|C,D)"),
        "I(A,C|D)",
    ]
