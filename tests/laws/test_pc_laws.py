"""What PC promises: the truth from an oracle, a valid graph from anything."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from itertools import combinations, compress, permutations, product

import pytest

import dagwright as dw
from dagwright.testing import RandomAnswers, random_knowledge

RULES = ("standard", "conservative", "majority", "max-p")
POLICIES = ("first", "strongest", "undirected", "bidirected")
THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "explore"
"""All parts of the long laws; else the first of them."""


def all_dags(names: str) -> Iterator[dw.Dag]:
    """Every DAG once: those that some order of the nodes allows."""
    found: set[frozenset[tuple[str, str]]] = set()
    for order in permutations(names):
        arcs = list(combinations(order, 2))
        for chosen in product((False, True), repeat=len(arcs)):
            edges = frozenset(compress(arcs, chosen))
            if edges not in found:
                found.add(edges)
                yield dw.Dag(list(names), edges)


@pytest.mark.parametrize("search", [dw.PC(), dw.PC(order=tuple("DBAC"), path_condition=True)])
def test_an_oracle_gives_the_true_class_of_every_dag_of_four(search: dw.PC) -> None:
    dags = list(all_dags("ABCD"))
    assert len(dags) == 543
    for dag in dags:
        found = dw.learn(oracle=dag, search=search)
        assert found.graph == dag.cpdag()
        assert found.warnings == ()


@pytest.fixture(scope="module")
def classes_of_five() -> list[tuple[dw.Pdag, dw.Dag]]:
    """The classes of all 29,281 DAGs with five nodes, each with one of those that no oracle tells apart."""
    found: dict[dw.Pdag, dw.Dag] = {}
    for dag in all_dags("ABCDE"):
        found.setdefault(dag.cpdag(), dag)
    return sorted(found.items(), key=lambda item: str(item[0]))


@pytest.mark.parametrize("part", range(16 if THOROUGH else 1))
def test_an_oracle_gives_every_class_of_five(
    part: int, classes_of_five: list[tuple[dw.Pdag, dw.Dag]]
) -> None:
    assert len(classes_of_five) == 8782
    for graph, dag in classes_of_five[part::16]:
        found = dw.learn(oracle=dag, search=dw.PC())
        assert found.graph == graph
        assert found.warnings == ()


def test_parents_separate_what_is_not_adjacent() -> None:
    # Exactly then do the parents of one of the two separate them (Jensen & Nielsen 2007, Theorem 7.1).
    for seed in range(20):
        dag = dw.random_dag(8, degree=2.5, random_state=seed)
        for a, b in combinations(dag.nodes, 2):
            separated = any(
                other not in dag.parents(node) and dag.d_separated(node, other, dag.parents(node))
                for node, other in ((a, b), (b, a))
            )
            assert separated != dag.adjacent(a, b)


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


@pytest.mark.parametrize("part", range(40 if THOROUGH else 4))
def test_contradictory_answers_never_make_an_invalid_graph(part: int) -> None:
    for seed in range(part * 250, part * 250 + 250):
        rng = random.Random(seed)
        names = "ABCDEFG"[: min(rng.randrange(3, 10), 7 if seed % 10 == 0 else 5)]
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
        assert found.graph == found.dag.cpdag()
        assert found.evaluations == len(oracle.log)


def test_of_pairs_alone_a_higher_level_keeps_more_edges() -> None:
    # Only then: with sets given, more edges mean more sets, so an edge may be lost at a higher level.
    table = dw.read(dw.sample_path("asia"))
    before: set[tuple[str, str]] = set()
    for alpha in (1e-12, 1e-4, 0.01, 0.05, 0.3, 0.9):
        search = dw.PC(test=dw.GSquare(alpha), max_size=0)
        edges = set(dw.learn(table, search=search).graph.skeleton().edges)
        assert before <= edges
        before = edges
    assert len(before) > 20


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
