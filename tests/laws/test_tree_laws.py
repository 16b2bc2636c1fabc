"""Laws of trees and of description lengths, on random small tables."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dagwright as dw
from dagwright.testing import random_knowledge


@st.composite
def tables(draw: st.DrawFn, most: int = 6) -> dw.Table:
    n = draw(st.integers(2, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    rows = draw(st.integers(3, 60))
    states = [int(r) for r in rng.integers(2, 4, n)]
    columns: list[np.ndarray] = []
    for r in states:
        noise = rng.integers(0, r, rows)
        source = columns[rng.integers(0, len(columns))] % r if columns else noise
        columns.append(np.where(rng.random(rows) < 0.6, source, noise))
    return dw.Table([f"x{at}" for at in range(n)], columns, [list(range(r)) for r in states])


def all_trees(names: tuple[str, ...]) -> Iterator[dw.Dag]:
    """Every tree over the names, by Pruefer sequences, directed away from the first."""
    n = len(names)
    if n == 2:
        yield dw.Dag(names, [names])
        return
    for sequence in itertools.product(range(n), repeat=n - 2):
        degree = [1 + sequence.count(v) for v in range(n)]
        edges = []
        for node in sequence:
            leaf = degree.index(1)
            edges.append((leaf, node))
            degree[leaf] -= 1
            degree[node] -= 1
        edges.append(tuple(v for v in range(n) if degree[v] == 1))
        near = {v: [a + b - v for a, b in edges if v in (a, b)] for v in range(n)}
        arcs, front, seen = [], [0], {0}
        for node in front:
            fresh = [v for v in near[node] if v not in seen]
            arcs += [(names[node], names[v]) for v in fresh]
            seen.update(fresh)
            front += fresh
        yield dw.Dag(names, arcs)


@settings(max_examples=25, deadline=None)
@given(tables())
def test_no_tree_is_more_likely(data: dw.Table) -> None:
    found = dw.learn(data, search=dw.ChowLiu())
    best = max(dw.score(tree, data, dw.LogLik()).total for tree in all_trees(data.names))
    assert found.score == pytest.approx(best, abs=1e-8)


@settings(max_examples=25, deadline=None)
@given(tables(), st.sampled_from([dw.LogLik(), dw.BIC(), dw.BDeu(ess=2)]))
def test_the_score_does_not_depend_on_the_root(data: dw.Table, score: object) -> None:
    scores = [dw.learn(data, score=score, search=dw.ChowLiu(root=name)).score for name in data.names]
    assert scores == pytest.approx([scores[0]] * len(scores), abs=1e-8)


@settings(max_examples=40, deadline=None)
@given(tables())
def test_the_divergence_of_a_tree(data: dw.Table) -> None:
    """KL(P, P_tree) = -sum I(edges) + sum H(nodes) - H(all) (Chow & Liu 1968)."""
    tree = dw.learn(data, search=dw.ChowLiu()).graph
    expected = (
        sum(dw.entropy(data, name) for name in data.names)
        - sum(dw.mutual_information(data, *edge) for edge in tree.edges)
        - dw.entropy(data, data.names)
    )
    likelihood = dw.fit(tree, data, parameter_prior=None).log_likelihood(data)
    assert dw.cross_entropy(tree, data) == pytest.approx(expected, abs=1e-9)
    assert -likelihood / data.N - dw.entropy(data, data.names) == pytest.approx(expected, abs=1e-9)


def obeying_branchings(names: tuple[str, ...], known: dw.Knowledge) -> Iterator[dw.Dag]:
    """Every graph with at most one parent each that keeps the knowledge."""
    choices = [[None, *(u for u in names if u != v)] for v in names]
    resolved = known.resolve(names)
    for parents in itertools.product(*choices):
        arcs = [(u, v) for v, u in zip(names, parents, strict=True) if u is not None]
        try:
            dag = dw.Dag(names, arcs)
        except dw.CycleError:
            continue
        if not resolved.check(dag):
            yield dag


def joined_knowledge(names: tuple[str, ...], seed: int) -> dw.Knowledge:
    """Required edges, most of which gain nothing, and roots or forbidden arcs."""
    rng = np.random.default_rng(seed)
    pairs = [pair for pair in itertools.combinations(names, 2) if rng.random() < 0.3]
    known = dw.Knowledge(
        required=[(a, "--", b) for a, b in pairs],
        roots=[name for name in names if rng.random() < 0.2],
        forbidden=[(a, "->", b) for a, b in itertools.permutations(names, 2) if rng.random() < 0.15],
    )
    return known if not known.conflicts(names) else dw.Knowledge(required=[(a, "--", b) for a, b in pairs])


@pytest.mark.parametrize("knowledge", ["any", "links"])
@pytest.mark.parametrize("forest", [False, True])
@settings(max_examples=20, deadline=None)
@given(data=tables(most=5), seed=st.integers(0, 2**32))
def test_no_branching_that_obeys_is_heavier(forest: bool, knowledge: str, data: dw.Table, seed: int) -> None:
    """A tree joins most and is then the heaviest; a forest has the highest score."""
    known = (
        joined_knowledge(data.names, seed)
        if knowledge == "links"
        else random_knowledge(data.names, np.random.default_rng(seed))
    )
    score = dw.BIC() if forest else dw.LogLik()
    found = dw.learn(data, score=score, search=dw.ChowLiu(forest=forest), knowledge=known)
    assert known.check(found.graph) == []
    varies = {name for name in data.names if len(set(data.decode(name)) - {None}) > 1}
    resolved = known.resolve(data.names)
    needed = {frozenset(pair) for pair in (*resolved.required_arcs, *resolved.required_links)}

    def joined(dag: dw.Dag) -> int:
        """Edges that are required or join columns that vary; a tree leaves the others out."""
        return sum(set(edge) <= varies or frozenset(edge) in needed for edge in dag.edges)

    best = max(
        (
            (0 if forest else joined(dag), dw.score(dag, data, score).total)
            for dag in obeying_branchings(data.names, known)
        ),
        default=None,
    )
    if best is None:
        assert any("several parents" in warning for warning in found.warnings)
        return
    assert all(len(found.graph.parents(name)) <= 1 for name in data.names)
    assert forest or len(found.graph.edges) == best[0]
    assert found.score == pytest.approx(best[1], abs=1e-6)


@settings(max_examples=25, deadline=None)
@given(tables(most=5))
def test_no_classifier_tree_is_more_likely(data: dw.Table) -> None:
    target, *features = data.names
    if len(features) < 2:
        return
    found = dw.learn(data, search=dw.TAN(target))
    best = max(
        dw.score(
            dw.Dag(data.names, [*tree.edges, *((target, feature) for feature in features)]),
            data,
            dw.LogLik(),
        ).total
        for tree in all_trees(tuple(features))
    )
    assert found.score == pytest.approx(best, abs=1e-8)
    assert found.graph.parents(target) == ()


def random_dag(names: tuple[str, ...], seed: int) -> dw.Dag:
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(names))
    pairs = itertools.combinations(order, 2)
    return dw.Dag(names, [(names[a], names[b]) for a, b in pairs if rng.random() < 0.5])


@settings(max_examples=60, deadline=None)
@given(tables(), st.integers(0, 2**32))
def test_heavier_is_nearer(data: dw.Table, seed: int) -> None:
    """The cross-entropy of a network falls by what its weight gains (Lam & Bacchus 1994, Theorem 4.2)."""
    graphs = [random_dag(data.names, seed), random_dag(data.names, seed + 1), dw.Dag(data.names)]
    constants = [dw.cross_entropy(graph, data) + dw.evidence.network_weight(graph, data) for graph in graphs]
    assert constants == pytest.approx([constants[0]] * 3, abs=1e-9)
    for graph in graphs:
        fitted = dw.fit(graph, data, parameter_prior=None).log_likelihood(data)
        assert fitted == pytest.approx(
            data.N * (dw.evidence.network_weight(graph, data) - sum(dw.entropy(data, x) for x in data.names)),
            abs=1e-7,
        )


@settings(max_examples=20, deadline=None)
@given(tables(most=4))
def test_more_arcs_carry_more_weight(data: dw.Table) -> None:
    """The largest weight never falls with the number of arcs (Lam & Bacchus 1994, Theorem 4.3)."""
    frontier = dw.learn(data, search=dw.MdlSearch("every-dag")).notes["frontier"]
    weights = [point["weight"] for point in frontier]
    assert all(one <= other + 1e-9 for one, other in itertools.pairwise(weights))
    n = len(data.names)
    assert [point["arcs"] for point in frontier] == list(range(n * (n - 1) // 2 + 1))
    everything = dw.Dag.parse(frontier[-1]["heaviest"])
    assert dw.cross_entropy(everything, data) == pytest.approx(0.0, abs=1e-9)
    searched = dw.learn(data, search=dw.MdlSearch()).notes["frontier"]
    assert all(
        one["weight"] <= other["weight"] + 1e-9 for one, other in zip(searched, frontier, strict=False)
    )
    for point in frontier:
        length = dw.description_length(dw.Dag.parse(point["shortest"]), data).total
        assert length == pytest.approx(point["length"], abs=1e-6)


@settings(max_examples=25, deadline=None)
@given(tables(), st.integers(0, 2**32))
def test_equivalent_networks_have_the_same_length(data: dw.Table, seed: int) -> None:
    members = list(itertools.islice(random_dag(data.names, seed).cpdag().members(), 6))
    totals = [dw.description_length(dag, data, d=7.0).total for dag in members]
    assert totals == pytest.approx([totals[0]] * len(totals), abs=1e-7)
