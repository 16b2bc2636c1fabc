"""Confidence from resampled data."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.confidence.threshold import significance_threshold

ASIA = dw.read(dw.sample_path("asia")).take(np.arange(1000))
CLIMB = dw.HillClimb()


def strengths(**options: Any) -> dw.Confidence:
    return dw.bootstrap(ASIA, **{"search": CLIMB, "replicates": 12, "random_state": 3, **options})


def by_hand(replicates: int, *, seed: int) -> np.ndarray[Any, Any]:
    """Strengths of edges by the definition, one learn() after the other on rows drawn alike."""
    joined = np.zeros((len(ASIA.names), len(ASIA.names)))
    for number in range(replicates):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
        drawn = ASIA.take(rng.integers(0, ASIA.n_rows, ASIA.n_rows))
        found = dw.learn(drawn, search=dw.GES()).dag  # ties do not sway it
        assert found is not None
        for a, b in found.edges:
            joined[ASIA.column_index(a), ASIA.column_index(b)] += 1
    return joined + joined.T


def test_strengths_are_shares_of_replicates() -> None:
    found = strengths(search=dw.GES())
    edges = found.arcs + found.arcs.T + found.undirected
    assert np.array_equal(np.rint(edges * 12), by_hand(12, seed=3))
    assert found.effective_samples == 12
    assert found.edge_errors == pytest.approx(np.sqrt(np.clip(edges * (1 - edges), 0, 1) / 12), abs=1e-12)


def test_the_number_of_threads_changes_nothing() -> None:
    assert strengths(threads=1) == strengths(threads=3)


def test_another_seed_gives_other_replicates() -> None:
    assert strengths() == strengths(random_state=3)
    assert strengths() != strengths(random_state=4)


def test_no_column_wins_ties_for_good() -> None:
    # Two columns alone: nothing tells their directions apart, and as graphs each must win now and then.
    pair = {"a": [0, 0, 1, 1] * 30, "b": [0, 0, 1, 1] * 29 + [1, 0, 1, 0]}
    found = dw.bootstrap(pair, search=CLIMB, replicates=40, classes=False, random_state=1)
    assert found.strength("a", "b") == 1.0
    assert 0.2 < found.direction("a", "b") < 0.8
    undecided = dw.bootstrap(pair, search=CLIMB, replicates=5, random_state=1)
    assert undecided.arc("a", "b") == 0.0
    assert undecided.direction("a", "b") == 0.5


def test_v_structures_and_paths_are_those_of_the_replicates() -> None:
    collider = dw.load("asia").sample(2000, random_state=1).select(["tub", "lung", "either", "xray"])
    found = dw.bootstrap(collider, search=dw.GES(), score=dw.BIC(), replicates=10, random_state=1)
    assert found.v_structure("lung", "either", "tub") == 1.0
    assert found.path("tub", "xray") == pytest.approx(found.arc("either", "xray"))


@pytest.mark.parametrize(
    "draw", [dw.CaseBootstrap(), dw.BayesianWeights(), dw.Subsample(0.7), dw.Jackknife(6)]
)
def test_every_way_to_draw(draw: Any) -> None:
    found = strengths(draw=draw, replicates=6)
    assert found.strength("lung", "either") == pytest.approx(1.0)
    assert repr(draw) in found.source


def test_draws_have_the_rows_they_should() -> None:
    rng = np.random.default_rng(1)
    assert dw.CaseBootstrap().replicate(ASIA, 0, rng).n_rows == 1000
    assert dw.Subsample(0.3).replicate(ASIA, 0, rng).n_rows == 300
    assert pytest.approx(1000) == dw.BayesianWeights().replicate(ASIA, 0, rng).N
    groups = [1000 - dw.Jackknife(7).replicate(ASIA, number, rng).n_rows for number in range(7)]
    assert sum(groups) == 1000
    assert max(groups) - min(groups) <= 1


def test_frequencies_are_drawn_as_rows() -> None:
    few = dw.Table(("a",), [np.array([0, 1], dtype=np.uint8)], [("x", "y")], weights=[30.0, 10.0])
    drawn = dw.CaseBootstrap().replicate(few, 0, np.random.default_rng(1))
    assert drawn.N == 40
    assert drawn.weights is not None
    assert np.array_equal(drawn.weights, np.rint(drawn.weights))


def test_knowledge_is_kept_in_every_replicate() -> None:
    known = dw.Knowledge(required=["xray -> asia"], forbidden=["smoke -> lung", "lung -> smoke"])
    found = strengths(knowledge=known, replicates=5)
    assert found.arc("xray", "asia") == 1.0
    assert found.strength("smoke", "lung") == 0.0
    consensus = found.consensus(None, knowledge=known)
    assert ("xray", "asia") in consensus.edges


def test_searches_that_ask_tests() -> None:
    found = strengths(search=dw.PC(), replicates=4)
    assert found.strength("lung", "either") == pytest.approx(1.0)


def test_it_stops_when_strengths_have_settled() -> None:
    found = strengths(replicates=500, precision=0.2)
    assert found.effective_samples == 20


class TestInterruption:
    def test_a_run_is_taken_up_again(self, tmp_path: Path) -> None:
        path = tmp_path / "replicates"
        strengths(replicates=5, checkpoint=path)
        with np.load(path) as file:
            assert len(json.loads(str(file["facts"]))["state"]["graphs"]) == 5
        resumed = strengths(checkpoint=path)
        assert resumed == strengths()

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"random_state": 9}, "its random_state is .*, not 9;"),
            ({"score": dw.AIC()}, r"its score or test is .*, not AIC\(\)"),
            ({"draw": dw.PoissonBootstrap()}, r"its resampling is .*, not PoissonBootstrap\(\);"),
            ({"classes": False}, "its counting of classes is yes, not no;"),
        ],
    )
    def test_another_run_is_refused(self, change: dict[str, Any], words: str, tmp_path: Path) -> None:
        path = tmp_path / "replicates"
        strengths(replicates=2, checkpoint=path)
        with pytest.raises(dw.OptionError, match=f"belongs to another run: {words}"):
            strengths(checkpoint=path, **change)

    def test_a_broken_file_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "replicates"
        path.write_text("{}")
        with pytest.raises(dw.FormatError, match="not a checkpoint"):
            strengths(checkpoint=path)

    @pytest.mark.parametrize("threads", [1, 2])
    def test_ctrl_c_gives_what_there_is(self, threads: int) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)

        def press(event: dw.Event) -> None:
            if event.done == 3:
                signal.raise_signal(signal.SIGINT)

        found = strengths(progress=press, threads=threads)
        assert found.effective_samples == 3
        assert "interrupted" in found.source

    def test_a_time_limit(self) -> None:
        with pytest.raises(dw.NotFinishedError, match="allow more time"):
            strengths(time_limit=0.0)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"replicates": 0}, "at least one replicate"),
        ({"draw": dw.Jackknife(5), "replicates": 6}, "only 5 different"),
        ({"precision": 2.0}, "precision"),
        ({"score": dw.BIC().on(ASIA)}, "on other rows"),
    ],
)
def test_refusals(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(dw.OptionError, match=reason):
        strengths(**options)


class TestThreshold:
    def test_it_is_nearest_in_the_l1_distance(self) -> None:
        rng = np.random.default_rng(1)
        grid = np.linspace(0, 1, 20_001)
        for _ in range(30):
            values = np.sort(rng.beta(0.4, 0.4, 12).round(2))
            below = np.searchsorted(values, grid, side="right") / len(values)
            distance = {t: float(np.abs(below - t).mean()) for t in np.unique(below)}
            threshold = significance_threshold(values)
            chosen = np.searchsorted(values, threshold, side="right") / len(values)
            assert distance[chosen] <= min(distance.values()) + 1e-3

    def test_strengths_at_both_ends_are_parted(self) -> None:
        assert significance_threshold([0.02, 0.03, 0.05, 0.9, 0.95, 1.0]) == 0.05
        assert significance_threshold([]) == 0.0

    def test_significant_edges_are_above_it(self) -> None:
        found = strengths()
        threshold = found.significance_threshold()
        assert {one.strength > threshold for one in found.significant_edges()} == {True}
        assert set(found.consensus(None).edges) <= {
            pair for one in found.significant_edges() for pair in ((one.start, one.end), (one.end, one.start))
        }

    def test_stability_selection_bounds_false_edges(self) -> None:
        found = strengths(draw=dw.Subsample())
        q = sum(one.strength for one in found.edges(0.0))
        assert found.false_edges_bound(0.9) == pytest.approx(q**2 / (0.8 * 28))
        with pytest.raises(dw.OptionError, match=r"above 0\.5"):
            found.false_edges_bound(0.5)
