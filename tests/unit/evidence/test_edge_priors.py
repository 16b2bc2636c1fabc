"""Priors from probabilities of edges, numbers of parents and description lengths."""

from __future__ import annotations

import math

import pytest

import dagwright as dw
from dagwright.errors import OptionError, UnknownNameError

DATA = {"a": [0, 0, 1, 1] * 10, "b": [0, 0, 1, 1] * 10, "c": [0, 1, 0, 1] * 10}


class Silent:
    """Data that say nothing: the posterior is the prior."""

    def local(self, families: object) -> list[float]:
        return [0.0] * len(families)  # type: ignore[arg-type]


def believed(prior: dw.evidence.StructurePrior) -> dw.StructurePosterior:
    return dw.posterior(DATA, score=Silent(), structure_prior=prior)


def test_two_nodes_have_the_probabilities_given() -> None:
    prior = dw.EdgeProbability({("a", "b"): 0.5, ("b", "a"): 0.2}, other=0.1)
    two = {name: DATA[name] for name in "ab"}
    found = dw.posterior(two, score=Silent(), structure_prior=prior).confidence
    assert found.arc("a", "b") == pytest.approx(0.5, abs=1e-12)
    assert found.arc("b", "a") == pytest.approx(0.2, abs=1e-12)


def test_zero_is_impossible_whatever_the_data_say() -> None:
    prior = dw.EdgeProbability({("a", "b"): 0.0, ("b", "a"): 0.0}, other=0.2)
    for method in ("enumerate", "exact", "order", "partition", "structure"):
        assert dw.posterior(DATA, structure_prior=prior, method=method).confidence.strength("a", "b") == 0.0
    assert not dw.learn(DATA, structure_prior=prior).graph.adjacent("a", "b")


def test_one_third_for_every_arc_is_uniform() -> None:
    uniform = believed(dw.UniformPrior()).confidence
    assert believed(dw.EdgeProbability(1 / 3)).confidence.compare(uniform).largest < 1e-12
    assert dw.EdgeProbability(0.2).equivalent
    assert dw.EdgeProbability({("a", "b"): 0.2, ("b", "a"): 0.2}).equivalent
    assert not dw.EdgeProbability({("a", "b"): 0.2}).equivalent


def test_native_weights_are_the_sum_over_families() -> None:
    prior = dw.EdgeProbability({("a", "b"): 0.5, ("b", "a"): 0.2, ("c", "a"): 0.0}, other=0.1)
    slow = dw.FamilyPrior(prior.log_family)
    difference = dw.posterior(DATA, structure_prior=prior).confidence.compare(
        dw.posterior(DATA, structure_prior=slow).confidence
    )
    assert difference.largest < 1e-12


def test_fan_in_makes_every_number_of_parents_as_likely() -> None:
    prior = dw.FanIn(5)
    others = "bcde"
    for k in range(5):
        assert math.comb(4, k) * math.exp(prior.log_family("a", frozenset(others[:k]))) == pytest.approx(1.0)
    assert dw.FanIn(5, most=1).log_family("a", frozenset("bc")) == -math.inf
    bounded = dw.posterior(DATA, structure_prior=dw.FanIn(3, most=1))
    assert all(len(one.dag.parents(x)) <= 1 for one in bounded.dags for x in one.dag.nodes)


def test_log_likelihood_with_the_description_length_is_mdl() -> None:
    states = dict.fromkeys(DATA, 2)
    prior = dw.DescriptionLengthPrior(states, math.log2(40) / 2)
    found = dw.posterior(DATA, score=dw.LogLik(), structure_prior=prior)
    table = dw.read(DATA)
    for one in found.dags[:5]:
        lengths = dw.score(one.dag, table, dw.MDL()).total - dw.score(found.best, table, dw.MDL()).total
        assert math.log(one.probability / found.dags[0].probability) == pytest.approx(lengths, abs=1e-9)
    with pytest.raises(UnknownNameError, match="description length"):
        dw.DescriptionLengthPrior({"a": 2}, 1.0).log_family("z", frozenset())


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: dw.EdgeProbability(1.0),
        lambda: dw.EdgeProbability(0.5),
        lambda: dw.EdgeProbability({("a", "b"): -0.1}),
        lambda: dw.EdgeProbability({("a", "b"): 0.7, ("b", "a"): 0.3}),
        lambda: dw.EdgeProbability({("a", "b"): 0.7}, other=0.4),
        lambda: dw.FanIn(0),
        lambda: dw.FanIn(3, most=-1),
        lambda: dw.FanIn(3, scale=-1.0),
        lambda: dw.FanIn(3, scale=math.nan),
        lambda: dw.DescriptionLengthPrior({"a": 2}, math.nan),
    ],
)
def test_refusals(wrong: object) -> None:
    with pytest.raises(OptionError):
        wrong()  # type: ignore[operator]


def test_names_that_the_data_do_not_have() -> None:
    with pytest.raises(UnknownNameError, match="arc with a probability"):
        believed(dw.EdgeProbability({("a", "z"): 0.1}))


def test_what_a_prior_needs_to_know_it_takes_from_the_data() -> None:
    table = dw.read(DATA)
    for short, written in (
        (dw.FanIn(), dw.FanIn(3)),
        (
            dw.DescriptionLengthPrior(),
            dw.DescriptionLengthPrior(
                {name: len(table.states_of(name)) for name in table.names}, math.log2(table.N) / 2
            ),
        ),
    ):
        for method in (dw.EnumeratedPosterior(), dw.ExactPosterior()):
            found = dw.posterior(table, structure_prior=short, method=method)
            assert found.confidence.arcs == pytest.approx(
                dw.posterior(table, structure_prior=written, method=method).confidence.arcs, abs=1e-12
            )
        learned = dw.learn(table, structure_prior=short, search=dw.Exact())
        assert learned.score == dw.learn(table, structure_prior=written, search=dw.Exact()).score
    with pytest.raises(OptionError, match="FanIn is for networks of 7 variables, and the data have 3"):
        dw.learn(table, structure_prior=dw.FanIn(7))
    with pytest.raises(OptionError, match="give variables"):
        dw.FanIn().log_family("a", frozenset("b"))
    with pytest.raises(OptionError, match="needs states and bits"):
        dw.DescriptionLengthPrior().log_prior(dw.Dag(["a", "b"]))
