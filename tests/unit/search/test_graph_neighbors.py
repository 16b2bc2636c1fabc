"""The moves from a DAG against all DAGs that one arc tells apart."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import dagwright as dw
from dagwright.testing import random_knowledge

NAMES = ("a", "b", "c", "d")


def every_dag() -> list[dw.Dag]:
    found = set()
    for order in itertools.permutations(NAMES):
        arcs = list(itertools.combinations(order, 2))
        for size in range(len(arcs) + 1):
            found |= {frozenset(chosen) for chosen in itertools.combinations(arcs, size)}
    return [dw.Dag(NAMES, sorted(arcs)) for arcs in found]


def one_move(one: dw.Dag, other: dw.Dag) -> bool:
    gone, new = set(one.edges) - set(other.edges), set(other.edges) - set(one.edges)
    turned = {(b, a) for a, b in gone}
    return len(gone) + len(new) == 1 or (len(gone) == len(new) == 1 and new == turned)


@pytest.mark.parametrize("seed", range(6))
def test_neighbors_are_the_obeying_graphs_one_move_away(seed: int) -> None:
    dags = every_dag()
    assert len(dags) == 543
    rng = np.random.default_rng(seed)
    known = random_knowledge(NAMES, rng) if seed else dw.Knowledge()
    law = known.resolve(NAMES)
    obeying = [dag for dag in dags if not law.check(dag)]
    for at in rng.permutation(len(obeying))[:15]:
        here = obeying[at]
        moves = list(dw.search.graph_neighbors(here, known))
        graphs = [one.graph for one in moves]
        assert len(set(graphs)) == len(graphs)
        assert set(graphs) == {dag for dag in obeying if one_move(here, dag)}
        assert [one.move for one in moves] == sorted(one.move for one in moves)


def test_a_bound_and_a_graph_that_breaks_the_knowledge() -> None:
    chain = dw.Dag.parse("a -> b -> c; d")
    assert all(
        len(one.graph.parents(x)) <= 1
        for one in dw.search.graph_neighbors(chain, max_parents=1)
        for x in NAMES
    )
    with pytest.raises(dw.KnowledgeError, match="violates the knowledge"):
        dw.search.graph_neighbors(chain, dw.Knowledge(forbidden=["a -> b"]))
    with pytest.raises(dw.KnowledgeError, match="has 1 parents"):
        dw.search.graph_neighbors(chain, max_parents=0)
