"""Undirected answers: pairwise networks, decomposable ones by score, and their parameters."""

from __future__ import annotations

import math
import pickle
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.graph.chordal import clique_sequence

ASIA = dw.read(dw.sample_path("asia"))
FEW = ASIA.select(["bronc", "dysp", "either", "lung", "smoke"])
SQUARE = dw.UndirectedGraph.parse("A -- B -- C -- D -- A")


def chordal_graphs(names: tuple[str, ...]) -> list[dw.UndirectedGraph]:
    pairs = list(combinations(names, 2))
    graphs = [
        dw.UndirectedGraph(names, [pair for at, pair in enumerate(pairs) if mask >> at & 1])
        for mask in range(2 ** len(pairs))
    ]
    return [graph for graph in graphs if graph.is_chordal()]


CHORDAL = chordal_graphs(FEW.names)


def test_all_chordal_graphs_of_five_have_running_intersections() -> None:
    assert len(CHORDAL) == 822  # Wormald 1985
    for graph in CHORDAL:
        found = clique_sequence(graph)
        assert graph.directed().skeleton() == graph
        assert graph.directed().v_structures() == ()
        for at, (clique, separator) in enumerate(zip(found.cliques, found.separators, strict=True)):
            before = [set(one) for one in found.cliques[:at]]
            assert set(separator) == set(clique) & set().union(*before)
            assert not before or any(set(separator) <= one for one in before)
            assert not any(set(clique) <= one for one in before)
            assert all(graph.adjacent(a, b) for a, b in combinations(clique, 2))
        assert {frozenset(p) for c in found.cliques for p in combinations(c, 2)} == {
            frozenset(edge) for edge in graph.edges
        }


@pytest.mark.parametrize("score", [dw.BIC(), dw.AIC(), dw.BDeu(5), dw.QNML()], ids=repr)
def test_the_best_chordal_graph_of_five_is_found(score: Any) -> None:
    best = max(dw.score(graph.directed(), FEW, score).total for graph in CHORDAL)
    found = dw.learn(FEW, search=dw.Decomposable(), score=score)
    if score == dw.BIC():  # a local maximum: no single edge gains enough
        assert found.score < best - 1
        found = dw.learn(FEW, search=dw.Decomposable(), score=score, start=dw.learn(FEW).dag)
    assert found.score == pytest.approx(best)
    assert found.score == pytest.approx(dw.score(found.graph.directed(), FEW, score).total)


@pytest.mark.parametrize("moves", ["both", "forward", "backward"])
def test_the_moves_keep_the_graph_chordal_and_add_up(moves: Any) -> None:
    found = dw.learn(ASIA, search=dw.Decomposable(moves=moves))
    every = list(combinations(ASIA.names, 2)) if moves == "backward" else []
    edges = {frozenset(pair) for pair in every}
    begun = dw.score(dw.UndirectedGraph(ASIA.names, every).directed(), ASIA).total
    for step in found.trace:
        edges ^= {frozenset((step.start, step.end))}
        assert dw.UndirectedGraph(ASIA.names, [tuple(pair) for pair in edges]).is_chordal()
    assert edges == {frozenset(edge) for edge in found.graph.edges}
    assert begun + sum(step.gain for step in found.trace) == pytest.approx(found.score)


def test_no_single_edge_improves_the_answer() -> None:
    found = dw.learn(ASIA, search=dw.Decomposable())
    for pair in combinations(sorted(ASIA.names), 2):
        edges = set(found.graph.edges) ^ {pair}
        other = dw.UndirectedGraph(ASIA.names, edges)
        if other.is_chordal():
            assert dw.score(other.directed(), ASIA).total <= found.score + 1e-9


def test_the_size_of_cliques_is_bounded() -> None:
    found = dw.learn(ASIA, search=dw.Decomposable(max_clique=2), score=dw.AIC())
    assert max(map(len, found.graph.cliques())) == 2
    # Trees are then the best there is: the spanning forest of Chow & Liu (1968).
    assert all(len(part) > len(found.graph.edges) - 8 for part in found.graph.components())


def test_knowledge_and_starts_of_decomposable_networks() -> None:
    ring = ["asia -- tub", "tub -- lung", "lung -- smoke", "smoke -- asia"]
    found = dw.learn(ASIA, search=dw.Decomposable(), knowledge=dw.Knowledge(required=ring))
    assert {("asia", "tub"), ("lung", "tub"), ("lung", "smoke"), ("asia", "smoke")} <= set(found.graph.edges)
    assert found.graph.is_chordal()
    chords = ["asia -- lung", "tub -- smoke"]
    with pytest.raises(dw.KnowledgeError, match="no chordal graph was found"):
        dw.learn(ASIA, search=dw.Decomposable(), knowledge=dw.Knowledge(required=ring, forbidden=chords))
    start = dw.Dag(ASIA.names, [("asia", "tub"), ("tub", "lung"), ("lung", "smoke"), ("asia", "smoke")])
    apart = dw.Knowledge(forbidden=[*chords, "asia -- xray"])
    begun = dw.learn(ASIA, search=dw.Decomposable(), start=start, knowledge=apart)
    assert "cannot be made chordal" in begun.warnings[0]


def test_a_start_wider_than_the_bound_is_refused() -> None:
    start = dw.Dag(ASIA.names, [("asia", "tub"), ("lung", "tub")])
    with pytest.raises(dw.OptionError, match=r"join asia, lung, tub, more than max_clique=2"):
        dw.learn(ASIA, search=dw.Decomposable(max_clique=2), start=start)
    with pytest.raises(dw.OptionError, match="drop max_clique"):
        dw.Decomposable(moves="backward", max_clique=2)
    with pytest.raises(dw.UnknownNameError, match="moves"):
        dw.Decomposable(moves="sideways")  # type: ignore[arg-type]


def test_an_interrupt_keeps_the_network_so_far() -> None:
    def press(event: dw.Event) -> None:
        if event.done == 3:
            raise KeyboardInterrupt

    found = dw.learn(ASIA, search=dw.Decomposable(), progress=press)
    assert found.stopped == "cancelled"
    assert len(found.graph.edges) == len(found.trace) == 3


def test_scores_that_tell_equivalent_graphs_apart_are_refused() -> None:
    with pytest.raises(dw.OptionError, match="differs between equivalent DAGs"):
        dw.learn(ASIA, search=dw.Decomposable(), score=dw.K2Score())


def test_the_likelihood_is_that_of_cliques_over_separators() -> None:
    model = dw.learn(ASIA, search=dw.Decomposable()).markov_network(parameter_prior=None)
    expected = 0.0
    for members, sign in [*((c, 1) for c in model.cliques), *((s, -1) for s in model.separators)]:
        counts = ASIA.N * model.table(members)
        positive = counts[counts > 0]
        expected += sign * math.fsum((positive * np.log(positive / ASIA.N)).ravel())
    assert model.log_likelihood(ASIA) == pytest.approx(expected)
    assert model.log_likelihood(ASIA) == pytest.approx(
        dw.score(model.graph.directed(), ASIA, dw.LogLik()).total
    )
    for clique, separator in zip(model.cliques, model.separators, strict=True):
        shared = model.table(clique).sum(
            axis=tuple(at for at, name in enumerate(clique) if name not in separator)
        )
        assert np.allclose(shared, model.table(separator))


def test_a_prior_smooths_the_cliques_alike() -> None:
    learned = dw.learn(FEW, search=dw.Decomposable(), score=dw.BDeu(10))
    model = learned.markov_network()
    clique = model.cliques[0]
    counts = FEW.N * dw.MarkovNetwork.fit(learned.graph, FEW, parameter_prior=None).table(clique)
    assert np.allclose(model.table(clique), (counts + 10 / counts.size) / (FEW.N + 10))
    assert model.probability({}) == 1.0
    states = {name: model.network.states(name)[0] for name in clique}
    assert model.probability(states) == pytest.approx(model.table(clique)[(0,) * len(clique)])
    with pytest.raises(dw.OptionError, match="differs between cliques"):
        dw.MarkovNetwork.fit(learned.graph, FEW, parameter_prior=1.0)


def test_networks_need_chordal_graphs() -> None:
    with pytest.raises(dw.GraphError, match="without a chord"):
        dw.MarkovNetwork.fit(SQUARE, {name: [0, 1] for name in "ABCD"})
    with pytest.raises(dw.OptionError, match="no undirected graph"):
        dw.learn(FEW).markov_network()
    model = dw.learn(FEW, search=dw.Decomposable()).markov_network()
    with pytest.raises(dw.GraphError, match=r"MarkovNetwork\.fit"):
        dw.MarkovNetwork(dw.UndirectedGraph(FEW.names), model.network)
    assert pickle.loads(pickle.dumps(model)) == model


def test_the_pairwise_network_of_an_oracle_is_its_moral_graph() -> None:
    for seed in range(5):
        dag = dw.random_dag(7, degree=2.0, random_state=seed)
        assert dw.learn(oracle=dag, search=dw.PairwiseMarkov()).graph == dag.moral()
    assert dw.learn(oracle=SQUARE, search=dw.PairwiseMarkov()).graph == SQUARE


def test_the_pairwise_network_of_data_obeys_knowledge() -> None:
    known = dw.Knowledge(required=["asia -> xray"], forbidden=["bronc -- dysp"])
    found = dw.learn(ASIA, search=dw.PairwiseMarkov(), knowledge=known)
    assert ("asia", "xray") in found.graph.edges
    assert ("bronc", "dysp") not in found.graph.edges
    assert {len(one.given) for one in found.separations} == {6}


def test_a_parametric_network_of_an_undirected_skeleton() -> None:
    found = dw.learn(ASIA, search=dw.MMPC())
    assert found.graph.is_chordal()
    assert found.network().graph.skeleton() == found.graph
    square = dw.learn(oracle=SQUARE, search=dw.IAMB())
    with pytest.raises(dw.GraphError, match="without a chord"):
        square.network(ASIA)


def test_a_pairwise_network_of_too_few_rows_is_warned_of() -> None:
    rows = dw.load("alarm").sample(500, random_state=1)
    found = dw.learn(rows, search=dw.PairwiseMarkov())
    assert any("500 rows, so that it can hardly find a dependence" in one for one in found.warnings)
    asia = dw.learn(dw.sample_path("asia"), search=dw.PairwiseMarkov())
    assert not any("hardly" in one for one in asia.warnings)
