"""The score of any graph through one function, also where values are missing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dagwright as dw


def rows(*, numbers: bool = False) -> dict[str, Any]:
    draw = np.random.default_rng(3)
    a = draw.normal(size=300) if numbers else draw.integers(0, 2, 300)
    b = a + draw.normal(size=300) if numbers else np.where(draw.random(300) < 0.2, 1 - a, a)
    gaps = draw.random(300) < 0.3
    return {
        "a": a.tolist(),
        "b": [None if gap else value for gap, value in zip(gaps, b.tolist(), strict=True)],
        "c": (a + draw.normal(size=300) if numbers else draw.integers(0, 3, 300)).tolist(),
    }


@pytest.mark.parametrize("numbers", [False, True])
def test_em_scores_any_graph_as_it_scores_the_learned_one(numbers: bool) -> None:
    found = dw.learn(rows(numbers=numbers), missing="em")
    again = dw.score(found.dag, rows(numbers=numbers), missing="em")
    assert again.total == pytest.approx(found.score, abs=0.05)
    assert (again.by_node, again.unit) == ({}, "nats")
    assert again.definition == found.score_definition
    empty = dw.score(dw.Dag(list("abc")), rows(numbers=numbers), missing="em")
    assert empty.total < again.total


def test_em_with_a_score_a_prior_and_a_unit() -> None:
    data, prior = rows(), dw.ArcCost(2.0)
    plain = dw.score("a -> b", data, "BIC", missing="em")
    assert plain.total == dw.observed_score("a -> b", data, "BIC").total
    with_prior = dw.score("a -> b", data, "BIC", structure_prior=prior, missing="em")
    assert with_prior.total == pytest.approx(plain.total - 2.0, abs=1e-9)
    assert "structure prior" in with_prior.definition
    bits = dw.score("a -> b", data, "BIC", missing="em", unit="bits")
    assert bits.total == pytest.approx(plain.total / np.log(2)) and ", bits," in bits.definition


def test_a_result_keeps_its_policy_with_another_score() -> None:
    found = dw.learn(rows(), missing="em")
    assert dw.score(found).total == found.score
    other = dw.score(found, score="AIC")
    assert other.total == dw.observed_score(found.dag, rows(), "AIC").total


@pytest.mark.parametrize("missing", ["em", "drop", "state", None])
@pytest.mark.parametrize("score", [None, "BIC", "NodeAverage"])
def test_a_result_keeps_its_policy_on_data_that_are_given(missing: str | None, score: str | None) -> None:
    if missing in (None, "em") and score == "NodeAverage":
        missing = "available"
    found = dw.learn(rows(), missing=missing, score=score)
    assert dw.score(found, rows()).total == pytest.approx(found.score, abs=0.05)


def test_columns_that_learning_left_out_do_not_change_the_score_of_a_result() -> None:
    data = {**rows(numbers=True), "same": [1.5] * 300, "key": [f"k{i}" for i in range(300)]}
    found = dw.learn(data, missing="drop")
    assert set(found.graph.nodes) == {"a", "b", "c"}
    assert dw.score(found, dw.read(data)).total == pytest.approx(found.score, abs=1e-9)


def test_gaps_without_a_policy_are_refused_with_all_policies() -> None:
    with pytest.raises(dw.MissingValuesError, match=r"missing='drop' .*missing='state' .*missing='em'"):
        dw.score("a -> b", rows())


@pytest.mark.parametrize("numbers", [False, True])
def test_a_policy_that_is_none_is_refused_with_all_policies(numbers: bool) -> None:
    data, row_policies = rows(numbers=numbers), "choose missing='drop', missing='state' or missing='em'"
    with pytest.raises(dw.OptionError, match=f"missing='foo' is not a policy; {row_policies}"):
        dw.score("a -> b", data, missing="foo")
    with pytest.raises(dw.OptionError, match=f"NodeAverage.*; {row_policies}"):
        dw.score("a -> b", data, "BIC", missing="available")
    with pytest.raises(dw.OptionError, match=r"missing='state', missing='available' or missing='em'"):
        dw.score("a -> b", data, dw.NodeAverage(), missing="foo")
    found = dw.learn(rows(), score=dw.NodeAverage())
    assert dw.score(found, rows(), missing="available").total == pytest.approx(found.score)


def test_complete_rows_have_scores_of_nodes_also_under_em() -> None:
    data = {name: values for name, values in rows().items() if name != "b"}
    assert dw.score("a -> c", data, "BIC", missing="em") == dw.score("a -> c", data, "BIC")


def test_experiments_and_em_do_not_go_together() -> None:
    table = dw.read(rows()).with_interventions({"a": [True] * 10 + [False] * 290})
    with pytest.raises(dw.OptionError, match="experiments"):
        dw.score("a -> b", table, "BIC", missing="em")


@pytest.mark.parametrize("numbers", [False, True])
def test_structural_em_that_is_named_scores_as_it_says(numbers: bool) -> None:
    found = dw.learn(rows(numbers=numbers), search=dw.StructuralEM())
    assert dw.score(found).total == found.score
    assert dw.score(found, rows(numbers=numbers)).total == pytest.approx(found.score, abs=0.05)
    assert found.study.missing == "em"
    complete = dw.learn({"a": rows()["a"], "c": rows()["c"]}, search=dw.StructuralEM())
    assert complete.study.missing is None
    assert set(dw.score(complete).by_node) == {"a", "c"}


def test_a_result_with_a_hidden_variable_has_its_score() -> None:
    data = {"a": rows()["a"], "c": rows()["c"]}
    found = dw.learn(data, search=dw.StructuralEM(hidden={"h": 2}))
    assert dw.score(found).total == found.score


def test_the_prior_of_rows_with_gaps_names_the_number_of_variables() -> None:
    found = dw.learn(rows(), missing="em")
    assert found.score_definition is not None
    assert found.score_definition.endswith("n = 3 variables")
    assert dw.learn({"a": rows()["a"]}).score_definition.endswith("n = 1 variable")


def test_structural_em_takes_the_usual_policy_of_a_score_that_counts_available_rows() -> None:
    found = dw.learn(rows(), search=dw.StructuralEM(), score="NodeAverage")
    assert found.study.missing == "available"
    assert dw.score(found).total == found.score


def test_data_without_the_columns_of_a_result_are_refused() -> None:
    found = dw.learn({"a": rows()["a"], "c": rows()["c"]})
    with pytest.raises(dw.UnknownNameError, match="unknown column 'a'"):
        dw.score(found, {"x": [0, 1], "y": [1, 0]})
