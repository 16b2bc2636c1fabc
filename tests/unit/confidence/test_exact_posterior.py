"""Exact sums against listed networks, their costs, and what they refuse."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.confidence.exact_sums import forecast_exact
from dagwright.confidence.structure_posterior import chosen_method, linear_extensions
from dagwright.errors import CapacityError, NotFinishedError, OptionError, UnknownNameError
from dagwright.testing import random_knowledge

RNG = np.random.default_rng(8)


def columns(n: int, rows: int = 80, seed: int = 0) -> dict[str, list[int]]:
    rng = np.random.default_rng(seed)
    data = rng.integers(0, 2, (rows, n))
    data[:, 0] %= 3
    for at in range(1, n):
        copied = rng.random(rows) < 0.6
        data[copied, at] = data[copied, at - 1] % 2
    data[:2] = [[0] * n, [1] * n]
    return {f"v{at}": data[:, at].tolist() for at in range(n)}


def per_order(listed: dw.StructurePosterior) -> np.ndarray[Any, Any]:
    nodes = listed.confidence.nodes
    weights = np.array([one.probability * linear_extensions(one.dag) for one in listed.dags])
    arcs = np.array([[[(a, b) in one.dag.edges for b in nodes] for a in nodes] for one in listed.dags])
    return np.tensordot(weights / weights.sum(), arcs, 1)


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("score", [dw.BDeu(1), dw.BIC(), dw.K2Score(), dw.QNML()], ids=lambda s: s.name)
def test_sums_are_those_of_listed_networks(n: int, score: Any) -> None:
    data = columns(n, seed=n)
    listed = dw.posterior(data, score=score)
    exact = dw.posterior(data, score=score, method="exact")
    assert exact.confidence.compare(listed.confidence).largest < 1e-10
    assert exact.log_evidence == pytest.approx(listed.log_evidence, abs=1e-9)
    orders = dw.posterior(data, score=score, method=dw.ExactPosterior("orders"))
    assert np.abs(orders.confidence.arcs - per_order(listed)).max() < 1e-10
    assert exact.probability(listed.best) == pytest.approx(listed.probability(listed.best), abs=1e-10)


def test_five_variables_with_a_prior() -> None:
    data = columns(5, seed=5)
    expert = dw.Dag(tuple(data), [("v0", "v1"), ("v3", "v2")])
    prior = dw.KappaPrior(expert, 0.3)
    listed = dw.posterior(data, prior=prior)
    exact = dw.posterior(data, prior=prior, method="exact")
    assert len(listed.dags) == 29281
    assert exact.confidence.compare(listed.confidence).largest < 1e-10
    assert exact.log_evidence == pytest.approx(listed.log_evidence, abs=1e-9)
    orders = dw.posterior(data, prior=prior, method=dw.ExactPosterior("orders"))
    assert np.abs(orders.confidence.arcs - per_order(listed)).max() < 1e-10


@pytest.mark.parametrize("seed", range(12))
def test_knowledge_is_law_in_sums_and_lists(seed: int) -> None:
    data = columns(4, seed=seed)
    known = random_knowledge(tuple(data), np.random.default_rng(seed))
    listed = dw.posterior(data, knowledge=known)
    assert all(not known.check(one.dag) for one in listed.dags)
    assert len(listed.dags) == known.resolve(tuple(data)).count_dags()
    exact = dw.posterior(data, knowledge=known, method="exact")
    assert exact.confidence.compare(listed.confidence).largest < 1e-10
    assert exact.log_evidence == pytest.approx(listed.log_evidence, abs=1e-9)
    orders = dw.posterior(data, knowledge=known, method=dw.ExactPosterior("orders"))
    assert np.abs(orders.confidence.arcs - per_order(listed)).max() < 1e-10
    assert not known.check(exact.consensus(0.3))


def test_a_parent_bound() -> None:
    data = columns(4, seed=3)
    listed = dw.posterior(data, knowledge=dw.Knowledge(max_parents=1))
    exact = dw.posterior(data, method=dw.ExactPosterior(max_parents=1))
    assert exact.confidence.compare(listed.confidence).largest < 1e-10
    assert exact.log_evidence == pytest.approx(listed.log_evidence, abs=1e-9)
    assert exact.probability(dw.Dag(tuple(data), [("v0", "v2"), ("v1", "v2")])) == 0.0


def test_differences_beyond_the_range_of_a_double() -> None:
    table = dw.load("asia").sample(20_000, random_state=0)
    exact = dw.posterior(table, method="exact")
    assert exact.log_evidence is not None
    assert exact.log_evidence < -40_000
    assert exact.confidence.strength("smoke", "bronc") == pytest.approx(1.0, abs=1e-9)
    assert np.all(exact.confidence.arcs + exact.confidence.arcs.T <= 1 + 1e-9)


def test_neither_threads_nor_the_order_of_columns_matter() -> None:
    data = columns(6, seed=9)
    turned = {name: data[name] for name in reversed(data)}
    for method in (dw.ExactPosterior(), dw.ExactPosterior("orders")):
        one = dw.posterior(data, method=method, threads=1).confidence
        two = dw.posterior(turned, method=method, threads=3).confidence
        assert one.compare(two).largest == 0.0


def test_paths_blankets_and_v_structures_of_listed_networks() -> None:
    listed = dw.posterior(columns(3, seed=2))
    sure = listed.confidence
    assert sure.path("v0", "v2") == pytest.approx(
        listed.feature(lambda dag: "v2" in dag.descendants("v0")).probability, abs=1e-12
    )
    assert sure.in_blanket("v0", of="v2") == pytest.approx(
        listed.feature(lambda dag: "v0" in dag.markov_blanket("v2")).probability, abs=1e-12
    )
    assert sure.v_structure("v2", "v1", "v0") == pytest.approx(
        listed.feature(lambda dag: ("v0", "v1", "v2") in dag.v_structures()).probability, abs=1e-12
    )


def test_auto_lists_then_sums_then_samples() -> None:
    assert isinstance(dw.posterior(columns(4)).method, dw.EnumeratedPosterior)
    assert isinstance(dw.posterior(columns(6)).method, dw.ExactPosterior)
    assert chosen_method("auto", 16) == dw.ExactPosterior()
    assert chosen_method("auto", 24) == dw.PartitionMCMC()


def test_the_forecast_and_the_refusal() -> None:
    cost = forecast_exact(20, "orders", max_parents=5)
    assert cost.evaluations == 20 * sum(math.comb(19, k) for k in range(6))
    assert 250e6 < cost.memory < 400e6
    told = dw.forecast(columns(10), search=dw.ExactPosterior())
    assert told.evaluations == 10 * 2**9
    assert told.memory == forecast_exact(10).memory
    assert "3^n steps" in str(told)
    sampled = dw.forecast(columns(10), search=dw.OrderMCMC(max_parents=2))
    assert sampled.evaluations == 10 * (1 + 9 + 36)
    assert "moves" in str(sampled)
    with pytest.raises(CapacityError, match=r"2\^n bytes = .* GiB .* PartitionMCMC"):
        dw.posterior(columns(27, rows=20), method="exact")
    with pytest.raises(CapacityError, match="memory="):
        dw.posterior(columns(8), method=dw.ExactPosterior(memory=1000))
    with pytest.raises(CapacityError, match="3,781,503 networks"):
        dw.posterior(columns(6), method="enumerate")


def test_what_exact_sums_cannot_say() -> None:
    exact = dw.posterior(columns(6), method="exact")
    for ask in (
        lambda: exact.feature(lambda dag: len(dag.edges)),
        lambda: exact.best,
        lambda: exact.smallest_prior(dw.Dag(exact.confidence.nodes)),
        lambda: exact.confidence.path("v0", "v1"),
        lambda: dw.posterior(columns(6), method="exact", features={"arcs": lambda dag: len(dag.edges)}),
        lambda: dw.posterior(columns(6), method="exact", start=dw.Dag(exact.confidence.nodes)),
        lambda: dw.posterior(columns(6), method=dw.BIC()),  # type: ignore[arg-type]
        lambda: dw.ExactPosterior("sets"),  # type: ignore[arg-type]
    ):
        with pytest.raises(OptionError):
            ask()
    with pytest.raises(UnknownNameError, match="did you mean 'exact'"):
        dw.posterior(columns(6), method="exactly")
    with pytest.raises(NotFinishedError, match="time limit"):
        dw.posterior(columns(14, rows=300), method="exact", time_limit=0.0)


def test_no_network_at_all() -> None:
    never = dw.FamilyPrior(lambda *_: -math.inf)
    with pytest.raises(OptionError, match="no network is possible"):
        dw.posterior(columns(3), prior=never)
    with pytest.raises(dw.DagwrightError, match="no network is possible"):
        dw.posterior(columns(3), prior=never, method="exact")


def test_the_averaged_network() -> None:
    found = dw.posterior(dw.sample_path("asia"))
    network = found.averaged()
    assert network.graph == found.consensus()
    assert network.probability("dysp", "yes", {"bronc": "yes", "either": "yes"}) > 0.5
    learned = dw.learn(dw.sample_path("asia")).with_confidence(found.confidence)
    assert learned.confidence is not None
    assert learned.confidence.strength("bronc", "dysp") > 0.99
