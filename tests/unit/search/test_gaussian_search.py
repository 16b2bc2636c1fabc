"""Searches on numbers: exact optima by brute force, proofs in seconds, units that change nothing."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from dagwright import _core
from dagwright.evidence.bound import Bound, BoundCriterion
from dagwright.evidence.counting import NativeMeasure
from dagwright.evidence.criteria import BIC
from dagwright.graph.dag import Dag
from dagwright.knowledge import Knowledge
from dagwright.search.control import Control
from dagwright.search.exact import Exact
from dagwright.search.ges import GES
from dagwright.search.hill_climb import HillClimb
from dagwright.search.problem import Problem, Search
from gaussian_twins import Array, mixed_table


class OfCore(NativeMeasure):
    """A measure of the core under names."""

    def __init__(self, native: _core.Measure, n: int) -> None:
        self.native = native
        self.counting = self
        self.threads = 1
        self._names = tuple(f"v{i:02}" for i in range(n))

    N = property(lambda self: self.native.total)
    names = property(lambda self: self._names)
    cardinalities = property(lambda self: (0,) * len(self._names))


def gaussian(columns: list[Array]) -> _core.Measure:
    return _core.RememberedMeasure(_core.GaussianMeasure(_core.SetMoments.of(mixed_table(columns))))


def bge(columns: list[Array]) -> _core.Measure:
    n = len(columns)
    return _core.BGeMeasure(
        _core.SetMoments.of(mixed_table(columns)),
        alpha_mu=1.0,
        alpha_w=n + 2.0,
        mean=[float(np.mean(c)) for c in columns],
        scale=[0.5 * float(np.var(c)) for c in columns],
    )


def bound(native: _core.Measure, n: int, penalty: float) -> BoundCriterion:
    measure = OfCore(native, n)
    return BoundCriterion(BIC(), measure, measure, penalty)


def found_by(search: Search, score: Bound) -> Dag:
    law = Knowledge().resolve(score.names)
    found = search.run(Problem(score.names, score, law, np.random.SeedSequence(0)), Control())
    assert found.graph is not None
    return found.graph


def linear_columns(rows: int, n: int, seed: int, degree: float = 2.0) -> list[Array]:
    rng = np.random.default_rng(seed)
    x = np.empty((n, rows))
    for i in range(n):
        parents = [k for k in range(i) if rng.random() < degree / max(n - 1, 1)]
        x[i] = rng.normal(size=rows)
        for k in parents:
            x[i] += rng.choice([-1, 1]) * rng.uniform(0.5, 1.2) * x[k]
    return [np.ascontiguousarray(row) for row in x]


def best_by_force(score: Bound, n: int) -> float:
    """The best sum over all orders, each node with its best parents before it."""
    families = [
        (v, p) for v in range(n) for k in range(n) for p in itertools.combinations(range(n), k) if v not in p
    ]
    values = dict(zip(families, score.native.local([(v, list(p)) for v, p in families]), strict=True))
    best = -math.inf
    for order in itertools.permutations(range(n)):
        total = 0.0
        for i, v in enumerate(order):
            before = set(order[:i])
            total += max(value for (child, p), value in values.items() if child == v and before >= set(p))
        best = max(best, total)
    return best


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["BIC", "BGe"])
def test_exact_finds_what_brute_force_finds(kind: str, seed: int) -> None:
    columns = linear_columns(60, 5, seed)
    score = bound(gaussian(columns), 5, math.log(60) / 2) if kind == "BIC" else bound(bge(columns), 5, 0.0)
    assert score.native.bounded == (kind == "BIC")
    assert score.total(found_by(Exact(), score)) == pytest.approx(best_by_force(score, 5), rel=1e-11)


def test_bounds_rule_out_families() -> None:
    n = 12
    columns = linear_columns(1000, n, 3)
    score = bound(gaussian(columns), n, math.log(1000) / 2)
    law = Knowledge().resolve(score.names)
    found = Exact().run(Problem(score.names, score, law, np.random.SeedSequence(0)), Control())
    assert found.optimal
    assert found.evaluations < 0.75 * n * 2 ** (n - 1)
    assert score.total(found.graph) >= score.total(found_by(HillClimb(), score)) - 1e-9


def test_units_change_no_graph() -> None:
    columns = linear_columns(400, 8, 5)
    rng = np.random.default_rng(0)
    other = [c * f + 100 * f for c, f in zip(columns, 10.0 ** rng.integers(-4, 5, 8), strict=True)]
    for search in (HillClimb(), GES()):
        for make, penalty in ((gaussian, math.log(400) / 2), (bge, 0.0)):
            one, two = (found_by(search, bound(make(c), 8, penalty)) for c in (columns, other))
            assert one == two


def test_duplicates_and_few_rows_stop_no_search() -> None:
    columns = linear_columns(30, 5, 1)
    columns.append(columns[0].copy())
    score = bound(gaussian(columns), 6, math.log(30) / 2)
    for search in (HillClimb(), GES(), Exact()):
        graph = found_by(search, score)
        assert math.isfinite(score.total(graph))
    few = [c[:4] for c in columns[:5]]
    score = bound(gaussian(few), 5, math.log(4) / 2)
    for search in (HillClimb(), GES(), Exact()):
        assert math.isfinite(score.total(found_by(search, score)))
