"""Exact sums against listed networks, their costs, and what they refuse."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright import _core
from dagwright.confidence.exact_sums import exact_cost, forecast_exact
from dagwright.confidence.structure_posterior import chosen_method, linear_extensions
from dagwright.errors import CapacityError, NotFinishedError, OptionError, UnknownNameError
from dagwright.evidence import reference
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


def per_order(listed: dw.StructurePosterior) -> dw.Confidence:
    """All features of the listed networks, each counted once for every order it fits."""
    nodes = listed.confidence.nodes
    weights = np.array([one.probability * linear_extensions(one.dag) for one in listed.dags])
    weights /= weights.sum()
    arcs = np.array([[[(a, b) in one.dag.edges for b in nodes] for a in nodes] for one in listed.dags])
    paths, blankets, colliders = reference.network_features(arcs, weights)
    return dw.Confidence(
        nodes,
        np.clip(np.tensordot(weights, arcs, 1), 0.0, 1.0),
        "listed",
        paths=np.clip(paths, 0.0, 1.0),
        blankets=np.clip(blankets, 0.0, 1.0),
        v_structures={
            (nodes[a], nodes[c], nodes[b]): float(colliders[a, c, b])
            for a, c, b in np.argwhere(colliders > 0)
            if nodes[a] < nodes[b]
        },
    )


def largest_difference(exact: dw.Confidence, listed: dw.Confidence) -> float:
    """Over arcs, paths, Markov blankets and v-structures."""
    assert exact.nodes == listed.nodes
    found = [np.abs(exact.arcs - listed.arcs).max()]
    for name in ("paths", "blankets"):
        one, other = getattr(exact, name), getattr(listed, name)
        found.append(np.abs(one - other).max())
    assert exact.v_structures is not None
    assert listed.v_structures is not None
    either = exact.v_structures.keys() | listed.v_structures.keys()
    found.extend(abs(exact.v_structure(*triple) - listed.v_structure(*triple)) for triple in either)
    return float(max(found))


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("score", [dw.BDeu(1), dw.BIC(), dw.K2Score(), dw.QNML()], ids=lambda s: s.name)
def test_sums_are_those_of_listed_networks(n: int, score: Any) -> None:
    data = columns(n, seed=n)
    listed = dw.posterior(data, score=score)
    exact = dw.posterior(data, score=score, method="exact")
    assert largest_difference(exact.confidence, listed.confidence) < 1e-10
    assert exact.log_evidence == pytest.approx(listed.log_evidence, abs=1e-9)
    orders = dw.posterior(data, score=score, method=dw.ExactPosterior("orders"))
    assert largest_difference(orders.confidence, per_order(listed)) < 1e-10
    assert exact.probability(listed.best) == pytest.approx(listed.probability(listed.best), abs=1e-10)


def test_strong_dependence_makes_most_terms_negligible() -> None:
    rng = np.random.default_rng(3)
    first = rng.integers(0, 2, 20_000)
    data = {"v0": first.tolist()}
    for at in range(1, 4):
        first = np.where(rng.random(20_000) < 0.9, first, 1 - first)
        data[f"v{at}"] = first.tolist()
    listed = dw.posterior(data)
    exact = dw.posterior(data, method="exact")
    assert largest_difference(exact.confidence, listed.confidence) < 1e-10
    orders = dw.posterior(data, method=dw.ExactPosterior("orders"))
    assert largest_difference(orders.confidence, per_order(listed)) < 1e-10


def test_four_variables_with_a_prior() -> None:
    data = columns(4, seed=5)
    expert = dw.Dag(tuple(data), [("v0", "v1"), ("v3", "v2")])
    prior = dw.KappaPrior(expert, 0.3)
    listed = dw.posterior(data, structure_prior=prior)
    exact = dw.posterior(data, structure_prior=prior, method="exact")
    assert len(listed.dags) == 543
    assert largest_difference(exact.confidence, listed.confidence) < 1e-10
    assert exact.log_evidence == pytest.approx(listed.log_evidence, abs=1e-9)
    orders = dw.posterior(data, structure_prior=prior, method=dw.ExactPosterior("orders"))
    assert largest_difference(orders.confidence, per_order(listed)) < 1e-10


@pytest.mark.parametrize("seed", range(12))
def test_knowledge_is_law_in_sums_and_lists(seed: int) -> None:
    data = columns(4, seed=seed)
    known = random_knowledge(tuple(data), np.random.default_rng(seed))
    listed = dw.posterior(data, knowledge=known)
    assert all(not known.check(one.dag) for one in listed.dags)
    assert len(listed.dags) == known.resolve(tuple(data)).count_dags()
    exact = dw.posterior(data, knowledge=known, method="exact")
    assert largest_difference(exact.confidence, listed.confidence) < 1e-10
    assert exact.log_evidence == pytest.approx(listed.log_evidence, abs=1e-9)
    orders = dw.posterior(data, knowledge=known, method=dw.ExactPosterior("orders"))
    assert largest_difference(orders.confidence, per_order(listed)) < 1e-10
    assert not known.check(exact.consensus(0.3))


def test_a_parent_bound() -> None:
    data = columns(4, seed=3)
    listed = dw.posterior(data, knowledge=dw.Knowledge(max_parents=1))
    exact = dw.posterior(data, method=dw.ExactPosterior(max_parents=1))
    assert largest_difference(exact.confidence, listed.confidence) < 1e-10
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


def test_features_beyond_listing_are_those_of_samples() -> None:
    data = columns(8, seed=4, rows=60)
    for over, sampler in (("networks", dw.PartitionMCMC), ("orders", dw.OrderMCMC)):
        exact = dw.posterior(data, method=dw.ExactPosterior(over))  # type: ignore[arg-type]
        sampled = dw.posterior(data, method=sampler(samples=2000), random_state=2)
        assert largest_difference(exact.confidence, sampled.confidence) < 0.04


@pytest.mark.parametrize("over", ["networks", "orders"])
def test_a_condition_on_every_family(over: Any) -> None:
    data = columns(4, seed=6)
    exact = dw.posterior(data, method=dw.ExactPosterior(over))
    listed = dw.posterior(data)
    unmarried = exact.every_family(lambda child, parents: not {"v0", "v2"} <= {child, *parents})
    assert unmarried.probability == pytest.approx(1 - exact.confidence.in_blanket("v0", of="v2"), abs=1e-10)
    if over == "networks":
        for met in (
            lambda _, parents: len(parents) <= 1,
            lambda child, parents: child != "v3" or "v1" in parents,
        ):
            expected = listed.every_family(met).probability
            assert exact.every_family(met).probability == pytest.approx(expected, abs=1e-10)
    assert exact.every_family(lambda *_: True).probability == pytest.approx(1.0, abs=1e-12)
    assert exact.every_family(lambda *_: False).probability == 0.0


@pytest.mark.parametrize("kappa", [2.0**-20, 2.0**-6, 1.0])
def test_cancellation_stays_small(kappa: float) -> None:
    # Every arc weighs kappa: the sum follows from the number of variables alone (Robinson 1977),
    # with weights, in fractions.
    n, weight = 12, Fraction(kappa)
    total = [Fraction(1)]
    for m in range(1, n + 1):
        total.append(
            sum(
                (-1) ** (k + 1) * math.comb(m, k) * (1 + weight) ** (k * (m - k)) * total[m - k]
                for k in range(1, m + 1)
            )
        )
    expected = math.log(total[n].numerator) - math.log(total[n].denominator)
    weights = _core.FamilyWeights(
        _core.ArcPriorScore(
            _core.FlatScore(n), (math.log(kappa) * (1 - np.eye(n))).ravel().tolist(), [0.0] * n
        ),
        _core.Knowledge(n),
        [[other for other in range(n) if other != child] for child in range(n)],
    )
    found = _core.log_total_weight(weights, _core.Counting.networks)
    assert found.log == pytest.approx(expected, abs=1e-9)


def test_auto_lists_then_sums_then_samples() -> None:
    assert isinstance(dw.posterior(columns(4)).method, dw.EnumeratedPosterior)
    assert isinstance(dw.posterior(columns(6)).method, dw.ExactPosterior)
    assert chosen_method("auto", 16) == dw.ExactPosterior()
    assert chosen_method("auto", 24) == dw.PartitionMCMC()


def test_the_forecast_and_the_refusal() -> None:
    cost = forecast_exact(20, "orders", max_parents=5, threads=2)
    assert cost.evaluations == 20 * sum(math.comb(19, k) for k in range(6))
    assert 250e6 < cost.memory < 400e6
    told = dw.forecast(columns(10), search=dw.ExactPosterior())
    assert told.evaluations == 10 * 2**9
    assert told.memory >= forecast_exact(10).memory
    assert "n^2 3^n / 4 steps" in str(told)
    arcs_only = dw.forecast(columns(10), search=dw.ExactPosterior(also=()))
    assert arcs_only.memory == forecast_exact(10).memory
    # Of the sums alone: a forecast adds what a few families take just now.
    assert exact_cost(10, dw.ExactPosterior(also=())).seconds < exact_cost(10, dw.ExactPosterior()).seconds
    listed = dw.forecast(columns(5), search=dw.EnumeratedPosterior())
    assert listed.evaluations == 5 * 2**4
    assert "29,281 networks" in str(listed)
    sampled = dw.forecast(columns(10), search=dw.OrderMCMC(max_parents=2))
    assert sampled.evaluations == 10 * (1 + 9 + 36)
    assert "moves" in str(sampled)
    with pytest.raises(CapacityError, match=r"2\^n bytes = .* GiB .* PartitionMCMC"):
        dw.posterior(columns(27, rows=20), method="exact")
    with pytest.raises(CapacityError, match="GiB of memory"):
        dw.posterior(columns(8), method=dw.ExactPosterior(memory=1000))
    with pytest.raises(CapacityError, match="3,781,503 networks"):
        dw.posterior(columns(6), method="enumerate")


def test_what_exact_sums_cannot_say() -> None:
    exact = dw.posterior(columns(6), method="exact")
    for ask in (
        lambda: exact.feature(lambda dag: len(dag.edges)),
        lambda: exact.best,
        lambda: exact.smallest_prior(dw.Dag(exact.confidence.nodes)),
        lambda: dw.posterior(columns(6), method=dw.ExactPosterior(also=())).confidence.path("v0", "v1"),
        lambda: dw.posterior(columns(6), method="exact", features={"arcs": lambda dag: len(dag.edges)}),
        lambda: dw.posterior(columns(6), method="exact", start=dw.Dag(exact.confidence.nodes)),
        lambda: dw.posterior(columns(6), method=dw.BIC()),  # type: ignore[arg-type]
    ):
        with pytest.raises(OptionError):
            ask()
    with pytest.raises(UnknownNameError, match="did you mean 'exact'"):
        dw.posterior(columns(6), method="exactly")
    with pytest.raises(UnknownNameError, match="did you mean 'blankets'"):
        dw.ExactPosterior(also=["blanket"])
    with pytest.raises(NotFinishedError, match="time limit"):
        dw.posterior(columns(14, rows=300), method="exact", time_limit=0.0)
    with pytest.raises(UnknownNameError, match="unknown over 'sets'"):
        dw.ExactPosterior("sets")  # type: ignore[arg-type]


def test_arcs_are_kept_when_time_runs_out_after_them(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _core.exact_posterior

    def cut_short(*given: Any, **options: Any) -> Any:
        found = whole(*given, **options)
        kept = {name: getattr(found, name) for name in ("log_total", "arcs", "paths", "v_structures")}
        return SimpleNamespace(**kept, blankets=np.zeros(0), stopped=_core.Stop.deadline)

    monkeypatch.setattr(_core, "exact_posterior", cut_short)
    found = dw.posterior(columns(6), method="exact")
    assert found.stopped == "deadline"
    assert found.log_evidence is None
    assert found.confidence.paths is not None
    assert found.confidence.blankets is None
    assert found.confidence.arcs.max() > 0.1


def test_listing_tells_its_progress_and_keeps_the_time_limit() -> None:
    seen: list[str] = []
    dw.posterior(columns(4), progress=lambda event: seen.append(event.phase))
    assert "listing networks" in seen
    with pytest.raises(NotFinishedError, match="listed"):
        dw.posterior(columns(4), time_limit=0.0)


def test_no_network_at_all() -> None:
    never = dw.FamilyPrior(lambda *_: -math.inf)
    with pytest.raises(OptionError, match="no network is possible"):
        dw.posterior(columns(3), structure_prior=never)
    with pytest.raises(dw.DagwrightError, match="no network is possible"):
        dw.posterior(columns(3), structure_prior=never, method="exact")


def test_the_averaged_network() -> None:
    found = dw.posterior(dw.sample_path("asia"))
    network = found.averaged()
    assert network.graph == found.consensus()
    assert network.probability("dysp", "yes", {"bronc": "yes", "either": "yes"}) > 0.5
    learned = dw.learn(dw.sample_path("asia")).with_confidence(found.confidence)
    assert learned.known_confidence is not None
    assert learned.confidence().strength("bronc", "dysp") > 0.99


def test_networks_far_apart_have_a_smallest_prior_and_a_finite_log_bayes_factor() -> None:
    rows = [0, 0, 1, 1] * 600
    found = dw.posterior({"a": rows, "b": rows, "c": [0, 1] * 1200})
    empty = dw.Dag(["a", "b", "c"])
    assert found.bayes_factor(found.best, empty) == math.inf
    assert 1000 < found.log_bayes_factor(found.best, empty) < 2000
    assert found.smallest_prior(empty) == 1.0
    assert found.smallest_prior(found.best) == pytest.approx(found.dags[0].prior)


@pytest.mark.parametrize("method", [dw.EnumeratedPosterior(), dw.ExactPosterior()])
def test_a_network_over_other_variables_is_refused(method: Any) -> None:
    found = dw.posterior({"a": [0, 1] * 9, "b": [0, 1] * 9, "c": [0, 1, 1] * 6}, method=method)
    assert found.probability("a; b") == found.probability("a; b; c")
    with pytest.raises(UnknownNameError, match="'d'"):
        found.log_bayes_factor(dw.Dag(["a", "b", "d"]), dw.Dag(["a", "b", "c"]))


def test_features_that_exact_sums_cannot_answer_are_refused_before_the_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("the work has begun")

    monkeypatch.setattr("dagwright.confidence.structure_posterior.exact_features", never)
    with pytest.raises(OptionError, match="every_family"):
        dw.posterior(columns(12), method="exact", features={"all": lambda _: True})


def test_the_probabilities_of_all_orders_add_up() -> None:
    data = columns(4)
    free, joined = dw.Knowledge(), dw.Knowledge(required=["v0 -- v2", "v1 -> v3"], max_parents={"v2": 1})
    for known in (free, joined):
        found = dw.posterior(data, method=dw.ExactPosterior("orders"), knowledge=known)
        shares = {order: found.order_probability(order) for order in permutations(data)}
        assert math.fsum(shares.values()) == pytest.approx(1.0, abs=1e-9)
        assert max(shares.values()) > 2 * min(shares.values())
    assert shares["v3", "v1", "v0", "v2"] == 0.0
    with pytest.raises(OptionError, match="every variable once"):
        found.order_probability(["v0", "v1", "v2"])
    with pytest.raises(OptionError, match="count per order"):
        dw.posterior(data).order_probability(list(data))


def test_only_a_marginal_likelihood_is_called_the_probability_of_the_data() -> None:
    data = {"a": [0, 0, 1, 1] * 5, "b": [0, 1, 1, 1] * 5}
    for score, marginal in (
        (dw.BDeu(1), True),
        (dw.K2Score(), True),
        (dw.BIC(), False),
        (dw.GSquare(), False),
    ):
        found = dw.posterior(data, score=score)
        assert (found.evidence_name == "ln P(data)") == marginal
        assert (f"{found.evidence_name} {found.log_evidence:.6f}") in str(found)
        assert ("not ln P(data)" in str(found)) != marginal
