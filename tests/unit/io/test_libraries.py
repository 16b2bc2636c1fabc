"""Networks as objects of networkx, pgmpy and pyAgrum; the latter two run where they are installed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.errors import DataError, OptionError


def odd(last: list[Any]) -> dw.BayesianNetwork:
    rng = np.random.default_rng(8)
    return dw.BayesianNetwork(
        dw.Dag(["a b", "c", "d", "e"], [("a b", "c"), ("c", "d"), ("a b", "d"), ("e", "d")]),
        {"a b": [1, 2], "c": ["x", "y", "ü"], "d": last, "e": [1, 5, 9]},
        {
            "a b": [0.25, 0.75],
            "c": rng.dirichlet([1, 1, 1], 2),
            "d": rng.dirichlet([1, 1], (3, 2, 3)),
            "e": [0.1, 0.2, 0.7],
        },
        parents={"d": ["c", "a b", "e"]},
        metadata="odd",
    )


def test_networkx() -> None:
    network = odd([True, 1])
    graph = dw.to_networkx(network)
    assert graph.nodes["d"]["parents"] == ["c", "a b", "e"]
    assert sorted(graph.edges) == sorted(network.graph.edges)
    again = dw.from_networkx(graph)
    assert again == network
    assert again.name == "odd"
    assert again.parents("d") == ("c", "a b", "e")
    del graph.nodes["c"]["table"]
    with pytest.raises(DataError, match=r"'c' .* 'table'"):
        dw.from_networkx(graph)


class FakeModel:
    """As much of a pgmpy model as is read: values[child, first parent, last parent]."""

    name = None

    def nodes(self) -> list[Any]:
        return ["b", 7]

    def get_cpds(self, node: Any) -> Any:
        states = {"b": ["u", "v", "w"], 7: [0, 1]}
        if node == 7:
            return SimpleNamespace(variables=[7], values=np.array([0.5, 0.5]), state_names={7: states[7]})
        values = np.array([[0.1, 0.3], [0.2, 0.3], [0.7, 0.4]])
        return SimpleNamespace(variables=["b", 7], values=values, state_names=states)


def test_what_is_read_of_a_pgmpy_model() -> None:
    network = dw.from_pgmpy(FakeModel())
    assert network.nodes == ("b", "7")
    assert network.states("7") == (0, 1)
    np.testing.assert_array_equal(network.table("b"), [[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]])
    model = FakeModel()
    model.get_cpds = lambda node: None  # type: ignore[method-assign]  # noqa: ARG005
    with pytest.raises(DataError, match=r"'b' .* no CPD"):
        dw.from_pgmpy(model)


def test_pgmpy() -> None:
    pytest.importorskip("pgmpy")
    for network in (odd([True, 1]), dw.load("child")):
        model = dw.to_pgmpy(network)
        assert model.check_model()
        assert dw.from_pgmpy(model) == network


def test_pyagrum() -> None:
    gum = pytest.importorskip("pyagrum")
    for network in (odd(["yes", "no"]), dw.load("child")):
        assert dw.from_pyagrum(dw.to_pyagrum(network)) == network
    converted = dw.to_pyagrum(odd(["yes", "no"]))
    assert isinstance(converted, gum.BayesNet)
    table = converted.cpt("d")[{"a b": "2", "c": "ü", "e": "5"}]
    np.testing.assert_allclose(table, odd(["yes", "no"]).table("d")[2, 1, 1])


def test_a_library_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyagrum", None)
    with pytest.raises(OptionError, match="pip install pyagrum"):
        dw.to_pyagrum(dw.load("cancer"))
