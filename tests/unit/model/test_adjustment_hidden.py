"""Adjustment in graphs with hidden variables, against every DAG that such a graph stands for.

A DAG whose hidden variables are common causes of two observed ones stands for any DAG with hidden variables,
so all graphs of arcs and hidden pairs over four nodes are listed: 543 DAGs times 2^6 sets of pairs. They are
judged all at once with NumPy, without any code of the library.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

import dagwright as dw
from dagwright.graph.counting import all_dags
from dagwright.graph.paths import open_path
from dagwright.graph.separation import minimal_separators
from dagwright.model.causal.adjustment import adjustment

Bools = NDArray[np.bool_]
NAMES = "ABCD"
CAUSE, OUTCOME = 0, 1
SETS: list[tuple[int, ...]] = [(), (2,), (3,), (2, 3)]


def closure(step: Bools) -> Bools:
    """Reflexive and transitive closure, graph by graph."""
    reach = step | np.eye(step.shape[-1], dtype=bool)
    for _ in range(3):
        reach = reach @ reach
    return reach


def separated(arcs: Bools, hidden: Bools, x: int, y: int, given: tuple[int, ...]) -> Bools:
    """Separation in the moral graph of ancestors, in which districts and their parents are cliques."""
    above = closure(arcs)[:, :, [x, y, *given]].any(axis=2)
    both = above[:, :, None] & above[:, None, :]
    a, h = arcs & both, hidden & both
    into = np.swapaxes(a, 1, 2) | np.eye(4, dtype=bool)  # a node and its parents
    joined = np.swapaxes(into, 1, 2) @ closure(h) @ into
    free = np.ones(4, dtype=bool)
    free[list(given)] = False
    found: Bools = ~closure(joined & free[:, None] & free[None, :] & both)[:, x, y]
    return found


@cache
def every_graph() -> tuple[Bools, Bools]:
    listed = list(all_dags(4))
    dags = np.zeros((len(listed), 4, 4), dtype=bool)
    for dag, edges in zip(dags, listed, strict=True):
        for a, b in edges:
            dag[a, b] = True
    pairs = list(combinations(range(4), 2))
    hidden = np.zeros((64, 4, 4), dtype=bool)
    for number in range(64):
        for place, (a, b) in enumerate(pairs):
            if number >> place & 1:
                hidden[number, a, b] = hidden[number, b, a] = True
    return np.repeat(dags, 64, axis=0), np.tile(hidden, (len(dags), 1, 1))


@cache
def independences() -> NDArray[np.int64]:
    """The independences that hold in each graph, as bits."""
    arcs, hidden = every_graph()
    bits = np.zeros(len(arcs), dtype=np.int64)
    for place, (x, y) in enumerate(combinations(range(4), 2)):
        u, v = (node for node in range(4) if node not in (x, y))
        for at, given in enumerate([(), (u,), (v,), (u, v)]):
            bits |= separated(arcs, hidden, x, y, given).astype(np.int64) << (4 * place + at)
    return bits


@cache
def serving() -> Bools:
    """For each graph and each set, whether the set serves to adjust for the effect of A on B."""
    arcs, hidden = every_graph()
    reach = closure(arcs)
    without = arcs.copy()
    without[:, :, CAUSE] = without[:, CAUSE, :] = False
    on_path = reach[:, CAUSE, :] & closure(without)[:, :, OUTCOME]  # A is left out: it has no arcs there
    on_path[:, CAUSE] = False
    forbidden = (on_path[:, :, None] & reach).any(axis=1)
    cut = arcs.copy()
    cut[:, CAUSE, :] &= ~on_path
    return np.stack(
        [
            separated(cut, hidden, CAUSE, OUTCOME, given) & ~forbidden[:, list(given)].any(axis=1)
            for given in SETS
        ],
        axis=1,
    )


def graph_of(number: int) -> dw.Mag:
    arcs, hidden = (part[number] for part in every_graph())
    edges = [(NAMES[a], NAMES[b]) for a, b in zip(*np.nonzero(arcs), strict=True)]
    pairs = [(a, b) for a, b in combinations(range(4), 2) if hidden[a, b]]
    edges += [(f"H{a}{b}", NAMES[end]) for a, b in pairs for end in (a, b)]
    dag = dw.Dag([*NAMES, *(f"H{a}{b}" for a, b in pairs)], edges)
    return dag.latent_projection(hidden=[node for node in dag.nodes if node.startswith("H")])


def check(graph: dw.Mag | dw.Pag, wanted: Bools) -> None:
    sets = adjustment(graph, "A", "B")
    chosen = [frozenset(NAMES[node] for node in given) for given in SETS]
    valid = [one for one, serves in zip(chosen, wanted, strict=True) if serves]
    assert [one for one in chosen if sets.is_valid(one)] == valid, graph
    assert set(sets.minimal()) == {one for one in valid if not any(other < one for other in valid)}, graph
    if valid:
        assert sets.chosen() in valid
    elif sets.has_effect:
        with pytest.raises(dw.NotIdentifiableError, match=r"A (--|->|<-|o-|<->)"):
            sets.chosen()


def test_classes_of_ancestral_graphs_against_every_dag() -> None:
    kinds, first, place = np.unique(independences(), return_index=True, return_inverse=True)
    everywhere = np.ones((len(kinds), len(SETS)), dtype=bool)
    np.logical_and.at(everywhere, place.ravel(), serving())
    classes = [graph_of(number).pag() for number in first.tolist()]
    assert len(set(classes)) == len(kinds) > 185  # 185 classes have a DAG without hidden variables
    for graph, wanted in zip(classes, everywhere, strict=True):
        check(graph, wanted)


def test_ancestral_graphs_against_every_dag() -> None:
    arcs, _ = every_graph()
    above = closure(arcs).reshape(len(arcs), 16) @ (1 << np.arange(16))
    kinds, first, place = np.unique(independences() << 16 | above, return_index=True, return_inverse=True)
    everywhere = np.ones((len(kinds), len(SETS)), dtype=bool)
    np.logical_and.at(everywhere, place.ravel(), serving())
    for at in range(0, len(kinds), 5):
        check(graph_of(int(first[at])), everywhere[at])


def test_separators_and_open_paths_of_ancestral_graphs() -> None:
    for number in range(0, len(every_graph()[0]), 97):
        graph = graph_of(number)
        for x, y in combinations(NAMES, 2):
            others = [node for node in NAMES if node not in (x, y)]
            sets = [frozenset(one) for size in range(3) for one in combinations(others, size)]
            every = [one for one in sets if graph.m_separated(x, y, one)]
            minimal = {one for one in every if not any(other < one for other in every)}
            assert set(minimal_separators(graph, x, y)) == minimal
            inside = {one for one in minimal if others[0] not in one}
            assert set(minimal_separators(graph, x, y, others[1:])) == inside
            for given in sets:
                path = open_path(graph, x, y, given)
                assert (path is None) == (given in every)
                assert path is None or len(set(path)) == len(path)
