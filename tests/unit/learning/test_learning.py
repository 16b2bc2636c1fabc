"""`learn`: what it accepts, what it refuses, what its result holds."""

from __future__ import annotations

import copy
import logging
import pickle
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.base.seeds import seed_sequence
from dagwright.evidence import Family
from dagwright.search.problem import Found


def wet_lawn(rows: int = 400, seed: int = 0) -> dict[str, list[str]]:
    rng = np.random.default_rng(seed)
    rain = rng.random(rows) < 0.4
    lawn = rain ^ (rng.random(rows) < 0.1)
    shoes = lawn ^ (rng.random(rows) < 0.2)
    word = np.array(["no", "yes"])
    return {
        "rain": list(word[rain.astype(int)]),
        "lawn": list(word[lawn.astype(int)]),
        "shoes": list(word[shoes.astype(int)]),
    }


CHAIN = dw.Dag(["rain", "lawn", "shoes"], [("rain", "lawn"), ("lawn", "shoes")])


def test_learns_the_chain() -> None:
    found = dw.learn(wet_lawn())
    assert found.graph.equivalent(CHAIN)
    assert found.score == pytest.approx(dw.score(found.graph, wet_lawn()).total, abs=1e-9)
    bic = dw.learn(wet_lawn(), score=dw.BIC()).score_definition
    assert bic is not None
    assert "log(N)/2" in bic
    assert found.evaluations > 0
    assert found.notes["chosen"].startswith("Exact()")
    assert found.optimal
    climbed = dw.learn(wet_lawn(), search=dw.HillClimb())
    assert [step.move for step in climbed.trace].count("add") >= 2
    assert found.stopped is None


def test_nodes_keep_the_order_of_the_columns() -> None:
    assert dw.learn(wet_lawn()).graph.nodes == ("rain", "lawn", "shoes")


def test_result_survives_json_pickle_and_files(tmp_path) -> None:  # type: ignore[no-untyped-def]
    found = dw.learn(wet_lawn(), random_state=7)
    assert dw.Learned.from_json(found.to_json()) == found
    assert pickle.loads(pickle.dumps(found)) == found
    assert copy.deepcopy(found) == found
    found.save(tmp_path / "model.json")
    assert dw.Learned.load(tmp_path / "model.json") == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[1]", "not a learned network"),
        ('{"format": "dagwright-learned", "format_version": 99}', "format version 99"),
        ('{"format": "dagwright-learned", "format_version": 2}', "without the field 'nodes'"),
    ],
)
def test_bad_json_is_named(text: str, message: str) -> None:
    with pytest.raises(dw.FormatError, match=message):
        dw.Learned.from_json(text)


def test_time_limit_of_zero_returns_the_start_and_says_so() -> None:
    found = dw.learn(wet_lawn(), time_limit=0)
    assert found.stopped == "deadline"
    assert found.graph.edges == ()
    assert any("time limit" in warning for warning in found.warnings)


def test_start_graph_is_used_and_checked() -> None:
    start = CHAIN
    assert dw.learn(wet_lawn(), start=start).trace == ()
    with pytest.raises(dw.UnknownNameError, match="gnome"):
        dw.learn(wet_lawn(), start=dw.Dag(["rain", "lawn", "gnome"], []))
    with pytest.raises(dw.KnowledgeError):
        dw.learn(wet_lawn(), start=start, knowledge=dw.Knowledge(forbidden=[("rain", "lawn")]))


def test_knowledge_is_law() -> None:
    knowledge = dw.Knowledge(required=["lawn -> rain"], forbidden=["lawn -- shoes"])
    graph = dw.learn(wet_lawn(), knowledge=knowledge).graph
    assert ("lawn", "rain") in graph.edges
    assert not {("lawn", "shoes"), ("shoes", "lawn")} & set(graph.edges)


def test_a_search_that_breaks_knowledge_is_caught() -> None:
    class Careless:
        def run(self, problem, control):  # type: ignore[no-untyped-def]  # noqa: ARG002
            return Found(graph=dw.Dag(problem.names, [("rain", "lawn")]))

    with pytest.raises(dw.KnowledgeError):
        dw.learn(wet_lawn(), search=Careless(), knowledge=dw.Knowledge(forbidden=[("rain", "lawn")]))


@pytest.mark.parametrize(
    ("every", "search", "policy"),
    [(40, None, "drop"), (10, None, "em"), (40, dw.PC(), "drop"), (10, dw.PC(), "available")],
)
def test_the_policy_for_missing_values_by_default(every: int, search: Any, policy: str) -> None:
    data = wet_lawn()
    data["rain"][::every] = [None] * len(data["rain"][::every])  # type: ignore[call-overload]
    found, named = dw.learn(data, search=search), dw.learn(data, search=search, missing=policy)
    assert (found.graph, found.score, found.study.missing) == (named.graph, named.score, policy)
    said = f"values are missing in {400 // every} of 400 rows: {policy} by default"
    assert any(note.startswith(said) for note in found.assumptions)
    assert not any("by default" in note for note in named.assumptions)
    assert dw.Learned.from_json(found.to_json()).study.learn(data).graph == found.graph


def test_where_a_person_chooses_the_policy_for_missing_values() -> None:
    data = wet_lawn()
    data["rain"][::40] = [None] * 10  # type: ignore[call-overload]
    assert dw.posterior(data).confidence.strength("rain", "lawn") > 0.9  # a few rows are left out
    data["rain"][::10] = [None] * 40  # type: ignore[call-overload]
    with pytest.raises(dw.MissingValuesError, match="'rain'"):
        dw.posterior(data)


def test_policies_for_missing_values() -> None:
    data = wet_lawn()
    data["rain"][3] = None  # type: ignore[call-overload]
    dropped = dw.learn(data, missing="drop")
    assert dropped.data["rows"] == 399
    assert any("dropped" in note for note in dropped.assumptions)
    assert dw.learn(data, missing="state").data["rows"] == 400


def test_too_little_to_learn_from() -> None:
    with pytest.raises(dw.DataError, match="of 2 columns none has"):
        dw.learn({"a": ["x", "x"], "b": ["y", "y"]})


@pytest.mark.parametrize("search", [dw.Auto(), dw.PC(), dw.ChowLiu()])
def test_few_rows_are_warned_of(search: Any) -> None:
    """Two rows gain enough from an edge that the search proves it optimal, which proves nothing else."""

    def warned(rows: int) -> list[str]:
        found = dw.learn({"u": ["a", "b"] * (rows // 2), "v": ["x", "y"] * (rows // 2)}, search=search)
        return [text for text in found.warnings if "support no conclusion" in text]

    assert len(warned(2)) == len(warned(8)) == 1
    assert warned(2)[0].startswith("learned from 2 rows: fewer than 10")
    assert warned(10) == []


def test_few_rows_of_large_weight_are_not_few() -> None:
    few = dw.read({"u": ["a", "b"], "v": ["x", "y"]})
    assert not any("conclusion" in text for text in dw.learn(few.with_weights([50, 50])).warnings)
    light = dw.learn(dw.read({"u": ["a", "b"] * 20, "v": ["x", "y"] * 20}).with_weights([0.1] * 40))
    assert any("rows with a total weight of 4: fewer" in text for text in light.warnings)


def test_exchangeable_columns_are_warned_of() -> None:
    data = wet_lawn()
    data["rain too"] = data["rain"]
    found = dw.learn(data)
    assert any("'rain', 'rain too'" in warning for warning in found.warnings)


def test_random_state_forms() -> None:
    assert seed_sequence(None).entropy == 0
    assert seed_sequence(np.int64(5)).entropy == 5
    sequence = np.random.SeedSequence(9)
    assert seed_sequence(sequence) is sequence
    one, other = (seed_sequence(np.random.default_rng(3)).entropy for _ in range(2))
    assert one == other
    for bad in (-1, "x", 1.5, True):
        with pytest.raises(dw.OptionError):
            seed_sequence(bad)  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [{"threads": -1}, {"time_limit": -1.0}, {"score": 3}])
def test_bad_options(options: dict[str, object]) -> None:
    with pytest.raises(dw.OptionError):
        dw.learn(wet_lawn(), **options)  # type: ignore[arg-type]


def test_scores_that_are_no_sum_over_nodes_are_refused() -> None:
    with pytest.raises(dw.OptionError, match="not a sum over nodes"):
        dw.learn(wet_lawn(), score=dw.Euclidean(0.01))


def test_a_test_can_be_climbed_on() -> None:
    assert dw.learn(wet_lawn(), score=dw.GSquare(alpha=0.001)).graph.equivalent(CHAIN)


class SlowBIC:
    """BIC through Python; each batch outlasts the interval between two reports of progress."""

    def on(self, table: dw.Table) -> SlowBIC:
        self.bound = dw.BIC().on(table)
        return self

    def local(self, families: Sequence[Family]) -> list[float]:
        time.sleep(0.06)
        return self.bound.local(families)


def test_progress_is_reported_and_errors_in_it_surface() -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("no more")

    seen: list[dw.Event] = []
    climb = dw.HillClimb()
    dw.learn(wet_lawn(), score=SlowBIC(), search=climb, progress=seen.append)
    assert seen
    assert (seen[-1].phase, seen[-1].unit) == ("hill climbing", "steps")
    assert seen[-1].best < 0
    with pytest.raises(RuntimeError, match="no more"):
        dw.learn(wet_lawn(), score=SlowBIC(), search=climb, progress=broken)


def test_logs_and_does_not_print(capsys, caplog) -> None:  # type: ignore[no-untyped-def]
    with caplog.at_level(logging.INFO, logger="dagwright"):
        dw.learn(wet_lawn())
    assert capsys.readouterr().out == ""
    assert "learning 3 variables" in caplog.text


def test_every_public_name_is_there() -> None:
    for name in dw.__all__:
        assert getattr(dw, name) is not None
    assert set(dir(dw)) == {*dw.__all__, *dw._SPACES}
    with pytest.raises(AttributeError):
        _ = dw.nonsense  # type: ignore[attr-defined]


def test_a_column_that_looks_like_an_identifier_is_named() -> None:
    rows = {"id": [f"p{i}" for i in range(60)], "a": [0, 1] * 30, "b": [0, 0, 1] * 20}
    assert any("column 'id' was left out" in note for note in dw.learn(rows).assumptions)
    (warning,) = dw.learn(rows, columns=list(rows)).warnings
    assert "exclude=['id']" in warning
