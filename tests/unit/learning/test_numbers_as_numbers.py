"""Learning from numbers as they are: measures, scores and tests, from data to graph."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import dagwright as dw


def chain(rows: int = 1500, seed: int = 0) -> dict[str, Any]:
    """x -> y <- z -> w, linear with normal noise."""
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=(2, rows))
    y = x + z + rng.normal(size=rows)
    w = 2 * z + rng.normal(size=rows)
    return {"x": x, "y": y, "z": z, "w": w}


TRUTH = dw.Dag.parse("x -> y; z -> y; z -> w")
SCORES = [
    dw.BIC(measure=dw.Gaussian()),
    dw.BIC(discount=2, measure=dw.Gaussian()),
    dw.BGe(),
    dw.BGe(scale="identity", prior_mean=0.0),
    dw.BIC(measure=dw.Embedded(degree=2)),
    dw.BIC(measure=dw.ConditionalGaussian()),
]
SEARCHES = [None, dw.HillClimb(), dw.Tabu(), dw.GES(), dw.Exact(), dw.OrderSearch(), dw.BOSS()]


@pytest.mark.parametrize("score", SCORES, ids=repr)
@pytest.mark.parametrize("search", SEARCHES, ids=lambda search: type(search).__name__)
def test_scores_find_the_class(score: Any, search: Any) -> None:
    found = dw.learn(chain(), score=score, search=search, random_state=0)
    assert found.essential == TRUTH.cpdag()
    assert found.score == pytest.approx(dw.score(found.dag, chain(), score).total, rel=1e-10)


@pytest.mark.parametrize("test", [dw.StudentT(), dw.FisherZ(), dw.StudentT(alpha=0.001)], ids=repr)
def test_tests_find_the_class(test: Any) -> None:
    assert dw.learn(chain(), search=dw.PC(test=test)).graph == TRUTH.cpdag()


def test_numbers_are_not_cut() -> None:
    # r = 0.12 in 1,500 rows is plain to see, but not in thirds of the columns.
    rng = np.random.default_rng(4)
    x = rng.normal(size=1500)
    data = {"x": x, "y": 0.12 * x + rng.normal(size=1500)}
    found = dw.learn(data, score=dw.BIC(measure=dw.Gaussian()))
    r = np.corrcoef(data["x"], data["y"])[0, 1]
    gain = dw.score("x -> y", data, dw.LogLik(measure=dw.Gaussian())).total
    gain -= dw.score(dw.Dag(["x", "y"]), data, dw.LogLik(measure=dw.Gaussian())).total
    assert gain == pytest.approx(-750 * math.log1p(-(r**2)), rel=1e-9)
    assert found.dag.parents("y") + found.dag.parents("x")
    verdict = dw.StudentT().on(data).test([dw.graph.query.Query("x", "y")])[0]
    assert verdict.statistic == pytest.approx(abs(r) * math.sqrt(1498 / (1 - r * r)), rel=1e-9)


def test_units_change_no_class() -> None:
    data = chain(300, 3)
    other = {name: column * 10.0**k - k for k, (name, column) in enumerate(data.items(), start=-2)}
    for score in (dw.BIC(measure=dw.Gaussian()), dw.AIC(measure=dw.Gaussian()), dw.BGe()):
        for search in (dw.HillClimb(), dw.GES()):
            one, two = (dw.learn(d, score=score, search=search) for d in (data, other))
            assert one.essential == two.essential


def test_rows_columns_and_names_change_no_answer() -> None:
    data = chain(400, 5)
    rows = np.random.default_rng(0).permutation(400)
    turned = {name: data[name][rows] for name in reversed(data)}
    for score in (dw.BIC(measure=dw.Gaussian()), dw.BGe()):
        one, two = (dw.learn(d, score=score) for d in (data, turned))
        assert (one.graph, one.score) == (two.graph, two.score)


def test_mixed_tables() -> None:
    data = chain(2000, 1)
    rng = np.random.default_rng(2)
    data["s"] = np.where(data["x"] + 0.3 * rng.normal(size=2000) > 0, "high", "low")
    for measure in (dw.Embedded(), dw.ConditionalGaussian()):
        found = dw.learn(data, score=dw.BIC(measure=measure))
        assert "x" in found.dag.parents("s") or "s" in found.dag.parents("x")
        assert math.isfinite(found.score)
    assert dw.learn(data, search=dw.PC(test=dw.StudentT())).graph is not None
    for score in (dw.BIC(measure=dw.Gaussian()), dw.BGe()):
        with pytest.raises(dw.OptionError, match="'s' is discrete"):
            dw.learn(data, score=score)


def test_what_cannot_be_measured_is_named() -> None:
    constant = dw.read({**chain(50), "c": np.full(50, 2.5)}, kinds={"c": "continuous"})
    with pytest.raises(dw.DagwrightError, match="'c'"):
        dw.score("x -> y", constant, dw.BIC(measure=dw.Gaussian()))
    with pytest.raises(dw.OptionError, match="alpha_w must be more than n \\+ 1 = 5, got 5"):
        dw.learn(chain(50), score=dw.BGe(alpha_w=5))
    with pytest.raises(dw.OptionError, match="3 numbers for 4 columns"):
        dw.learn(chain(50), score=dw.BGe(prior_mean=(1.0, 2.0, 3.0)))
    with pytest.raises(dw.OptionError, match="discount must be positive"):
        dw.BIC(discount=0)
    with pytest.raises(dw.OptionError, match="degree must be between 1 and 12, got 0"):
        dw.Embedded(degree=0)


def test_duplicates_break_no_search() -> None:
    data = chain(100)
    data["copy"] = data["x"] * 3 - 1
    for search in SEARCHES:
        found = dw.learn(data, score=dw.BIC(measure=dw.Gaussian()), search=search, random_state=0)
        assert math.isfinite(found.score)


def test_missing_values() -> None:
    data = chain(2000)
    data["y"] = data["y"].copy()
    data["y"][:300] = np.nan
    assert dw.learn(data, search=dw.PC(test=dw.StudentT()), missing="available").graph == TRUTH.cpdag()
    dropped = dw.learn(data, score=dw.BIC(measure=dw.Gaussian()), missing="drop")
    assert dropped.essential == TRUTH.cpdag()
    assert dw.learn(data, score=dw.BIC(measure=dw.Gaussian())).study.missing == "em"


def test_a_study_with_a_measure_is_written_and_read() -> None:
    for score in SCORES:
        study = dw.Study(score=score)
        assert dw.Study.from_json(study.to_json()) == study
