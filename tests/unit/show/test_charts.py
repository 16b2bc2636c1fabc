from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

import dagwright as dw
from dagwright.show import (
    calibration_chart,
    missing_chart,
    roc_chart,
    states_chart,
    strength_chart,
    trace_chart,
)
from dagwright.show.curves import Curve, Rule, curves
from dagwright.show.row_bars import RowBar, row_bars

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [one.text or "" for one in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_the_trace_ends_at_the_score() -> None:
    found = dw.learn(dw.sample_path("asia"), search=dw.HillClimb(), score=dw.BIC())
    picture = trace_chart(found)
    assert {"moves", "score (nats)", "BIC after each move"} <= set(texts(picture.svg))
    with pytest.raises(dw.OptionError, match="left no trace"):
        trace_chart(dw.learn(dw.sample_path("asia"), search=dw.PC()))


def test_strengths_and_their_threshold() -> None:
    sure = dw.Confidence(("A", "B", "C"), [[0, 0.9, 0.1], [0, 0, 0], [0, 0, 0]], source="example")
    words = texts(strength_chart(sure).svg)
    assert f"threshold {sure.significance_threshold():.2f}" in words
    assert "Strengths of edges (1 pair never adjacent)" in words
    with pytest.raises(dw.OptionError, match="at least 2 bins"):
        strength_chart(sure, bins=1)


def test_calibration_states_its_error_and_its_counts() -> None:
    judged = dw.EdgeCalibration.of([0.0, 0.2, 0.9, 0.9], [False, False, True, False])
    words = texts(judged.draw().svg)
    assert f"error {judged.error:.3f}, by chance {judged.error_by_chance:.3f}; 3 pairs" in words
    assert {"perfect calibration", "1", "2", "Strengths against the truth"} <= set(words)
    several = texts(calibration_chart({"<b>": judged, "other": judged}, columns=1, title="Two").svg)
    assert {"<b>", "other", "Two"} <= set(several)
    assert several.count("strength") == 2
    with pytest.raises(dw.OptionError, match="no calibration"):
        calibration_chart({})
    with pytest.raises(dw.OptionError, match="at least one column"):
        calibration_chart(judged, columns=0)


def test_calibration_of_predicted_states() -> None:
    asia = dw.load("asia")
    judged = dw.calibration(asia, asia.sample(500, random_state=1), "lung")
    assert {"predicted probability", "observed frequency"} <= set(texts(calibration_chart(judged).svg))


def test_area_under_the_curve_is_the_chance_of_the_right_order() -> None:
    rng = np.random.default_rng(1)
    strengths = rng.integers(0, 5, 60) / 4.0
    present = rng.random(60) < 0.4
    pairs = [(a, b) for a in strengths[present] for b in strengths[~present]]
    expected = np.mean([1.0 if a > b else 0.5 if a == b else 0.0 for a, b in pairs])
    assert f"area under the curve {expected:.3f}" in texts(roc_chart(strengths, present).svg)
    with pytest.raises(dw.OptionError, match="both true and absent"):
        roc_chart([0.1, 0.2], [True, True])


def test_states_and_gaps_of_data() -> None:
    data = {"a": ["x", "x", "y", None], "b": [1, 2, 3, 4]}
    words = texts(states_chart(data, ["a"]).svg)
    assert {"66.7 %", "33.3 %", "x", "y"} <= set(words)
    assert {"Missing cells (complete columns: 1)", "25.0 % (1)"} <= set(texts(missing_chart(data).svg))
    assert "no cell is missing" in texts(missing_chart({"b": [1, 2]}).svg)
    many = {"m": [f"s{k % 20}" for k in range(200)]}
    assert "13 others" in texts(states_chart(many).svg)


def test_kinds_of_series_and_rules() -> None:
    points = ((0.0, 1.0), (1.0, 3.0), (2.0, 2.0))
    for kind in ("line", "step", "columns", "points"):
        picture = curves(
            [Curve(kind, points, kind=kind)], title="t", across="x", up="y", rules=[Rule(1.5, "here")]
        )
        assert {"here", kind} <= set(texts(picture.svg))
    with pytest.raises(dw.OptionError, match="finite numbers"):
        curves([Curve("a", ((0.0, float("nan")),))], title="t", across="x", up="y")


def test_hostile_names_are_text() -> None:
    name = "<script>alert(1)</script>"
    for picture in (
        row_bars([(name, [RowBar(name, 0.5, name)])], title=name),
        curves([Curve(name, ((0, 1), (1, 2)))], title=name, across=name, up=name, rules=[Rule(0.5, name)]),
    ):
        assert "<script" not in picture.svg
        assert name in texts(picture.svg)
    with pytest.raises(dw.OptionError, match="at least one bar"):
        row_bars([], title="t")
    with pytest.raises(dw.OptionError, match="at least one column"):
        row_bars([("", [RowBar("a", 1.0)])], title="t", columns=0)
