"""Scores and reports for rows with gaps."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import dagwright as dw
from dagwright.errors import MissingValuesError, OptionError
from dagwright.evidence.incomplete import IncompleteScore

ARC, EMPTY = dw.Dag(["a", "b"], [("a", "b")]), dw.Dag(["a", "b"])
GAPS = {"a": [0, 0, 1, 1, None, 1, 0, None], "b": [0, 0, 1, None, 1, 0, None, 0]}


def test_the_node_average_likelihood_by_hand() -> None:
    """a is known in 6 rows, 3 to 3; both in 5: (0,0) twice, (1,1) once, (1,0) once -- and b alone in 6."""
    bound = dw.NodeAverage(alpha=0.5, scale=0.0).on(GAPS)
    by_node = bound.by_node(ARC)
    assert by_node["a"] == pytest.approx(8 * math.log(1 / 2))
    # Rows known at both: (0,0), (0,0), (1,1), (1,0): of a = 1 one b is 1 and one is 0.
    assert by_node["b"] == pytest.approx(8 / 4 * 2 * math.log(1 / 2))
    empty = bound.by_node(EMPTY)
    assert empty["b"] == pytest.approx(8 / 6 * (4 * math.log(4 / 6) + 2 * math.log(2 / 6)))


def test_the_penalty_grows_as_said_and_complete_rows_give_a_penalized_likelihood() -> None:
    rows = dw.load("asia").sample(300, random_state=1)
    graph = dw.load("asia").graph
    score = dw.NodeAverage(alpha=0.25, scale=2.0)
    assert score.penalty(300) == pytest.approx(2 * 300**0.75)
    same = dw.score(graph, rows, dw.Penalized(score.penalty(300))).total
    assert dw.score(graph, rows, score).total == pytest.approx(same, rel=1e-12)
    assert "penalty" in score.describe(rows)


def test_nothing_is_ruled_out_by_the_bound_that_the_best_graph_needs() -> None:
    random = np.random.default_rng(4)
    rows = dw.random_network(4, random_state=2).sample(120, random_state=3)
    columns = rows.to_dict()
    gaps = {x: [None if random.random() < 0.15 else v for v in of_x] for x, of_x in columns.items()}
    bound = dw.NodeAverage(scale=0.02).on(gaps)
    nodes = range(4)
    sets = [frozenset(s) for k in nodes for s in itertools.combinations(nodes, k)]
    families = [(x, s) for x in nodes for s in sets if x not in s]
    local = dict(zip(families, bound.local(families), strict=True))
    best = max(
        sum(max(local[x, s] for s in sets if s <= set(order[:i])) for i, x in enumerate(order))
        for order in itertools.permutations(nodes)
    )
    found = dw.learn(gaps, score=dw.NodeAverage(scale=0.02), search=dw.Exact(), missing="available")
    assert found.score == pytest.approx(best, rel=1e-12)
    assert found.dag.edges


def test_available_cases_do_not_favor_parents_with_gaps() -> None:
    random = np.random.default_rng(0)
    x, y = random.integers(0, 2, 1000), random.integers(0, 2, 1000)
    gaps = {"a": np.where(random.random(1000) < 0.3, None, x).tolist(), "b": y.tolist()}
    assert dw.learn(gaps, score=dw.NodeAverage()).dag.edges == ()
    found = dw.learn(gaps, score=dw.NodeAverage(), missing="available")
    assert found.dag.edges == ()
    assert "missing completely at random" in found.assumptions[-1]
    scored = dw.score(dw.Dag(["a", "b"]), gaps, dw.NodeAverage())
    assert scored.total == pytest.approx(found.score, rel=1e-12)


def test_a_family_that_is_never_known_is_impossible() -> None:
    never = {"a": [0, 1, None, None] * 20, "b": [None, None, 0, 1] * 20}
    assert dw.NodeAverage().on(never).by_node(ARC)["b"] == -math.inf
    assert dw.learn(never, score=dw.NodeAverage()).dag.edges == ()


def test_what_is_refused() -> None:
    for wrong in ({"alpha": 0.0}, {"alpha": 1.0}, {"scale": -1.0}, {"scale": math.nan}):
        with pytest.raises(OptionError):
            dw.NodeAverage(**wrong)
    waiting = IncompleteScore(dw.BIC(), dw.read(GAPS))
    with pytest.raises(MissingValuesError, match="only StructuralEM"):
        waiting.total(ARC)
    with pytest.raises(MissingValuesError, match="only StructuralEM"):
        waiting.verdicts([])


def test_the_report_on_gaps() -> None:
    random = np.random.default_rng(3)
    x = random.integers(0, 3, 900)
    y = random.integers(0, 2, 900)
    report = dw.missingness(
        {
            "x": x.tolist(),
            "y": np.where(x == 2, None, y).tolist(),
            "z": np.where((x == 2) | (random.random(900) < 0.1), None, y).tolist(),
            "lucky": np.where(random.random(900) < 0.2, None, y).tolist(),
        }
    )
    assert list(report.columns) == ["z", "y", "lucky"]
    assert report.complete_rows + sum(report.patterns.values()) == 900
    assert ("y", "z") in report.patterns
    found = {(test.column, test.known) for test in report.dependences}
    assert {("y", "x"), ("z", "x")} <= found
    assert not any(column == "lucky" for column, _ in found)
    assert "prefer missing='em'" in str(report)
    assert str(dw.missingness({"a": [0, 1]})) == "2 rows, no missing values"
    with pytest.raises(OptionError, match="alpha"):
        dw.missingness({"a": [0, 1]}, alpha=0)


def test_weights_count_in_the_report() -> None:
    table = dw.read({"a": [0, 1, None], "b": [0, 1, 1]}).with_weights([50, 1, 49])
    assert dw.missingness(table).dependences[0].known == "b"


@pytest.mark.parametrize("states", [40, 390])
def test_gaps_do_not_depend_on_a_column_of_many_states(states: int) -> None:
    """G2 with hundreds of nearly empty cells is no chi-squared: independent data had p = 1e-6."""
    rng = np.random.default_rng(1)
    rejected = 0
    for _ in range(40):
        x = [None if gap else "x" for gap in rng.random(400) < 0.3]
        many = [f"s{state}" for state in rng.integers(states, size=400)]
        rejected += bool(dw.missingness({"x": [*x, "y"], "many": [*many, "s0"]}, alpha=0.05).dependences)
    assert rejected <= 6  # 2 are expected


def test_an_identifier_is_not_tested() -> None:
    rows = {"x": [None, "y", "x", "x"] * 50, "id": [f"row {i}" for i in range(200)], "b": ["s", *"ttt"] * 50}
    report = dw.missingness(rows)
    assert [one.known for one in report.dependences] == ["b"]
    assert report.untested == ("id",)
    assert "not tested, too few rows for each state: gaps against id" in str(report)


def test_rare_states_are_tested_together() -> None:
    """Of six states four have fewer than 5 expected gaps; as one state they leave 2 degrees of freedom."""
    known = ["a"] * 100 + ["b"] * 100 + ["c", "d", "e", "f"] * 6
    gaps = [True] * 80 + [False] * 20 + [False] * 100 + [True, False] * 12
    (found,) = dw.missingness(
        {"x": [None if gap else str(at % 2) for at, gap in enumerate(gaps)], "known": known}
    ).dependences
    seen = np.array([[80, 0, 12], [20, 100, 12]], dtype=float)
    expected = seen.sum(axis=1, keepdims=True) * seen.sum(axis=0) / seen.sum()
    statistic = 2 * sum(n * np.log(n / e) for n, e in zip(seen.ravel(), expected.ravel(), strict=True) if n)
    assert found.df == 2
    assert found.statistic == pytest.approx(statistic)
