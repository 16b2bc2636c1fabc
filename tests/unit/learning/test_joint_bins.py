"""Bins and a network in turns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.errors import OptionError

rng = np.random.default_rng(8)


def collider(n: int = 1500) -> dict[str, Any]:
    a, b = rng.uniform(0, 1, n), rng.uniform(0, 1, n)
    c = np.where((a > 0.3) ^ (b > 0.6), 5.0, 0.0) + rng.normal(0, 0.4, n)
    return {"a": a, "b": b, "c": c, "noise": rng.normal(size=n)}


def test_bins_and_network_find_each_other() -> None:
    data = collider()
    found = dw.learn_with_bins(data)
    assert {frozenset(edge) for edge in found.dag.edges} >= {frozenset("ac"), frozenset("bc")}
    bins = found.table.bins
    assert any(abs(cut - 0.3) < 0.05 for cut in bins["a"].cuts)
    assert any(abs(cut - 0.6) < 0.05 for cut in bins["b"].cuts)
    lengths = found.notes["bits by turn"]
    assert len(lengths) >= 2
    assert lengths[1] < lengths[0]
    assert min(lengths) in lengths[-2:]


def test_rows_and_names_do_not_matter() -> None:
    data = collider(600)
    order = rng.permutation(600)
    new = {"a": "z", "b": "y", "c": "x", "noise": "w"}
    first = dw.learn_with_bins(data)
    second = dw.learn_with_bins({new[x]: data[x][order] for x in ("noise", "c", "b", "a")})
    assert {new[x]: bins for x, bins in first.table.bins.items()} == second.table.bins
    assert {(new[a], new[b]) for a, b in first.dag.edges} == set(second.dag.edges)


def test_options_are_passed_on_and_checked() -> None:
    data = collider(300)
    found = dw.learn_with_bins(
        data, turns=1, rule=dw.NetworkMDL(max_bins=3), reading={"exclude": ["noise"]}, search=dw.HillClimb()
    )
    assert found.table.names == ("a", "b", "c")
    assert max(found.table.cardinalities) <= 3
    with pytest.raises(OptionError, match="turns=0"):
        dw.learn_with_bins(data, turns=0)
    of_table, of_data = dw.learn_with_bins(dw.read(data)), dw.learn_with_bins(data)
    assert (of_table.graph, of_table.table) == (of_data.graph, of_data.table)
    with pytest.raises(OptionError, match="no column of this Table holds numbers"):
        dw.learn_with_bins(dw.read(data).discretized())
    with pytest.raises(OptionError, match="finds none"):
        dw.learn_with_bins(data, search=dw.FCI())
