"""Essential graphs and d-separation equal what pyAgrum, pgmpy and causal-learn say (see graph_peers.json)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dagwright.graph import Dag, Query
from dagwright.graph.separation import separated_all

RECORDED = json.loads((Path(__file__).parent / "graph_peers.json").read_text(encoding="utf-8"))
GRAPHS = RECORDED["graphs"]


def name(number: int) -> str:
    return f"X{number:02}"


def pairs(numbers: list[list[int]]) -> set[tuple[str, str]]:
    return {(name(a), name(b)) for a, b in numbers}


@pytest.mark.parametrize("graph", GRAPHS, ids=lambda graph: f"{graph['n']}-{len(graph['arcs'])}")
def test_peers_agree(graph: dict[str, Any]) -> None:
    dag = Dag([name(i) for i in range(graph["n"])], pairs(graph["arcs"]))
    essential = dag.cpdag()
    assert set(graph["essential"]) == {"pgmpy", "pyagrum", "causal-learn"}
    for said in graph["essential"].values():
        assert set(essential.directed_edges) == pairs(said["directed"])
        assert set(essential.undirected_edges) == pairs(said["undirected"])
    queries = [Query(name(x), name(y), map(name, given)) for x, y, given in graph["queries"]]
    answers = separated_all(dag, queries)
    assert True in answers
    assert set(graph["separated"]) == {"pgmpy", "pyagrum"}
    for said in graph["separated"].values():
        assert answers == said
