"""The command line asks networks with continuous nodes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.command_line import answer, refusal

import dagwright as dw


@pytest.fixture
def body(tmp_path: Path) -> str:
    network = dw.BayesianNetwork(
        "sex -> height; sex -> weight; height -> weight",
        {"sex": ["f", "m"]},
        {
            "sex": [0.5, 0.5],
            "height": dw.LinearGaussian([165, 178], sd=[7, 8], given=["sex"]),
            "weight": dw.LinearGaussian([-60, -55], {"height": [0.75, 0.8]}, sd=8, given=["sex"]),
        },
    )
    path = tmp_path / "body.json"
    network.save(path)
    return str(path)


def test_a_number_given_a_number(body: str) -> None:
    lines = answer("query", body, "weight", "-e", "height=180").splitlines()
    assert lines[0].split() == ["node", "mean", "sd", "2.5", "%", "97.5", "%"]
    assert lines[2].split() == ["weight", "87.5145", "9.08792", "68.173", "104.294"]
    found = json.loads(answer("query", body, "weight", "-e", "height=180", "--json"))
    assert found["weight"]["mean"] == pytest.approx(87.5145, abs=1e-4)
    assert found["weight"]["interval"] == pytest.approx([68.173, 104.294], abs=1e-3)
    assert (found["weight"]["method"], found["weight"]["error"]) == ("exact", 0.0)


def test_states_and_numbers_together(body: str) -> None:
    text = answer("query", body, "-e", "height=180")
    assert "m         0.893893" in text
    assert "weight  87.5145" in text
    found = json.loads(answer("query", body, "--do", "height=180", "--json"))
    assert found["sex"]["probabilities"] == {"f": 0.5, "m": 0.5}
    assert found["weight"]["mean"] == 82.0


def test_the_other_questions(body: str) -> None:
    assert "correlations" in answer("query", body, "weight", "height", "--joint")
    found = json.loads(answer("query", body, "weight", "height", "--joint", "--json"))
    assert found["mean"]["height"] == pytest.approx(171.5)
    assert found["covariance"][0][0] == pytest.approx(15.4302**2, rel=1e-5)
    assert "together with density 0.0480662" in answer("query", body, "--explain", "-e", "weight=80")
    assert json.loads(answer("query", body, "--explain", "-e", "weight=80", "--json"))["states"]["sex"] == "m"


def test_rows_of_numbers(body: str, tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text(answer("sample", body, "-n", "300"), encoding="utf-8")
    again = tmp_path / "again.json"
    answer("fit", str(rows), "sex -- height; height -- weight", "-o", str(again), "--quiet")
    network = dw.load(again)
    assert network.graph == dw.Dag.parse("sex -> height; height -> weight")
    assert network.query("height").mean == pytest.approx(171.5, abs=2)
    given = answer("sample", body, "-n", "3", "-e", "height=180").splitlines()
    assert [line.split(",")[1] for line in given] == ["height", "180.0", "180.0", "180.0"]
    predicted = answer("predict", body, str(rows), "-t", "weight").splitlines()
    assert predicted[0] == "weight"
    assert len(predicted) == 301
    chances = answer("predict", body, str(rows), "-t", "sex", "-p").splitlines()
    assert chances[0] == "sex=f,sex=m"


def test_what_is_refused(body: str) -> None:
    assert "takes a finite number, not 'tall'" in refusal("query", body, "weight", "-e", "height=tall")
    assert "is continuous" in refusal("query", body, "weight", "--informative")
    assert "loopy propagation" in refusal("query", body, "weight", "--method", "loopy")
    assert "unknown node" in refusal("query", body, "wait")


def test_fit_takes_an_equivalent_graph_that_numbers_allow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The DAG of a saved result may go from a number to a state, while its class has a DAG that does not."""
    monkeypatch.chdir(tmp_path)
    lines = ["blood,ill", *(f"{i % 17 + 9 * (i % 2)}.5,{['no', 'yes'][i % 2]}" for i in range(200))]
    Path("rows.csv").write_text("\n".join(lines), encoding="utf-8")
    kind = ("--kind", "blood=continuous")
    start = ("--search", "hc", "--start", "blood -> ill", "-o", "found.json")
    answer("learn", "rows.csv", *kind, *start)
    found = dw.load("found.json")
    assert found.dag.edges == (("blood", "ill"),)
    answer("fit", "rows.csv", "found.json", "-o", "network.json")
    assert dw.load("network.json").graph.edges == (("ill", "blood"),)
    assert "goes from a continuous to a discrete node" in refusal(
        "fit", "rows.csv", "blood -> ill", *kind, "-o", "network.json"
    )
