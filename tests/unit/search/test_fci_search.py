"""FCI and RFCI from data: what is on the result, how they stop, what becomes of their answers."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import dagwright as dw
from dagwright.cli.app import app
from dagwright.evidence.protocols import SetFit
from dagwright.graph.oracle import GraphOracle

SEARCHES = [dw.FCI(), dw.RFCI()]


@pytest.fixture(scope="module")
def confounded() -> dw.Table:
    """A -> B <- H -> C <- D with H hidden."""
    rng = np.random.default_rng(0)
    a, h, d = rng.integers(0, 2, (3, 4000))
    noise = rng.random((2, 4000)) < 0.1
    b, c = (a + h + noise[0]) % 3, (d + h + noise[1]) % 3
    return dw.read({"A": a, "B": b, "C": c, "D": d})


@pytest.mark.parametrize("search", SEARCHES)
def test_a_hidden_common_cause_is_found(search: Any, confounded: dw.Table) -> None:
    found = dw.learn(confounded, search=search)
    assert found.graph == dw.Pag.parse("A o-> B; B <-> C; D o-> C")
    assert found.dag is None
    assert found.score is None
    assert found.evaluations == sum(found.notes["tests by size"].values())
    assert {one.x + one.y for one in found.separations} == {"AC", "AD", "BD"}
    assert all(one.p_value is not None and one.p_value > 0.01 for one in found.separations)
    assert "3 edges" in str(found)
    assert any("hidden" in assumption for assumption in found.assumptions)


def test_the_answer_is_written_and_read(confounded: dw.Table, tmp_path: Path) -> None:
    found = dw.learn(confounded, search=dw.FCI())
    for again in (dw.Learned.from_json(found.to_json()), pickle.loads(pickle.dumps(found))):
        assert again == found
        assert again.graph.nodes == confounded.names
    found.save(tmp_path / "answer.json")
    assert dw.Learned.load(tmp_path / "answer.json").graph == found.graph
    with pytest.raises(dw.GraphError, match="variables may be hidden"):
        found.network()


@pytest.mark.parametrize("test", [dw.ChiSquare(), dw.BIC(), dw.Threshold(0.01), dw.BayesFactor()])
def test_any_test_or_score_decides(test: Any, confounded: dw.Table) -> None:
    assert dw.learn(confounded, search=dw.FCI(test=test)).graph.bidirected_edges == (("B", "C"),)
    assert dw.learn(confounded, search=dw.RFCI(test=test)).graph.bidirected_edges == (("B", "C"),)


def test_uncertain_regions_are_resolved_or_only_reported() -> None:
    data = dw.sample_path("asia")
    alternatives = "any of either - xray, lung - xray, tub - xray may be missing, but not all"
    for search in (dw.FCI, dw.RFCI):
        found = dw.learn(data, search=search())
        assert found.graph.adjacent("either", "xray")
        assert f"{alternatives}; either - xray is put back" in found.notes["uncertain regions"]
        listed = dw.learn(data, search=search(uncertain="report"))
        assert not listed.graph.adjacent("either", "xray")
        assert f"{alternatives}; all are left out" in listed.notes["uncertain regions"]
        assert f"\n  {alternatives}; all are left out\n" in str(listed)
        with pytest.raises(dw.UnknownNameError, match="uncertain"):
            search(uncertain="ignore")


def test_knowledge_decides_marks(confounded: dw.Table) -> None:
    known = dw.Knowledge(required=["A -> B"], tiers=[["C", "D"], ["A", "B"]])
    graph = dw.learn(confounded, search=dw.FCI(), knowledge=known).graph
    assert graph == dw.Pag.parse("A -> B; B <-> C; D o-> C")
    assert known.check(graph) == []
    assert [str(one) for one in known.check(dw.Pag.parse("A o-> B; C o-o B; A o-o D"))] == [
        "A -> B has other marks in the graph (required by required: A -> B)",
        "A o-o D has no arrowhead at A (forbidden by tier 1 before tier 2 (D, A))",
        "B o-o C has no arrowhead at B (forbidden by tier 1 before tier 2 (C, B))",
    ]
    apart = dw.Knowledge(forbidden=["B -- C"])
    graph = dw.learn(confounded, search=dw.FCI(), knowledge=apart).graph
    assert not graph.adjacent("B", "C")
    assert len(apart.check(dw.Pag.parse("B <-> C; A; D"))) == 1


def test_options_are_checked() -> None:
    with pytest.raises(dw.UnknownNameError, match="colliders"):
        dw.FCI(colliders="best")
    with pytest.raises(dw.UnknownNameError, match=r"second_look 'wide'.*'narrow', 'textbook'"):
        dw.FCI(second_look="wide")
    for wrong in ({"max_size": -1}, {"max_path": -1}):
        with pytest.raises(dw.OptionError, match="at least 0"):
            dw.FCI(**wrong)
    with pytest.raises(dw.OptionError, match="at least 0"):
        dw.RFCI(max_size=-1)
    with pytest.raises(dw.OptionError, match="takes no score"):
        dw.learn({"a": [0, 1], "b": [0, 1]}, search=dw.FCI(), score=dw.BIC())


TRUTH = dw.Mag.parse("A -> B; A -> C; B -> E; B <-> D; C -> D; C <-> E")


@pytest.mark.parametrize("search", [*SEARCHES, dw.FCI(colliders="majority", second_look="textbook")])
def test_ctrl_c_at_any_moment_leaves_a_valid_graph(search: Any, presses_ctrl_c: Any) -> None:
    oracle = GraphOracle(TRUTH)
    whole = dw.learn(oracle=oracle, search=search)
    for at in range(oracle.queries):
        found = dw.learn(oracle=presses_ctrl_c(TRUTH, at), search=search)
        assert found.stopped == "cancelled"
        assert any("interrupt" in warning for warning in found.warnings)
        assert {frozenset(edge[::2]) for edge in found.graph.edges} >= {
            frozenset(edge[::2]) for edge in whole.graph.edges
        }
        assert found.graph.is_valid() or isinstance(search, dw.RFCI)
    assert dw.learn(oracle=presses_ctrl_c(TRUTH, oracle.queries), search=search).stopped is None


@pytest.mark.parametrize("search", SEARCHES)
def test_no_time_at_all(search: Any) -> None:
    found = dw.learn(oracle=TRUTH, search=search, time_limit=0.0)
    assert found.stopped == "deadline"
    assert len(found.graph.edges) == 10
    assert all(arrow == "o-o" for _, arrow, _ in found.graph.edges)


def test_a_second_look_that_is_cut_short_says_so(presses_ctrl_c: Any) -> None:
    search = dw.FCI(second_look="textbook")
    oracle = GraphOracle(TRUTH)
    dw.learn(oracle=oracle, search=search)
    found = dw.learn(oracle=presses_ctrl_c(TRUTH, oracle.queries - 1), search=search)
    words = "stopped at sets of size 3: edges that it would have removed may be left"
    assert found.notes["second look"] == [words]
    assert f"the second look {words}" in found.warnings
    early = dw.learn(oracle=TRUTH, search=search, time_limit=0.0)
    assert early.notes["second look"][0].startswith("stopped before it began")
    assert "second look" not in dw.learn(oracle=TRUTH, search=search).notes


def test_the_command_line_learns_prints_and_compares(confounded: dw.Table, tmp_path: Path) -> None:
    def said(*words: str) -> str:
        result = CliRunner().invoke(app, list(words))
        assert result.exit_code == 0, result.output
        return result.stdout

    data, answer = tmp_path / "data.csv", tmp_path / "answer.json"
    confounded.to_polars().write_csv(data)
    text = said("learn", str(data), "--search", "FCI", "-o", str(answer))
    assert text.splitlines()[:3] == ["A o-> B", "B <-> C", "D o-> C"]
    assert "found by FCI(" in text
    truth = "A o-> B; B <-> C; D o-> C"
    assert said("compare", truth, str(answer)).startswith("structural Hamming distance 0 between classes")
    numbers = json.loads(said("compare", "A -> B; C; D", str(answer), "--json"))
    assert numbers["shd"] == 3
    assert numbers["extra"] == [["B", "<->", "C"], ["D", "o->", "C"]]
    refused = CliRunner().invoke(app, ["score", str(data), str(answer)])
    assert refused.exit_code == 1
    assert "a DAG is needed" in refused.stderr


class ConstantEvidence:
    """A measure of one's own that knows nothing: everything is independent."""

    N = 10.0
    cardinalities = (2, 2, 2)

    def evidence(self, sets: Sequence[frozenset[int]], rows: object = None) -> list[SetFit]:
        assert rows is None
        return [SetFit(0.0, 0.0) for _ in sets]


def test_nothing_depends_on_anything() -> None:
    table = {"a": [0, 1, 0, 1, 0, 1, 0, 1, 0, 1], "b": [0, 0, 1, 1] * 2 + [0, 1], "c": [0, 1] * 5}
    assert dw.learn(table, search=dw.FCI(test=ConstantEvidence())).graph.edges == ()
