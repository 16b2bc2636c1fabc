from __future__ import annotations

import numpy as np
import pytest

import dagwright as dw
from dagwright.confidence.wilson import wilson


def test_bins_hold_what_they_say() -> None:
    strengths = [0.0, 0.0, 0.1, 0.3, 0.3, 0.8, 1.0]
    real = [True, False, False, True, False, True, True]
    judged = dw.EdgeCalibration.of(strengths, real, bins=[0, 0.3, 1])
    low, high = judged.bins
    assert (low.pairs, high.pairs, judged.never, judged.missed) == (3, 2, 2, 1)
    assert (low.predicted, low.observed) == (pytest.approx(0.7 / 3), pytest.approx(1 / 3))
    assert (low.low, low.high) == wilson(1 / 3, 3)
    assert judged.error == pytest.approx((3 * abs(0.7 / 3 - 1 / 3) + 2 * abs(0.9 - 1.0)) / 5)
    assert judged.brier == pytest.approx((0.01 + 0.49 + 0.09 + 0.04) / 5)
    assert [one["pairs"] for one in judged.to_dict()["bins"]] == [3, 2]
    assert "1 real edges never found" in str(judged)


def test_shares_of_replicates_on_an_end_belong_below_it() -> None:
    judged = dw.EdgeCalibration.of(np.arange(1, 51) / 50, np.ones(50, dtype=bool))
    assert [one.pairs for one in judged.bins] == [5] * 10


def test_the_error_by_chance_is_what_right_strengths_show() -> None:
    rng = np.random.default_rng(1)
    strengths = rng.random(2000)
    errors = [dw.EdgeCalibration.of(strengths, rng.random(2000) < strengths).error for _ in range(200)]
    expected = dw.EdgeCalibration.of(strengths, np.zeros(2000, dtype=bool)).error_by_chance
    assert np.mean(errors) == pytest.approx(expected, rel=0.05)


def test_pooling_is_counting_together() -> None:
    rng = np.random.default_rng(2)
    strengths, real = rng.integers(0, 11, 100) / 10, rng.random(100) < 0.5
    whole = dw.EdgeCalibration.of(strengths, real)
    parts = [dw.EdgeCalibration.of(strengths[at], real[at]) for at in (slice(0, 40), slice(40, 100))]
    together = dw.EdgeCalibration.pooled(parts)
    assert str(together) == str(whole)
    assert (together.brier, together.never) == (pytest.approx(whole.brier), whole.never)
    with pytest.raises(dw.OptionError, match="nothing to pool"):
        dw.EdgeCalibration.pooled([])


def test_a_confidence_against_the_truth() -> None:
    sure = dw.Confidence(("A", "B", "C"), [[0, 0.9, 0.2], [0, 0, 0], [0, 0, 0]], source="example")
    truth = dw.Dag.parse("B -> A; C")
    for known in (truth, truth.cpdag(), truth.skeleton()):
        judged = sure.calibration(known, bins=2)
        assert judged.observed.tolist() == [0.0, 1.0]
        assert judged.never == 1
    assert sure.calibration(dw.fit(truth, {"A": [0, 1], "B": [0, 1], "C": [0, 1]})).missed == 0
    with pytest.raises(dw.OptionError, match="different nodes, such as 'D'"):
        sure.calibration(dw.Dag.parse("A -> B; C; D"))


@pytest.mark.parametrize("bins", [0, [0.0, 0.5], [0.0, 0.5, 0.5, 1.0], [1.0]])
def test_bad_bins_are_refused(bins: object) -> None:
    with pytest.raises(dw.OptionError, match="bin"):
        dw.EdgeCalibration.of([0.5], [True], bins)  # type: ignore[arg-type]


def test_bad_strengths_are_refused() -> None:
    with pytest.raises(dw.OptionError, match="between 0 and 1"):
        dw.EdgeCalibration.of([1.5], [True])
    with pytest.raises(dw.OptionError, match="2 strengths need as many truths"):
        dw.EdgeCalibration.of([0.5, 0.5], [True])


def test_intervals_of_directions_paths_and_v_structures() -> None:
    sure = dw.bootstrap(dw.sample_path("asia"), search=dw.HillClimb(), replicates=30, random_state=1)
    for low, high, middle in (
        (*sure.path_interval("tub", "xray"), sure.path("tub", "xray")),
        (*sure.v_structure_interval("tub", "either", "lung"), sure.v_structure("tub", "either", "lung")),
        (*sure.direction_interval("tub", "either"), sure.direction("tub", "either")),
    ):
        assert 0 <= low <= middle <= high <= 1
        assert low < high
    weak, strong = sure.edges(0.0)[-1], sure.edges()[0]
    assert weak.strength < strong.strength
    assert (
        sure.direction_interval(strong.start, strong.end)
        == (strong.direction_low, strong.direction_high)
        == wilson(strong.direction, 30 * strong.strength)
    )
    never = next(one for one in sure.edges(0.0) if one.strength == 0)
    assert sure.direction_interval(never.start, never.end) == (0.0, 1.0)
