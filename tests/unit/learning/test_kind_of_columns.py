"""The kind of the columns chooses measure and test; what counts states sees intervals, and says so."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright import defaults
from dagwright.search import greedy_tie_outcomes
from dagwright.search.pipeline import Prepared


def numbers(rows: int = 400, seed: int = 0) -> dict[str, Any]:
    """x -> y <- z, linear with normal noise."""
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=(2, rows))
    return {"x": x, "z": z, "y": x + z + 0.5 * rng.normal(size=rows)}


def mixed(rows: int = 400) -> dict[str, Any]:
    rng = np.random.default_rng(1)
    data = numbers(rows)
    return {**data, "s": np.where(data["x"] + 0.2 * rng.normal(size=rows) > 0, "high", "low")}


def kept(found: dw.Learned) -> str:
    return next(note for note in found.assumptions if "stay numbers" in note)


def test_numbers_stay_numbers() -> None:
    found = dw.learn(numbers())
    assert found.table is not None
    assert found.table.schema.kind == "continuous"
    assert str(found.essential) == "x -> y; z -> y"
    assert found.score_spec == dw.BIC(measure=dw.Gaussian())
    assert found.score_definition is not None
    assert found.score_definition.startswith("BIC of Gaussian()")
    assert kept(found).startswith(
        "all columns hold numbers and stay numbers, judged by BIC(measure=Gaussian())"
    )
    assert "read(..., discretize=EqualFrequency(bins=3))" in kept(found)
    assert "stay numbers" in str(found)
    alone = dw.score(found.dag, numbers(), dw.BIC(measure=dw.Gaussian())).total
    prior = dw.FanIn(monotone=True).log_prior(found.dag)
    assert found.score == pytest.approx(alone + prior)
    assert dw.score(found).total == pytest.approx(found.score)
    assert dw.score(found.dag, numbers()).total == pytest.approx(found.score)
    assert dw.score(found.dag, numbers(), dw.BIC()).total == pytest.approx(alone)


def test_mixed_tables_have_the_measure_of_the_defaults() -> None:
    found = dw.learn(mixed())
    assert found.score_spec == dw.BIC(measure=dw.Embedded())
    assert kept(found).startswith("3 of 4 columns hold numbers and stay numbers")
    assert defaults.DEFAULTS["mixed"].measure == "Embedded()"


def test_an_explicit_discretizer_still_cuts() -> None:
    table = dw.read(numbers(), discretize=dw.EqualFrequency(3))
    found = dw.learn(table)
    assert found.score_spec == dw.AdaptiveBDeu()
    assert not any("stay numbers" in note for note in found.assumptions)
    study = dw.Study(reading={})
    assert study.learn(table).graph == found.graph


@pytest.mark.parametrize("score", [dw.BDeu(), dw.QNML(), dw.K2Score(), dw.MDL(), dw.NodeAverage()], ids=repr)
def test_scores_of_states_see_intervals(score: Any) -> None:
    found = dw.learn(numbers(), score=score, search=dw.HillClimb())
    assert found.table is not None
    assert found.table.schema.kind == "discrete"
    assert any("counts states, so columns of numbers were cut" in note for note in found.assumptions)
    assert found.score == pytest.approx(dw.score(found).total)


def test_tests_by_the_kind_of_the_columns() -> None:
    assert dw.learn(numbers(), search=dw.PC()).notes["test"].startswith("Student t")
    assert dw.learn(mixed(), search=dw.PC()).notes["test"].startswith("Student t")
    counted = dw.learn(numbers(), search=dw.PC(test=dw.GSquare()))
    assert any("GSquare() counts states" in note for note in counted.assumptions)
    assert dw.learn({"a": [0, 1] * 20, "b": [1, 0] * 20}, search=dw.PC()).notes["test"].startswith("G2")
    # A hybrid sees intervals if its test counts states, whatever its score.
    hybrid = dw.learn(numbers(), search=dw.MMHC(test=dw.GSquare()))
    assert hybrid.table is not None
    assert hybrid.table.schema.kind == "discrete"
    assert "Student t" in dw.learn(numbers(), search=dw.MMHC()).notes["edges"]


def test_one_question() -> None:
    data = mixed()
    r = np.corrcoef(data["x"], data["y"])[0, 1]
    expected = abs(r) * np.sqrt(398 / (1 - r * r))
    assert dw.independence_test(data, "x", "y").statistic == pytest.approx(expected)
    assert dw.independence_test(data, "x", "y", test=dw.GSquare()).df == 4
    by_sign = dw.independence_test(data, "x", "y", test=dw.BIC())
    assert by_sign.gain == pytest.approx(-200 * np.log1p(-r * r) - np.log(400) / 2)
    assert dw.independence_test(data, "x", "y", test=dw.BayesFactor(dw.BGe())).independent is False
    # Numbers elsewhere are none of its business.
    assert dw.independence_test({**data, "t": data["s"]}, "s", "t").df == 1


def test_every_verb() -> None:
    data = numbers()
    assert dw.bootstrap(data, search=dw.HillClimb(), replicates=5).strength("x", "y") == 1.0
    assert dw.posterior(data).probability("x -> y; z -> y") > 0.5
    assert dw.candidates(data).score_name == "BIC + FanIn"
    assert dw.rivals(data, 2).best == pytest.approx(dw.learn(data).score)
    assert dw.forecast(data).search
    assert set(dw.blanket(data, "y").members) == {"x", "z"}
    tried = {"all": {}, "none": {"search": dw.HillClimb(max_parents=0)}}
    assert dw.cross_validate(data, tried, folds=3).best == "all"
    assert dw.faithfulness("x -> y <- z", data).rejected == ()
    assert len(greedy_tie_outcomes(data)) >= 1
    study = dw.learn(data).study
    again = dw.Study.from_json(study.to_json()).learn(data)
    assert again.score_spec == dw.BIC(measure=dw.Gaussian())


def test_constant_columns_are_left_out_by_name() -> None:
    data = {**numbers(), "c": np.full(400, 2.5)}
    found = dw.learn(data)
    assert found.graph.nodes == ("x", "z", "y")
    assert any(note == "1 constant column was left out: 'c'" for note in found.assumptions)
    assert dw.learn(data, score=dw.BGe()).graph.nodes == ("x", "z", "y")
    table = dw.read(data, kinds={"c": "continuous"})
    assert dw.learn(table).graph.nodes == ("x", "z", "y")
    with pytest.raises(dw.DagwrightError, match="'c'"):
        dw.score("x -> y", table)
    named = dw.learn(table, knowledge=dw.Knowledge(forbidden=[("c", "x")]))
    assert "c" in named.graph.nodes
    assert not any("c" in edge for edge in named.graph.edges)


@pytest.mark.parametrize("score", [None, dw.BGe()], ids=repr)
def test_a_column_may_be_constant_in_a_replicate(score: Any) -> None:
    data = numbers(60)
    table = dw.read({**data, "rare": [3.5] + [0.0] * 59}, kinds={"rare": "continuous"})
    # About every third replicate has no row of the one value that differs.
    sure = dw.bootstrap(table, score=score, search=dw.HillClimb(), replicates=20, threads=1)
    assert sure.strength("x", "y") == 1.0
    tested = dw.bootstrap(table, search=dw.PC(), replicates=20, threads=1)
    assert tested.strength("rare", "y") < 1.0


def test_missing_values() -> None:
    data = numbers()
    data["y"][::9] = np.nan
    assert dw.learn(data, missing="drop").score_spec == dw.BIC(measure=dw.Gaussian())
    state = dw.learn(data, missing="state")
    assert any("missing='state' needs states" in note for note in state.assumptions)
    em = dw.learn(data, missing="em", search=dw.HillClimb())
    assert em.score_spec == dw.BIC(measure=dw.Gaussian())


def test_the_prior_of_bge_is_that_of_the_whole_table() -> None:
    table = dw.read(numbers())
    prepared = Prepared.of(dw.Study(score=dw.BGe()), table)
    half = table.take(np.arange(150))
    turned = half.select(["y", "x", "z"])
    fixed = dw.BGe().with_prior_of(table)
    assert fixed.prior_mean[0] == pytest.approx(table.reals("x").mean())
    assert fixed.scale[0] == pytest.approx(table.reals("x").var(ddof=1))
    expected = dw.score("x -> y", half, fixed).total
    assert prepared.bound(turned, 1).total("x -> y") == pytest.approx(expected, rel=1e-12)
    assert dw.score("x -> y", half, dw.BGe()).total != pytest.approx(expected, abs=1e-3)
    with pytest.raises(dw.OptionError, match="scale has 2 numbers for 3 columns"):
        dw.score("x -> y", half, dw.BGe(scale=(1.0, 2.0)))


def test_prior_means_belong_to_columns_not_to_places() -> None:
    # Searches renumber the columns; the numbers of a prior follow them.
    data = {name: numbers()[name] for name in ("z", "y", "x")}
    means = {"x": 50.0, "y": -3.0, "z": 0.0}
    score = dw.BGe(prior_mean=tuple(means[name] for name in data))
    found = dw.learn(data, score=score, search=dw.HillClimb())
    assert found.score == pytest.approx(dw.score(found.dag, data, score).total, rel=1e-12)


def test_the_command_line(tmp_path: Any) -> None:
    from typer.testing import CliRunner

    from dagwright.cli.app import app

    path = tmp_path / "rows.csv"
    data = numbers()
    np.savetxt(path, np.column_stack(list(data.values())), delimiter=",", header=",".join(data), comments="")
    run = CliRunner().invoke
    assert "--discretize" in run(app, ["learn", str(path)]).stdout.replace("\n", " ")
    scored = json.loads(run(app, ["score", str(path), "x -> y", "--json"]).stdout)
    assert scored["total"] == pytest.approx(dw.score("x -> y", path).total)
    tested = run(app, ["independence-test", str(path), "x", "y"])
    assert "StudentT" in tested.stdout


def test_one_column_of_numbers_stays_numbers() -> None:
    rng = np.random.default_rng(0)
    found = dw.learn({"x": rng.normal(size=60).tolist(), "a": ["n", "y"] * 30, "b": ["n", "n", "y"] * 20})
    assert any(
        str(note).startswith("1 of 3 columns holds numbers and stays numbers") for note in found.assumptions
    )
