"""One column that varies gives a graph without arcs, not a refusal."""

from __future__ import annotations

from typing import Any

import pytest

import dagwright as dw
from dagwright.methods.registry import Entry, entries

ONE = dw.read({"a": [0, 1] * 12})
WITH_CONSTANT = dw.read({"a": [0, 1] * 12, "b": ["x"] * 24})
ARGUMENTS: dict[str, Any] = {"order": ("a",), "target": "a", "by": dw.MMPC()}


@pytest.mark.parametrize("entry", list(entries("search")), ids=lambda entry: entry.name)
def test_every_search_gives_one_node(entry: Entry) -> None:
    found = dw.learn(ONE, search=entry.method(**{name: ARGUMENTS[name] for name in entry.needs}))
    assert found.graph.nodes == ("a",)
    assert str(found.graph) == "a"


@pytest.mark.parametrize("entry", list(entries("posterior")), ids=lambda entry: entry.name)
def test_every_posterior_has_one_network(entry: Entry) -> None:
    assert dw.posterior(ONE, method=entry.method()).confidence.nodes == ("a",)


@pytest.mark.parametrize("data", [ONE, WITH_CONSTANT])
def test_functions_around_learning(data: dw.Table) -> None:
    assert not dw.learn(data).graph.edges
    assert not min(len(network.edges) for network in dw.rivals(data, 3).networks)
    assert not dw.solve(dw.candidates(data)).graph.edges
    assert not dw.search.greedy_tie_outcomes(data)[0].graph.edges
    assert dw.blanket(data, "a").members == ()
    assert dw.neighbors(data, "a").members == ()
    assert not dw.bootstrap(data, replicates=2).edges()
    assert dw.forecast(data).search == "Exact()"
