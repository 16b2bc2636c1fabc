"""Hill climbing and the peers' hill climbing (peer_values.json) agree on where a climb may end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import dagwright as dw

HERE = Path(__file__).parent
CLIMBED = json.loads((HERE / "peer_values.json").read_text(encoding="utf-8"))["values"]
BICS = {peer: of["hill_climb_bic"] for peer, of in CLIMBED.items()}


@pytest.fixture(scope="module")
def table() -> dw.Table:
    return dw.read(HERE / "peer_data.csv")


@pytest.mark.parametrize("peer", CLIMBED)
def test_a_peers_result_is_a_local_maximum_here_too(table: dw.Table, peer: str) -> None:
    graph = dw.Dag(table.names, [tuple(edge) for edge in CLIMBED[peer]["hill_climb"]])
    found = dw.learn(table, score=dw.BIC(), search=dw.HillClimb(), start=graph)
    assert found.graph == graph
    assert found.score == pytest.approx(BICS[peer], rel=1e-12)


def test_from_nothing_the_score_is_within_one_percent_of_every_peer(table: dw.Table) -> None:
    found = dw.learn(table, score=dw.BIC(), search=dw.HillClimb())
    assert found.score >= 1.01 * max(BICS.values())
    assert found.trace
