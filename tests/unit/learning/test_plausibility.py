"""Independences that a graph implies: which are tested, which rejected, and how permuted graphs fare."""

from __future__ import annotations

import json

import numpy as np
import pytest

import dagwright as dw
from dagwright.graph.members import list_members
from dagwright.learning.plausibility import implied_independences

TRUTH = "a -> c; b -> c; c -> d; d -> e"


def rows(n: int, seed: int) -> dw.Table:
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, n))
    c = a + b + rng.normal(size=n)
    d = c + rng.normal(size=n)
    return dw.Table(list("abcde"), [a, b, c, d, d + rng.normal(size=n)], [None] * 5)


def test_the_truth_is_better_than_chance_and_a_wrong_graph_is_not() -> None:
    table = rows(500, 1)
    good = dw.plausibility(TRUTH, table)
    assert good.implied == 6 and len(good.permuted) == 100
    assert good.share <= 0.1 and good.p_value <= 0.05 and good.same_class <= 0.05
    assert "fits better" in good.conclusion
    bad = dw.plausibility("d -> a; e -> a; a -> b; b -> c", table)
    assert bad.share > 0.3 and "doubtful" in bad.conclusion
    assert [v.p_value for _, v in bad.violations] == sorted(v.p_value for _, v in bad.violations)
    assert json.loads(json.dumps(bad.to_dict()))["violated"] == len(bad.violations)
    assert "I(" in str(bad)


def test_all_violations_are_those_of_the_procedure() -> None:
    table = rows(300, 2)
    graph = dw.Dag.parse("a -> b; c -> d; e")
    found = dw.plausibility(graph, table, permutations=0, fdr=dw.BenjaminiYekutieli(0.01))
    queries = implied_independences(graph)
    p_values = [dw.independence_test(table, q.x, q.y, q.given, dw.StudentT()).p_value for q in queries]
    wanted = dw.BenjaminiYekutieli(0.01).rejected(p_values)
    assert {q for q, _ in found.violations} == {q for q, out in zip(queries, wanted, strict=True) if out}
    assert found.permuted == () and "without permutations" in found.conclusion


def test_all_permutations_are_taken_where_they_are_few() -> None:
    table = rows(200, 3).select(["a", "b", "c"])
    found = dw.plausibility("a -> c <- b", table)
    assert len(found.permuted) == 5
    assert found.same_class == pytest.approx(1 / 5)  # a and b exchanged
    assert "imply the same" in found.conclusion
    assert "no independence" in dw.plausibility("a -> b; a -> c; b -> c", table).conclusion


def test_discrete_mixed_and_hidden() -> None:
    sample = dw.plausibility(dw.load("asia").graph, "sample:asia", permutations=20)
    assert sample.p_value <= 0.05
    numbers = rows(200, 4)
    states = numbers.discretized({"a": dw.EqualFrequency(bins=3)})
    assert dw.plausibility(TRUTH, states, permutations=5).implied == 6
    mag = dw.Dag.parse(TRUTH).latent_projection(hidden="c")
    hidden = dw.plausibility(mag, numbers, permutations=10)
    assert hidden.implied == 3 and not hidden.violations  # a, b; a, e and b, e given d
    assert dw.plausibility(mag.pag(), numbers, permutations=10).implied == 3


def test_neither_column_order_nor_names_matter() -> None:
    table = rows(150, 5)
    found = dw.plausibility(TRUTH, table, permutations=7)
    assert dw.plausibility(TRUTH, table.select(list("edcba")), permutations=7) == found
    renamed = dw.Table(list("vwxyz"), [table.reals(name) for name in "abcde"], [None] * 5)
    graph = dw.Dag.parse(TRUTH).renamed(dict(zip("abcde", "zyxwv", strict=True)))
    turned = dw.Table(list("zyxwv"), [table.reals(name) for name in "abcde"], [None] * 5)
    assert renamed.names != turned.names
    assert dw.plausibility(graph, turned, permutations=7).permuted == found.permuted


def test_a_basis_implies_all_independences() -> None:
    for seed in range(20):
        dag = dw.graph.random_graph.random_dag(5, degree=2.0, random_state=seed)
        for member in list_members(dag.cpdag()):
            assert all(dag.d_separated(q.x, q.y, q.given) for q in implied_independences(member))


def test_what_is_refused() -> None:
    table = rows(50, 6)
    with pytest.raises(dw.OptionError, match="permutations"):
        dw.plausibility(TRUTH, table, permutations=-1)
    with pytest.raises(dw.CapacityError, match="permutations"):
        dw.plausibility(TRUTH, table, permutations=10**6)
    with pytest.raises(dw.GraphError, match="undirected graph"):
        dw.plausibility(dw.UndirectedGraph.parse("a -- b"), table)
    with pytest.raises(dw.DagwrightError, match="'q'"):
        dw.plausibility("a -> q", table)
    with pytest.raises(dw.OptionError, match="BenjaminiHochberg"):
        dw.plausibility(TRUTH, table, fdr=0.05)  # type: ignore[arg-type]
