"""PCMCI+ finds the edges of a process from its independences, whatever its autocorrelation."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.data.windows import Moment

LAGS = 8
"""Steps that the oracle sees: enough that where the process begins does not matter."""


def process(rng: np.random.Generator, size: int, lags: int) -> list[tuple[Moment, Moment]]:
    """Arcs into the current step: an own past for most series, and some edges at lags 0 to ``lags``."""
    names = [f"v{i}" for i in range(size)]
    arcs = [(Moment(name, 1), Moment(name, 0)) for name in names if rng.random() < 0.8]
    for one, other in itertools.permutations(range(size), 2):
        arcs += [
            (Moment(names[one], lag), Moment(names[other], 0))
            for lag in range(lags + 1)
            if rng.random() < 0.2 and (lag > 0 or one < other)
        ]
    return arcs


def unrolled(arcs: list[tuple[Moment, Moment]], names: list[str]) -> dw.Dag:
    """The process over many steps."""
    nodes = [str(Moment(name, lag)) for lag in range(LAGS + 1) for name in names]
    repeated = [
        (str(Moment(a.series, a.lag + back)), str(Moment(b.series, back)))
        for a, b in arcs
        for back in range(LAGS + 1)
        if a.lag + back <= LAGS
    ]
    return dw.Dag(nodes, repeated)


@pytest.mark.parametrize("colliders", ["majority", "standard"])
@pytest.mark.parametrize("seed", range(8))
def test_edges_of_a_process_are_found_from_its_independences(seed: int, colliders: Any) -> None:
    rng = np.random.default_rng(seed)
    names = ["v0", "v1", "v2"]
    arcs = process(rng, 3, 2)
    truth = unrolled(arcs, names)
    now = [str(Moment(name, 0)) for name in names]
    earlier = sorted(set(truth.nodes) - set(now))
    known = dw.Knowledge(tiers=[{"nodes": earlier, "inner": False}, now])
    search = dw.PCMCIPlus(max_lag=2, colliders=colliders)
    found = dw.learn(oracle=truth, search=search, knowledge=known)
    own = dw.Dag(truth.nodes, [(str(a), str(b)) for a, b in arcs])
    assert isinstance(found.graph, dw.Pdag)
    edges = {frozenset(edge) for edge in (*found.graph.directed_edges, *found.graph.undirected_edges)}
    assert edges == {frozenset(edge) for edge in own.edges}
    assert set(found.graph.directed_edges) <= set(own.edges)
    assert set(found.graph.directed_edges) >= set(own.cpdag().directed_edges)


def test_rows_that_are_no_windows_are_searched_as_pc_does() -> None:
    for seed in range(10):
        truth = dw.random_dag(list("abcde"), random_state=seed)
        one = dw.learn(oracle=truth, search=dw.PCMCIPlus())
        assert one.graph == dw.learn(oracle=truth, search=dw.PC(colliders="majority")).graph == truth.cpdag()
