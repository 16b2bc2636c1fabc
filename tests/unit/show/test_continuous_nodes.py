"""Pictures of networks with continuous nodes."""

from __future__ import annotations

import numpy as np
import pytest

import dagwright as dw
from dagwright.show.bars import node_contents
from dagwright.show.diagram import Density
from dagwright.show.edge_information import edge_information
from dagwright.show.graph_edges import edges_of


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


def test_numbers_are_drawn_as_densities(body: dw.BayesianNetwork) -> None:
    shown = node_contents(body, body.nodes, {"height": 180.0})
    answer, before = body.query("weight", {"height": 180.0}), body.query("weight")
    weight = shown["weight"]
    assert isinstance(weight, Density)
    assert weight.words == f"{answer.mean:.4g} ± {answer.sd:.3g}"
    # Both curves are on one scale: their heights are in proportion to the densities.
    low = before.mean - 3.2 * before.sd
    high = answer.mean + 3.2 * answer.sd  # the axis reaches as far as the answer does
    assert weight.ends == (f"{low:.4g}", f"{high:.4g}")
    middle = len(weight.curve) // 2
    x = low + weight.curve[middle][0] * (high - low)
    ratio = weight.curve[middle][1] / weight.before[middle][1]
    assert ratio == pytest.approx(answer.density(x) / before.density(x))
    assert max(y for _, y in weight.curve) == 1.0
    height = shown["height"]
    assert isinstance(height, Density)
    assert (height.words, height.chosen, len(height.curve)) == ("180", True, 1)
    assert isinstance(shown["sex"], tuple)
    assert [bar.label for bar in shown["sex"]] == ["f", "m"]


def test_lines_are_as_thick_as_partial_correlations() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    data = {"x": x, "y": 2 * x + rng.normal(size=200), "z": 0.3 * x + rng.normal(size=200)}
    found = dw.learn(data, score=dw.BIC(measure=dw.Gaussian()))
    weights = edge_information(found, edges_of(found.graph))
    assert weights.name == "partial correlation"
    assert weights.of[frozenset("xy")] == pytest.approx(abs(np.corrcoef(data["x"], data["y"])[0, 1]))
    assert "partial correlation" in dw.draw(found, information=True).svg
    with pytest.raises(dw.DagwrightError, match="the data of a search"):
        dw.draw(found.network(), information=True)


def test_pictures_and_views(body: dw.BayesianNetwork) -> None:
    assert body.draw().svg.count('class="dw-node"') == 4
    assert "±" in body.draw(evidence={"height": 180}).svg
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
