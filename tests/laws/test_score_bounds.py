"""Bounds of scores rule out nothing that matters: proofs with them and without them are the same."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import dagwright as dw
from dagwright import _core
from dagwright.evidence.binding import bind_score
from dagwright.evidence.protocols import Family

PRIORS = [None, dw.FanIn(monotone=True)]
SCORES = [dw.QNML(), dw.BDeu(ess=2), dw.AdaptiveBDeu()]


@st.composite
def tables(draw: Any) -> dw.Table:
    """Few columns that lean on each other, some constant, some copies; few rows or many."""
    n = draw(st.integers(2, 6))
    rows = draw(st.sampled_from([2, 5, 40, 300]))
    states = [draw(st.integers(1, 4)) for _ in range(n)]
    noise = draw(st.sampled_from([0.0, 0.2, 0.9]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    columns: dict[str, Any] = {}
    before = rng.integers(0, 4, rows)
    for at, r in enumerate(states):
        drawn = np.where(rng.random(rows) < noise, rng.integers(0, 4, rows), before + rng.integers(0, 2))
        columns[f"x{at}"] = drawn % r
        before = drawn if rng.random() < 0.7 else rng.integers(0, 4, rows)
    assume(any(len(np.unique(column)) > 1 for column in columns.values()))
    return dw.read({name: [str(value) for value in column] for name, column in columns.items()})


def without_bounds(prior: dw.FanIn | None, n: int) -> dw.FamilyPrior:
    """The same prior as a function of families, of which no bound is known: all sets are scored."""
    names = [str(at) for at in range(n)]
    values = [0.0] * n if prior is None else prior.on(names, [2] * n, 1.0).parent_counts(n)
    return dw.FamilyPrior(lambda child, parents: values[len(parents)])  # noqa: ARG005


@pytest.mark.parametrize("score", SCORES, ids=repr)
@pytest.mark.parametrize("prior", PRIORS, ids=repr)
@given(tables())
@settings(max_examples=25, deadline=None)
def test_exact_search_proves_the_same_optimum_without_bounds(score: Any, prior: Any, table: dw.Table) -> None:
    free = without_bounds(prior, len(table.names))
    search = dw.Exact()
    bounded = dw.learn(table, score=score, structure_prior=prior, search=search)
    plain = dw.learn(table, score=score, structure_prior=free, search=search)
    assert bounded.optimal
    assert plain.optimal
    assert bounded.graph == plain.graph
    assert bounded.score == pytest.approx(plain.score, abs=1e-9)
    assert bounded.evaluations <= plain.evaluations
    kept = dw.candidates(table, score=score, structure_prior=prior)
    assert kept == dw.candidates(table, score=score, structure_prior=free)


@pytest.mark.parametrize("score", [dw.BDeu(ess=2), dw.AdaptiveBDeu()], ids=repr)
@pytest.mark.parametrize("prior", PRIORS, ids=repr)
@given(tables())
@settings(max_examples=25, deadline=None)
def test_no_network_has_a_higher_marginal_likelihood_than_the_rows_have_likelihood(
    score: Any, prior: Any, table: dw.Table
) -> None:
    """The gap of a search that was stopped at once is no more than that."""
    optimum = dw.learn(table, score=score, structure_prior=prior, search=dw.Exact()).score
    codes = np.stack([table.codes(name) for name in table.names])
    equal = np.unique(codes, axis=1, return_counts=True)[1]
    likelihood = float(np.sum(equal * np.log(equal / equal.sum())))
    n = len(table.names)
    most = 0.0 if prior is None else n * max(prior.on(table.names, [2] * n, 1.0).parent_counts(n))
    stopped = dw.candidates(table, score=score, structure_prior=prior, time_limit=0.0)
    assert optimum <= stopped.bound() + 1e-8
    assert stopped.bound() <= likelihood + most + 1e-6


@given(tables())
@settings(max_examples=25, deadline=None)
def test_no_superset_of_an_adaptive_score_explains_more_than_its_cells_allow(table: dw.Table) -> None:
    """score(x | P') <= -log r * (cells of x and P that occur) for all P' that contain P."""
    score = bind_score(dw.AdaptiveBDeu(), table)
    n = len(table.names)
    for child in range(n):
        others = [v for v in range(n) if v != child]
        for size in range(n):
            sets = [frozenset(one) for one in itertools.combinations(others, size)]
            for parents, value in zip(sets, score.local([Family(child, one) for one in sets]), strict=True):
                columns = [table.codes(table.names[v]) for v in sorted({child, *parents})]
                cells = len(np.unique(np.stack(columns), axis=1).T)
                assert value <= -math.log(score.cardinalities[child]) * cells + 1e-8


@given(tables())
@settings(max_examples=25, deadline=None)
def test_no_superset_scores_above_what_its_penalty_allows(table: dw.Table) -> None:
    """score(x | P') <= -(log C(N, 2 r q) - log C(N, 2 q)) for all P' that have twice the configurations."""
    score = bind_score(dw.QNML(), table)
    n, N = len(table.names), score.N
    for child in range(n):
        others = [v for v in range(n) if v != child]
        r = score.cardinalities[child]
        for size in range(n):
            sets = [frozenset(one) for one in itertools.combinations(others, size)]
            for parents, value in zip(sets, score.local([Family(child, one) for one in sets]), strict=True):
                q = math.prod(score.cardinalities[v] for v in parents)
                for least in range(1, q + 1):
                    most = _core.nml_regret(N, least) - _core.nml_regret(N, r * least)
                    assert value <= most + 1e-8


@given(st.integers(1, 10**6), st.integers(1, 50), st.integers(1, 10**6), st.integers(1, 10**6))
@settings(max_examples=60, deadline=None)
def test_the_penalty_never_falls_as_configurations_are_added(N: int, r: int, q: int, more: int) -> None:
    def penalty(configurations: int) -> float:
        return _core.nml_regret(N, r * configurations) - _core.nml_regret(N, configurations)

    assert penalty(q + more) >= penalty(q) - 4e-5 - 5e-12 * N
