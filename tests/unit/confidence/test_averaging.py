"""The averaged graph: the most probable state of each pair, acyclic at least cost."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import dagwright as dw
from dagwright.confidence import averaging
from dagwright.errors import CycleError

NODES = ("a", "b", "c", "d")
PAIRS = list(itertools.combinations(range(4), 2))


def random_confidence(seed: int, n: int = 4, *, undirected: bool = True) -> dw.Confidence:
    rng = np.random.default_rng(seed)
    arcs, edges = np.zeros((n, n)), np.zeros((n, n))
    for i, j in itertools.combinations(range(n), 2):
        shares = rng.dirichlet([0.2, 0.7, 0.7, 0.3 if undirected else 1e-9])
        arcs[i, j], arcs[j, i] = shares[1:3]
        edges[i, j] = edges[j, i] = shares[3]
    nodes = NODES if n == 4 else tuple(f"v{at}" for at in range(n))
    return dw.Confidence(nodes, arcs, source="chance", undirected=edges if undirected else None)


def worth(confidence: dw.Confidence, graph: dw.Pdag) -> float:
    total = 0.0
    for i, j in itertools.combinations(range(len(confidence.nodes)), 2):
        a, b = confidence.nodes[i], confidence.nodes[j]
        either = 0.0 if confidence.undirected is None else confidence.undirected[i, j]
        if (a, b) in graph.directed_edges:
            total += confidence.arcs[i, j]
        elif (b, a) in graph.directed_edges:
            total += confidence.arcs[j, i]
        elif graph.adjacent(a, b):
            total += either
        else:
            total += 1.0 - confidence.arcs[i, j] - confidence.arcs[j, i] - either
    return float(total)


def all_graphs() -> list[dw.Pdag]:
    graphs = []
    for states in itertools.product(range(4), repeat=6):
        arcs = [(NODES[i], NODES[j]) for (i, j), s in zip(PAIRS, states, strict=True) if s == 1]
        arcs += [(NODES[j], NODES[i]) for (i, j), s in zip(PAIRS, states, strict=True) if s == 2]
        edges = [(NODES[i], NODES[j]) for (i, j), s in zip(PAIRS, states, strict=True) if s == 3]
        try:
            dw.Dag(NODES, arcs)
        except CycleError:
            continue
        graphs.append(dw.Pdag(NODES, arcs, edges))
    return graphs


def test_no_acyclic_graph_agrees_more() -> None:
    graphs, cyclic = all_graphs(), 0
    for seed in range(25):
        confidence = random_confidence(seed)
        found = confidence.averaged()
        most = max(worth(confidence, graph) for graph in graphs)
        assert worth(confidence, found.graph) == pytest.approx(most)
        assert found.agreement == pytest.approx(most)
        assert found.gap == 0.0
        free = sum(
            max(
                confidence.arcs[i, j],
                confidence.arcs[j, i],
                confidence.undirected[i, j],
                1 - confidence.arcs[i, j] - confidence.arcs[j, i] - confidence.undirected[i, j],
            )
            for i, j in PAIRS
        )
        cyclic += free > most + 1e-9
    assert cyclic >= 3


def test_knowledge_is_obeyed() -> None:
    for seed in range(10):
        confidence = random_confidence(seed)
        known = dw.Knowledge(required=[("d", "a")], forbidden=[("a", "b")], max_parents={"c": 1})
        graph = confidence.averaged(knowledge=known).graph
        known.resolve(NODES).require(graph)
        assert ("d", "a") in graph.directed_edges


def test_many_variables_in_a_cycle_have_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    confidence = random_confidence(3, n=9, undirected=False)
    exact = confidence.averaged()
    monkeypatch.setattr(averaging, "LARGEST_EXACT", 2)
    near = confidence.averaged()
    assert near.agreement <= exact.agreement + 1e-9
    assert near.agreement + near.gap >= exact.agreement - 1e-9
    assert near.agreement >= exact.agreement - 0.5
    dw.Dag(near.graph.nodes, near.graph.directed_edges)


def test_directions_that_are_as_probable_stay_open() -> None:
    found = dw.posterior(dw.read("sample:asia").select(["smoke", "lung"])).confidence.averaged()
    assert [set(edge) for edge in found.graph.undirected_edges] == [{"smoke", "lung"}]
    assert found.graph.directed_edges == ()


@pytest.mark.parametrize("seed", range(5))
def test_a_large_cycle_keeps_the_arcs_that_knowledge_requires(seed: int) -> None:
    n = averaging.LARGEST_EXACT + 6
    rng = np.random.default_rng(seed)
    arcs = np.zeros((n, n))
    for i, step in itertools.product(range(n), range(1, n // 2)):  # each variable precedes half of the others
        arcs[i, (i + step) % n], arcs[(i + step) % n, i] = 0.8 + 0.1 * rng.random(), 0.05
    confidence = dw.Confidence(tuple(f"v{at}" for at in range(n)), arcs, source="chance")
    order = [confidence.nodes[at] for at in rng.permutation(n)]
    pairs = [sorted(rng.choice(n, 2, replace=False)) for _ in range(12)]
    known = dw.Knowledge(required=[(order[i], order[j]) for i, j in pairs])
    answer = confidence.averaged(knowledge=known)
    assert {(order[i], order[j]) for i, j in pairs} <= set(answer.graph.directed_edges)
    assert answer.gap > 0
