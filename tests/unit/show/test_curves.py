"""Charts of curves, and the frontier of accuracy against complexity."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import dagwright as dw
from dagwright.errors import OptionError
from dagwright.show.curves import Curve, curves


def texts(svg: str) -> list[str]:
    return [
        element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("text")
    ]


def test_a_chart_has_axes_a_legend_and_marks() -> None:
    series = [
        Curve("rising", ((0, 0), (5, 1), (10, 4)), (((5, 1), "here"),)),
        Curve("flat & level", ((0, 2), (10, 2))),
    ]
    picture = curves(series, title="A chart", across="steps", up="height")
    words = texts(picture.svg)
    assert {"A chart", "steps", "height", "rising", "flat & level", "here", "0", "2", "4", "10"} <= set(words)
    assert "height against steps; rising, flat & level" in picture.scene.label
    assert picture.png(scale=1.0).startswith(b"\x89PNG")


def test_factors_and_level_curves() -> None:
    words = texts(
        curves([Curve("a", ((10, 3), (10_000, 3)))], title="", across="N", up="y", logarithmic=True).svg
    )
    assert {"10", "100", "1,000", "10,000"} <= set(words)
    with pytest.raises(OptionError, match="needs positive values"):
        curves([Curve("a", ((0, 3),))], title="", across="N", up="y", logarithmic=True)
    with pytest.raises(OptionError, match="at least one point"):
        curves([], title="", across="N", up="y")


def test_the_frontier_of_a_result() -> None:
    data = {"a": [0, 0, 1, 1] * 25, "b": [0, 0, 1, 1] * 25, "c": [0, 1] * 50}
    found = dw.learn(data, search=dw.MdlSearch())
    frontier = dw.show.frontier(found)
    assert [point.arcs for point in frontier.points] == [0, 1, 2, 3]
    assert frontier.best.arcs == 1
    assert frontier.best.shortest == found.graph
    assert frontier.best.length == pytest.approx(-found.score / 0.6931471805599453)
    assert frontier.entropy == pytest.approx(3.0)
    assert "1 arcs" in texts(frontier.to_svg())
    assert dw.show.frontier(dw.Learned.from_json(found.to_json())) == frontier
    with pytest.raises(OptionError, match="no network with 9 arcs was found, only with 0, 1, 2, 3"):
        frontier[9]
    with pytest.raises(OptionError, match=r"HillClimb.* computes no frontier"):
        dw.show.frontier(dw.learn(data, search=dw.HillClimb()))


def test_a_frontier_without_admitted_networks() -> None:
    data = {"a": [0, 0, 1, 1] * 5, "b": [0, 0, 1, 1] * 5, "c": [0, 1] * 10}
    apart = dw.Knowledge(forbidden=["c -- a", "c -- b"])
    frontier = dw.show.frontier(dw.learn(data, search=dw.MdlSearch(connected=True), knowledge=apart))
    assert all(point.shortest is None for point in frontier.points)
    with pytest.raises(OptionError, match="no network was admitted"):
        frontier.to_svg()
