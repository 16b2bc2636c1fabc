"""Files of networks with continuous nodes: written and read back, or their loss is named."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.unit.model.mixed_networks import random_mixed, sangiovese

import dagwright as dw
from dagwright.errors import FormatError
from dagwright.io.equations import read_equation
from dagwright.model.gaussian.distribution import FittedRegression

FIGURES = Path(__file__).with_name("figures")


@pytest.mark.parametrize("suffix", ["json", "dwb", "xdsl"])
@pytest.mark.parametrize("seed", range(4))
def test_networks_come_back(seed: int, suffix: str, tmp_path: Path) -> None:
    network = random_mixed(seed, seed, 5).renamed({"x1": "blood pressure", "d0": "ü"} if seed else {})
    network = network.with_metadata(
        dw.model.Metadata(
            "body", "what it is", "", {"a": "b"}, {"blood pressure": {"unit": "mm"}} if seed else {}
        )
    )
    path = tmp_path / f"network.{suffix}"
    assert network.save(path) == ()
    again = dw.load(path)
    assert again == network
    assert again.metadata == network.metadata
    assert again.nodes == network.nodes


def test_sangiovese_comes_back(tmp_path: Path) -> None:
    network = sangiovese()
    for suffix in ("json", "dwb", "xdsl"):
        network.save(tmp_path / f"network.{suffix}")
        assert dw.load(tmp_path / f"network.{suffix}") == network


def test_a_network_of_equations() -> None:
    network = dw.load(FIGURES / "sachs_continuous.xdsl")
    assert len(network.continuous) == 11
    assert len(network.graph.edges) == 17
    assert str(network.cpd("Akt")) == "Akt = 46.2351 + 2.18156 * Erk - 0.0370198 * PKA + N(0, 97.3178)"
    assert network.gaussians["PKC"].intercept == 30.34165764
    assert network.query("PKA").mean == pytest.approx(659.3166504 - 1.106007934 * 30.34165764)


def test_standard_errors_are_kept_or_their_loss_is_named(tmp_path: Path) -> None:
    own = dw.LinearGaussian(
        [1.0, 2.0],
        {"x": [0.5, 0.25]},
        [1.0, 2.0],
        given=["d"],
        fitted=FittedRegression([4, 0], [0.1, np.nan], {"x": [0.2, np.nan]}),
    )
    network = dw.BayesianNetwork(
        "d -> y; x -> y", {"d": ["a", "b"]}, {"d": [0.5, 0.5], "x": dw.LinearGaussian(), "y": own}
    )
    for suffix in ("json", "dwb"):
        assert network.save(tmp_path / f"n.{suffix}", lossless=True) == ()
        fitted = dw.load(tmp_path / f"n.{suffix}").gaussians["y"].fitted
        assert fitted.rows.tolist() == [4, 0]
        assert np.array_equal(fitted.intercept_error, [0.1, np.nan], equal_nan=True)
        assert np.array_equal(fitted.coefficient_errors["x"], [0.2, np.nan], equal_nan=True)
    (loss,) = network.save(tmp_path / "n.xdsl")
    assert str(loss) == "standard errors of 'y': not written; the equation is"


@pytest.mark.parametrize("suffix", ["bif", "xmlbif", "net", "dne", "dsc", "uai"])
def test_other_formats_hold_the_discrete_nodes(suffix: str, tmp_path: Path) -> None:
    network = random_mixed(3, 3, 2)
    losses = network.save(tmp_path / f"n.{suffix}")
    assert [(loss.what, loss.node) for loss in losses] == [("node", "x0"), ("node", "x1")]
    assert dw.load(tmp_path / f"n.{suffix}").nodes == ("d0", "d1", "d2")
    with pytest.raises(FormatError, match="cannot hold this network"):
        network.save(tmp_path / f"n.{suffix}", lossless=True)
    with pytest.raises(FormatError, match="has no continuous nodes, and this network has no others"):
        random_mixed(3, 0, 2).save(tmp_path / f"n.{suffix}")


def test_the_version_of_json_files(tmp_path: Path) -> None:
    dw.load("asia").save(tmp_path / "asia.json")
    document = json.loads((tmp_path / "asia.json").read_text(encoding="utf-8"))
    assert document["format_version"] == 1
    random_mixed(1, 1, 1).save(tmp_path / "mixed.json")
    document = json.loads((tmp_path / "mixed.json").read_text(encoding="utf-8"))
    assert document["format_version"] == 2
    document["format_version"] = 3
    (tmp_path / "new.json").write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(FormatError, match="reads 1 and 2"):
        dw.load(tmp_path / "new.json")


def test_damaged_json_is_refused(tmp_path: Path) -> None:
    entry = {"name": "x", "parents": ["d"], "given": ["d"], "regression": [[1, 1]]}
    nodes = [{"name": "d", "states": ["a", "b"], "table": [[0.5, 0.5]]}, entry]
    path = tmp_path / "n.json"

    def refusal(**changes: object) -> str:
        document = {"format": "dagwright-network", "format_version": 2, "nodes": [nodes[0], entry | changes]}
        path.write_text(json.dumps(document), encoding="utf-8")
        with pytest.raises(FormatError) as problem:
            dw.load(path)
        return str(problem.value)

    assert "2 configurations" in refusal()
    assert "unknown discrete parent of 'x' 'e'" in refusal(given=["e"])
    assert "cannot be negative" in refusal(regression=[[1, -1], [1, 1]])
    assert "must be finite" in refusal(regression=[[1, 1e999], [1, 1]])
    assert "rows or standard errors" in refusal(regression=[[1, 1], [1, 1]], rows=[[1], [1]])
    assert "'d' is discrete" in refusal(given=[], regression=[[1, 1, 1]])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("y=2", "2"),
        ("y = -x + Normal(0, 1)", "0 - 1 * x + N(0, 1)"),
        ("y=2*(x-1)/4+.5", "0 + 0.5 * x"),
        ("y=Normal(x*3+1,2)", "1 + 3 * x + N(0, 2)"),
        ("y=3*Normal(1,1)+4*Normal(0,1)", "3 + 0 * x + N(0, 5)"),
        ("y=1e-3*x-2.5E+2", "-250 + 0.001 * x"),
    ],
)
def test_equations(text: str, shown: str) -> None:
    parents = ["x"] if "x" in shown else []
    assert read_equation("y", text, parents, {}).equation() == shown


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x=2", "begins with 'y='"),
        ("y=x*x", "multiplies nodes"),
        ("y=Exp(x)", "uses Exp\\(\\)"),
        ("y=1/x", "divides by something other than a number"),
        ("y=Normal(0,x)", "must be a number of at least 0"),
        ("y=Normal(0,-1)", "must be a number of at least 0"),
        ("y=z", "which is not a continuous parent"),
        ("y=1+", "ends too early"),
        ("y=(1", "expected '\\)', found the end"),
        ("y=1;2", "';' does not belong"),
        ("y=Choose(x,1,2)", "needs a discrete parent"),
        ("y=Choose(d,1)", "has 1 cases, but 'd' has 2 states"),
        ("y=" + "(" * 500 + "1", "nested too deeply"),
    ],
)
def test_equations_that_are_refused(text: str, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        read_equation("y", text, ["x", "d"], {"d": 2})


def test_a_wrong_equation_is_named_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "n.xdsl"
    path.write_text(
        '<smile version="1.0" id="n"><nodes>\n<equation id="y"><definition>y=Exp(2)</definition></equation>'
        "</nodes></smile>",
        encoding="utf-8",
    )
    with pytest.raises(FormatError, match=r"line 2, column 18: node 'y': an equation uses Exp\(\)"):
        dw.load(path)
