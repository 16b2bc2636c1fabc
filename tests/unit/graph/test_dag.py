from __future__ import annotations

import pytest

from dagwright.errors import CycleError, UnknownNameError
from dagwright.graph.dag import Dag


def test_equality_ignores_the_order_of_nodes_and_edges() -> None:
    first = Dag(["A", "B", "C"], [("A", "B"), ("B", "C")])
    assert first == Dag(["C", "B", "A"], [("B", "C"), ("A", "B")])
    assert first != Dag(["A", "B", "C"], [("A", "B")])


def test_refuses_cycles_and_unknown_names() -> None:
    with pytest.raises(CycleError):
        Dag(["A", "B"], [("A", "B"), ("B", "A")])
    with pytest.raises(UnknownNameError, match="did you mean 'Smoke'"):
        Dag(["Smoke", "Lung"], [("Smok", "Lung")])
