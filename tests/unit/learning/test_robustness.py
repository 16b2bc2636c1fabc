"""Which edges stay when the score, the intervals or the policy for gaps change."""

from __future__ import annotations

import numpy as np
import pytest

import dagwright as dw
from ctrl_c import InterruptedScore
from dagwright.errors import OptionError


def rows(gaps: bool) -> dict[str, list[object]]:
    random = np.random.default_rng(3)
    size = random.normal(0, 1, 300)
    mass = 2 * size + random.normal(0, 1, 300)
    kind = np.where(mass > 0, "heavy", "light").astype(object)
    if gaps:
        kind[::7] = None
    return {"size": size.tolist(), "mass": mass.tolist(), "kind": kind.tolist()}


def test_settings_follow_from_the_data() -> None:
    found = dw.robustness(rows(gaps=True), search=dw.HillClimb())
    assert found.settings[:5] == ("default", "BIC", "AIC", "BDeu(ess=1.0)", "BDeu(ess=10.0)")
    assert {"2 intervals", "5 intervals", "missing: state", "missing: em"} <= set(found.settings)
    assert ("kind", "mass") in found.always
    assert found.distances["default"] == 0
    text = str(found).splitlines()
    assert text[0].endswith(f"{len(found.settings)} settings")
    assert text[1].split()[:2] == ["edge", "default"]
    assert len(text) == 3 + len(found.edges)
    whole = dw.robustness(dw.read(rows(gaps=False)).discretized(), search=dw.HillClimb())
    assert not [name for name in whole.settings if "intervals" in name or "missing" in name]


def test_the_first_setting_is_what_learn_does_by_default() -> None:
    data = dw.load("asia").sample(500, random_state=4)
    found = dw.robustness(data)
    assert found.graphs["default"] == dw.learn(data).essential
    assert dw.robustness(data, scores=["BIC", None]).graphs["default"] == found.graphs["default"]


def test_marks_say_what_each_class_fixes() -> None:
    found = dw.robustness(dw.sample_path("asia"), scores=[dw.BIC(), dw.AIC()])
    for (a, b), marks in found.edges.items():
        for graph, mark in zip(found.graphs.values(), marks, strict=True):
            assert (mark == "->") == ((a, b) in graph.directed_edges)
            assert (mark == "<-") == ((b, a) in graph.directed_edges)
            assert (mark == "--") == (b in graph.neighbors(a))


def test_refusals() -> None:
    with pytest.raises(OptionError, match="bins= needs numbers that are not cut yet"):
        dw.robustness(dw.read(rows(gaps=False)).discretized(), bins=[2])
    with pytest.raises(OptionError, match="at least one score"):
        dw.robustness(rows(gaps=False), scores=[])


def test_ctrl_c_keeps_the_settings_that_are_finished() -> None:
    data = dw.load("asia").sample(200, random_state=1)
    scores = [dw.BIC(), InterruptedScore(2), dw.AIC()]
    found = dw.robustness(data, search=dw.HillClimb(), scores=scores)
    assert found.settings == ("BIC",)
    assert found.stopped == "cancelled"
    assert "other settings are missing" in str(found)
