"""Odds and risk ratios of 2 x 2 tables, crude and adjusted."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import dagwright as dw
from dagwright.evidence.fourfold import fourfold


def test_the_ratios_are_those_of_scipy() -> None:
    counts = np.array([[688, 650], [21, 59]])
    found = fourfold(counts[None])
    odds = stats.contingency.odds_ratio(counts, kind="sample")
    interval = odds.confidence_interval(0.95)
    assert found.odds_ratio == pytest.approx((odds.statistic, interval.low, interval.high), rel=1e-9)
    risk = stats.contingency.relative_risk(59, 80, 650, 1338)
    interval = risk.confidence_interval(0.95)
    assert found.risk_ratio == pytest.approx((risk.relative_risk, interval.low, interval.high), rel=1e-9)
    assert found.adjusted_odds_ratio is None


def test_strata_undo_confounding() -> None:
    # Within each stratum the odds ratio is 1; the strata together look strongly associated.
    strata = np.array([[[81.0, 9.0], [9.0, 1.0]], [[1.0, 9.0], [9.0, 81.0]]])
    found = fourfold(strata)
    assert found.odds_ratio[0] > 10
    assert found.adjusted_odds_ratio is not None
    value, low, high = found.adjusted_odds_ratio
    assert value == pytest.approx(1.0)
    assert low < 1 < high
    one = fourfold(np.concatenate([strata[:1], 0 * strata[:1]]))  # an empty stratum says nothing
    assert one.adjusted_odds_ratio is not None
    assert one.adjusted_odds_ratio[0] == pytest.approx(one.odds_ratio[0])


def test_empty_cells_get_one_half() -> None:
    found = fourfold(np.array([[[10.0, 0.0], [5.0, 5.0]]]))
    assert found.odds_ratio[0] == pytest.approx(10.5 * 5.5 / (0.5 * 5.5))
    assert found.counts == ((10.0, 0.0), (5.0, 5.0))


def test_cards_show_them_where_both_have_two_states() -> None:
    found = dw.learn(dw.sample_path("asia"))
    card = dw.evidence_card(found, "smoke", "bronc", rival=False)
    assert card.fourfold is not None
    assert sum(map(sum, card.fourfold.counts)) == found.data["rows"]
    assert "odds ratio" in str(card)
    assert card.to_dict()["fourfold"]["odds_ratio"] == card.fourfold.odds_ratio
    three = {"a": ["x", "y", "z"] * 20, "b": ["u", "v"] * 30}
    assert dw.evidence_card(dw.learn(three), "a", "b", rival=False).fourfold is None
