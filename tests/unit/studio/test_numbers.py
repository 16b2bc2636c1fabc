"""Numbers on the page: densities, equations, typed evidence, effects and predictions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

import dagwright as dw
from studio_page import Project, new_project

ROWS = 400


def columns() -> dict[str, list[Any]]:
    """Two numbers, and a state that moves one of them."""
    random = np.random.default_rng(5)
    smoker = random.random(ROWS) < 0.4
    age = random.normal(48, 14, ROWS).round(2)
    pressure = (95 + 0.6 * age + 9 * smoker + random.normal(0, 6, ROWS)).round(2)
    return {
        "smoker": ["yes" if one else "no" for one in smoker],
        "age": age.tolist(),
        "pressure": pressure.tolist(),
    }


@pytest.fixture(scope="module")
def mixed(page: TestClient) -> Project:
    project = new_project(page, name="mixed")
    rows = columns()
    lines = (",".join(map(str, row)) for row in zip(*rows.values(), strict=True))
    text = "\n".join([",".join(rows), *lines])
    answer = page.post(
        f"{project.base}/data", params={"name": "mixed.csv", "revision": 1}, content=text.encode()
    )
    assert answer.status_code == 200, answer.text
    project.change(knowledge={"dagwright_knowledge": 1, "tiers": [["smoker", "age"], ["pressure"]]})
    return project


@pytest.fixture(scope="module")
def found(mixed: Project) -> dict[str, Any]:
    return mixed.run("learn", search="Exact()")


@pytest.fixture(scope="module")
def network(mixed: Project, found: dict[str, Any]) -> dw.BayesianNetwork:
    """The same network as the library has it."""
    made = mixed.page.get(f"{mixed.base}/export", params={"model": found["id"], "format": "json"})
    dag = dw.Learned.from_json(made.text).dag
    assert dag is not None
    return dw.fit(dag, dw.read(columns()))


def of(answer: dict[str, Any], node: str) -> dict[str, Any]:
    return next(one for one in answer["marginals"] if one["node"] == node)


def test_densities_and_states_are_answered_together(
    mixed: Project, found: dict[str, Any], network: dw.BayesianNetwork
) -> None:
    assert found["fitted"], found["why_not_fitted"]
    nothing = mixed.post("/ask", {"model": found["id"]})
    assert of(nothing, "smoker")["kind"] == "states" and of(nothing, "pressure")["kind"] == "number"
    assert of(nothing, "pressure")["mean"] == pytest.approx(network.query("pressure").mean)
    seen = mixed.post("/ask", {"model": found["id"], "evidence": {"pressure": 150, "smoker": "yes"}})
    expected = network.query("age", {"pressure": 150.0, "smoker": "yes"})
    age = of(seen, "age")
    assert (age["mean"], age["sd"]) == pytest.approx((expected.mean, expected.sd))
    assert age["interval"] == pytest.approx(list(expected.interval()))
    assert age["before"]["mean"] == of(nothing, "age")["mean"]
    low, high = age["axis"]
    middle = max(age["curve"], key=lambda point: point[1])
    assert low + middle[0] * (high - low) == pytest.approx(expected.mean, abs=(high - low) / 72)
    assert of(seen, "pressure")["curve"] == [
        [pytest.approx((150 - low_of(seen)) / width_of(seen), abs=1e-3), 1]
    ]
    assert seen["density"] and not nothing["density"]
    log = network.evidence_probability({"pressure": 150.0, "smoker": "yes"}, log=True)
    assert seen["log_probability"] == pytest.approx(log)


def low_of(answer: dict[str, Any]) -> float:
    return float(of(answer, "pressure")["axis"][0])


def width_of(answer: dict[str, Any]) -> float:
    low, high = of(answer, "pressure")["axis"]
    return float(high - low)


def test_a_number_may_come_as_text_but_not_as_words(mixed: Project, found: dict[str, Any]) -> None:
    typed = mixed.post("/ask", {"model": found["id"], "evidence": {"age": "61.5"}})
    assert of(typed, "age")["mean"] == 61.5
    problem = mixed.problem("/ask", {"model": found["id"], "evidence": {"age": "old"}})
    assert "finite number" in problem["message"]


def test_an_intervention_on_a_number_cuts_it_from_its_causes(mixed: Project, found: dict[str, Any]) -> None:
    done = mixed.post("/ask", {"model": found["id"], "interventions": {"pressure": 170}})
    assert of(done, "age")["mean"] == pytest.approx(of(done, "age")["before"]["mean"])
    assert of(done, "pressure")["mean"] == 170


def test_the_equations_of_a_node(mixed: Project, found: dict[str, Any], network: dw.BayesianNetwork) -> None:
    node = mixed.post("/node", {"model": found["id"], "node": "pressure"})
    own = network.gaussians["pressure"]
    assert (node["kind"], node["given"], node["coefficients"]) == ("number", ["smoker"], ["age"])
    assert node["given_states"] == [["no", "yes"]]
    for place, row in enumerate(node["equations"]):
        assert row["intercept"] == pytest.approx(float(own.intercept[place]))
        assert row["coefficients"] == pytest.approx([float(own.coefficients["age"][place])])
        assert row["sd"] == pytest.approx(float(own.sd[place]))
        assert row["text"] == own.equation("pressure", (place,))
    assert sum(row["rows"] for row in node["equations"]) == ROWS


def test_questions_beside_marginals(
    mixed: Project, found: dict[str, Any], network: dw.BayesianNetwork
) -> None:
    explained = mixed.post("/ask/mpe", {"model": found["id"], "evidence": {"smoker": "yes"}})
    best = network.mpe({"smoker": "yes"})
    assert float(explained["states"]["age"]) == pytest.approx(best["age"], rel=1e-5)
    assert explained["density"]
    raised = mixed.post("/ask/effect", {"model": found["id"], "cause": "age", "effect": "pressure"})
    means = [row["mean"] for row in raised["rows"]]
    slope = (means[2] - means[0]) / (2 * network.query("age").sd)
    assert raised["states"] == [] and slope == pytest.approx(0.6, abs=0.1)
    assert raised["rows"][0]["seen"]["sd"] > 0
    by_state = mixed.post("/ask/effect", {"model": found["id"], "cause": "smoker", "effect": "pressure"})
    assert by_state["rows"][1]["mean"] - by_state["rows"][0]["mean"] == pytest.approx(9, abs=2)


def test_a_number_is_predicted(mixed: Project, found: dict[str, Any]) -> None:
    made = mixed.run("predict", model=found["id"], target="pressure")
    assert made["preview"]["columns"][0] == "predicted pressure"
    assert math.isfinite(float(made["preview"]["cells"][0][-1]))


def test_the_report_names_controls_of_the_page(mixed: Project) -> None:
    columns = {column["name"]: column for column in mixed.get("/data/report")["columns"]}
    assert columns["age"]["kept_numbers"] and not columns["smoker"]["kept_numbers"]
    mixed.change(columns={"age": {"rule": "EqualFrequency()"}})
    try:
        cut = {column["name"]: column for column in mixed.get("/data/report")["columns"]}
        assert not cut["age"]["kept_numbers"] and len(cut["age"]["histogram"]["cut_points"]) == 2
    finally:
        mixed.change(columns={})
    assert not any("kinds=" in column["action"] for column in columns.values())


def test_dates_with_gaps_are_learned_explained_and_predicted(page: TestClient) -> None:
    project = new_project(page, name="visits")
    random = np.random.default_rng(8)
    visit = np.datetime64("2023-01-01") + random.integers(0, 600, ROWS)
    size = ((visit - np.datetime64("2023-01-01")).astype(int) / 50 + random.normal(0, 1, ROWS)).round(2)
    ill = np.where(size > 6, "yes", "no")
    gap = random.random(ROWS) < 0.3
    lines = [f"{a},{'' if g else b},{c}" for a, b, c, g in zip(visit, size, ill, gap, strict=True)]
    text = "\n".join(["visit,size,ill", *lines])
    page.post(f"{project.base}/data", params={"name": "visits.csv"}, content=text.encode())
    project.change(knowledge={"dagwright_knowledge": 1, "forbidden": ["size -> ill", "visit -> ill"]})
    model = project.run("learn")
    best = project.post("/ask/mpe", {"model": model["id"]})["states"]
    assert np.datetime64(best["visit"]) > np.datetime64("2023-01-01")
    made = project.run("predict", model=model["id"], target="ill")
    assert made["rows"] == ROWS
    assert any("gaps" in one or "missing" in one for one in model["assumptions"])
    assert not any("read(" in one or "columns=" in one for one in model["assumptions"])
