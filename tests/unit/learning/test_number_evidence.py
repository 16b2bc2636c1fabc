"""Evidence cards of edges between numbers, and between numbers and categories."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from command_line import answer
from dagwright.learning.linear_effect import student_quantile

BIC = dw.BIC(measure=dw.Embedded())


def body(rows: int = 300, seed: int = 0) -> dict[str, Any]:
    """sex -> height -> weight -> pressure <- age, and three groups that matter to pressure."""
    rng = np.random.default_rng(seed)
    sex, group = rng.integers(0, 2, rows), rng.integers(0, 3, rows)
    height = 165 + 12 * sex + rng.normal(0, 6, rows)
    weight = -80 + 0.9 * height + rng.normal(0, 7, rows)
    age = rng.normal(40, 10, rows)
    pressure = 90 + 0.4 * weight + 0.3 * age + np.array([0.0, 6.0, -4.0])[group] + rng.normal(0, 5, rows)
    return {
        "sex": np.array(["f", "m"])[sex],
        "group": np.array(["a", "b", "c"])[group],
        "height": height,
        "weight": weight,
        "age": age,
        "pressure": pressure,
    }


BODY = body()
FOUND = dw.learn(BODY, score=BIC)


def design(data: dict[str, Any], names: tuple[str, ...]) -> Any:
    """Columns of a regression by NumPy: numbers, and indicators of all states but the first."""
    rows = len(data["age"])
    columns = [np.ones(rows)]
    for name in names:
        if data[name].dtype.kind == "f":
            columns.append(data[name])
        else:
            columns += [(data[name] == state).astype(float) for state in sorted(set(data[name]))[1:]]
    return np.column_stack(columns)


def regression(data: dict[str, Any], response: str, names: tuple[str, ...]) -> tuple[Any, Any, float]:
    """Coefficients, standard errors and the residual sum of squares."""
    X, y = design(data, names), data[response]
    beta = np.linalg.lstsq(X, y, rcond=None)[0]
    left = float(np.square(y - X @ beta).sum())
    errors = np.sqrt(np.diagonal(np.linalg.inv(X.T @ X)) * left / (len(y) - X.shape[1]))
    return beta, errors, left


@pytest.mark.parametrize(
    ("start", "end", "response", "other"),
    [
        ("weight", "pressure", "pressure", "weight"),
        ("group", "pressure", "pressure", "group"),
        ("sex", "height", "height", "sex"),
        ("age", "height", "height", "age"),
    ],
)
def test_the_effect_is_that_of_least_squares(start: str, end: str, response: str, other: str) -> None:
    card = dw.evidence_card(FOUND, start, end, rival=False)
    effect = card.effect
    assert effect is not None
    assert effect.response == response
    beta, errors, left = regression(BODY, response, (*card.given, other))
    before = regression(BODY, response, card.given)[2]
    own = len(effect.slopes)
    t = student_quantile(0.975, len(BODY["age"]) - len(beta))
    for slope, value, error in zip(effect.slopes, beta[-own:], errors[-own:], strict=True):
        assert slope.value == pytest.approx(value, rel=1e-7)
        assert (slope.low, slope.high) == pytest.approx((value - t * error, value + t * error), rel=1e-7)
    whole = float(np.square(BODY[response] - BODY[response].mean()).sum())
    assert effect.explained == pytest.approx(1 - left / before, abs=1e-9)
    assert effect.r_squared == pytest.approx(1 - left / whole, abs=1e-9)
    assert effect.r_squared_without == pytest.approx(1 - before / whole, abs=1e-9)
    # The information, the likelihood ratio and the gain are the same number.
    nats = -0.5 * math.log(left / before)
    assert card.bits == pytest.approx(nats / math.log(2), rel=1e-7)
    assert card.g2 == pytest.approx(2 * len(BODY["age"]) * nats, rel=1e-7)
    assert card.df == own
    assert card.gains["LogLik"] == pytest.approx(len(BODY["age"]) * nats, rel=1e-7)
    assert card.gains["BIC"] == pytest.approx(card.gains["LogLik"] - own * math.log(300) / 2, rel=1e-7)


def test_partial_correlation_has_the_sign_and_size_of_residuals() -> None:
    data = {**BODY, "pressure": -BODY["pressure"]}
    card = dw.evidence_card(dw.learn(data, score=BIC), "weight", "pressure", rival=False)
    assert card.effect is not None
    given = design(data, card.given)
    left = [
        data[name] - given @ np.linalg.lstsq(given, data[name], rcond=None)[0]
        for name in ("weight", "pressure")
    ]
    expected = float(np.corrcoef(left)[0, 1])
    assert expected < -0.3
    assert card.effect.partial_correlation == pytest.approx(expected, abs=1e-9)


def test_an_edge_into_a_category_compares_means() -> None:
    found = dw.learn(BODY, score=BIC, knowledge=dw.Knowledge(required=["height -> sex"]))
    card = dw.evidence_card(found, "height", "sex", rival=False)
    assert (card.start, card.end) == ("height", "sex")
    assert card.effect is not None
    assert card.effect.response == "height"
    assert card.effect.partial_correlation is None
    (slope,) = card.effect.slopes
    assert slope.of == "sex=m against f"
    beta, _, _ = regression(BODY, "height", (*card.given, "sex"))
    assert slope.value == pytest.approx(beta[-1], rel=1e-7)
    assert "in the mean of height, sex=m against f" in str(card)


def test_two_categories_in_a_mixed_table_are_counted() -> None:
    card = dw.evidence_card(FOUND, "sex", "group", rival=False)
    plain = {name: BODY[name] for name in ("sex", "group")}
    verdict = dw.independence_test(plain, "sex", "group", (), dw.GSquare())
    assert (card.g2, card.df, card.p_value) == (verdict.statistic, verdict.df, verdict.p_value)
    assert card.test.startswith("G²")
    assert card.effect is None


def test_arcs_are_those_of_the_network() -> None:
    arcs = {(card.start, card.end) for card in dw.evidence_cards(FOUND)}
    assert arcs == set(FOUND.network().graph.edges)


def test_numbers_alone_are_also_scored_by_bge() -> None:
    data = {name: BODY[name] for name in ("height", "weight", "age", "pressure")}
    found = dw.learn(data, score=dw.BGe())
    card = dw.evidence_card(found, "weight", "pressure")
    without = found.dag.with_edges(remove=[(card.start, card.end)])
    gain = dw.score(found.dag, data, dw.BGe()).total - dw.score(without, data, dw.BGe()).total
    assert card.gains["BGe"] == pytest.approx(gain, rel=1e-9)
    assert card.rival is not None
    assert card.rival.loss > 0


def test_order_of_rows_and_units_do_not_matter() -> None:
    mixed = np.random.default_rng(1).permutation(300)
    turned = {name: column[mixed] for name, column in reversed(BODY.items())}
    first = dw.evidence_card(FOUND, "weight", "pressure", rival=False)
    again = dw.evidence_card(dw.learn(turned, score=BIC), "weight", "pressure", rival=False)
    assert first == again
    grams = {**BODY, "weight": BODY["weight"] * 1000.0}
    scaled = dw.evidence_card(dw.learn(grams, score=BIC), "weight", "pressure", rival=False)
    assert first.effect is not None
    assert scaled.effect is not None
    assert scaled.effect.partial_correlation == pytest.approx(first.effect.partial_correlation, rel=1e-6)
    assert scaled.effect.slopes[0].high == pytest.approx(first.effect.slopes[0].high / 1000, rel=1e-6)


def test_gaps_leave_their_rows_out_of_the_card() -> None:
    data = {**BODY, "weight": BODY["weight"].copy(), "age": BODY["age"].copy()}
    data["weight"][:20] = np.nan
    data["age"][15:40] = np.nan
    found = dw.learn(data, score=BIC, missing="drop")
    card = dw.evidence_card(found, "weight", "pressure", data=data, rival=False)
    names = {"weight", "pressure", *card.given}
    known = {name: column[40 if "age" in names else 20 :] for name, column in BODY.items()}
    assert card.effect is not None
    beta, _, _ = regression(known, "pressure", (*card.given, "weight"))
    assert card.effect.slopes[0].value == pytest.approx(beta[-1], rel=1e-7)
    assert card.rows == len(known["age"])
    assert card.rows_in_all == 300


def test_a_column_that_others_determine_gives_no_slope() -> None:
    data = {name: BODY[name] for name in ("height", "weight", "age")}
    data["pounds"] = BODY["weight"] * 2.0
    found = dw.learn(
        data, score=dw.BGe(), knowledge=dw.Knowledge(required=["weight -> age", "pounds -> age"])
    )
    card = dw.evidence_card(found, "pounds", "age", rival=False)
    assert card.effect is not None
    assert card.effect.slopes == ()
    assert card.effect.explained == pytest.approx(0.0, abs=1e-9)
    json.loads(json.dumps(card.to_dict(), allow_nan=False))


def test_the_command_prints_the_card(tmp_path: Path) -> None:
    dw.read(BODY).to_pandas().to_csv(tmp_path / "body.csv", index=False)
    options = ["--score", "BIC(measure=Embedded())", "--no-rival"]
    text = answer("evidence-card", str(tmp_path / "body.csv"), "height", "weight", *options)
    assert "partial correlation: 0." in text
    assert "of weight per unit of height" in text
    card = json.loads(
        answer("evidence-card", str(tmp_path / "body.csv"), "sex", "height", *options, "--json")
    )
    assert card["effect"]["slopes"][0]["of"] == "sex=m against f"


@pytest.mark.parametrize(("df", "expected"), [(1, 12.706204736), (30, 2.042272456), (1000, 1.962339081)])
def test_quantiles_of_student(df: float, expected: float) -> None:
    assert student_quantile(0.975, df) == pytest.approx(expected, rel=1e-9)
