"""What PC promises: the truth from an oracle, a valid graph from anything."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest

import dagwright as dw
from dagwright.testing import RandomAnswers, random_knowledge

RULES = ("standard", "conservative", "majority", "max-p")
POLICIES = ("first", "strongest", "undirected", "bidirected")


def all_dags(names: str) -> list[dw.Dag]:
    pairs = list(combinations(names, 2))
    found = []
    for kinds in product((0, 1, 2), repeat=len(pairs)):
        arcs = [(a, b) if kind == 1 else (b, a) for (a, b), kind in zip(pairs, kinds, strict=True) if kind]
        try:
            found.append(dw.Dag(list(names), arcs))
        except dw.CycleError:
            continue
    return found


@pytest.mark.parametrize("search", [dw.PC(), dw.PC(order=tuple("DBAC"), path_condition=True)])
def test_an_oracle_gives_the_true_class_of_every_dag_of_four(search: dw.PC) -> None:
    dags = all_dags("ABCD")
    assert len(dags) == 543
    for dag in dags:
        found = dw.learn(oracle=dag, search=search)
        assert found.graph == dag.cpdag()
        assert found.warnings == ()


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", range(6))
def test_an_oracle_gives_the_true_class_of_random_dags(rule: str, seed: int) -> None:
    for n in (6, 12, 50):
        dag = dw.random_dag(n, degree=2.0, random_state=seed)
        found = dw.learn(oracle=dag, search=dw.PC(colliders=rule, path_condition=seed % 2 == 1))
        assert found.graph == dag.cpdag()
        assert found.warnings == ()


@pytest.mark.parametrize("seed", range(60))
def test_true_knowledge_keeps_the_truth(seed: int) -> None:
    dag = dw.random_dag(6, degree=2.5, random_state=seed)
    rng = random.Random(seed)
    order = dag.topological_order()
    cut = rng.randrange(1, 6)
    absent = [(a, b) for a, b in combinations(dag.nodes, 2) if not dag.adjacent(a, b)]
    known = dw.Knowledge(
        required=[arc for arc in dag.edges if rng.random() < 0.3],
        forbidden=[pair for a, b in absent if rng.random() < 0.5 for pair in ((a, b), (b, a))],
        tiers=[order[:cut], order[cut:]],
    )
    found = dw.learn(oracle=dag, search=dw.PC(), knowledge=known)
    assert found.graph == dw.apply_knowledge(dag.cpdag(), known).graph
    assert found.warnings == ()


@pytest.mark.parametrize("part", range(8))
def test_contradictory_answers_never_make_an_invalid_graph(part: int) -> None:
    for seed in range(part * 100, part * 100 + 100):
        rng = random.Random(seed)
        names = "ABCDEFG"[: rng.randrange(3, 8)]
        oracle = RandomAnswers(names, rng.choice([0.05, 0.15, 0.3]), seed)
        search = dw.PC(
            order=list(names) if rng.random() < 0.3 else None,
            colliders=rng.choice(RULES),
            conflicts=rng.choice(POLICIES),
            uncertain=rng.choice(["report", "resolve"]),
            path_condition=rng.random() < 0.3,
        )
        found = dw.learn(oracle=oracle, search=search)
        assert found.graph.is_cpdag(), (seed, search)
        count = len(oracle.log)
        assert found.evaluations == count


@pytest.mark.parametrize("part", range(4))
def test_knowledge_is_law_whatever_the_answers(part: int) -> None:
    import numpy as np

    for seed in range(part * 50, part * 50 + 50):
        known = random_knowledge("ABCDEF", np.random.default_rng(seed))
        oracle = RandomAnswers("ABCDEF", 0.15, seed)
        graph = dw.learn(oracle=oracle, search=dw.PC(), knowledge=known).graph
        assert known.check(graph) == []
        assert graph.has_extension()
        assert graph.closed() == graph
