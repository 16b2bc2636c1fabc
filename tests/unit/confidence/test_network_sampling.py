"""Samplers against exact posteriors, and all that may interrupt them."""

from __future__ import annotations

import json
import os
import pickle
import signal
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.confidence import sampling
from dagwright.confidence.convergence import effective_samples, potential_scale_reduction
from dagwright.errors import CapacityError, FormatError, NotFinishedError, OptionError, UnknownNameError
from dagwright.testing import random_knowledge

ASIA = dw.load("asia").sample(1000, random_state=3)
SACHS = dw.load("sachs").sample(1000, random_state=3)
SAMPLERS = [dw.OrderMCMC, dw.PartitionMCMC, dw.StructureMCMC]
SHORT = [sampler(samples=60, burn_in=20, chains=3) for sampler in SAMPLERS]


@pytest.mark.parametrize("table", [ASIA, SACHS], ids=["asia", "sachs"])
@pytest.mark.parametrize("sampler", SAMPLERS)
def test_within_two_hundredths_of_the_exact_posterior(table: dw.Table, sampler: Any) -> None:
    # The budget: 4 chains of 4,000 networks after 1,000 of burn-in, at the default distance.
    method = sampler(samples=4000)
    exact = dw.posterior(table, method=dw.ExactPosterior(method.over))
    found = dw.posterior(table, method=method, random_state=1)
    assert found.confidence.compare(exact.confidence).largest < 0.02
    assert found.diagnostics["rhat_arcs"] < 1.05
    assert found.diagnostics["effective_samples"] > 500
    assert not found.warnings
    errors = found.confidence.arc_errors
    assert errors is not None
    assert np.all(np.abs(found.confidence.arcs - exact.confidence.arcs) <= 6 * errors + 1e-3)


@pytest.mark.parametrize("method", SHORT, ids=lambda m: m.walk)
def test_threads_and_columns_change_nothing(method: Any) -> None:
    one = dw.posterior(ASIA, method=method, threads=1, random_state=7)
    turned = dw.read({name: ASIA.decode(name) for name in reversed(ASIA.names)})
    two = dw.posterior(turned, method=method, threads=3, random_state=7)
    assert one.confidence.compare(two.confidence).largest == 0.0
    other = dw.posterior(ASIA, method=method, random_state=8)
    assert one.confidence.compare(other.confidence).largest > 0.0


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_knowledge_and_bounds_hold_in_every_sample(sampler: Any) -> None:
    for seed in range(6):
        names = ASIA.names
        known = random_knowledge(names, np.random.default_rng(seed))
        method = sampler(samples=40, burn_in=5, chains=2, max_parents=3)
        found = dw.posterior(ASIA, method=method, knowledge=known, random_state=seed)
        law = known + dw.Knowledge(max_parents=3)
        assert found.feature(lambda dag, law=law: not law.check(dag)).probability == 1.0


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_near_the_exact_posterior_where_few_arcs_are_possible(sampler: Any) -> None:
    # Few rows leave much open; a third of the arcs are forbidden and two pairs must be joined.
    table = dw.load("asia").sample(60, random_state=5)
    names = table.names
    dice = np.random.default_rng(1)
    pairs = [(a, b) for a in names for b in names if a != b and dice.random() < 1 / 3]
    edges = [("smoke", "dysp"), ("tub", "bronc")]
    closed = [pair for pair in pairs if pair not in edges and pair[::-1] not in edges]
    known = dw.Knowledge(required=[f"{a} -- {b}" for a, b in edges], forbidden=closed, max_parents=4)
    method = sampler(samples=3000)
    exact = dw.posterior(table, method=dw.ExactPosterior(method.over, also=()), knowledge=known)
    found = dw.posterior(table, method=method, knowledge=known, random_state=2)
    assert found.confidence.compare(exact.confidence).largest < 0.02
    assert ((exact.confidence.arcs > 0.1) & (exact.confidence.arcs < 0.9)).sum() > 10


@pytest.mark.parametrize("method", SHORT, ids=lambda m: m.walk)
def test_a_stopped_run_goes_on_as_if_nothing_had_happened(method: Any, tmp_path: Path) -> None:
    path = tmp_path / "chains.npz"

    def break_off(*_: object) -> None:
        if path.exists():
            raise RuntimeError("power cut")

    whole = dw.posterior(ASIA, method=method, random_state=5)
    with pytest.raises(RuntimeError, match="power cut"):
        dw.posterior(ASIA, method=method, random_state=5, checkpoint=path, progress=break_off)
    for _ in range(2):
        resumed = dw.posterior(ASIA, method=method, random_state=5, checkpoint=path)
        assert resumed.confidence == whole.confidence


def test_a_checkpoint_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "chains.npz"
    method = SHORT[0]
    dw.posterior(ASIA, method=method, checkpoint=path)
    for change in (
        {"data": dw.load("asia").sample(1000, random_state=4)},
        {"method": dw.OrderMCMC(samples=61, burn_in=20, chains=3)},
        {"random_state": 1},
        {"score": dw.BIC()},
        {"structure_prior": dw.ArcCost(1.0)},
        {"knowledge": dw.Knowledge(forbidden=[("asia", "xray")])},
    ):
        given = {"data": ASIA, "method": method, **change}
        with pytest.raises(OptionError, match="belongs to another run"):
            dw.posterior(given.pop("data"), checkpoint=path, **given)  # type: ignore[arg-type]
    path.write_bytes(b"not a checkpoint")
    with pytest.raises(FormatError, match="not a checkpoint"):
        dw.posterior(ASIA, method=method, checkpoint=path)
    assert list(tmp_path.iterdir()) == [path]


def test_priors_that_are_described_alike_are_told_apart(tmp_path: Path) -> None:
    one, two = [(ASIA.names[0], ASIA.names[1])], [(ASIA.names[2], ASIA.names[1])]
    alike: list[tuple[dw.StructurePrior, dw.StructurePrior]] = [
        (dw.KappaPrior(dw.Dag(ASIA.names, one), 0.5), dw.KappaPrior(dw.Dag(ASIA.names, two), 0.5)),
        (dw.ArcCost({one[0]: 2.0}), dw.ArcCost({two[0]: 2.0})),
        (dw.FamilyPrior(lambda _, parents: -len(parents)), dw.FamilyPrior(lambda _, parents: len(parents))),
    ]
    for at, (first, second) in enumerate(alike):
        path = tmp_path / f"{at}.npz"
        assert first.describe() == second.describe()
        dw.posterior(ASIA, method=SHORT[2], structure_prior=first, checkpoint=path)
        dw.posterior(ASIA, method=SHORT[2], structure_prior=first, checkpoint=path)
        with pytest.raises(OptionError, match="belongs to another run"):
            dw.posterior(ASIA, method=SHORT[2], structure_prior=second, checkpoint=path)


def test_the_burn_in_is_kept_in_the_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "chains.npz"
    method = dw.StructureMCMC(samples=40, burn_in=4000, chains=2)
    whole = dw.posterior(ASIA, method=method)

    def break_off(*_: object) -> None:
        if path.exists():
            raise RuntimeError("power cut")

    with pytest.raises(RuntimeError, match="power cut"):
        dw.posterior(ASIA, method=method, checkpoint=path, progress=break_off)
    saved = json.loads(str(np.load(path)["facts"]))["state"]
    assert 0 < saved["burned"] < 4000
    assert saved["done"] == 0
    assert dw.posterior(ASIA, method=method, checkpoint=path).confidence == whole.confidence
    with pytest.raises(OptionError, match="no folder"):
        dw.posterior(ASIA, method=method, checkpoint=tmp_path / "nowhere" / "chains.npz")


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_they_begin_from_a_possible_network(sampler: Any) -> None:
    """The network without arcs has no weight here, nor has any order that begins with 'tub' or 'lung'."""
    prior = dw.FamilyPrior(
        lambda child, parents: -np.inf if child in ("tub", "lung") and not parents else 0.0
    )
    method = sampler(samples=1500)
    found = dw.posterior(ASIA, method=method, structure_prior=prior)
    exact = dw.posterior(ASIA, method=dw.ExactPosterior(method.over), structure_prior=prior)
    assert found.confidence.compare(exact.confidence).largest < 0.05
    with pytest.raises(OptionError, match=r"rules out 'lung' with no parents; give another start="):
        dw.posterior(ASIA, method=method, structure_prior=prior, start=dw.Dag(ASIA.names, [("asia", "tub")]))
    nothing = dw.FamilyPrior(lambda child, parents: 0.0 if child == "asia" or parents else -np.inf)
    only_two = dw.FamilyPrior(lambda _, parents: 0.0 if len(parents) == 2 else -np.inf)
    dw.posterior(ASIA, method=method, structure_prior=nothing)
    with pytest.raises(OptionError, match="no network is possible"):
        dw.posterior(ASIA, method=method, structure_prior=only_two)


def test_the_time_limit_returns_what_there_is() -> None:
    long = dw.PartitionMCMC(samples=20_000, thin=1000, burn_in=4, chains=2)
    found = dw.posterior(ASIA, method=long, time_limit=1.0)
    assert found.stopped == "deadline"
    assert 4 <= found.diagnostics["samples"] < 20_000
    assert found.confidence.strength("smoke", "bronc") > 0.5
    early = dw.posterior(ASIA, method=dw.PartitionMCMC(burn_in=10**7), time_limit=0.5)
    assert early.stopped == "deadline" and early.diagnostics["samples"] >= 4
    assert "stopped within the burn-in of 10,000,000 samples" in early.warnings[0]
    with pytest.raises(NotFinishedError, match="burn-in"):
        dw.posterior(ASIA, method=dw.PartitionMCMC(burn_in=10**7, thin=10**9), time_limit=0.1)


def test_ctrl_c_returns_what_there_is() -> None:
    def press() -> None:
        time.sleep(1.0)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    found = dw.posterior(ASIA, method=dw.OrderMCMC(samples=20_000, thin=5000, burn_in=4, chains=2))
    assert found.stopped == "cancelled"


def test_ctrl_c_within_the_burn_in_returns_its_last_networks() -> None:
    threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
    method = dw.OrderMCMC(samples=50, burn_in=10**7, chains=2)
    found = dw.posterior(ASIA, method=method, random_state=1)
    assert found.stopped == "cancelled"
    assert found.diagnostics["samples"] == 50 and "burn-in" in found.warnings[0]
    assert found.confidence.strength("smoke", "bronc") > 0.5  # a second is enough to come near


def test_progress_is_told() -> None:
    seen: list[str] = []
    dw.posterior(
        ASIA,
        method=dw.StructureMCMC(samples=100, chains=2),
        progress=lambda event: seen.append(event.phase),
    )
    assert "sampling networks" in seen


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_features_of_samples(sampler: Any) -> None:
    method = sampler(samples=1000)
    found = dw.posterior(
        ASIA, method=method, features={"bronc above dysp": lambda dag: "dysp" in dag.descendants("bronc")}
    )
    named = found.confidence.features["bronc above dysp"]
    assert named.probability == pytest.approx(found.confidence.path("bronc", "dysp"), abs=1e-12)
    joined = found.feature(lambda dag: dag.adjacent("asia", "tub"))
    assert joined.probability == pytest.approx(found.confidence.strength("asia", "tub"), abs=0.03)
    assert 0 < joined.error < 0.05
    blanket = found.feature(lambda dag: "either" in dag.markov_blanket("xray")).probability
    assert blanket == pytest.approx(found.confidence.in_blanket("either", of="xray"), abs=1e-12)
    collider = found.feature(lambda dag: ("bronc", "dysp", "either") in dag.v_structures()).probability
    assert collider == pytest.approx(found.confidence.v_structure("bronc", "dysp", "either"), abs=1e-12)
    assert found.probability(found.best) > 0
    assert pickle.loads(pickle.dumps(found)).confidence == found.confidence


def test_arcs_counted_in_networks_agree_with_those_given_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    method = dw.OrderMCMC(samples=600, chains=2)
    averaged = dw.posterior(ASIA, method=method, random_state=4)
    monkeypatch.setattr(sampling, "MOST_ARC_VALUES", 0)
    counted = dw.posterior(ASIA, method=method, random_state=4)
    assert counted.confidence.paths is not None
    assert np.array_equal(counted.confidence.paths, averaged.confidence.paths)
    assert 0 < counted.confidence.compare(averaged.confidence).largest < 0.05
    first = counted.samples
    assert first is not None
    share = np.mean([first.distinct()[0][at] for at in first.distinct()[1].ravel()], axis=0)
    at = [first.names.index(name) for name in ASIA.names]
    assert np.abs(share[np.ix_(at, at)] - counted.confidence.arcs).max() < 1e-12


def test_candidates_for_many_variables() -> None:
    table = dw.load("alarm").sample(500, random_state=2)
    found = dw.posterior(table, method=dw.OrderMCMC(samples=100, candidates=6, chains=2))
    assert found.diagnostics["candidate_parents"] <= 6
    assert "at most 6 candidates" in found.confidence.source
    assert found.confidence.strength("CVP", "LVEDVOLUME") > 0.9
    given = {name: [other for other in ("HISTORY", "CVP") if other != name] for name in table.names}
    narrow = dw.posterior(table, method=dw.PartitionMCMC(samples=50, candidates=given, chains=2))
    parents = {edge.start for edge in narrow.confidence.edges(0.0)} | {
        edge.end for edge in narrow.confidence.edges(0.01)
    }
    assert (
        narrow.confidence.arcs[[i for i, x in enumerate(table.names) if x not in given["TPR"]]].max() == 0.0
    )
    assert parents
    wide = dw.read({f"v{at}": [at % 3, 1, 0] * 5 for at in range(30)})
    with pytest.raises(CapacityError, match=r"2\^k sets .* GiB.*candidates; give fewer"):
        dw.posterior(wide, method=dw.OrderMCMC(candidates=26))
    with pytest.raises(UnknownNameError, match="candidates"):
        dw.posterior(ASIA, method=dw.OrderMCMC(candidates={"asia": ["nobody"]}))


def test_a_start_outside_the_candidates_is_refused() -> None:
    start = dw.Dag(ASIA.names, [("asia", "tub")])
    with pytest.raises(OptionError, match="not among its candidates"):
        dw.posterior(ASIA, method=dw.OrderMCMC(candidates={"tub": ["smoke"]}), start=start)
    found = dw.posterior(ASIA, method=SHORT[2], start=start)
    assert found.diagnostics["samples"] == 60


@pytest.mark.parametrize("option", ["samples", "thin", "burn_in", "chains", "max_parents", "candidates"])
def test_options_are_checked(option: str) -> None:
    with pytest.raises(OptionError, match=option):
        dw.PartitionMCMC(**{option: -1})


def test_convergence_of_known_series() -> None:
    rng = np.random.default_rng(0)
    free = rng.normal(size=(4, 2000, 3))
    assert effective_samples(free) == pytest.approx(8000, rel=0.1)
    assert potential_scale_reduction(free) == pytest.approx(1.0, abs=0.01)
    # An autoregression with coefficient a is worth (1 - a) / (1 + a) of its draws.
    slow = np.zeros((4, 4000))
    noise = rng.normal(size=slow.shape)
    for at in range(1, slow.shape[1]):
        slow[:, at] = 0.8 * slow[:, at - 1] + noise[:, at]
    assert float(effective_samples(slow)) == pytest.approx(16_000 / 9, rel=0.2)
    apart = free[..., 0] + np.arange(4)[:, None]
    assert float(potential_scale_reduction(apart)) > 1.3
    assert float(effective_samples(apart)) < 50
    still = np.full((4, 100), -1234.5)
    assert float(potential_scale_reduction(still)) == 1.0
    assert float(effective_samples(still)) == 400
    assert float(potential_scale_reduction(still + np.arange(4)[:, None])) == np.inf


def test_variables_that_candidates_do_not_name_keep_theirs() -> None:
    named = dw.PartitionMCMC(samples=40, chains=1, candidates={"lung": ["smoke"], "asia": []})
    found = dw.posterior(ASIA, method=named, random_state=1).confidence
    assert all(found.arc(name, "lung") == 0.0 for name in found.nodes if name not in ("smoke", "lung"))
    assert all(found.arc(name, "asia") == 0.0 for name in found.nodes if name != "asia")
    assert found.strength("bronc", "dysp") > 0.9
    free = dw.posterior(ASIA, method=dw.PartitionMCMC(samples=40, chains=1, candidates={}), random_state=1)
    none = dw.posterior(ASIA, method=dw.PartitionMCMC(samples=40, chains=1), random_state=1)
    assert free.confidence.arcs.tolist() == none.confidence.arcs.tolist()
