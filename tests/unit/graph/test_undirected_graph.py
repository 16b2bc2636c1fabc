from __future__ import annotations

import pytest

from dagwright.errors import UnknownNameError
from dagwright.graph import UndirectedGraph

SQUARE = UndirectedGraph.parse("A -- B -- C -- D -- A")


def test_separation() -> None:
    assert SQUARE.separated("A", "C", ["B", "D"])
    assert not SQUARE.separated("A", "C", "B")
    assert not SQUARE.separated("A", "B", ["C", "D"])
    far = UndirectedGraph(["A", "B", "C", "D"], [("A", "B"), ("C", "D")])
    assert far.separated(["A", "B"], ["C", "D"])
    assert far.components() == [("A", "B"), ("C", "D")]


def test_relatives_and_shape() -> None:
    assert SQUARE.neighbors("A") == ("B", "D")
    assert SQUARE.edges == (("A", "B"), ("A", "D"), ("B", "C"), ("C", "D"))
    assert not SQUARE.is_chordal()
    assert UndirectedGraph.parse("A -- B -- C -- A -- D").is_chordal()
    assert set(SQUARE.minimal_separators("A", "C")) == {frozenset("BD")}
    with pytest.raises(UnknownNameError):
        SQUARE.neighbors("E")
