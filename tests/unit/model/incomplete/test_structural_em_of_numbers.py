"""Structural EM with numbers: completed rows have the expected moments, and graphs are found."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.model.gaussian.completion import completed_rows
from dagwright.model.gaussian.rows import MixedRows
from dagwright.model.incomplete.expected import observed_score

BIC = dw.BIC(measure=dw.Embedded())


def body(rows: int = 300, seed: int = 2, gaps: float = 0.12) -> dict[str, Any]:
    """sex -> height -> weight -> pressure <- age, with gaps in all columns."""
    rng = np.random.default_rng(seed)
    sex = rng.integers(0, 2, rows)
    height = 165 + 12 * sex + rng.normal(0, 5, rows)
    weight = -80 + 0.9 * height + rng.normal(0, 6, rows)
    age = rng.normal(40, 10, rows)
    pressure = 90 + 0.5 * weight + 0.4 * age + rng.normal(0, 4, rows)
    found = {"sex": np.array(["f", "m"], dtype=object)[sex], "height": height, "weight": weight}
    found |= {"age": age, "pressure": pressure}
    for name, column in found.items():
        missing = rng.random(rows) < gaps
        column[missing] = None if name == "sex" else np.nan
    return found


TRUTH = dw.Dag.parse("sex -> height; height -> weight; weight -> pressure; age -> pressure")


def test_completed_rows_have_the_expected_moments() -> None:
    # Two numbers and a category, all missing: the moments are those of the network itself.
    network = dw.BayesianNetwork(
        "s -> x; x -> y",
        {"s": ["a", "b"]},
        {
            "s": [0.3, 0.7],
            "x": dw.LinearGaussian([1.0, 5.0], {}, [1.0, 2.0], given=["s"]),
            "y": dw.LinearGaussian(2.0, {"x": 3.0}, 0.5),
        },
    )
    gaps = MixedRows(
        2, {"s": np.array([-1, 1])}, {"x": np.array([np.nan, 4.0]), "y": np.array([np.nan, np.nan])}
    )
    rows = completed_rows(network, gaps)
    assert rows.weights is not None
    assert rows.weights.sum() == pytest.approx(2.0)
    first = ~((rows.codes["s"] == 1) & (rows.numbers["x"] == 4.0))
    w = rows.weights * first
    mean_x = 0.3 * 1 + 0.7 * 5
    variance_x = 0.3 * (1 + 1) + 0.7 * (4 + 25) - mean_x**2
    x, y = rows.numbers["x"], rows.numbers["y"]
    assert w @ x == pytest.approx(mean_x)
    assert w @ (x - mean_x) ** 2 == pytest.approx(variance_x)
    assert w @ ((x - mean_x) * (y - 2 - 3 * mean_x)) == pytest.approx(3 * variance_x)
    assert w @ (y - 2 - 3 * mean_x) ** 2 == pytest.approx(9 * variance_x + 0.25)
    last = rows.weights * ~first
    assert last @ y == pytest.approx(14.0)
    assert last @ (y - 14.0) ** 2 == pytest.approx(0.25)


@pytest.mark.parametrize("score", [BIC, dw.BIC(measure=dw.ConditionalGaussian())], ids=repr)
def test_the_graph_is_found_in_mixed_rows(score: Any) -> None:
    found = dw.learn(body(), score=score, missing="em")
    assert found.dag is not None
    assert {frozenset(edge) for edge in found.dag.edges} == {frozenset(edge) for edge in TRUTH.edges}
    slope = float(found.network().gaussians["weight"].coefficients["height"])
    assert slope == pytest.approx(0.9, abs=0.1)


@pytest.mark.parametrize("score", [dw.BIC(measure=dw.Gaussian()), dw.BGe()], ids=repr)
def test_the_graph_is_found_in_numbers(score: Any) -> None:
    numbers = {name: column for name, column in body().items() if name != "sex"}
    found = dw.learn(numbers, score=score, search=dw.StructuralEM(dw.GES(), restarts=1))
    assert found.essential == TRUTH.subgraph(["height", "weight", "age", "pressure"]).cpdag()


def test_the_score_is_the_likelihood_of_what_is_known_minus_the_penalty() -> None:
    numbers = {name: column for name, column in body(120).items() if name != "sex"}
    graph = TRUTH.subgraph(list(numbers))
    found = observed_score(graph, numbers, dw.BIC(measure=dw.Gaussian()), em=dw.EM(tolerance=1e-12))
    known = float(found.network.row_log_probabilities(numbers).sum())
    assert found.log_likelihood == pytest.approx(known, rel=1e-9)
    # At the maximum the expected score is the fit of the completed rows, so only the penalty is left.
    parameters = sum(2 + len(graph.parents(node)) for node in graph.nodes)
    assert found.total == pytest.approx(known - parameters * math.log(120) / 2, abs=1e-3)


def test_the_score_rises_in_each_round() -> None:
    rounds = dw.learn(body(), score=BIC, missing="em").notes["scores of the rounds"]
    assert len(rounds) > 1
    assert all(after > before for before, after in pairwise(rounds))


def test_rows_and_names_do_not_matter() -> None:
    data = body(150)
    order = np.random.default_rng(0).permutation(150)
    names = {"sex": "z", "height": "c", "weight": "b", "age": "a", "pressure": "y"}
    turned = {names[name]: column[order] for name, column in reversed(data.items())}
    one, two = (dw.learn(rows, score=BIC, missing="em") for rows in (data, turned))
    assert one.dag is not None
    assert two.dag is not None
    assert one.dag.renamed(names).cpdag() == two.dag.cpdag()
    assert one.score == pytest.approx(two.score, rel=1e-9)


def test_complete_rows_are_learned_in_one_search() -> None:
    numbers = body(200, gaps=0.0)
    found = dw.learn(numbers, score=BIC, search=dw.StructuralEM(dw.GES()))
    assert found.score == pytest.approx(dw.learn(numbers, score=BIC, search=dw.GES()).score)


def test_hidden_variables_need_columns_without_numbers() -> None:
    with pytest.raises(dw.DagwrightError, match="holds numbers"):
        dw.learn(body(50), score=BIC, search=dw.StructuralEM(hidden={"h": 2}))


def dag_of(found: dw.Learned) -> dw.Dag:
    assert found.dag is not None
    return found.dag


def test_stated_knowledge_that_directs_an_edge_is_told_before_the_rule() -> None:
    found = dw.learn(body(), missing="em")
    (card, *_) = (card for card in dw.evidence_cards(found) if card.decided_by == "rule")
    edge = f"{card.start} -> {card.end}"
    stated = dw.learn(body(), missing="em", knowledge={"required": [edge]})
    told = dw.evidence_card(stated, card.start, card.end, rival=False)
    assert told.decided_by == "knowledge"
    assert told.knowledge == f"knowledge requires {edge}"


def test_the_rule_that_directs_edges_is_told_as_a_rule() -> None:
    """The graph was directed by a rule of the model, and cards called the same directions not identified."""
    found = dw.learn(body(), missing="em")
    assert found.knowledge is not None and "continuous" in repr(found.knowledge)
    assert any("no arc leads from a number to a state" in note for note in found.assumptions)
    directed = found.essential.directed_edges
    assert directed
    by_data = dag_of(found).cpdag().directed_edges
    for card in dw.evidence_cards(found):
        edge = (card.start, card.end)
        assert card.decided_by == (
            "data" if edge in by_data else "rule" if edge in directed else "nothing"
        ), card
        assert ("the rule for numbers and categories decides" in str(card)) == (card.decided_by == "rule")
        assert "knowledge decides" not in str(card)
    assert "rule" in {card.decided_by for card in dw.evidence_cards(found)}
    assert "rule for numbers" in dw.report(body(), missing="em", replicates=0, rival_seconds=0).to_html()
    again = dw.learn(body(), study=found.study)
    assert (again.graph, again.score) == (found.graph, found.score)
    assert dw.learn({"x": body()["age"], "y": body()["height"]}, missing="em").knowledge == dw.Knowledge()
