"""Columns that determine each other are noticed, also where EM completes their rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.evidence import BIC, Embedded, Gaussian
from dagwright.evidence.binding import bind_score
from dagwright.evidence.bound import Bound
from dagwright.evidence.determined import determined_columns, unscorable_sets

ROWS = 200


def chain(seed: int = 0) -> dict[str, Any]:
    """a -> b -> c, and a column of its own."""
    random = np.random.default_rng(seed)
    a = random.normal(size=ROWS)
    b = a + random.normal(size=ROWS)
    c = b + random.normal(size=ROWS)
    return {"a": a, "b": b, "c": c, "own": random.normal(size=ROWS)}


def bound(rows: dict[str, Any]) -> Bound:
    return bind_score(BIC(measure=Embedded()), dw.read(rows))


def test_duplicates_sums_and_nested_states_are_found_in_any_order() -> None:
    rows = chain()
    assert determined_columns(bound(rows)) == []
    twice = {**rows, "b again": 2 * rows["b"] + 1, "sum": rows["a"] - rows["c"]}
    twice |= {"country": np.where(rows["a"] > 0, np.where(rows["b"] > 0, "x", "y"), "z")}
    twice |= {"region": np.where(twice["country"] == "z", "south", "north")}
    expected = {
        frozenset(["b", "b again"]),
        frozenset(["a", "c", "sum"]),
        frozenset(["country", "region"]),
    }
    for names in (list(twice), list(reversed(twice))):
        found = determined_columns(bound({name: twice[name] for name in names}))
        assert {frozenset(group) for group in found} == expected
        assert all(list(group) == sorted(group, key=names.index) for group in found)


def test_scores_that_count_say_nothing_about_states() -> None:
    states = np.where(chain()["a"] > 0, "p", "q")
    rows = {**chain(), "s": states, "t": states}
    assert determined_columns(bind_score(BIC(measure=dw.ConditionalGaussian()), dw.read(rows))) == []
    assert determined_columns(bind_score(dw.BDeu(), dw.read({"s": states, "t": states}))) == []


def test_few_rows_are_not_reported() -> None:
    rows = {name: column[:4] for name, column in chain().items()}
    assert determined_columns(bind_score(BIC(measure=Gaussian()), dw.read(rows))) == []


def test_the_smallest_set_behind_a_family_without_a_score() -> None:
    rows = {**chain(), "sum": chain()["a"] + chain()["c"]}
    score = bound(rows)
    graph = dw.Dag.parse("a -> sum; c -> sum; own -> sum; b")
    assert score.total(graph) == -math.inf
    assert unscorable_sets(score, graph) == [frozenset(["a", "c", "sum"])]


@pytest.mark.parametrize("search", [None, dw.PC(), dw.Exact()])
def test_results_warn(search: Any) -> None:
    found = dw.learn({**chain(), "twin": chain()["b"]}, search=search)
    assert any("'b', 'twin' are exactly collinear" in str(text) for text in found.warnings)
    assert any("exclude=['twin']" in str(text) for text in found.warnings)


@pytest.mark.parametrize("extra", ["twin", "sum"])
def test_structural_em_finds_the_other_edges_beside_a_duplicate_or_a_sum(extra: str) -> None:
    """It once ended with an empty graph: its first graph joined the columns, and no later one was tried."""
    rows = chain()
    rows |= {"twin": rows["b"].copy()} if extra == "twin" else {"sum": rows["b"] + rows["own"]}
    random = np.random.default_rng(1)
    for column in rows.values():
        column[random.random(ROWS) < 0.08] = np.nan
    found = dw.learn(rows, missing="em")
    assert found.score is not None and math.isfinite(found.score)
    assert found.dag is not None and found.dag.adjacent("a", "b")
    assert extra == "sum" or not found.dag.adjacent("b", "twin")
    assert sum("exactly collinear" in str(text) for text in found.warnings) == 1
    assert dw.learn(rows, missing="em", threads=2).score == found.score


def test_states_that_determine_each_other_are_found_beside_columns_with_gaps() -> None:
    """Whether their set has a score was asked of a score that waits for complete rows, which refused."""
    rows = chain()
    country = np.where(rows["a"] > 0, np.where(rows["b"] > 0, "x", "y"), "z")
    rows |= {"country": country, "region": np.where(country == "z", "south", "north")}
    rows["c"][::9] = np.nan
    found = dw.learn(rows, missing="em")
    told = [str(text) for text in found.warnings if "exactly collinear" in str(text)]
    assert len(told) == 1 and "'country'" in told[0] and "'region'" in told[0]


def test_families_of_a_set_that_has_no_score_are_never_chosen() -> None:
    rows = chain()
    rows["sum"] = rows["a"] + rows["own"]
    random = np.random.default_rng(2)
    for column in rows.values():
        column[random.random(ROWS) < 0.08] = np.nan
    found = dw.learn(rows, missing="em")
    assert found.dag is not None
    for node in found.dag.nodes:
        assert not {"a", "own", "sum"} <= {node, *found.dag.parents(node)}
