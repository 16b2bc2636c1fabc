"""All minimal adjustment sets of 1,000 random DAGs equal pgmpy's (see adjustment_peers.txt)."""

from __future__ import annotations

from pathlib import Path

from dagwright.graph import Dag
from dagwright.model.causal.adjustment import adjustment

HEAD, *LINES = (Path(__file__).parent / "adjustment_peers.txt").read_text(encoding="utf-8").splitlines()


def nodes(text: str) -> frozenset[str]:
    return frozenset() if text == "-" else frozenset(text)


def test_minimal_sets_are_those_of_a_peer() -> None:
    assert len(LINES) == 1000
    found = 0
    for line in LINES:
        n, arcs, (cause, outcome), hidden, sets = line.split()
        dag = Dag(map(str, range(int(n))), [] if arcs == "-" else [(a, b) for a, b in arcs.split(",")])
        observed = set(dag.nodes) - nodes(hidden)
        wanted = set() if sets == "none" else {nodes(one) for one in sets.split(",")}
        assert set(adjustment(dag, cause, outcome, observed).minimal()) == wanted, line
        found += bool(wanted)
    assert 500 < found < 1000
