"""Structure priors: what they add, natively and not, and what they refuse."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.evidence import Family, StructurePrior
from dagwright.evidence.binding import describe_score
from dagwright.evidence.structure_priors import with_prior

RNG = np.random.default_rng(4)
BASE = RNG.integers(0, 2, (300, 5))
DATA = dw.read({f"v{i}": [int(x) for x in BASE[:, i] | (BASE[:, 0] & (i % 2))] for i in range(5)})
EXPERT = dw.Dag(DATA.names, [("v0", "v1"), ("v0", "v3"), ("v2", "v3")])
FAMILIES = [
    Family(child, frozenset(p for p in range(5) if p != child and (mask >> p) & 1))
    for child in range(5)
    for mask in range(32)
    if not (mask >> child) & 1
]
PRIORS: list[StructurePrior] = [
    dw.UniformPrior(),
    dw.KappaPrior(EXPERT, 0.2),
    dw.ArcCost(3.5),
    dw.ArcCost(math.inf),
    dw.EdgeProbability(0.1),
    dw.FanIn(5),
    dw.FanIn(5, most=1),
    dw.FanIn(5, monotone=True),
    dw.ParentCount([-2.0, 1.5, -1.0, 2.5, 3.0]),
    dw.ArcCost({("v0", "v1"): 2.0, ("v3", "v2"): math.inf, ("v2", "v4"): -1.0}),
]


@pytest.mark.parametrize("prior", PRIORS, ids=repr)
def test_the_native_sum_is_the_sum_over_families(prior: StructurePrior) -> None:
    plain, slow = dw.BIC().on(DATA), dw.FamilyPrior(prior.log_family)
    fast, python = with_prior(plain, prior), with_prior(plain, slow)
    terms = [prior.log_family(DATA.names[x], frozenset(DATA.names[p] for p in ps)) for x, ps in FAMILIES]
    expected = [value + term for value, term in zip(plain.local(FAMILIES), terms, strict=True)]
    assert fast.local(FAMILIES) == pytest.approx(expected, abs=1e-9)
    assert python.local(FAMILIES) == pytest.approx(expected, abs=1e-9)
    one, other = (dw.learn(DATA, score=dw.BIC(), structure_prior=p) for p in (prior, slow))
    assert one.graph == other.graph
    assert one.score == pytest.approx(other.score, abs=1e-8)
    assert one.score == pytest.approx(plain.total(one.graph) + prior.log_prior(one.graph), abs=1e-8)


def test_a_uniform_prior_changes_nothing() -> None:
    assert dw.learn(DATA, structure_prior=dw.UniformPrior()).graph == dw.learn(DATA).graph


def test_a_strong_prior_wins_and_a_weak_one_does_not() -> None:
    assert dw.learn(DATA, structure_prior=dw.KappaPrior(EXPERT, 1e-300)).graph == EXPERT
    assert dw.learn(DATA, structure_prior=dw.KappaPrior(EXPERT, 1.0)).graph == dw.learn(DATA).graph
    assert dw.learn(DATA, structure_prior=dw.ArcCost(1e9)).graph.edges == ()


def test_what_the_prior_rules_out_no_data_can_revive() -> None:
    free = dw.learn(DATA).graph.edges
    never = dw.FamilyPrior(lambda child, parents: -math.inf if (*parents, child) in free else 0.0)
    for search in (
        dw.HillClimb(),
        dw.HillClimb(start="random"),
        dw.Tabu(),
        dw.Annealing(),
        dw.GES(),
    ):
        found = dw.learn(DATA, search=search, structure_prior=never)
        assert found.dag is not None
        assert math.isfinite(found.score)
        assert all((*found.dag.parents(child), child) not in free for child in DATA.names)


def test_mdl_is_bic_with_an_arc_cost() -> None:
    mdl = dw.MDL().on(DATA)
    bic = with_prior(dw.BIC().on(DATA), dw.ArcCost(math.log(5)))
    assert mdl.local(FAMILIES) == pytest.approx(bic.local(FAMILIES), abs=1e-9)
    assert type(mdl.native).__name__ == "ParentCountScore"


def test_the_prior_is_part_of_the_definition() -> None:
    found = dw.learn(DATA, score=dw.BIC(), structure_prior=dw.KappaPrior(EXPERT, 0.25))
    assert found.score_name == "BIC + KappaPrior"
    assert found.score_definition is not None
    assert "log(N)/2" in found.score_definition
    assert "0.25 for each parent" in found.score_definition
    twice = with_prior(with_prior(dw.BIC().on(DATA), dw.ArcCost(1.0)), dw.UniformPrior())
    assert describe_score(twice)[0] == "BIC + ArcCost + UniformPrior"


def test_equivalence_is_declared() -> None:
    assert dw.UniformPrior().equivalent
    assert dw.ArcCost(1.0).equivalent
    assert not dw.ArcCost({("v0", "v1"): 1.0}).equivalent
    assert not dw.FamilyPrior(lambda child, parents: 0.0).equivalent  # noqa: ARG005
    assert dw.FamilyPrior(lambda child, parents: -float(len(parents)), equivalent=True).equivalent  # noqa: ARG005


@pytest.mark.parametrize("kappa", [0.0, -0.1, 1.1, math.nan])
def test_kappa_is_above_0_and_at_most_1(kappa: float) -> None:
    with pytest.raises(dw.OptionError, match="kappa"):
        dw.KappaPrior(EXPERT, kappa)


def test_what_is_refused() -> None:
    with pytest.raises(dw.OptionError, match="above -inf"):
        dw.ArcCost(-math.inf)
    with pytest.raises(dw.OptionError, match="above -inf"):
        dw.ArcCost({("v0", "v1"): math.nan})
    with pytest.raises(dw.UnknownNameError, match="ghost"):
        dw.learn(DATA, structure_prior=dw.ArcCost({("v0", "ghost"): 1.0}))
    with pytest.raises(dw.UnknownNameError, match="ghost"):
        dw.learn(DATA, structure_prior=dw.KappaPrior(dw.Dag(["ghost"]), 0.5))
    with pytest.raises(dw.OptionError, match="FamilyPrior"):
        dw.learn(DATA, structure_prior=lambda child, parents: 0.0)  # type: ignore[arg-type]  # noqa: ARG005
    with pytest.raises(dw.OptionError, match="finite logarithm"):
        dw.learn(DATA, structure_prior=dw.FamilyPrior(lambda child, parents: math.nan))  # noqa: ARG005


def test_the_order_of_columns_does_not_matter() -> None:
    prior = dw.KappaPrior(EXPERT, 0.5)
    expected = dw.learn(DATA, structure_prior=prior)
    shuffled = dw.learn(DATA.select(["v3", "v1", "v4", "v0", "v2"]), structure_prior=prior)
    assert shuffled.graph == expected.graph
    assert shuffled.score == expected.score


@pytest.mark.parametrize("search", [dw.Exact(), dw.BranchAndCut()])
def test_a_prior_that_rules_out_every_network_is_named(search: Any) -> None:
    parents_for_all = dw.ParentCount([-math.inf, 0.0])
    with pytest.raises(dw.KnowledgeError, match="knowledge and the structure prior allow"):
        dw.learn("sample:asia", search=search, structure_prior=parents_for_all)


def test_a_score_of_minus_infinity_is_a_warning() -> None:
    required = dw.Knowledge(required=[("smoke", "lung")])
    found = dw.learn(
        "sample:asia", search=dw.HillClimb(), structure_prior=dw.ParentCount([0.0]), knowledge=required
    )
    assert found.score == -math.inf
    assert any("minus infinity" in warning for warning in found.warnings)


@pytest.mark.parametrize("prior", [dw.ArcCost, dw.EdgeProbability])
@pytest.mark.parametrize("key", ["asia", "asia -> tub", ("asia",), ("asia", "tub", "lung"), 3])
def test_a_key_that_is_no_arc_is_refused(prior: Any, key: Any) -> None:
    with pytest.raises(dw.OptionError, match=r"takes arcs \(parent, child\) as the keys of"):
        prior({key: 0.1})
