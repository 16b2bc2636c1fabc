"""What local methods promise: an end and a lawful answer whatever an oracle says, the same in every order."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.graph.reference import blanket_by_definition, skeleton_by_definition
from dagwright.testing import RandomAnswers, random_knowledge

ASIA = dw.read(dw.sample_path("asia"))
BLANKET = [dw.GrowShrink(), dw.IAMB(), dw.InterIAMB(), dw.FastIAMB(), dw.FdrIAMB()]
NEIGHBOR = [dw.MMPC(), dw.HitonPC(), dw.HPC()]
METHODS = [*BLANKET, *NEIGHBOR]


def named(method: Any) -> str:
    return type(method).__name__


@pytest.mark.parametrize("method", METHODS, ids=named)
def test_oracles_give_what_the_definition_says(method: Any) -> None:
    graphs: list[Any] = [dw.random_dag(6, degree=2.5, random_state=seed) for seed in range(8)]
    for graph in graphs:
        found = dw.learn(oracle=graph, search=method).graph
        if method.finds == "neighbors":
            assert found == skeleton_by_definition(graph)
            continue
        for target in graph.nodes:
            (blanket,) = blanket_by_definition(graph, target)
            assert set(found.neighbors(target)) == blanket
            assert set(dw.blanket(oracle=graph, target=target, method=method).members) == blanket


def test_pc_and_the_pairwise_network_give_what_the_definition_says() -> None:
    for seed in range(8):
        dag = dw.random_dag(6, degree=2.5, random_state=seed)
        assert dw.learn(oracle=dag, search=dw.PC()).graph.skeleton() == skeleton_by_definition(dag)
        network = dw.learn(oracle=dag, search=dw.PairwiseMarkov()).graph
        assert all({frozenset(network.neighbors(x))} == set(blanket_by_definition(dag, x)) for x in dag.nodes)
    square = dw.UndirectedGraph.parse("A -- B -- C -- D -- A")
    assert skeleton_by_definition(square) == square


@pytest.mark.parametrize("method", METHODS, ids=named)
def test_contradictory_answers_end_in_a_graph(method: Any) -> None:
    for seed in range(60):
        rng = random.Random(seed)
        names = "ABCDEFG"[: rng.randrange(2, 8)]
        oracle = RandomAnswers(names, rng.choice([0.05, 0.3, 0.6, 0.9]), seed)
        found = dw.learn(oracle=oracle, search=method)
        assert set(found.graph.nodes) == set(names)
        assert found.evaluations == oracle.queries
        joined = {frozenset(edge) for edge in found.graph.edges}
        assert not joined & {frozenset((one.x, one.y)) for one in found.separations}


@pytest.mark.parametrize("method", METHODS, ids=named)
def test_knowledge_is_law_whatever_the_answers(method: Any) -> None:
    for seed in range(40):
        known = random_knowledge("ABCDEF", np.random.default_rng(seed))
        resolved = known.resolve(list("ABCDEF"))
        oracle = RandomAnswers("ABCDEF", 0.3, seed)
        assert known.check(dw.learn(oracle=oracle, search=method, knowledge=known).graph) == []
        look = dw.blanket if method.finds == "blanket" else dw.neighbors
        members = set(look(oracle=oracle, target="C", method=method, knowledge=known).members)
        required = {
            a for edge in (*resolved.required_arcs, *resolved.required_links) if "C" in edge for a in edge
        }
        assert required - {"C"} <= members
        if method.finds == "neighbors":
            assert all(resolved.allows_arc(x, "C") or resolved.allows_arc("C", x) for x in members)


@pytest.mark.parametrize("method", METHODS, ids=named)
def test_true_knowledge_keeps_the_truth(method: Any) -> None:
    for seed in range(12):
        dag = dw.random_dag(7, degree=2.0, random_state=seed)
        rng = random.Random(seed)
        order = dag.topological_order()
        cut = rng.randrange(1, 6)
        known = dw.Knowledge(
            required=[arc for arc in dag.edges if rng.random() < 0.3], tiers=[order[:cut], order[cut:]]
        )
        for target in dag.nodes[:3]:
            near = {*dag.parents(target), *dag.children(target)}
            found = dw.neighbors(oracle=dag, target=target, method=method, knowledge=known)
            assert set(found.members) == near
            if method.finds == "blanket":
                whole = dw.blanket(oracle=dag, target=target, method=method, knowledge=known)
                assert set(whole.members) == set(dag.markov_blanket(target))


@pytest.mark.parametrize("method", METHODS, ids=named)
def test_orders_names_and_threads_do_not_matter_to_one_target(method: Any) -> None:
    look = dw.blanket if method.finds == "blanket" else dw.neighbors
    expected = look(ASIA, "dysp", method=method)
    for seed in range(6):
        rng = np.random.default_rng(seed)
        columns = [ASIA.names[at] for at in rng.permutation(len(ASIA.names))]
        new = {name: f"v{at}" for name, at in zip(columns, rng.permutation(len(columns)), strict=True)}
        shown = ASIA.select(columns).take(rng.permutation(ASIA.n_rows)).rename(new)
        found = look(shown, new["dysp"], method=method, threads=1 + seed % 2)
        assert set(found.members) == {new[name] for name in expected.members}
        assert found.tests_by_size == expected.tests_by_size
