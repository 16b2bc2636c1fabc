"""Pictures of networks with continuous nodes."""

from __future__ import annotations

import pytest

import dagwright as dw
from dagwright.show.bars import state_bars


@pytest.fixture
def body() -> dw.BayesianNetwork:
    return dw.BayesianNetwork(
        "sex -> height; height -> weight; height -> inches",
        {"sex": ["f", "m"]},
        {
            "sex": [0.5, 0.5],
            "height": dw.LinearGaussian([165, 175], sd=[5, 5], given=["sex"]),
            "weight": dw.LinearGaussian(-60, {"height": 0.75}, sd=8),
            "inches": dw.LinearGaussian(0, {"height": 1 / 2.54}, sd=0),
        },
    )


def test_numbers_are_drawn_in_classes(body: dw.BayesianNetwork) -> None:
    bars = state_bars(body, body.nodes, {"height": 180.0})
    shares = [bar.share for bar in bars["weight"]]
    assert sum(shares) == pytest.approx(1.0)
    answer, before = body.query("weight", {"height": 180.0}), body.query("weight")
    cut = before.mean - 1.5 * before.sd
    assert shares[0] == pytest.approx(answer.cdf(cut))
    assert bars["weight"][0].before == pytest.approx(before.cdf(cut))
    assert bars["weight"][0].label == f"below {cut:.4g}"
    assert [bar.chosen for bar in bars["height"]] == [False, False, False, True, False]
    assert [bar.label for bar in bars["sex"]] == ["f", "m"]


def test_pictures_and_views(body: dw.BayesianNetwork) -> None:
    assert body.draw().svg.count('class="dw-node"') == 4
    assert "below" in body.draw(evidence={"height": 180}).svg
    fixed = body.do({"height": 180.0})
    assert "180" in fixed.draw(bars=True).svg
    for thing in (
        body,
        body.query("weight"),
        body.joint(["weight", "height"]),
        body.cpd("height"),
        body.marginals(),
    ):
        assert thing._repr_html_()
