"""Priors on the number of parents: the same for all members of a class, in the core and by hand."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

import dagwright as dw
from dagwright import _core
from dagwright.evidence import StructurePrior
from dagwright.evidence.structure_priors import with_prior

Parents = tuple[int, ...]
"""A DAG: for each node the bits of its parents."""

N = 6
PRIORS: list[StructurePrior] = [
    dw.FanIn(N),
    dw.FanIn(N, monotone=True),
    dw.FanIn(N, most=2),
    dw.FanIn(N, monotone=True, scale=0.5),
    dw.ArcCost(1.25),
    dw.EdgeProbability(0.2),
    dw.ParentCount([0.5, -1.0, 2.0, -7.0]),
]


def random_parents(rng: np.random.Generator) -> Parents:
    order, density = rng.permutation(N), rng.random()
    parents = [0] * N
    for place, child in enumerate(order):
        for parent in order[:place]:
            parents[child] |= int(rng.random() < density) << int(parent)
    return tuple(parents)


def members(dag: Parents) -> list[Parents]:
    """All members of the class: they are joined by reversals of covered arcs (Chickering 1995)."""
    seen, open_ = {dag}, [dag]
    while open_:
        one = open_.pop()
        for y in range(N):
            for x in range(N):
                if one[y] >> x & 1 and one[y] == one[x] | 1 << x:
                    other = list(one)
                    other[y] ^= 1 << x
                    other[x] |= 1 << y
                    if tuple(other) not in seen:
                        seen.add(tuple(other))
                        open_.append(tuple(other))
    return sorted(seen)


def test_equal_on_all_members_of_10_000_random_classes() -> None:
    rng = np.random.default_rng(17)
    classes: dict[Parents, list[Parents]] = {}
    known: set[Parents] = set()
    while len(classes) < 10_000:
        dag = random_parents(rng)
        if dag not in known:
            classes[dag] = members(dag)
            known.update(classes[dag])
    families = sorted(
        {(child, bits) for each in classes.values() for one in each for child, bits in enumerate(one)}
    )
    asked = [(child, [v for v in range(N) if bits >> v & 1]) for child, bits in families]
    assert max(map(len, classes.values())) > 100
    for prior in PRIORS:
        counts = prior.parent_counts(N)
        assert counts is not None
        assert prior.equivalent
        native = _core.ParentCountScore(_core.FlatScore(N), counts)
        value = dict(zip(families, native.local(asked, 1).tolist(), strict=True))
        for each in classes.values():
            totals = {math.fsum(value[child, bits] for child, bits in enumerate(one)) for one in each}
            assert len(totals) == 1


@pytest.mark.parametrize("prior", PRIORS, ids=repr)
def test_a_score_with_such_a_prior_is_declared_equivalent(prior: StructurePrior) -> None:
    rng = np.random.default_rng(3)
    table = dw.read({f"v{at}": rng.integers(0, 2 + at % 2, 200) for at in range(N)})
    bound = with_prior(dw.BIC().on(table), prior)
    assert type(bound.native).__name__ == "ParentCountScore"
    dag = dw.Dag(table.names, [("v0", "v1"), ("v1", "v2"), ("v0", "v2"), ("v3", "v4")])
    totals = [bound.total(member) for member in dag.cpdag().members()]
    assert len(totals) == 12
    assert totals == pytest.approx([totals[0]] * 12, abs=1e-9)
    found = dw.learn(table, structure_prior=prior, search=dw.GES())
    assert not any("equivalent" in warning for warning in found.warnings)


def test_the_monotone_form_never_rises() -> None:
    for n in range(1, 40):
        counts = dw.FanIn(n, monotone=True).parent_counts(n)
        assert all(later <= earlier for earlier, later in pairwise(counts))
        half = (n - 1) // 2
        assert counts[: half + 1] == dw.FanIn(n).parent_counts(n)[: half + 1]


def test_a_result_names_the_number_of_variables() -> None:
    data = dw.read("sample:asia")
    found = dw.learn(data, structure_prior=dw.FanIn(monotone=True))
    assert found.score_definition is not None
    assert "n = 8 variables" in found.score_definition
    assert found.optimal
