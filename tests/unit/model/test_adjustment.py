"""Adjustment sets against paths listed one by one, in every member of a class."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

import dagwright as dw
from dagwright.graph.members import list_members
from dagwright.model.causal.adjustment import Adjustment, adjustment, parent_sets

NAMES = list("ABCDE")


def random_dag(n: int, seed: int) -> dw.Dag:
    rng = np.random.default_rng(seed)
    order = rng.permutation(n).tolist()
    share = rng.uniform(0.2, 0.8)
    return dw.Dag(
        NAMES[:n], [(NAMES[a], NAMES[b]) for a, b in combinations(order, 2) if rng.random() < share]
    )


def paths(dag: dw.Dag, x: str, y: str) -> list[tuple[str, ...]]:
    found, queue = [], [(x,)]
    for path in queue:
        for other in (*dag.parents(path[-1]), *dag.children(path[-1])):
            if other in path:
                continue
            (found if other == y else queue).append((*path, other))
    return found


def is_open(dag: dw.Dag, path: tuple[str, ...], given: frozenset[str]) -> bool:
    for a, node, b in zip(path, path[1:], path[2:], strict=False):
        if node in dag.children(a) and node in dag.children(b):
            if not given & {node, *dag.descendants(node)}:
                return False
        elif node in given:
            return False
    return True


def serves(dag: dw.Dag, x: str, y: str, given: frozenset[str]) -> bool:
    """The adjustment criterion (Shpitser, VanderWeele & Robins 2010), path by path."""
    causal = [p for p in paths(dag, x, y) if all(b in dag.children(a) for a, b in pairwise(p))]
    forbidden = {node for path in causal for node in path[1:]}
    forbidden |= set(dag.descendants(sorted(forbidden))) if forbidden else set()
    if given & forbidden:
        return False
    return not any(is_open(dag, p, given) for p in paths(dag, x, y) if p not in causal)


def subsets(names: list[str]) -> list[frozenset[str]]:
    return [frozenset(one) for size in range(len(names) + 1) for one in combinations(names, size)]


@pytest.mark.parametrize("block", range(10))
def test_sets_on_a_thousand_random_graphs(block: int) -> None:
    for seed in range(100 * block, 100 * block + 100):
        dag = random_dag(3 + seed % 3, seed)
        graph: dw.Dag | dw.Pdag = dag.cpdag() if seed % 2 else dag
        members = list(list_members(graph)) if isinstance(graph, dw.Pdag) else [dag]
        x, y = np.random.default_rng(seed).permutation(list(dag.nodes))[:2].tolist()
        rest = [node for node in dag.nodes if node not in (x, y)]
        sets = adjustment(graph, x, y)
        valid = [one for one in subsets(rest) if all(serves(member, x, y, one) for member in members)]
        assert [one for one in subsets(rest) if sets.is_valid(one)] == valid, (seed, graph, x, y)
        minimal = {one for one in valid if not any(other < one for other in valid)}
        assert set(sets.minimal()) == minimal, (seed, graph, x, y)
        if valid:
            assert sets.optimal in valid
            assert sets.chosen() == sets.optimal
        elif sets.has_effect:
            with pytest.raises(dw.NotIdentifiableError, match=r"--|->|<-"):
                sets.chosen()


def test_parents_in_the_members() -> None:
    for seed in range(60):
        graph = random_dag(3 + seed % 3, seed).cpdag()
        for node in graph.nodes:
            wanted = {frozenset(member.parents(node)) for member in list_members(graph)}
            assert set(parent_sets(graph, node)) == wanted


def test_a_restricted_choice() -> None:
    sets = adjustment("X <- A -> B -> Y; X -> Y", "X", "Y", observed=["B"])
    assert sets.chosen() == {"B"}
    with pytest.raises(dw.NotIdentifiableError, match=r"X <- A -> B -> Y"):
        adjustment("X <- A -> B -> Y; X -> Y", "X", "Y", observed=[]).chosen()
    with pytest.raises(dw.NotIdentifiableError, match=r"X -- Y"):
        adjustment("X -- Y", "X", "Y").chosen()
    with pytest.raises(dw.GraphError, match="must differ"):
        adjustment("X -> Y", "X", "X")
    with pytest.raises(dw.NotIdentifiableError, match=r"X o-> Y may be"):
        adjustment("X o-> Y", "X", "Y").chosen()
    with pytest.raises(dw.NotIdentifiableError, match=r"X -> Y a hidden common cause of 'X' and 'Y'"):
        adjustment(dw.Mag.parse("X -> Y"), "X", "Y").chosen()
    with pytest.raises(dw.GraphError, match="X -- Y means that rows were selected"):
        adjustment(dw.Mag.parse("X -- Y"), "X", "Y")
    with pytest.raises(dw.GraphError, match="not in a UndirectedGraph"):
        adjustment(dw.UndirectedGraph.parse("X -- Y"), "X", "Y")
    assert isinstance(sets, Adjustment)
